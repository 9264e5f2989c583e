//! The lines from own sliders to the enemy king, and the moves of pieces that are pinned on them.

use super::Masks;
use super::mobility::{pawn_moves, pushes};
use crate::attacks::beyond;
use crate::side_to_move::SideToMove;
use crate::{
    Bitboard, Board, Color, PieceKind, Square, between, bishop_attacks, knight_attacks, line,
    pawn_attacks, queen_attacks, rook_attacks,
};

/// The lines from own sliders to the enemy king.
pub(super) struct KingLines {
    /// The pins of enemy pieces.
    pub(super) pins: Masks,
    /// The own pieces that pin.
    pub(super) pinners: Bitboard,
    /// Own pieces that give a discovered check or make a pin by leaving their square.
    pub(super) discoverers: Bitboard,
}

impl KingLines {
    /// The lines of the sliders of `us`.
    #[inline]
    pub(super) fn of(board: &Board, us: Color) -> Self {
        let king = board.king(!us);
        let mut lines =
            Self { pins: Masks::NONE, pinners: Bitboard::EMPTY, discoverers: Bitboard::EMPTY };
        for slider in bishop_attacks(king, Bitboard::EMPTY) & board.diagonal_sliders(us) {
            let pin = lines.add(board, us, king, slider);
            lines.pins.diagonal_pins |= pin;
        }
        for slider in rook_attacks(king, Bitboard::EMPTY) & board.orthogonal_sliders(us) {
            let pin = lines.add(board, us, king, slider);
            lines.pins.orthogonal_pins |= pin;
        }
        lines
    }

    /// Adds the line of one slider; returns the mask of its pin.
    #[inline]
    fn add(&mut self, board: &Board, us: Color, king: Square, slider: Square) -> Bitboard {
        let path = between(king, slider);
        let blockers = path & board.occupied();
        let own = blockers & board.color(us);
        if !blockers.several() {
            if own.any() {
                self.discoverers |= own;
            } else {
                self.pinners = self.pinners.with(slider);
                return path.with(slider);
            }
        } else if blockers.len() == 2 && own.len() == 1 {
            self.discoverers |= own;
        }
        Bitboard::EMPTY
    }

    /// What moves of a piece that pins give to the pinned piece and take from it, beside what
    /// `Mobility::after` counts.
    pub(super) fn change_of_leaving<Us: SideToMove>(
        &self,
        board: &Board,
        from: Square,
        targets: Bitboard,
    ) -> i64 {
        let king = board.king(Us::Them::COLOR);
        let pinned = (between(king, from) & board.color(Us::Them::COLOR)).lowest();
        let along = line(king, from);
        let change = |to| {
            let [before, after] = Placement::around::<Us>(board, from, to);
            after.moves::<Us::Them>(board, pinned, along.has(to))
                - before.moves::<Us::Them>(board, pinned, true)
        };
        // Squares that the pinned piece does not see are all alike.
        let seen = queen_attacks(pinned, board.occupied()) | knight_attacks(pinned);
        let alike = targets - along - seen;
        let mut sum = alike.first().map_or(0, |to| i64::from(alike.len()) * change(to));
        // Along the line a knight has no move, and a pawn the same if it is a file or rank.
        let is_steady = board.pieces(PieceKind::Knight).has(pinned)
            || (board.pieces(PieceKind::Pawn) & self.pins.orthogonal_pins).has(pinned);
        let steady = if is_steady { along } else { Bitboard::EMPTY };
        for to in targets - alike - steady {
            sum += change(to);
        }
        sum
    }

    /// The same of a move that makes a pin, or lands on the line of one. `None` if castling may
    /// depend on it.
    pub(super) fn change_of_landing<Us: SideToMove>(
        &self,
        board: &Board,
        (from, to): (Square, Square),
        makes_pin: bool,
    ) -> Option<i64> {
        let king = board.king(Us::Them::COLOR);
        let them = board.color(Us::Them::COLOR);
        let path = between(king, to);
        let ray = path | beyond(king, to);
        if (ray & board.castling()).any() {
            return None;
        }
        let [before, after] = Placement::around::<Us>(board, from, to);
        Some(if self.pins.pins().has(to) {
            let pinned = (ray & self.pins.pins() & them).lowest();
            after.moves::<Us::Them>(board, pinned, makes_pin)
                - before.moves::<Us::Them>(board, pinned, true)
        } else {
            let pinned = (path & them).lowest();
            after.moves::<Us::Them>(board, pinned, true)
                - after.moves::<Us::Them>(board, pinned, false)
        })
    }
}

/// What the moves of a pinned piece depend on.
struct Placement {
    occupied: Bitboard,
    /// The occupied squares for pushes of pawns.
    pushes: Bitboard,
    own: Bitboard,
    enemies: Bitboard,
}

impl Placement {
    /// As the enemy of `Us` sees the board before a move and after it. Pushes are those after it
    /// both times: `Mobility::after` counts them.
    fn around<Us: SideToMove>(board: &Board, from: Square, to: Square) -> [Self; 2] {
        let (own, enemies) = (board.color(Us::Them::COLOR), board.color(Us::COLOR));
        let pushes = board.occupied().without(from).with(to);
        let before = Self { occupied: board.occupied(), pushes, own, enemies };
        let enemies = enemies.without(from).with(to);
        [before, Self { occupied: pushes, pushes, own: own.without(to), enemies }]
    }

    /// The moves of the piece on `square`, pinned or not.
    fn moves<Them: SideToMove>(&self, board: &Board, square: Square, is_pinned: bool) -> i64 {
        let king = board.king(Them::COLOR);
        let mask = if is_pinned { line(king, square) } else { Bitboard::ALL };
        if board.pieces(PieceKind::Pawn).has(square) {
            let (single, double) = pushes::<Them>(square.bitboard(), !self.pushes);
            let captures = pawn_attacks(Them::COLOR, square) & self.enemies & mask;
            return pawn_moves::<Them>(single & mask)
                + i64::from((double & mask).len())
                + pawn_moves::<Them>(captures);
        }
        let targets = mask - self.own;
        let mut moves = 0;
        if board.pieces(PieceKind::Knight).has(square) {
            moves += (knight_attacks(square) & targets).len();
        }
        if board.diagonal_sliders(Them::COLOR).has(square) {
            moves += (bishop_attacks(square, self.occupied) & targets).len();
        }
        if board.orthogonal_sliders(Them::COLOR).has(square) {
            moves += (rook_attacks(square, self.occupied) & targets).len();
        }
        i64::from(moves)
    }
}
