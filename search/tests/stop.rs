//! Searches end when they have to, and not before.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::common::{position, search};
use tamarin_movegen::{PerColor, Position};
use tamarin_search::{
    BestMove, Bound, Clock, Collector, Controls, Engine, Limits, Millis, Note, Observer,
    OwnedReport, Report, SearchOptions, ThreadsError, Wait,
};

/// Nodes between two looks at the clock, after which a thread publishes its count.
const CHECK_INTERVAL: u64 = 1024;

/// Nodes that a stopped thread may go on for if it has no result at all.
const NODES_TO_FIRST_RESULT: u64 = 4096;

fn endless() -> Limits {
    Limits { wait: Wait::UntilStop, ..Limits::default() }
}

fn clock(left: u64) -> Limits {
    let clock = Clock { left: Millis::new(left), ..Clock::default() };
    Limits { clocks: PerColor([Some(clock); 2]), ..Limits::default() }
}

/// When a [`Stopper`] stops.
#[derive(Clone, Copy, PartialEq, Debug)]
enum StopAt {
    /// Before the first node.
    Beginning,
    /// At the report of this iteration, in plies.
    Depth(u32),
}

/// Stops the search at an event, from the thread that reports it: no node of that thread passes
/// between the event and the stop.
struct Stopper {
    at: StopAt,
    controls: Receiver<Controls>,
    /// The nodes at the stop.
    stopped_at: Sender<u64>,
    done: bool,
}

impl Stopper {
    fn stop(&mut self, nodes: u64) {
        if !self.done {
            self.controls.recv().unwrap().stop();
            self.stopped_at.send(nodes).unwrap();
            self.done = true;
        }
    }
}

impl Observer for Stopper {
    fn iteration(&mut self, report: &Report<'_>) {
        if let StopAt::Depth(depth) = self.at
            && report.depth >= depth
        {
            self.stop(report.nodes);
        }
    }

    fn note(&mut self, note: &Note) {
        assert_eq!(note, &Note::NoWantedMoveIsLegal);
        if self.at == StopAt::Beginning {
            self.stop(0);
        }
    }

    fn finished(&mut self, best: &BestMove) {
        assert!(best.mv.is_some());
        self.stopped_at.send(best.nodes).unwrap();
    }
}

/// Searches without a limit until it is stopped; gives the idle engine and the nodes after the stop.
fn nodes_after_stop(engine: Engine, at: StopAt) -> (Engine, u64) {
    let root = Position::startpos();
    // An illegal move is reported before the first node, and then all moves are searched.
    let illegal = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").parse_san("Ra5").unwrap();
    // A search that does not listen to the stop ends here, and fails by its nodes.
    let limits = Limits { search_moves: vec![illegal], nodes: Some(50_000_000), ..endless() };
    let (send_controls, controls) = channel();
    let (stopped_at, nodes) = channel();
    let stopper = Stopper { at, controls, stopped_at, done: false };
    let running = engine.go(&root, limits, &SearchOptions::default(), Box::new(stopper));
    send_controls.send(running.controls()).unwrap();
    let engine = running.wait();
    let [at_stop, at_end] = [(); 2].map(|()| nodes.recv().expect("a stop and an end"));
    (engine, at_end - at_stop)
}

#[test]
fn a_stopped_search_visits_no_more_nodes() {
    let mut engine = Engine::new().unwrap();
    let mut nodes;
    (engine, nodes) = nodes_after_stop(engine, StopAt::Beginning);
    assert!(nodes <= NODES_TO_FIRST_RESULT, "{nodes} without a result");
    for depth in [1, 2, 3, 5, 8] {
        engine.new_game();
        (engine, nodes) = nodes_after_stop(engine, StopAt::Depth(depth));
        assert!(nodes <= 1, "depth {depth}: {nodes} after the stop");
    }
    // Each of several threads publishes its nodes late, and must have searched one move.
    for threads in [2, 3] {
        engine.set_threads(threads).unwrap();
        for at in [StopAt::Beginning, StopAt::Depth(1), StopAt::Depth(5), StopAt::Depth(8)] {
            engine.new_game();
            (engine, nodes) = nodes_after_stop(engine, at);
            let most = threads as u64 * (CHECK_INTERVAL + NODES_TO_FIRST_RESULT);
            assert!(nodes <= most, "{threads} threads, {at:?}: {nodes} after the stop");
        }
    }
}

#[test]
fn an_infinite_search_waits_for_the_stop() {
    let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let collector = Collector::new();
    let limits = Limits { depth: Some(2), ..endless() };
    let engine = Engine::new().unwrap();
    let running = engine.go(&mate, limits, &SearchOptions::default(), collector.observer());
    while collector.reports().last().is_none_or(|report| report.depth < 2) {
        thread::yield_now();
    }
    // A ponder hit is nothing to an infinite search. The right engine passes however slow the
    // machine is.
    running.ponder_hit();
    thread::sleep(Duration::from_millis(50));
    assert!(!running.is_finished() && collector.best().is_none(), "an early answer");
    running.stop();
    drop(running.wait());
    assert!(collector.best().unwrap().mv.is_some());
}

/// With nodes for a clock the hard limit is exact to one look at it.
#[test]
fn clocks_are_respected() {
    const NODES_PER_MILLISECOND: u64 = 100;
    let mut engine = Engine::new().unwrap();
    let by_nodes = SearchOptions { node_time: NODES_PER_MILLISECOND, ..SearchOptions::default() };
    for left in [0, 1, 50, 200, 2_000] {
        engine.new_game();
        let (best, reports) = search(&mut engine, &Position::startpos(), clock(left), &by_nodes);
        assert!(best.mv.is_some() && !reports.is_empty());
        let usable = left.saturating_sub(by_nodes.move_overhead.get()).max(1);
        let most = usable * NODES_PER_MILLISECOND + CHECK_INTERVAL;
        assert!(best.nodes <= most, "{left} ms: {} nodes of {most}", best.nodes);
    }
    // Nine tenths of a time for the move are used up, and no more: the overhead is greater.
    let limits =
        Limits { move_time: Some(Millis::new(50)), nodes: Some(50_000_000), ..Limits::default() };
    let (best, _) = search(&mut engine, &Position::startpos(), limits, &by_nodes);
    let least = 45 * NODES_PER_MILLISECOND;
    assert!((least..=least + CHECK_INTERVAL).contains(&best.nodes), "{} nodes", best.nodes);
    // By the real clock it ends by itself, too.
    for left in [0, 1, 50] {
        let options = SearchOptions::default();
        let (best, _) = search(&mut engine, &Position::startpos(), clock(left), &options);
        assert!(best.mv.is_some());
    }
    let limits = Limits { move_time: Some(Millis::new(100)), ..Limits::default() };
    let (best, _) = search(&mut engine, &Position::startpos(), limits, &SearchOptions::default());
    assert!(best.time.get() >= 80, "a move time is used up");
}

#[test]
fn the_first_of_several_limits_ends_the_search() {
    let mut engine = Engine::new().unwrap();
    let options = SearchOptions::default();
    let limits = Limits { nodes: Some(3000), ..Limits::depth(100) };
    let (best, _) = search(&mut engine, &Position::startpos(), limits, &options);
    assert_eq!(best.nodes, 3000);
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::depth(2) };
    let (best, _) = search(&mut engine, &Position::startpos(), limits, &options);
    assert_eq!(best.depth, 2);
    let limits = Limits { mate: Some(1), ..Limits::default() };
    let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let (best, _) = search(&mut engine, &mate, limits, &options);
    assert!(best.depth < 10);
}

#[test]
fn only_wanted_moves_are_searched() {
    let root = Position::startpos();
    let wanted = root.parse_san("a3").unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(5) };
    let mut engine = Engine::new().unwrap();
    let (best, _) = search(&mut engine, &root, limits, &SearchOptions::default());
    assert_eq!(best.mv, Some(wanted));
    // None is legal: all are searched, and the user is informed.
    let illegal = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").parse_san("Ra5").unwrap();
    let limits = Limits { search_moves: vec![illegal], ..Limits::depth(5) };
    let collector = Collector::new();
    let best = engine.search(&root, limits, &SearchOptions::default(), collector.observer());
    assert!(best.mv.is_some());
    assert_eq!(collector.notes().len(), 1);
}

#[test]
fn several_lines_come_in_order() {
    let options = SearchOptions { multi_pv: 256, ..SearchOptions::default() };
    let mut engine = Engine::new().unwrap();
    let root = Position::startpos();
    let (best, reports) = search(&mut engine, &root, Limits::depth(4), &options);
    let last: Vec<_> = reports.iter().rev().take(20).rev().collect();
    let lines: Vec<_> = last.iter().map(|report| report.line).collect();
    assert_eq!(lines, (1..=20).collect::<Vec<_>>());
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut firsts: Vec<_> = last.iter().map(|report| report.pv[0]).collect();
    assert_eq!(best.mv, Some(firsts[0]));
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 20);
}

#[test]
fn long_a_thousand_threads_still_answer() {
    let mut engine = Engine::new().unwrap();
    assert!(matches!(engine.set_threads(0), Err(ThreadsError::Range { wanted: 0 })));
    assert!(matches!(engine.set_threads(1025), Err(ThreadsError::Range { .. })));
    // Needs room for as many: `ulimit -u`, the control group's `pids.max`, memory.
    engine.set_threads(1024).unwrap();
    assert_eq!(engine.threads(), 1024);
    let (mut engine, nodes) = nodes_after_stop(engine, StopAt::Depth(6));
    let most = 1024 * (CHECK_INTERVAL + NODES_TO_FIRST_RESULT);
    assert!(nodes <= most, "{nodes} after the stop");
    engine.set_threads(1).unwrap();
    assert_eq!(engine.threads(), 1);
}

/// The last line is exact and is that of the move played, wherever the search is cut.
#[test]
fn what_is_said_last_is_what_is_played() {
    let mut engine = Engine::new().unwrap();
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for fen in [kiwipete, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
        for nodes in (1..25).map(|step| step * 1777 % 20_011) {
            for lines in [1, 3] {
                let options = SearchOptions { multi_pv: lines, ..SearchOptions::default() };
                let (best, reports) =
                    search(&mut engine, &position(fen), Limits::nodes(nodes), &options);
                let last = reports.iter().rev().find(|report| report.line == 1).unwrap();
                assert_eq!(last.bound, Bound::Exact);
                assert_eq!(best.mv, last.pv.first().copied());
                assert_eq!((best.score, best.depth), (last.score, last.depth));
                let same = |a: &OwnedReport, b: &OwnedReport| a.pv == b.pv && a.nodes == b.nodes;
                assert!(!reports.windows(2).any(|pair| same(&pair[0], &pair[1])), "reported twice");
            }
        }
    }
}

/// A forced repetition is exactly equal.
#[test]
fn a_draw_is_reported_as_zero() {
    let mut root = position("6k1/5ppp/8/8/8/5q2/5P1K/8 w - - 0 1");
    for san in ["Kg1", "Qd1+", "Kh2", "Qf3", "Kg1", "Qd1+", "Kh2"] {
        root.make(root.parse_san(san).unwrap());
    }
    let back = root.parse_san("Qf3").unwrap();
    let limits = Limits { search_moves: vec![back], ..Limits::depth(4) };
    let mut engine = Engine::new().unwrap();
    let (best, reports) = search(&mut engine, &root, limits, &SearchOptions::default());
    assert_eq!(best.score.units(), 0);
    assert_eq!(reports.last().unwrap().score.units(), 0);
    // Whoever repeats it: the side that would lose is saved, however well the other one could go on.
    for san in ["Qf3", "Kg1", "Qd1+"] {
        root.make(root.parse_san(san).unwrap());
    }
    let limits = Limits { search_moves: vec![root.parse_san("Kh2").unwrap()], ..Limits::depth(4) };
    let (best, _) = search(&mut engine, &root, limits, &SearchOptions::default());
    assert_eq!(best.score.units(), 0);
}

#[test]
fn a_soft_node_limit_finishes_the_iteration() {
    let options = SearchOptions::default();
    let root = Position::startpos();
    let hard = Some(100_000);
    let limits = Limits { soft_nodes: Some(3_000), nodes: hard, ..Limits::default() };
    let mut engine = Engine::new().unwrap();
    let (best, reports) = search(&mut engine, &root, limits.clone(), &options);
    let last = reports.last().unwrap();
    assert!(best.nodes >= 3_000 && last.nodes == best.nodes, "the last iteration is whole");
    assert!(reports[..reports.len() - 1].iter().all(|report| report.nodes < 3_000));
    // The hard limit cuts the same iteration short.
    engine.new_game();
    let limits = Limits { nodes: Some(last.nodes - 1), ..limits };
    let (best, _) = search(&mut engine, &root, limits, &options);
    assert_eq!(best.nodes, last.nodes - 1);
    assert_eq!(best.depth, last.depth - 1);
}
