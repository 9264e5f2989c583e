//! Runs with threads and caches give the plain count, and can be stopped.

use core::num::NonZeroUsize;
use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use tamarin_movegen::{Board, Position};
use tamarin_perft::{
    Cache, Control, Depth, LastPlies, Options, Outcome, Overflow, count, details, run,
};

#[path = "../../movegen/tests/fens/mod.rs"]
mod fens;

use fens::{KIWIPETE, ROOK_ENDGAME};

fn depth(plies: u8) -> Depth {
    Depth::new(plies).expect("a depth")
}

fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).expect("some threads")
}

#[test]
fn threads_and_caches_change_nothing() {
    let position = Position::from_fen(ROOK_ENDGAME).expect("a position");
    let board = position.board();
    let cache = Cache::new(16).expect("16 MiB of memory");
    for plies in 1..=6 {
        let expected: Vec<_> = board
            .legal_moves()
            .into_iter()
            .map(|mv| (mv, count(&board.play(mv), plies - 1).into()))
            .collect();
        for number in [1, 2, 7] {
            for cache in [None, cache.as_ref()] {
                for last_plies in [LastPlies::Differences, LastPlies::Played] {
                    let options = Options { threads: threads(number), cache, last_plies };
                    let outcome = run(board, depth(plies), &options, &Control::new());
                    assert_eq!(
                        outcome.divide, expected,
                        "{plies} plies, {number} threads, {last_plies:?}"
                    );
                    assert!(outcome.complete);
                }
            }
        }
    }
}

#[test]
fn progress_ends_with_the_whole_count() {
    let control = Control::new();
    let options = Options { threads: threads(2), cache: None, ..Options::default() };
    let outcome = run(Position::startpos().board(), depth(5), &options, &control);
    let progress = control.progress();
    assert_eq!(outcome.nodes(), 4_865_609);
    assert_eq!(progress.nodes, 4_865_609);
    assert!(progress.done == progress.total && progress.total > 20);
}

/// Runs much too deep, stops when `at` nodes are counted; gives the nodes counted after the stop.
fn nodes_after_stop(options: &Options<'_>, at: u64) -> u128 {
    const PATIENCE: Duration = Duration::from_secs(120);
    let position = Position::from_fen(KIWIPETE).expect("a position");
    let control = Control::new();
    let begin = Instant::now();
    let (outcome, stopped_at) = thread::scope(|scope| {
        let runner = scope.spawn(|| run(position.board(), depth(12), options, &control));
        while control.progress().nodes < at && begin.elapsed() < PATIENCE {
            thread::yield_now();
        }
        control.stop();
        let stopped_at = control.progress().nodes;
        (runner.join().expect("no panic"), stopped_at)
    });
    assert!(!outcome.complete && outcome.nodes() >= at.into());
    outcome.nodes() - u128::from(stopped_at)
}

#[test]
fn a_stopped_run_counts_few_more_nodes() {
    /// Nodes that a thread counts before it publishes them.
    const BATCH: u128 = 1 << 20;
    /// More than four plies of any position that is met in time: one look at the stop.
    const LOOK: u128 = 20_000_000;
    let options = Options { threads: threads(2), cache: None, ..Options::default() };
    for at in [0, 1, 5_000_000] {
        let nodes = nodes_after_stop(&options, at);
        assert!(nodes < 2 * (BATCH + LOOK), "{nodes} after the stop at {at}");
    }
}

/// Many threads have small subtrees, none of which asks again.
#[test]
fn a_run_that_is_stopped_before_its_subtrees_counts_none() {
    let position = Position::from_fen(KIWIPETE).expect("a position");
    for number in [1, 64] {
        let control = Control::new();
        control.stop();
        let options = Options { threads: threads(number), cache: None, ..Options::default() };
        let outcome = run(position.board(), depth(5), &options, &control);
        assert_eq!((outcome.nodes(), outcome.complete), (0, false), "{number} threads");
    }
}

/// Counts by board and depth.
type Known = HashMap<(Board, u8), u128>;

fn remembered(board: &Board, depth: u8, known: &mut Known) -> u128 {
    if depth == 0 {
        return 1;
    }
    if let Some(&count) = known.get(&(*board, depth)) {
        return count;
    }
    let mut sum = 0;
    board.for_each_child(|child| sum += remembered(child, depth - 1, known));
    known.insert((*board, depth), sum);
    sum
}

/// Two kings and a bishop have few positions, so that the cache answers nearly all.
#[test]
fn long_counts_beyond_64_bits_are_exact() {
    let position = Position::from_fen("8/8/8/3k4/8/8/8/3KB3 w - - 0 1").expect("a position");
    let cache = Cache::new(64).expect("64 MiB of memory");
    let options = Options { threads: threads(2), cache: cache.as_ref(), ..Options::default() };
    let outcome = run(position.board(), depth(20), &options, &Control::new());
    let expected = remembered(position.board(), 20, &mut HashMap::new());
    assert!(expected > u64::MAX.into());
    assert_eq!(outcome.exact_nodes(depth(20)), Ok(expected));
    let most = Outcome { divide: vec![(outcome.divide[0].0, u128::MAX)], complete: true };
    assert_eq!(most.exact_nodes(depth(20)), Err(Overflow(depth(20))), "taken for a count");
}

/// The tables of the Chess Programming Wiki, "Perft Results", where they agree with themselves.
#[test]
fn details_are_those_of_the_known_tables() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let third = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let fourth = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, plies, row) in [
        (start, 4, [197_281, 1_576, 0, 0, 0, 469, 0, 0, 8]),
        (kiwipete, 3, [97_862, 17_102, 45, 3_162, 0, 993, 0, 0, 1]),
        (third, 4, [43_238, 3_348, 123, 0, 0, 1_680, 106, 0, 17]),
        (third, 5, [674_624, 52_051, 1_165, 0, 0, 52_950, 1_292, 3, 0]),
        (fourth, 3, [9_467, 1_021, 4, 0, 120, 38, 2, 0, 22]),
    ] {
        let position = Position::from_fen(fen).expect("a position");
        let rows = details(position.board(), depth(plies), threads(2), &Control::new());
        assert_eq!(rows.last(), Some(&row), "{fen}");
    }
}
