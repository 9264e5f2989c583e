//! What a move may change for the enemy king: lines to it, and the squares around it.

use super::Masks;
use crate::castling::{castling_targets, home_rank};
use crate::{
    Bitboard, Board, Color, PieceKind, Square, between, bishop_attacks, king_attacks,
    knight_attacks, line, pawn_attacks, piece_attacks, rook_attacks,
};

/// The lines from own sliders to the enemy king.
pub(super) struct KingLines {
    /// The pins of enemy pieces.
    pub(super) pins: Masks,
    /// The own pieces that pin.
    pub(super) pinners: Bitboard,
    /// Own pieces that give a discovered check or make a pin by leaving their square.
    discoverers: Bitboard,
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
}

/// Squares where a piece of each kind attacks what it must not, or gives check.
#[derive(Clone, Copy, Default)]
struct Contact {
    knight: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    pawn: Bitboard,
    king: Bitboard,
}

impl Contact {
    /// Adds the squares from which pieces of `us` attack `square`.
    #[inline(always)]
    fn add(&mut self, us: Color, square: Square, occupied: Bitboard) {
        self.knight |= knight_attacks(square);
        self.diagonal |= bishop_attacks(square, occupied);
        self.orthogonal |= rook_attacks(square, occupied);
        self.pawn |= pawn_attacks(!us, square);
        self.king |= king_attacks(square);
    }

    #[inline(always)]
    fn of(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn => self.pawn,
            PieceKind::Knight => self.knight,
            PieceKind::Bishop => self.diagonal,
            PieceKind::Rook => self.orthogonal,
            PieceKind::Queen => self.diagonal | self.orthogonal,
            PieceKind::King => self.king,
        }
    }
}

/// The moves of the enemy king, and the own moves that change them, check it or pin its pieces.
pub(super) struct KingZone {
    /// The moves of the king after a pass, castling included.
    pub(super) replies: i64,
    /// The squares the king may go to because nothing attacks them.
    free: Bitboard,
    /// The squares that one piece alone keeps from the king, and these pieces.
    lone: Bitboard,
    pub(super) lone_attackers: Bitboard,
    /// Where an own piece attacks a free square.
    contact: Contact,
    /// Own pieces whose moves are played.
    pub(super) movers: Bitboard,
    /// Where any own piece cuts an attack, breaks a pin or takes a neighbor of the king.
    closing: Bitboard,
    /// Where one of two attackers cuts the attack of the other, and these pieces.
    mutual: Bitboard,
    pub(super) pairs: Bitboard,
    /// Where an own piece gives check, makes a pin or attacks the way of castling.
    played: Contact,
}

impl KingZone {
    /// The zone of the king of the enemy of `us`.
    #[inline]
    pub(super) fn of(board: &Board, us: Color, lines: &KingLines) -> Self {
        let king = board.king(!us);
        let (occupied, them) = (board.occupied(), board.color(!us));
        let near = king_attacks(king) - them;
        let mut checks = Contact::default();
        checks.add(us, king, occupied);
        // Behind an enemy piece a slider pins it.
        checks.diagonal |= bishop_attacks(king, occupied - (checks.diagonal & them));
        checks.orthogonal |= rook_attacks(king, occupied - (checks.orthogonal & them));
        let mut zone = Self {
            replies: 0,
            free: Bitboard::EMPTY,
            lone: Bitboard::EMPTY,
            lone_attackers: Bitboard::EMPTY,
            contact: Contact::default(),
            movers: lines.discoverers,
            closing: lines.pins.pins() | (king_attacks(king) & them),
            mutual: Bitboard::EMPTY,
            pairs: Bitboard::EMPTY,
            played: checks,
        };
        let way = zone.add_castling(board, us, lines);
        zone.add_squares(board, us, near - way, Way::King);
        zone.replies += i64::from((zone.free & near).len());
        zone.free -= way;
        zone
    }

    /// Adds castling; returns the squares that the king crosses.
    #[inline]
    fn add_castling(&mut self, board: &Board, us: Color, lines: &KingLines) -> Bitboard {
        let king = board.king(!us);
        let mut way = Bitboard::EMPTY;
        for rook in board.castling() & home_rank(!us) {
            let (king_to, rook_to) = castling_targets(king, rook);
            let king_path = between(king, king_to).with(king_to).without(king);
            let path = king_path | between(rook, rook_to).with(rook_to);
            let blockers = path & board.occupied().without(king).without(rook);
            if blockers.any() {
                if !blockers.several() {
                    self.movers |= blockers & board.color(us);
                }
                continue;
            }
            self.closing |= path.with(rook);
            self.add_squares(board, us, king_path - way, Way::Castling);
            way |= king_path;
            if lines.pins.orthogonal_pins.has(rook) {
                self.movers |= lines.pinners & line(king, rook);
            } else {
                self.replies += i64::from(king_path.is_subset(self.free));
            }
        }
        way
    }

    /// Adds squares that the king may enter or cross if `us` does not attack them.
    #[inline]
    fn add_squares(&mut self, board: &Board, us: Color, squares: Bitboard, way: Way) {
        let occupied = board.occupied().without(board.king(!us));
        let own = board.color(us);
        let (diagonal, orthogonal) = (board.diagonal_sliders(us), board.orthogonal_sliders(us));
        for square in squares {
            let mut attackers = own
                & ((knight_attacks(square) & board.pieces(PieceKind::Knight))
                    | (king_attacks(square) & board.pieces(PieceKind::King))
                    | (pawn_attacks(!us, square) & board.pieces(PieceKind::Pawn)));
            let (mut closing, mut openers) = (Bitboard::EMPTY, Bitboard::EMPTY);
            let sliders = (bishop_attacks(square, Bitboard::EMPTY) & diagonal)
                | (rook_attacks(square, Bitboard::EMPTY) & orthogonal);
            for slider in sliders {
                let path = between(square, slider);
                let blockers = path & occupied;
                if blockers.is_empty() {
                    attackers = attackers.with(slider);
                    closing |= path;
                } else if !blockers.several() {
                    openers |= blockers & own;
                }
            }
            if attackers.is_empty() {
                self.free = self.free.with(square);
                self.movers |= openers;
                match way {
                    Way::King => self.contact.add(us, square, occupied),
                    Way::Castling => self.played.add(us, square, occupied),
                }
            } else if !attackers.several() {
                self.closing |= closing;
                match way {
                    Way::King => {
                        self.lone = self.lone.with(square);
                        self.lone_attackers |= attackers;
                        self.movers |= attackers & openers;
                    }
                    Way::Castling => self.movers |= attackers,
                }
            } else if attackers.len() == 2 {
                self.mutual |= closing;
                self.pairs |= attackers;
            }
        }
    }

    /// The targets of a piece to which its moves are played.
    #[inline(always)]
    pub(super) fn played(&self, kind: PieceKind, from: Square, targets: Bitboard) -> Bitboard {
        if self.movers.has(from) {
            return targets;
        }
        let mutual = if self.pairs.has(from) { self.mutual } else { Bitboard::EMPTY };
        targets & (self.closing | self.played.of(kind) | mutual)
    }

    /// The same of pawns that have come from any square.
    #[inline(always)]
    pub(super) fn played_by_pawns(&self, targets: Bitboard) -> Bitboard {
        targets & (self.closing | self.played.pawn)
    }

    /// Where a pawn attacks a free square.
    #[inline(always)]
    pub(super) fn contact_of_pawns(&self) -> Bitboard {
        self.contact.pawn
    }

    /// The sum of what moves that are not played give to the king, and take from it.
    #[inline(always)]
    pub(super) fn change(
        &self,
        board: &Board,
        kind: PieceKind,
        from: Square,
        targets: Bitboard,
    ) -> i64 {
        let is_lone = self.lone_attackers.has(from);
        let changing = if is_lone { targets } else { targets & self.contact.of(kind) };
        if changing.is_empty() {
            return 0;
        }
        self.sum_of_changes(board, kind, from, changing)
    }

    #[inline(never)]
    fn sum_of_changes(
        &self,
        board: &Board,
        kind: PieceKind,
        from: Square,
        targets: Bitboard,
    ) -> i64 {
        let us = board.side_to_move();
        let occupied = board.occupied().without(from).without(board.king(!us));
        let attacks = |square| match kind {
            PieceKind::Pawn => pawn_attacks(us, square),
            kind => piece_attacks(kind, square, occupied),
        };
        let lone =
            if self.lone_attackers.has(from) { attacks(from) & self.lone } else { Bitboard::EMPTY };
        let change = |to| {
            let attacked = attacks(to);
            i64::from((lone - attacked).len()) - i64::from((self.free & attacked).len())
        };
        targets.into_iter().map(change).sum()
    }
}

/// Why a square matters to the king.
#[derive(Clone, Copy)]
enum Way {
    King,
    Castling,
}
