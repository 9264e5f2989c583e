//! Random walks: taking back restores everything, FENs come back, and chess from a file is chess.

use std::collections::BTreeSet;

use crate::common::walk;
use crate::long::long_or;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_movegen::CastlingNotation;
use tamarin_variant::{BUILTINS, Position, builtin};

/// Walks for each game. `TAMARIN_WALKS` asks for more; `make prove-variants` for 10,000.
fn walks() -> u64 {
    std::env::var("TAMARIN_WALKS").ok().and_then(|n| n.parse().ok()).unwrap_or(20)
}

const PLIES: usize = 60;

#[test]
fn unmake_restores_position_and_key() {
    for entry in BUILTINS {
        let game = builtin(entry.name).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(18);
        for _ in 0..walks() {
            let mut before = Vec::new();
            let shown = |position: &Position| before.push(position.clone());
            let mut position = walk(&game, &mut random, PLIES, shown);
            while let Some(expected) = before.pop() {
                assert!(position.same_as(&expected), "{}: {position:?} {expected:?}", entry.name);
                position.unmake();
            }
        }
    }
}

#[test]
fn fens_come_back() {
    for entry in BUILTINS {
        let game = builtin(entry.name).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(81);
        for _ in 0..walks() / 4 {
            walk(&game, &mut random, PLIES, |position| {
                let fen = position.fen();
                let read = Position::from_fen(&game, &fen)
                    .unwrap_or_else(|error| panic!("{} {fen}: {error}", entry.name));
                assert_eq!(read.fen(), fen, "{}", entry.name);
                assert_eq!(read.key(), position.key(), "{} {fen}", entry.name);
            });
        }
    }
}

#[test]
fn texts_name_moves() {
    for entry in BUILTINS {
        let game = builtin(entry.name).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut position = Position::start(&game);
        for _ in 0..PLIES {
            let sans: Vec<String> = position.sans().into_iter().map(|(text, _)| text).collect();
            assert_eq!(BTreeSet::from_iter(&sans).len(), sans.len(), "{} {sans:?}", entry.name);
            let texts = position.texts();
            let mut different: Vec<&str> = texts.iter().map(|(text, _)| text.as_str()).collect();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), texts.len(), "{} {}", entry.name, position.fen());
            let Some((text, m)) = texts.get(random.next_u64() as usize % texts.len().max(1)) else {
                break;
            };
            assert_eq!(position.parse_move(text), Ok(*m), "{} {text}", entry.name);
            assert_eq!(position.parse_move(&position.san(*m)), Ok(*m), "{} {text}", entry.name);
            position.make(*m);
        }
    }
}

/// Positions of random games, where the two programs have the same legal moves.
#[test]
fn fide_by_file_agrees_with_the_bitboards() {
    let game = builtin("fide").unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(64);
    let mut compared = 0;
    let wanted = long_or(10_000, 3_000);
    while compared < wanted {
        let mut ours = Position::start(&game);
        let mut theirs = tamarin_movegen::Position::startpos();
        for _ in 0..200 {
            let texts = ours.texts();
            if compared % 16 == 0 {
                same_san(&ours, &theirs);
            }
            let mut found: Vec<String> = texts.iter().map(|(text, _)| text.clone()).collect();
            let mut expected: Vec<String> = theirs
                .board()
                .legal_moves()
                .iter()
                .map(|&m| theirs.uci(m, CastlingNotation::Classic).to_string())
                .collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{}", ours.fen());
            compared += 1;
            if found.is_empty() {
                assert_eq!(ours.in_check(), !theirs.board().checkers().is_empty());
                break;
            }
            let (text, m) = &texts[random.next_u64() as usize % texts.len()];
            ours.make(*m);
            let same = theirs
                .board()
                .legal_moves()
                .iter()
                .copied()
                .find(|&m| theirs.uci(m, CastlingNotation::Classic).to_string() == *text);
            theirs.make(same.unwrap());
            assert_eq!(ours.halfmoves(), u32::from(theirs.halfmove_clock()));
        }
    }
}

fn same_san(ours: &Position, theirs: &tamarin_movegen::Position) {
    let mut found: Vec<String> = ours.sans().into_iter().map(|(text, _)| text).collect();
    let moves = theirs.board().legal_moves();
    let mut expected: Vec<String> = moves.iter().map(|&m| theirs.san(m).to_string()).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{}", ours.fen());
    for (text, m) in ours.sans() {
        assert_eq!(ours.parse_move(&text), Ok(m), "{text}");
    }
}
