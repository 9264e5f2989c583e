//! What the tests of whole searches have in common.

#![allow(dead_code, reason = "not every test file uses everything")]

use tamarin_movegen::{Move, Position};
use tamarin_search::{BestMove, Collector, Engine, Limits, Note, OwnedReport, SearchOptions};

pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Searches to the end, and checks that the answer and all lines are legal and no thread panicked.
pub fn search(
    engine: &mut Engine,
    position: &Position,
    limits: Limits,
    options: &SearchOptions,
) -> (BestMove, Vec<OwnedReport>) {
    let collector = Collector::new();
    let best = engine.search(position, limits, options, collector.observer());
    assert_eq!(collector.best(), Some(best));
    let notes = collector.notes();
    let has_panicked = notes.iter().any(|note| matches!(note, Note::WorkerPanicked { .. }));
    assert!(!has_panicked, "{notes:?}");
    let reports = collector.reports();
    for report in &reports {
        replay_from(position, &report.pv);
    }
    if let Some(mv) = best.mv {
        assert!(position.is_legal(mv));
        let mut after = position.clone();
        after.make(mv);
        assert!(best.ponder.is_none_or(|answer| after.is_legal(answer)));
    }
    (best, reports)
}

/// Searches with a new engine of one thread to the given depth.
pub fn depth(fen: &str, plies: u32) -> (BestMove, Vec<OwnedReport>) {
    let mut engine = Engine::new().unwrap();
    search(&mut engine, &position(fen), Limits::depth(plies), &SearchOptions::default())
}

/// Searches `nodes` nodes with a new engine of one thread.
pub fn nodes(fen: &str, nodes: u64) -> (BestMove, Vec<OwnedReport>) {
    let mut engine = Engine::new().unwrap();
    search(&mut engine, &position(fen), Limits::nodes(nodes), &SearchOptions::default())
}

/// The position at the end of a line, every move of which must be legal.
pub fn replay(fen: &str, line: &[Move]) -> Position {
    replay_from(&position(fen), line)
}

pub fn replay_from(root: &Position, line: &[Move]) -> Position {
    let mut position = root.clone();
    for &mv in line {
        assert!(position.is_legal(mv), "{mv:?} of {line:?} is not legal");
        position.make(mv);
    }
    position
}
