//! Complexity: how much there is to play for. Adds to the endgame score of the side that is ahead,
//! up to as much again, or takes away from it, down to zero: it never says who is ahead.
//!
//! Source: Stockfish 11's initiative; that it has weights to fit and counts in the endgame only
//! is Ethereal 12's. There it adds without a limit, and the score jumps where it changes sides.

use tamarin_movegen::{Bitboard, PerColor, PieceKind, Square};

use crate::perspective::Perspective;
use crate::rows::rows;
use crate::sink::TermSink;
use crate::tapered::S;

rows! {
    /// Complexity, counted once for the board. Only the endgame halves of these weights count.
    COMPLEXITY: ComplexityRows of Complexity {
        /// Always counts.
        base: 1,
        /// Pawns of both sides.
        pawns: 1,
        /// Passed pawns of both sides.
        passed: 1,
        /// Pawns on both flanks: files a to d and e to h.
        both_flanks: 1,
        /// Nothing but kings and pawns.
        pawn_ending: 1,
        /// Outflanking: steps between the kings by file, less those by rank.
        outflanking: 1,
        /// A king beyond the middle of the board.
        infiltration: 1,
    }
}

/// Counts the complexity of the board that `white` sees.
pub(crate) fn complexity<T: TermSink>(
    white: &Perspective,
    passed: &PerColor<Bitboard>,
    sink: &mut T,
) {
    const QUEENSIDE: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
    let pawns = white.own[PieceKind::Pawn] | white.enemy[PieceKind::Pawn];
    let kings = white.own[PieceKind::King] | white.enemy[PieceKind::King];
    let both_flanks = (pawns & QUEENSIDE).any() && (pawns - QUEENSIDE).any();
    let line = |square: Square| (square.index() as i32 % 8, square.index() as i32 / 8);
    let ((file, rank), (enemy_file, enemy_rank)) = (line(white.king), line(white.enemy_king));
    let outflanking = (file - enemy_file).abs() - (rank - enemy_rank).abs();
    let passed = passed.0.iter().map(|pawns| pawns.len() as i32).sum::<i32>();
    sink.add(COMPLEXITY.base, 1);
    sink.add(COMPLEXITY.pawns, pawns.len() as i32);
    sink.add(COMPLEXITY.passed, passed);
    sink.add(COMPLEXITY.both_flanks, i32::from(both_flanks));
    sink.add(COMPLEXITY.pawn_ending, i32::from(white.occupied == pawns | kings));
    sink.add(COMPLEXITY.outflanking, outflanking);
    sink.add(COMPLEXITY.infiltration, i32::from(rank > 3 || enemy_rank < 4));
}

/// What complexity adds to an endgame score of `endgame`, both from White's point of view.
pub(crate) fn bonus(endgame: i32, complexity: S) -> i32 {
    endgame.signum() * complexity.endgame().clamp(-endgame.abs(), endgame.abs())
}

/// The score with its complexity.
pub(crate) fn applied(score: S, complexity: S) -> S {
    score + S::new(0, bonus(score.endgame(), complexity))
}
