//! The same search twice gives the same nodes, whatever happened in between.

use crate::common::{position, search};
use tamarin_movegen::Position;
use tamarin_search::{Bound, Collector, Engine, Limits, SearchOptions, Wait};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn fresh_search(engine: &mut Engine, limits: Limits) -> String {
    engine.new_game();
    let (best, mut reports) =
        search(engine, &position(KIWIPETE), limits, &SearchOptions::default());
    // Whether bounds are reported depends on the time that has gone by.
    reports.retain(|report| report.bound == Bound::Exact);
    for report in &mut reports {
        report.time = Default::default();
    }
    format!("{:?} {:?} {reports:?}", best.nodes, best.mv)
}

#[test]
fn depth_and_node_limits_repeat_themselves() {
    let mut engine = Engine::new().unwrap();
    for nodes in [1, 2, 100, 1023, 1024, 1025, 5000, 50_000] {
        let mut results = Vec::new();
        for _ in 0..2 {
            let result = fresh_search(&mut engine, Limits::nodes(nodes));
            assert!(result.starts_with(&format!("{nodes} ")), "{result} is not {nodes} nodes");
            results.push(result);
        }
        assert_eq!(results[0], results[1]);
    }
}

#[test]
fn what_was_before_a_new_game_does_not_matter() {
    let limits = || Limits::depth(7);
    let mut engine = Engine::new().unwrap();
    let wanted = fresh_search(&mut engine, limits());

    // Other threads.
    engine.set_threads(8).unwrap();
    search(&mut engine, &Position::startpos(), limits(), &SearchOptions::default());
    engine.set_threads(1).unwrap();
    assert_eq!(fresh_search(&mut engine, limits()), wanted, "after other threads");

    // A stopped search.
    let endless = Limits { wait: Wait::UntilStop, ..Limits::default() };
    let collector = Collector::new();
    let running =
        engine.go(&Position::startpos(), endless, &SearchOptions::default(), collector.observer());
    while collector.reports().len() < 8 {
        std::thread::yield_now();
    }
    running.stop();
    engine = running.wait();
    assert_eq!(fresh_search(&mut engine, limits()), wanted, "after a stopped search");

    // Another table and back.
    engine.set_hash(1).unwrap();
    search(&mut engine, &Position::startpos(), limits(), &SearchOptions::default());
    engine.set_hash(16).unwrap();
    assert_eq!(fresh_search(&mut engine, limits()), wanted, "after another table");
}
