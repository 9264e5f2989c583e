//! Small programs of a few threads, of which loom tries the interleavings, and of relaxed loads
//! the values that the memory model allows:
//! `RUSTFLAGS="--cfg loom" cargo test --package tamarin-base --lib models`.
//!
//! An outcome that is expected and never seen fails a model like a wrong one: it has not explored
//! what it should.

use core::ops::ControlFlow::{Break, Continue};
use std::collections::BTreeMap;
use std::env;
use std::sync::{Arc, Mutex};

use crate::millis::Millis;
use crate::signals::{Controls, Signals};
use crate::slot::Slot;
use crate::sync::{AtomicU64, Ordering};
use crate::threads::{HelperResults, TaskSlot, ThreadTree, wait_until_all_idle};
use crate::time_limits::Wait;

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

// `stop` and `ponderhit` from one thread or two, and a search that waits for them.

/// Signals whose time stands still.
fn signals(wait: Wait) -> Arc<Signals> {
    Arc::new(Signals::with_time(wait, || Millis::new(7)))
}

#[test]
fn a_search_that_waits_is_released_by_stop_or_ponder_hit() {
    let expected = ["ponder hit", "ponder hit and stop", "stop"];
    explore("signals, stop beside ponderhit", None, &expected, |outcomes| {
        let signals = signals(Wait::Ponder);
        let senders = [Controls::stop, Controls::ponder_hit].map(|signal| {
            let controls = Controls::from(Arc::clone(&signals));
            spawn(move || signal(&controls))
        });
        signals.wait_until_answer_allowed();
        outcomes.count(match (signals.clock_start().is_some(), signals.stopped()) {
            (true, true) => "ponder hit and stop",
            (true, false) => "ponder hit",
            (false, true) => "stop",
            (false, false) => panic!("an answer is allowed, and no signal is seen"),
        });
        senders.into_iter().for_each(|sender| sender.join().unwrap());
        assert_eq!((signals.stopped(), signals.clock()), (true, Millis::ZERO));
    });
}

#[test]
fn what_a_search_wrote_is_there_once_it_is_finished() {
    explore("signals, finish", None, &["finished", "searching"], |outcomes| {
        let (signals, answer) = (signals(Wait::No), Arc::new(AtomicU64::new(0)));
        let controls = Controls::from(Arc::clone(&signals));
        let written = Arc::clone(&answer);
        let search = spawn(move || {
            written.store(42, Ordering::Relaxed);
            signals.finish();
        });
        if controls.is_finished() {
            assert_eq!(answer.load(Ordering::Relaxed), 42, "finished before its answer is seen");
            outcomes.count("finished");
        } else {
            outcomes.count("searching");
        }
        search.join().unwrap();
        assert!(controls.is_finished());
    });
}

// An entry of the transposition table that is read while others write it.

type Write = (u64, u64);

const WRITES: [Write; 2] = [(0x11, 0x2200), (0x44, 0x8800)];
/// For the key of the first one.
const REWRITE: Write = (0x11, 0x8800);

/// Which write was read, if any.
fn outcome(read: Write, writes: &[Write]) -> &'static str {
    if read == (0, 0) {
        return "empty";
    }
    if let Some(&(_, entry)) = writes.iter().find(|(key, _)| *key == read.0) {
        let whole = writes.contains(&read);
        assert!(whole, "torn entry: {:#x} was read for the key of {entry:#x}", read.1);
        return "whole";
    }
    "of no key"
}

fn read_during_writes(name: &str, preemptions: Option<usize>, writes: &'static [Write]) {
    explore(name, preemptions, &["empty", "of no key", "whole"], move |outcomes| {
        let slot = Arc::new(Slot::default());
        let writers: Vec<_> = writes
            .iter()
            .map(|&(key, entry)| {
                let slot = Arc::clone(&slot);
                spawn(move || slot.store(key, entry))
            })
            .collect();
        outcomes.count(outcome(slot.load(), writes));
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        // One write may have lost one word and kept the other.
        assert_ne!(outcome(slot.load(), writes), "empty");
    });
}

#[test]
fn no_half_of_a_write_is_an_entry_of_a_key_that_was_written() {
    read_during_writes("slot, two keys", None, &WRITES);
}

#[test]
fn no_half_of_a_write_is_another_entry_of_the_same_key() {
    read_during_writes("slot, one key", None, const { &[WRITES[0], REWRITE] });
}

#[test]
fn three_writers_tear_nothing() {
    const ALL: [Write; 3] = [WRITES[0], WRITES[1], REWRITE];
    read_during_writes("slot, three writers", Some(2), &ALL);
}

// The threads of a pool: tasks, sleep, and a search that wakes its helper threads while a `stop`
// comes in.

#[test]
fn every_task_is_done_once_and_seen_by_who_waits() {
    explore("threads, two tasks", None, &["done"], |outcomes| {
        let (slot, sum) = (Arc::new(TaskSlot::default()), Arc::new(AtomicU64::new(0)));
        let (own_slot, own_sum) = (Arc::clone(&slot), Arc::clone(&sum));
        let thread = spawn(move || {
            own_slot.serve(|task| match task {
                0 => Break(()),
                task => {
                    own_sum.store(own_sum.load(Ordering::Relaxed) + task, Ordering::Relaxed);
                    Continue(())
                }
            });
        });
        for (task, expected) in [(1, 1), (10, 11)] {
            slot.give(task);
            slot.wait_until_idle();
            assert_eq!(sum.load(Ordering::Relaxed), expected);
        }
        slot.give(0);
        thread.join().unwrap();
        outcomes.count("done");
    });
}

/// A search without positions: what its threads do to each other is all there is.
struct Search {
    signals: Signals,
    results: HelperResults<usize>,
}

enum Task {
    Search { search: Arc<Search>, tree: Arc<ThreadTree<Task>> },
    Exit,
}

/// What thread `index` of a pool of `threads` does for a search. The main thread counts the
/// helper threads that were woken.
fn search(
    index: usize,
    threads: usize,
    task: &Search,
    tree: &ThreadTree<Task>,
    again: impl Fn() -> Task,
) -> Option<usize> {
    tree.wake_children(index, &task.signals, &task.results, again);
    if index > 0 {
        task.results.add(index);
        return None;
    }
    task.signals.wait_until_answer_allowed();
    task.signals.stop_threads();
    let mut woken = task.results.wait_for(threads - 1);
    woken.sort_unstable();
    woken.dedup();
    task.signals.finish();
    Some(woken.len())
}

/// One thread of a pool, until its exit.
fn serve(index: usize, threads: usize, slot: &TaskSlot<Task>, outcomes: &Outcomes) {
    slot.serve(|task| match task {
        Task::Exit => Break(()),
        Task::Search { search: task, tree } => {
            let again = || Task::Search { search: Arc::clone(&task), tree: Arc::clone(&tree) };
            if let Some(woken) = search(index, threads, &task, &tree, again) {
                outcomes.count(["none woken", "one woken", "two woken"][woken]);
            }
            Continue(())
        }
    });
}

/// A search of `threads` threads that is stopped at any moment, and the end of the pool.
fn stopped_search(outcomes: &Outcomes, threads: usize) {
    let slots: Vec<Arc<TaskSlot<Task>>> = (0..threads).map(|_| Arc::default()).collect();
    let handles: Vec<_> = slots
        .iter()
        .enumerate()
        .map(|(index, slot)| {
            let (slot, outcomes) = (Arc::clone(slot), outcomes.clone());
            spawn(move || serve(index, threads, &slot, &outcomes))
        })
        .collect();
    let signals = Signals::with_time(Wait::UntilStop, || Millis::ZERO);
    let search = Arc::new(Search { signals, results: HelperResults::default() });
    let tree = Arc::new(ThreadTree::new(slots.iter().map(Arc::clone)));
    slots[0].give(Task::Search { search: Arc::clone(&search), tree });
    search.signals.stop();
    wait_until_all_idle(slots.iter().map(|slot| &**slot));
    assert!(search.signals.is_finished(), "all threads sleep, and the search is not finished");
    slots.iter().for_each(|slot| slot.give(Task::Exit));
    handles.into_iter().for_each(|handle| handle.join().unwrap());
}

#[test]
fn a_search_of_two_threads_ends_whenever_it_is_stopped() {
    let expected = ["none woken", "one woken"];
    explore("threads, stop with one helper", Some(3), &expected, |outcomes| {
        stopped_search(outcomes, 2);
    });
}

#[test]
fn a_search_of_three_threads_ends_whenever_it_is_stopped() {
    let expected = ["none woken", "one woken", "two woken"];
    explore("threads, stop with two helpers", Some(2), &expected, |outcomes| {
        stopped_search(outcomes, 3);
    });
}
