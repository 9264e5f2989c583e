//! Makes the suites under `perft/suites`, always the same ones.
//!
//! ```text
//! cargo run --release --example make_suite standard > perft/suites/standard.epd
//! cargo run --release --example make_suite chess960 > perft/suites/chess960.epd
//! ```
//!
//! A seeded generator draws the positions with the rules of cozy-chess; every count
//! is made by cozy-chess and by shakmaty, and a position on which they differ would
//! end the program. Tamarin's own rules have no part in it.

use std::io::{self, Write};
use std::process::ExitCode;

use cozy_chess::Board;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

#[path = "../../movegen/tests/fens/mod.rs"]
mod fens;
#[path = "../../movegen/tests/positions/mod.rs"]
mod positions;

use fens::CLASSICS;
use positions::{Generator, Rights, Theme, fen};

const STANDARD: [(Theme, usize); 6] = [
    (Theme::Standard, 60),
    (Theme::EnPassant, 50),
    (Theme::Promotion, 40),
    (Theme::Pins, 40),
    (Theme::DoubleCheck, 40),
    (Theme::StandardCastling, 40),
];

const CHESS960: [(Theme, usize); 3] =
    [(Theme::Chess960, 80), (Theme::DoubleChess960, 60), (Theme::Castling, 80)];

/// The last depth of a position is the greatest whose count is not above this.
const MOST_NODES: u64 = 5_000_000;

/// Positions that end soon stop here.
const MOST_DEPTH: u32 = 6;

fn main() -> ExitCode {
    let written = match std::env::args().nth(1).as_deref() {
        Some("standard") => write_suite(&CLASSICS, &STANDARD, Rights::Standard),
        Some("chess960") => write_suite(&[], &CHESS960, Rights::Shredder),
        _ => {
            eprintln!("usage: make_suite standard|chess960");
            return ExitCode::from(2);
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_suite(classics: &[&str], themes: &[(Theme, usize)], rights: Rights) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "# Made by perft/examples/make_suite.rs; counts by cozy-chess and shakmaty.")?;
    for text in classics {
        let board = text.parse().expect("a classic position is well formed");
        writeln!(out, "{text}{}", counts(&board, text))?;
    }
    let mut generator = Generator::new(0x7A3A_8155);
    for &(theme, number) in themes {
        writeln!(out, "# {theme:?}")?;
        let mut left = number;
        while left > 0 {
            let board = generator.draw(theme);
            let text = fen(&board, rights);
            // What shakmaty holds impossible in a game is not for a suite.
            if parse(&text).is_some() {
                writeln!(out, "{text}{}", counts(&board, &text))?;
                left -= 1;
            }
        }
    }
    Ok(())
}

fn parse(text: &str) -> Option<Chess> {
    text.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()
}

/// The counts as they stand in a suite.
fn counts(board: &Board, text: &str) -> String {
    let position = parse(text).expect("shakmaty reads the position");
    let mut columns = String::new();
    for depth in 1..=MOST_DEPTH {
        let mut count = 0;
        add_leaves(board, depth, &mut count);
        if count > MOST_NODES {
            break;
        }
        let other = shakmaty::perft(&position, depth);
        assert_eq!(count, other, "cozy-chess and shakmaty differ at depth {depth}: {text}");
        columns += &format!(" ;D{depth} {count}");
    }
    columns
}

/// Adds the leaves of cozy-chess's tree to `count`, giving up when there are too many.
fn add_leaves(board: &Board, depth: u32, count: &mut u64) {
    board.generate_moves(|moves| {
        if depth == 1 {
            *count += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                add_leaves(&child, depth - 1, count);
            }
        }
        *count > MOST_NODES
    });
}
