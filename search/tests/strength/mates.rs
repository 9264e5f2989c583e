//! Every level mates a bare king with a queen, a rook or two bishops.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_movegen::{Piece, Position, Setup, Square};
use tamarin_search::{Engine, Limits, SearchOptions, Strength};

use crate::common::search;
use crate::long::long_or;

/// The pieces beside the king.
const PIECES: [&[Piece]; 3] =
    [&[Piece::WhiteQueen], &[Piece::WhiteRook], &[Piece::WhiteBishop, Piece::WhiteBishop]];

/// Positions with these pieces and the kings anywhere, White to move, which White can win.
fn positions(pieces: &[Piece], count: usize) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(pieces.len() as u64);
    let mut found: Vec<Position> = Vec::new();
    while found.len() < count {
        let mut setup = Setup::empty();
        for &piece in [Piece::WhiteKing, Piece::BlackKing].iter().chain(pieces) {
            setup.pieces[Square::ALL[random.next_u64() as usize % 64]] = Some(piece);
        }
        let Ok(position) = Position::from_setup(&setup) else { continue };
        // All men are there, the bishops on both colors, and none of the pieces is lost at once.
        let hangs = |position: &Position| {
            let mut after = position.clone();
            after.make_null();
            after.legal_moves().iter().any(|mv| mv.is_capture())
        };
        let is_full = position.occupied().len() as usize == pieces.len() + 2;
        if is_full && !position.is_dead() && !position.in_check() && !hangs(&position) {
            found.push(position);
        }
    }
    found
}

/// After how many moves a player of this skill level mates the engine at full strength; `None`
/// if the fifty-move rule or stalemate ends the game.
fn moves_to_mate(engines: &mut [Engine; 2], start: &Position, level: u8) -> Option<u16> {
    let mut position = start.clone();
    let weak = SearchOptions { strength: Strength::Skill(level), ..Default::default() };
    for ply in 0..100_u16 {
        if !position.has_legal_move() {
            return position.in_check().then_some(ply / 2);
        }
        if position.is_dead() {
            return None;
        }
        let (best, _) = match ply % 2 {
            0 => search(&mut engines[0], &position, Limits::default(), &weak),
            _ => search(&mut engines[1], &position, Limits::nodes(300), &SearchOptions::default()),
        };
        position.make(best.mv?);
    }
    (position.in_check() && !position.has_legal_move()).then_some(50)
}

#[test]
fn long_every_level_mates_a_bare_king() {
    let mut engines = [Engine::new().unwrap(), Engine::new().unwrap()];
    for (turn, level) in (0..20_u8).enumerate() {
        for (index, pieces) in PIECES.iter().enumerate() {
            // Each level one of the endings, all of them in the long run.
            if long_or(false, (turn + index) % PIECES.len() != 0) {
                continue;
            }
            for start in &positions(pieces, 20)[..long_or(20, 1)] {
                let moves = moves_to_mate(&mut engines, start, level);
                assert!(moves.is_some(), "skill level {level}: {pieces:?} in {start}");
            }
        }
    }
}
