//! `stop` and `ponderhit` from one thread or two, and a search that waits for them.

use std::sync::Arc;

use super::{explore, spawn};
use crate::millis::Millis;
use crate::signals::{Controls, Signals};
use crate::sync::{AtomicU64, Ordering};
use crate::time_limits::Wait;

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
