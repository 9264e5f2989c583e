//! A thread that fails does not take the answer with it.

use tamarin_movegen::Position;
use tamarin_search::{Collector, Engine, Limits, Note, SearchOptions};

#[test]
fn a_legal_move_comes_out_of_a_panic() {
    let mut engine = Engine::new().unwrap();
    for (threads, nodes) in [(1, 0), (1, 1), (1, 5000), (3, 5000)] {
        engine.set_threads(threads).unwrap();
        let options = SearchOptions { panic_at_nodes: Some(nodes), ..SearchOptions::default() };
        let collector = Collector::new();
        let position = Position::startpos();
        let best = engine.search(&position, Limits::depth(20), &options, collector.observer());
        assert!(best.mv.is_some_and(|mv| position.is_legal(mv)));
        assert!(!collector.reports().is_empty());
        assert!(matches!(collector.notes()[..], [Note::WorkerPanicked { .. }, ..]));
        // And the engine goes on as if nothing had been.
        let collector = Collector::new();
        let options = SearchOptions::default();
        let best = engine.search(&position, Limits::depth(6), &options, collector.observer());
        assert_eq!(best.depth, 6);
        assert!(collector.notes().is_empty());
    }
}
