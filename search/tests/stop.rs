//! Searches end when they have to, and not before.

mod common;

use std::time::{Duration, Instant};

use common::{position, search};
use tamarin_movegen::{PerColor, Position};
use tamarin_search::{
    Bound, Clock, Collector, Idle, Limits, MAX_DEPTH, Millis, OwnedReport, SearchOptions,
    ThreadsError, Wait,
};

fn endless() -> Limits {
    Limits { wait: Wait::UntilStop, ..Limits::default() }
}

fn clock(left: u64) -> Limits {
    let clock = Clock { left: Millis::new(left), ..Clock::default() };
    Limits { clocks: PerColor([Some(clock); 2]), ..Limits::default() }
}

#[test]
fn a_stop_is_answered_soon() {
    let mut idle = Idle::new().unwrap();
    for (round, threads) in [(0, 1), (1, 2), (2, 1), (3, 2), (5, 1), (10, 2), (20, 1)] {
        idle.set_threads(threads).unwrap();
        let collector = Collector::new();
        let options = SearchOptions::default();
        let running = idle.go(&Position::startpos(), endless(), &options, collector.observer());
        std::thread::sleep(Duration::from_millis(round));
        assert!(!running.is_finished());
        let begin = Instant::now();
        running.stop();
        idle = running.wait();
        // Generous: the machine may be busy with other tests.
        assert!(begin.elapsed() < Duration::from_secs(1), "took {:?}", begin.elapsed());
        assert!(collector.best().unwrap().best.is_some());
        assert!(!collector.reports().is_empty());
    }
}

#[test]
fn an_infinite_search_waits_for_the_stop() {
    let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let collector = Collector::new();
    let limits = Limits { depth: Some(2), ..endless() };
    let idle = Idle::new().unwrap();
    let running = idle.go(&mate, limits, &SearchOptions::default(), collector.observer());
    std::thread::sleep(Duration::from_millis(100));
    assert!(!running.is_finished() && collector.best().is_none());
    running.ponder_hit();
    std::thread::sleep(Duration::from_millis(20));
    assert!(!running.is_finished(), "a ponder hit is nothing to an infinite search");
    running.stop();
    drop(running.wait());
    assert!(collector.best().is_some());
}

#[test]
fn a_root_without_moves_is_answered_at_once() {
    let mut idle = Idle::new().unwrap();
    let stalemate = position("k7/2Q5/8/8/8/8/8/7K b - - 0 1");
    let (best, _) = search(&mut idle, &stalemate, endless(), &SearchOptions::default());
    assert_eq!(best.best, None);
}

#[test]
fn pondering_starts_the_clock_at_the_hit() {
    let collector = Collector::new();
    let limits = Limits { wait: Wait::Ponder, ..clock(300) };
    let idle = Idle::new().unwrap();
    let options = SearchOptions::default();
    let running = idle.go(&Position::startpos(), limits.clone(), &options, collector.observer());
    std::thread::sleep(Duration::from_millis(400));
    assert!(!running.is_finished() && collector.best().is_none());
    let begin = Instant::now();
    running.ponder_hit();
    let idle = running.wait();
    assert!(begin.elapsed() < Duration::from_secs(2));
    assert!(collector.best().unwrap().best.is_some());
    // A stop ends it as well.
    let running = idle.go(&Position::startpos(), limits, &options, collector.observer());
    running.stop();
    drop(running.wait());
}

#[test]
fn clocks_are_respected() {
    let mut idle = Idle::new().unwrap();
    for left in [0, 1, 50, 200] {
        let begin = Instant::now();
        let options = SearchOptions::default();
        let (best, reports) = search(&mut idle, &Position::startpos(), clock(left), &options);
        assert!(best.best.is_some() && !reports.is_empty());
        assert!(begin.elapsed() < Duration::from_millis(left + 500));
    }
    let limits = Limits { move_time: Some(Millis::new(100)), ..Limits::default() };
    let (best, _) = search(&mut idle, &Position::startpos(), limits, &SearchOptions::default());
    assert!(best.time.get() >= 80, "a move time is used up");
}

#[test]
fn the_first_of_several_limits_ends_the_search() {
    let mut idle = Idle::new().unwrap();
    let options = SearchOptions::default();
    let limits = Limits { nodes: Some(3000), ..Limits::depth(100) };
    let (best, _) = search(&mut idle, &Position::startpos(), limits, &options);
    assert_eq!(best.nodes, 3000);
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::depth(2) };
    let (best, _) = search(&mut idle, &Position::startpos(), limits, &options);
    assert_eq!(best.depth, 2);
    let limits = Limits { mate: Some(1), ..Limits::default() };
    let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let (best, _) = search(&mut idle, &mate, limits, &options);
    assert!(best.depth < 10);
}

#[test]
fn only_wanted_moves_are_searched() {
    let root = Position::startpos();
    let wanted = root.parse_san("a3").unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(5) };
    let mut idle = Idle::new().unwrap();
    let (best, _) = search(&mut idle, &root, limits, &SearchOptions::default());
    assert_eq!(best.best, Some(wanted));
    // None is legal: all are searched, and the user is told.
    let illegal = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").parse_san("Ra5").unwrap();
    let limits = Limits { search_moves: vec![illegal], ..Limits::depth(5) };
    let collector = Collector::new();
    let best = idle.search(&root, limits, &SearchOptions::default(), collector.observer());
    assert!(best.best.is_some());
    assert_eq!(collector.notes().len(), 1);
}

#[test]
fn several_lines_come_in_order() {
    let options = SearchOptions { multi_pv: 256, ..SearchOptions::default() };
    let mut idle = Idle::new().unwrap();
    let root = Position::startpos();
    let (best, reports) = search(&mut idle, &root, Limits::depth(4), &options);
    let last: Vec<_> = reports.iter().rev().take(20).rev().collect();
    let lines: Vec<_> = last.iter().map(|report| report.line).collect();
    assert_eq!(lines, (1..=20).collect::<Vec<_>>());
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut firsts: Vec<_> = last.iter().map(|report| report.pv[0]).collect();
    assert_eq!(best.best, Some(firsts[0]));
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 20);
}

/// Kings and blocked pawns: every line is as long as it may be.
#[test]
fn the_longest_lines_fit() {
    let fortress = position("8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1");
    let mut idle = Idle::new().unwrap();
    let limits = Limits { nodes: Some(3_000_000), ..Limits::depth(u32::MAX) };
    let (best, _) = search(&mut idle, &fortress, limits, &SearchOptions::default());
    assert!(best.depth <= MAX_DEPTH);
}

#[test]
fn many_threads_still_answer() {
    let mut idle = Idle::new().unwrap();
    assert!(matches!(idle.set_threads(0), Err(ThreadsError::Range { wanted: 0 })));
    assert!(matches!(idle.set_threads(1025), Err(ThreadsError::Range { .. })));
    // Needs room for as many: `ulimit -u`, the control group's `pids.max`, memory.
    idle.set_threads(1024).unwrap();
    assert_eq!(idle.threads(), 1024);
    let limits = Limits { move_time: Some(Millis::new(100)), ..Limits::default() };
    let options = SearchOptions::default();
    for _ in 0..3 {
        let (best, _) = search(&mut idle, &Position::startpos(), limits.clone(), &options);
        assert!(best.best.is_some());
        assert!(best.time.get() < 2000, "{} ms", best.time);
    }
    for wait in [0, 1, 20, 100] {
        let collector = Collector::new();
        let running = idle.go(&Position::startpos(), endless(), &options, collector.observer());
        std::thread::sleep(Duration::from_millis(wait));
        let begin = Instant::now();
        running.stop();
        idle = running.wait();
        let took = begin.elapsed();
        println!("stopped after {wait} ms in {took:?}");
        assert!(took < Duration::from_secs(2), "took {took:?}");
        assert!(collector.best().unwrap().best.is_some());
    }
    idle.set_threads(1).unwrap();
    assert_eq!(idle.threads(), 1);
}

/// The last line is exact and is that of the move played, wherever the search is cut.
#[test]
fn what_is_said_last_is_what_is_played() {
    let mut idle = Idle::new().unwrap();
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for fen in [kiwipete, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
        for nodes in (1..25).map(|step| step * 1777 % 20_011) {
            for lines in [1, 3] {
                let options = SearchOptions { multi_pv: lines, ..SearchOptions::default() };
                let (best, reports) =
                    search(&mut idle, &position(fen), Limits::nodes(nodes), &options);
                let last = reports.iter().rev().find(|report| report.line == 1).unwrap();
                assert_eq!(last.bound, Bound::Exact);
                assert_eq!(best.best, last.pv.first().copied());
                assert_eq!((best.score, best.depth), (last.score, last.depth));
                let same = |a: &OwnedReport, b: &OwnedReport| a.pv == b.pv && a.nodes == b.nodes;
                assert!(!reports.windows(2).any(|pair| same(&pair[0], &pair[1])), "told twice");
            }
        }
    }
}

/// A forced repetition is exactly equal.
#[test]
fn a_draw_is_told_as_zero() {
    let mut root = position("6k1/5ppp/8/8/8/5q2/5P1K/8 w - - 0 1");
    for san in ["Kg1", "Qd1+", "Kh2", "Qf3", "Kg1", "Qd1+", "Kh2"] {
        root.make(root.parse_san(san).unwrap());
    }
    let back = root.parse_san("Qf3").unwrap();
    let limits = Limits { search_moves: vec![back], ..Limits::depth(4) };
    let mut idle = Idle::new().unwrap();
    let (best, reports) = search(&mut idle, &root, limits, &SearchOptions::default());
    assert_eq!(best.score.units(), 0);
    assert_eq!(reports.last().unwrap().score.units(), 0);
}

#[test]
fn dropping_a_running_search_ends_it() {
    let idle = Idle::new().unwrap();
    let collector = Collector::new();
    let options = SearchOptions::default();
    let running = idle.go(&Position::startpos(), endless(), &options, collector.observer());
    let controls = running.controls();
    drop(running);
    assert!(controls.is_finished());
    assert!(collector.best().is_some());
    controls.stop();
    controls.ponder_hit();
}

#[test]
fn a_soft_node_limit_finishes_the_iteration() {
    let options = SearchOptions::default();
    let root = Position::startpos();
    let hard = Some(100_000);
    let limits = Limits { soft_nodes: Some(3_000), nodes: hard, ..Limits::default() };
    let mut idle = Idle::new().unwrap();
    let (best, reports) = search(&mut idle, &root, limits.clone(), &options);
    let last = reports.last().unwrap();
    assert!(best.nodes >= 3_000 && last.nodes == best.nodes, "the last iteration is whole");
    assert!(reports[..reports.len() - 1].iter().all(|report| report.nodes < 3_000));
    // The hard limit cuts the same iteration short.
    idle.new_game();
    let limits = Limits { nodes: Some(last.nodes - 1), ..limits };
    let (best, _) = search(&mut idle, &root, limits, &options);
    assert_eq!(best.nodes, last.nodes - 1);
    assert_eq!(best.depth, last.depth - 1);
}

#[test]
fn without_optimism_scores_are_those_of_the_evaluation() {
    let ahead = position("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let score = |optimism| {
        let options = SearchOptions { optimism, ..SearchOptions::default() };
        let mut idle = Idle::new().unwrap();
        search(&mut idle, &ahead, Limits::depth(6), &options).0.score.units()
    };
    assert!(score(true) > score(false) + 5);
}
