//! A position in, a score out: a tapered, hand-crafted evaluation.
//!
//! The score is a weighted count: every term says how often each of some weights
//! counts for a side, the weights lie in one flat vector of middlegame and endgame
//! pairs, and the phase of the game mixes the two. Two things bend that line: the
//! king attack, which grows faster than its parts, and the scale that tames endgames
//! nobody wins. Because terms only count, the same code plays, explains itself
//! ([`Breakdown`]) and feeds the tuner.

#![forbid(unsafe_code)]

mod breakdown;
mod endgame;
mod kpk;
mod pawn_table;
mod score;
mod side;
mod tally;
mod tapered;
mod terms;
#[cfg(any(feature = "tune", test))]
pub mod tuning;
mod weights;

use tamarin_movegen::{Board, Color, PerColor, PieceKind, Position};

pub use breakdown::Breakdown;
pub use pawn_table::PawnTable;
pub use score::{MAX_PLY, Score, UNITS_PER_PAWN, UciScore};

use crate::pawn_table::PawnFamily;
use crate::side::{Attacks, Sets, Side};
use crate::tally::{Play, Tally, Trace};
use crate::tapered::{FULL_PHASE, S};
use crate::terms::{danger, king, material, mobility, passed, pieces, psqt, space, threats};

/// When material, piece squares and pawns alone are this far apart, in engine units,
/// the rest is left out.
///
/// Source: lazy evaluation, <https://www.chessprogramming.org/Lazy_Evaluation>.
const LOPSIDED: i32 = 1_000;

/// What `position` is worth to the side to move, in engine units, within
/// ±[`Score::MAX_EVALUATION`].
///
/// The result depends on the placement of the pieces, the side to move and the rights
/// to castle: not on the clocks, not on repetitions, not on what `cache` holds.
/// Meaningless in check, where the side to move may have no choice: debug builds panic.
#[must_use]
pub fn evaluate(position: &Position, cache: &mut PawnTable) -> Score {
    debug_assert!(!position.in_check(), "no evaluation in check");
    let board = position.board();
    if let Some(known) = endgame::known(board) {
        return known;
    }
    let [for_white, for_black] = &Sets::of(board);
    let (mut white, mut black) = (Side::new(for_white), Side::new(for_black));
    let family = cache.family(position, (&white, &black));
    let mut tallies = PerColor([Play::default(); 2]);
    psqt::pieces(&white, &mut tallies[Color::White]);
    psqt::pieces(&black, &mut tallies[Color::Black]);
    let difference = |tallies: &PerColor<Play>| {
        family.score + tallies[Color::White].total() - tallies[Color::Black].total()
    };
    let mut score = tapered::blend(difference(&tallies), phase(board), endgame::FULL_SCALE);
    if score.abs() < LOPSIDED {
        count_pieces(board, (&mut white, &mut black), &family, &mut tallies);
        score = finish(board, difference(&tallies));
    }
    let score = match position.side_to_move() {
        Color::White => Score::new(score),
        Color::Black => Score::new(-score),
    };
    score.clamp_to_evaluation()
}

/// What a piece of this kind is worth on its own, in engine units: the mean of its
/// middlegame and endgame values; nothing for the king.
#[must_use]
pub const fn piece_value(kind: PieceKind) -> i32 {
    if kind.index() == PieceKind::King.index() {
        return 0;
    }
    let value = weights::WEIGHTS[material::MATERIAL.value.at(kind.index()).index()];
    (value.middlegame() + value.endgame()) / 2
}

/// Counts everything that is not in the pawn family. The order matters: mobility
/// collects the attacks that the terms after it read.
#[inline]
fn count_pieces<T: Tally>(
    board: &Board,
    (white, black): (&mut Side, &mut Side),
    family: &PawnFamily,
    tallies: &mut PerColor<T>,
) {
    let [for_white, for_black] = &mut tallies.0;
    // Black first: what was stored just now is not ready to be loaded in wider words, and
    // Black's attacks are the first to be turned.
    mobility::mobility(black, for_black);
    mobility::mobility(white, for_white);
    let by_black = black.attacks.turned();
    count_side(board, (white, &by_black), (Color::White, family), for_white);
    let by_white = white.attacks.turned();
    count_side(board, (black, &by_white), (Color::Black, family), for_black);
}

#[inline]
fn count_side<T: Tally>(
    board: &Board,
    (us, them): (&Side, &Attacks),
    (color, family): (Color, &PawnFamily),
    t: &mut T,
) {
    let to_move = board.side_to_move() == color;
    let passed = family.passed[color];
    material::material(us, to_move, t);
    let rights = board.castling() & board.color(color);
    t.add(king::KING.castling, rights.len() as i32);
    pieces::minors(us, t);
    passed::passed_and_pieces(us, them, passed, t);
    passed::runners(us, passed, to_move, t);
    danger::danger(us, them, t);
    threats::threats(us, them, t);
    space::space(us, them, t);
}

/// Blends the phases; both numbers from White's point of view.
fn finish(board: &Board, score: S) -> i32 {
    let strong = if score.endgame() >= 0 { Color::White } else { Color::Black };
    tapered::blend(score, phase(board), endgame::scale(board, strong))
}

/// 24 with all pieces on the board, 0 with kings and pawns only.
fn phase(board: &Board) -> i32 {
    let minors = board.pieces(PieceKind::Knight) | board.pieces(PieceKind::Bishop);
    let rooks = board.pieces(PieceKind::Rook);
    let queens = board.pieces(PieceKind::Queen);
    let phase = minors.len() + 2 * rooks.len() + 4 * queens.len();
    (phase as i32).min(FULL_PHASE)
}

/// The counts of every weight for both sides, worked out without the cache.
pub(crate) fn trace(board: &Board) -> PerColor<Trace> {
    let [for_white, for_black] = &Sets::of(board);
    let (mut white, mut black) = (Side::new(for_white), Side::new(for_black));
    let family = PawnFamily::new(&white, &black);
    let mut tallies = PerColor([Trace::new(), Trace::new()]);
    psqt::pieces(&white, &mut tallies[Color::White]);
    psqt::pieces(&black, &mut tallies[Color::Black]);
    pawn_table::tally(&white, family.passed[Color::White], &mut tallies[Color::White]);
    pawn_table::tally(&black, family.passed[Color::Black], &mut tallies[Color::Black]);
    count_pieces(board, (&mut white, &mut black), &family, &mut tallies);
    tallies
}
