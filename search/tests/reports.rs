//! What is reported in long searches only: bounds, and the root move that is searched next.

mod common;

use std::sync::{Arc, Mutex};

use common::position;
use tamarin_search::{
    BestMove, Bound, CurrentMove, DEFAULT_REPORT_DELAY, Engine, Limits, Millis, Observer, Report, Reports,
    SearchOptions,
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Counts bounds and current moves.
#[derive(Clone, Default)]
struct Counter(Arc<Mutex<Counts>>);

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Counts {
    exact: usize,
    bounds: usize,
    current_moves: usize,
}

impl Observer for Counter {
    fn iteration(&mut self, report: &Report<'_>) {
        let mut counts = self.0.lock().unwrap();
        match report.bound {
            Bound::Exact => counts.exact += 1,
            _ => counts.bounds += 1,
        }
    }

    fn current_move(&mut self, current: &CurrentMove) {
        assert!(current.number >= 1 && position(KIWIPETE).is_legal(current.mv));
        self.0.lock().unwrap().current_moves += 1;
    }

    fn finished(&mut self, _best: &BestMove) {}
}

/// What a search of 100,000 nodes for so many lines reports.
fn counts(delay: Millis, reports: Reports, multi_pv: usize) -> Counts {
    let counter = Counter::default();
    let options = SearchOptions { report_delay: delay, reports, multi_pv, ..SearchOptions::default() };
    let mut engine = Engine::new().unwrap();
    engine.search(&position(KIWIPETE), Limits::nodes(100_000), &options, Box::new(counter.clone()));
    *counter.0.lock().unwrap()
}

#[test]
fn bounds_and_current_moves_are_reported_after_the_delay_and_not_before() {
    let at_once = counts(Millis::new(0), Reports::All, 1);
    assert!(at_once.bounds > 0 && at_once.current_moves > 0, "{at_once:?}");
    let never = counts(Millis::new(u64::MAX), Reports::All, 1);
    assert_eq!(never, Counts { exact: at_once.exact, bounds: 0, current_moves: 0 });
    // The final line alone, whatever the delay.
    let minimal = counts(Millis::new(0), Reports::Minimal, 1);
    assert_eq!(minimal, Counts { exact: 1, bounds: 0, current_moves: 0 });
    assert_eq!(SearchOptions::default().report_delay, DEFAULT_REPORT_DELAY);
}

#[test]
fn with_several_lines_no_bounds_are_reported() {
    let counts = counts(Millis::new(0), Reports::All, 2);
    assert!(counts.bounds == 0 && counts.current_moves > 0, "{counts:?}");
}
