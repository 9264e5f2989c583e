//! Perft beside that of other Rust libraries: `make bench-perft` builds it for this
//! processor, every library the same way, and prints a table.
//!
//! One thread, no cache, moves of the last ply counted and not played. The libraries
//! take turns within each round, so that a slow moment of the machine hits all alike;
//! the table shows the medians of the rounds, whose number `-- N` sets.

use std::hint::black_box;
use std::time::Instant;

use cozy_chess::Board as CozyBoard;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use tamarin_movegen::Position;
use tamarin_perft::count;

#[path = "../../movegen/tests/fens/mod.rs"]
mod fens;

use fens::{KIWIPETE, MIDDLEGAME, ROOK_ENDGAME, START};

/// A well-known position and its count.
struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u8,
    nodes: u64,
}

/// Source: the Chess Programming Wiki, "Perft Results".
const CASES: [Case; 4] = [
    Case { name: "start position", fen: START, depth: 6, nodes: 119_060_324 },
    Case { name: "Kiwipete", fen: KIWIPETE, depth: 5, nodes: 193_690_690 },
    Case { name: "rook endgame", fen: ROOK_ENDGAME, depth: 7, nodes: 178_633_661 },
    Case { name: "middlegame", fen: MIDDLEGAME, depth: 5, nodes: 164_075_551 },
];

const NAMES: [&str; 3] = ["tamarin", "cozy-chess", "shakmaty"];

fn main() {
    let rounds = std::env::args().skip(1).find_map(|text| text.parse().ok()).unwrap_or(7);
    println!("Million nodes a second, one thread, median of {rounds} rounds");
    println!(
        "{:<16}{:>6}{:>10}{:>12}{:>10}{:>15}{:>13}",
        "position", "depth", NAMES[0], NAMES[1], NAMES[2], "to cozy-chess", "to shakmaty"
    );
    let mut logarithms = [0.0; 2];
    for case in &CASES {
        let speeds = measure(case, rounds);
        let ratios = [speeds[0] / speeds[1], speeds[0] / speeds[2]];
        println!(
            "{:<16}{:>6}{:>10.0}{:>12.0}{:>10.0}{:>15.2}{:>13.2}",
            case.name, case.depth, speeds[0], speeds[1], speeds[2], ratios[0], ratios[1]
        );
        logarithms[0] += ratios[0].ln();
        logarithms[1] += ratios[1].ln();
    }
    let [cozy, shakmaty] = logarithms.map(|sum| (sum / CASES.len() as f64).exp());
    println!("{:<54}{cozy:>15.2}{shakmaty:>13.2}", "geometric mean");
}

/// Median speeds of the three libraries, in million nodes a second.
fn measure(case: &Case, rounds: usize) -> [f64; 3] {
    let ours = Position::from_fen(case.fen).expect("a well-known position");
    let cozy: CozyBoard = case.fen.parse().expect("a well-known position");
    let fen: Fen = case.fen.parse().expect("a well-known position");
    let shakmaty: Chess = fen.into_position(CastlingMode::Standard).expect("a well-known position");
    let clock = Clock { start: Instant::now() };
    let mut speeds = [const { Vec::new() }; 3];
    for _ in 0..rounds.max(1) {
        let counts: [&dyn Fn() -> u64; 3] = [
            &|| count(black_box(ours.board()), case.depth),
            &|| cozy_perft(black_box(&cozy), case.depth),
            &|| shakmaty::perft(black_box(&shakmaty), case.depth.into()),
        ];
        for (speeds, count) in speeds.iter_mut().zip(counts) {
            let start = clock.seconds();
            assert_eq!(count(), case.nodes, "{}", case.name);
            speeds.push(case.nodes as f64 / (clock.seconds() - start) / 1e6);
        }
    }
    speeds.map(|mut speeds| {
        speeds.sort_by(f64::total_cmp);
        speeds[speeds.len() / 2]
    })
}

/// Time that this thread has had a processor, where the system reports it (Linux), so that
/// other programs disturb less; else time.
struct Clock {
    start: Instant,
}

impl Clock {
    fn seconds(&self) -> f64 {
        std::fs::read_to_string("/proc/thread-self/schedstat")
            .ok()
            .and_then(|text| text.split(' ').next()?.parse().ok())
            .map_or_else(
                || self.start.elapsed().as_secs_f64(),
                |nanoseconds: f64| nanoseconds / 1e9,
            )
    }
}

/// As fast as cozy-chess goes: whole sets of targets are counted at the last ply, by a
/// visitor of its own, which is half as fast again as one that asks for the depth.
fn cozy_perft(board: &CozyBoard, depth: u8) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy_perft(&child, depth - 1);
            }
            false
        });
    }
    nodes
}
