//! Random positions of the kinds in which move generators are wrong.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_movegen::{Color, File, Piece, PieceKind, Rank, Setup, Square};

use crate::compare::driver::Place;

/// So many legal positions; the same for the same seed.
pub fn positions(seed: u64, number: u32) -> impl Iterator<Item = Place> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..number).map(move |_| {
        loop {
            if let Some(place) = draw(&mut random).and_then(|setup| Place::of(&setup)) {
                return place;
            }
        }
    })
}

/// Castling under fire, either side to move; en passant with pins; promotions; pieces near kings.
fn draw(random: &mut Xoshiro256PlusPlus) -> Option<Setup> {
    let mut setup = Setup::empty();
    let us = Color::ALL[random.random_range(0..2)];
    let kind = random.random_range(0..4);
    setup.side_to_move = if kind == 0 && random.random_range(0..2) == 0 { !us } else { us };
    let home = Rank::First.relative_to(us);
    let piece = |color, kind| Some(Piece::new(color, kind));
    let mut behind = None;
    if kind == 0 {
        setup.pieces[Square::new(File::E, home)] = piece(us, PieceKind::King);
        for file in [File::A, File::H] {
            if random.random_range(0..3) > 0 {
                let rook = Square::new(file, home);
                setup.pieces[rook] = piece(us, PieceKind::Rook);
                setup.castling |= rook.bitboard();
            }
        }
    } else if kind == 1 {
        let rank = Rank::Fifth.relative_to(us);
        let victim = Square::new(File::ALL[random.random_range(0..8)], rank);
        setup.pieces[victim] = piece(!us, PieceKind::Pawn);
        let side = if random.random_range(0..2) == 0 { -1 } else { 1 };
        setup.pieces[victim.offset(side, 0)?] = piece(us, PieceKind::Pawn);
        let up = if us == Color::White { 1 } else { -1 };
        setup.en_passant = victim.offset(0, up);
        behind = Some((victim, victim.offset(0, up)?, victim.offset(0, 2 * up)?));
    } else if kind == 2 {
        for _ in 0..2 {
            let at =
                Square::new(File::ALL[random.random_range(0..8)], Rank::Seventh.relative_to(us));
            setup.pieces[at] = piece(us, PieceKind::Pawn);
        }
    }
    for color in [us, !us] {
        let extra = random.random_range(0..4);
        for index in usize::from(color == us && kind == 0)..=extra {
            let kinds = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];
            let kind = match index {
                0 => PieceKind::King,
                _ if random.random_range(0..3) == 0 => PieceKind::Pawn,
                _ => kinds[random.random_range(0..4)],
            };
            let at = Square::ALL[random.random_range(0..64)];
            if setup.pieces[at].is_some() {
                return None;
            }
            setup.pieces[at] = piece(color, kind);
        }
    }
    if let Some((victim, passed, first)) = behind {
        // The pawn must have been able to move two squares.
        let mut before = setup.clone();
        before.pieces[first] = before.pieces[victim].take();
        before.side_to_move = !us;
        before.en_passant = None;
        let blocker = setup.pieces[passed].or(setup.pieces[first]);
        if blocker.is_some() || Place::of(&before).is_none() {
            return None;
        }
    }
    Some(setup)
}
