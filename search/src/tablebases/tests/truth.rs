//! Values of known positions, and what follows from the rules.

use std::fs;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use shakmaty::Position as _;
use tamarin_movegen::{Color, Move, MoveKind, Piece, PieceKind, Position, Setup, Square};

use super::damage::Folder;
use super::{RandomPositions, data, position, tables};
use crate::engine::Engine;
use crate::tablebases::convert::to_chess;
use crate::tablebases::{Tablebases, Wdl};

#[test]
fn the_positions_of_the_truth_suite_have_their_values() {
    let Some(tables) = tables() else { return };
    let Some(path) = data("suites/syzygy_truth_4men.epd") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Vec<_> = line.splitn(5, ' ').collect();
        let operation = |name: &str| {
            let found = fields[4].split(';').find_map(|one| one.trim().strip_prefix(name));
            found
                .and_then(|value| value.trim().parse::<i32>().ok())
                .unwrap_or_else(|| panic!("{line}"))
        };
        let position = position(&format!("{} 0 1", fields[..4].join(" ")));
        assert_eq!(tables.wdl(&position).map(|wdl| wdl as i32), Some(operation("wdl ")), "{line}");
        assert_eq!(tables.dtz(&position), Some(operation("dtz ")), "{line}");
        count += 1;
    }
    assert_eq!(count, 200);
}

/// Checks that the value of a position is that of its best move: no table up to four pieces
/// holds a cursed win.
fn is_worth_its_best_move(tables: &Tablebases, position: &Position) {
    let after = |mv| {
        let mut after = position.clone();
        after.make(mv);
        tables.wdl(&after).map(|wdl| -wdl)
    };
    let values: Option<Vec<_>> = position.legal_moves().iter().map(|&mv| after(mv)).collect();
    let nothing = if position.in_check() { Wdl::Loss } else { Wdl::Draw };
    let best = values.expect("a table for each").into_iter().max().unwrap_or(nothing);
    assert_eq!(tables.wdl(position), Some(best), "{position}");
}

#[test]
fn a_position_is_worth_its_best_move() {
    let Some(tables) = tables() else { return };
    let mut positions = RandomPositions::new(&tables, 4, 11);
    for _ in 0..6000 {
        is_worth_its_best_move(&tables, &positions.of(&tables, None));
    }
}

/// An engine's result of a position whose clock has come to this.
fn result_at(engine: &Engine, position: &Position, clock: i32) -> Option<i32> {
    let mut setup = Setup::from(position);
    setup.halfmove_clock = clock.unsigned_abs();
    engine.tablebase_result(&Position::from_setup(&setup).expect("as legal as before"))
}

/// The move that ends the count is the hundredth ply at the latest, and the DTZ may be one too small.
#[test]
fn results_depend_on_the_clock() {
    let Some(tables) = tables() else { return };
    let mut engine = Engine::new().unwrap();
    engine.set_tablebases(data("syzygy").expect("there are tables").to_str().unwrap());
    let mut positions = RandomPositions::new(&tables, 4, 13);
    for _ in 0..1000 {
        let position = positions.of(&tables, None);
        let dtz = tables.dtz(&position).expect("a table for each");
        let at = |clock| result_at(&engine, &position, clock);
        let room = 99 - dtz.abs();
        assert_eq!((at(0), at(room)), (Some(dtz.signum()), Some(dtz.signum())), "{position}");
        if dtz != 0 {
            assert!(at(room + 1).is_none_or(|result| result == dtz.signum()), "{position}");
            assert_eq!(at(room + 2), Some(0), "{position}");
        }
    }
}

#[test]
fn without_distances_results_are_known_until_the_clock_runs() {
    let Some(folder) = Folder::new("clock", &["KRvK.rtbw"]) else { return };
    let mut engine = Engine::new().unwrap();
    engine.set_tablebases(folder.path());
    let root = position("8/8/8/4k3/8/8/8/KR6 w - - 0 100");
    assert_eq!([0, 1, 92].map(|clock| result_at(&engine, &root, clock)), [Some(1), None, None]);
}

#[test]
fn en_passant_counts() {
    let Some(tables) = tables() else { return };
    let mut positions = RandomPositions::new(&tables, 4, 12);
    let (mut count, mut saved) = (0, 0);
    while count < 1000 {
        let mut setup = Setup::empty();
        let file = positions.below(7);
        let (pawn, taker) =
            if positions.below(2) == 0 { (file, file + 1) } else { (file + 1, file) };
        setup.side_to_move = Color::White;
        let mut put = |square: usize, color, kind| {
            setup.pieces[Square::ALL[square]] = Some(Piece::new(color, kind));
        };
        put(positions.below(64), Color::White, PieceKind::King);
        put(positions.below(64), Color::Black, PieceKind::King);
        put(8 + pawn, Color::White, PieceKind::Pawn);
        put(24 + taker, Color::Black, PieceKind::Pawn);
        let Ok(mut position) = Position::from_setup(&setup) else { continue };
        let double = Move::new(Square::ALL[8 + pawn], Square::ALL[24 + pawn], MoveKind::DoublePush);
        if !position.is_legal(double) {
            continue;
        }
        position.make(double);
        if position.en_passant().is_none() {
            continue;
        }
        is_worth_its_best_move(&tables, &position);
        let mut without = Setup::from(&position);
        without.en_passant = None;
        let without = Position::from_setup(&without).expect("as legal as before");
        saved += u32::from(tables.wdl(&position) > tables.wdl(&without));
        count += 1;
    }
    assert!(saved > 50, "en passant saves games: {saved} of {count}");
}

#[test]
fn positions_with_castling_rights_or_too_many_pieces_have_no_value() {
    let Some(tables) = tables() else { return };
    let rook = |rights: &str| position(&format!("4k3/8/8/8/8/8/8/4K2R w {rights} - 0 1"));
    assert_eq!(tables.wdl(&rook("-")), Some(Wdl::Win));
    assert_eq!((tables.wdl(&rook("K")), tables.dtz(&rook("K"))), (None, None));
    let inner_rook = position("7k/8/8/8/8/8/8/1RK5 w B - 0 1");
    assert_eq!(tables.wdl(&inner_rook), None);
    assert_eq!(tables.wdl(&Position::startpos()), None);
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1")), None);
}

/// Every position of random games, Chess960 with its castling rights included, becomes the same
/// position of the library.
#[test]
fn any_position_is_converted() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "8/8/8/KPp4r/1R3p1k/8/4P1P1/8 w - c6 0 2",
        "4k3/8/8/4r3/8/8/8/r3K3 w - - 0 1",
    ];
    for start in starts {
        for _ in 0..40 {
            let mut position = position(start);
            for _ in 0..120 {
                let moves = position.legal_moves();
                let chess = to_chess(&position).unwrap_or_else(|| panic!("{position:?}"));
                let ours = moves.iter().filter(|mv| !mv.is_castle()).count();
                assert_eq!(chess.legal_moves().len(), ours, "{position:?}");
                assert_eq!(chess.board().occupied().0, position.occupied().0);
                if moves.is_empty() {
                    break;
                }
                position.make(moves[random.next_u64() as usize % moves.len()]);
            }
        }
    }
}
