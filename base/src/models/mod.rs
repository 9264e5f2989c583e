//! Small programs of a few threads, of which loom tries the interleavings, and of relaxed loads
//! the values that the memory model allows:
//! `RUSTFLAGS="--cfg loom" cargo test --package tamarin-base --lib models`.
//!
//! An outcome that is expected and never seen fails a model like a wrong one: it has not explored
//! what it should.

mod signals;
mod slot;
mod threads;

use std::collections::BTreeMap;
use std::env;
use std::sync::{Arc, Mutex};

/// How often a model has come to each outcome.
#[derive(Clone, Default)]
struct Outcomes(Arc<Mutex<BTreeMap<&'static str, usize>>>);

impl Outcomes {
    fn count(&self, outcome: &'static str) {
        *self.0.lock().unwrap().entry(outcome).or_default() += 1;
    }
}

/// Runs a model once for every interleaving with at most `preemptions` preemptions, or for every
/// one; `TAMARIN_LONG_TESTS` adds a preemption. Its outcomes must be the `expected` ones, in the
/// order of the alphabet.
fn explore(
    name: &str,
    preemptions: Option<usize>,
    expected: &[&str],
    model: impl Fn(&Outcomes) + Send + Sync + 'static,
) {
    let outcomes = Outcomes::default();
    let counted = outcomes.clone();
    let mut builder = loom::model::Builder::new();
    let more = usize::from(env::var_os("TAMARIN_LONG_TESTS").is_some());
    builder.preemption_bound = preemptions.map(|preemptions| preemptions + more);
    builder.check(move || {
        counted.count("executions");
        model(&counted);
    });
    let mut counts = outcomes.0.lock().unwrap().clone();
    let executions = counts.remove("executions").unwrap_or_default();
    println!("model {name}: {executions} executions, outcomes {counts:?}");
    assert_eq!(counts.into_keys().collect::<Vec<_>>(), expected, "{name}");
}

/// Starts a thread of a model.
///
/// loom does not explore all of a thread whose first operation is an atomic load, so a lock of its
/// own comes first. Source: issue 392 of loom.
fn spawn<T: 'static>(work: impl FnOnce() -> T + 'static) -> loom::thread::JoinHandle<T> {
    loom::thread::spawn(move || {
        drop(loom::sync::Mutex::new(()).lock());
        work()
    })
}
