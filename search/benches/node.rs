//! Nodes a second over positions of all phases, with one thread.
//!
//! `cargo bench -p tamarin-search -- [depth]`; prints the nodes of each position and, last,
//! the sum and the speed. The sum tells at once whether a change changed the search.

use std::time::Instant;

use tamarin_movegen::Position;
use tamarin_search::{Collector, Idle, Limits, SearchOptions};

/// Positions everybody knows.
const POSITIONS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "3r1rk1/p5pp/bpp1pp2/8/q1PP1P2/b3P3/P2NQRPP/1R2B1K1 b - - 6 22",
    "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
];

fn main() {
    let depth = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(12);
    let mut idle = Idle::new().expect("one thread and 16 MiB");
    let begin = Instant::now();
    let mut total = 0;
    for fen in POSITIONS {
        let position = Position::from_fen(fen).expect("the positions are right");
        idle.new_game();
        let collector = Collector::new();
        let options = SearchOptions::default();
        idle = idle.go(&position, Limits::depth(depth), &options, collector.observer()).wait();
        let best = collector.best().expect("a search ends with an answer");
        println!("{:>10} {:?} {:?} {fen}", best.nodes, best.best, best.score);
        total += best.nodes;
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{total} nodes {:.0} nps", total as f64 / seconds);
}
