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
    /// The squares around the king without its own pieces, and those with them.
    near: Bitboard,
    guarded: Bitboard,
    /// The squares the king crosses in castling to each side, where nothing else prevents it.
    castling: [Option<Bitboard>; 2],
    /// The squares that nothing attacks.
    free: Bitboard,
    /// The squares that one piece alone attacks, and these pieces.
    lone: Bitboard,
    lone_attackers: Bitboard,
    /// Where an own piece attacks a free square.
    contact: Contact,
    /// Own pieces whose moves are played.
    movers: Bitboard,
    /// Where any own piece cuts an attack or prevents castling; of it where several ways lead.
    closing: Bitboard,
    crossing: Bitboard,
    /// The lines of pins.
    pins: Bitboard,
    /// Where one of two attackers cuts the attack of the other, and these pieces.
    mutual: Bitboard,
    pairs: Bitboard,
    /// Where an own piece gives check or makes a pin.
    checks: Contact,
}

impl KingZone {
    /// The zone of the king of the enemy of `us`.
    #[inline]
    pub(super) fn of(board: &Board, us: Color, lines: &KingLines) -> Self {
        let king = board.king(!us);
        let (occupied, them) = (board.occupied(), board.color(!us));
        let near = king_attacks(king);
        let mut checks = Contact::default();
        checks.add(us, king, occupied);
        // Behind an enemy piece a slider pins it.
        checks.diagonal |= bishop_attacks(king, occupied - (checks.diagonal & them));
        checks.orthogonal |= rook_attacks(king, occupied - (checks.orthogonal & them));
        let mut zone = Self {
            replies: 0,
            near: near - them,
            guarded: near & them,
            castling: [None; 2],
            free: Bitboard::EMPTY,
            lone: Bitboard::EMPTY,
            lone_attackers: Bitboard::EMPTY,
            contact: Contact::default(),
            movers: lines.discoverers,
            closing: Bitboard::EMPTY,
            crossing: Bitboard::EMPTY,
            pins: lines.pins.pins(),
            mutual: Bitboard::EMPTY,
            pairs: Bitboard::EMPTY,
            checks,
        };
        let rooks = board.castling() & home_rank(!us);
        let way = if rooks.any() { zone.add_castling(board, us, lines, rooks) } else { rooks };
        zone.add_squares(board, us, (near - them) | way);
        zone.replies = zone.king_moves(zone.free, zone.near);
        zone
    }

    /// Adds castling with the rooks that may; returns the squares that the king crosses.
    #[inline]
    fn add_castling(
        &mut self,
        board: &Board,
        us: Color,
        lines: &KingLines,
        rooks: Bitboard,
    ) -> Bitboard {
        let king = board.king(!us);
        let mut way = Bitboard::EMPTY;
        for (rook, castling) in rooks.into_iter().zip(0..) {
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
            self.close(path.with(rook));
            if lines.pins.orthogonal_pins.has(rook) {
                self.movers |= lines.pinners & line(king, rook);
            } else {
                self.castling[castling] = Some(king_path);
                way |= king_path;
            }
        }
        way
    }

    /// Adds squares where any piece changes what the king may do.
    #[inline(always)]
    fn close(&mut self, squares: Bitboard) {
        self.crossing |= self.closing & squares;
        self.closing |= squares;
    }

    /// Adds squares that the king may enter or cross if `us` does not attack them.
    #[inline]
    fn add_squares(&mut self, board: &Board, us: Color, squares: Bitboard) {
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
                self.contact.add(us, square, occupied);
            } else if !attackers.several() {
                self.close(closing);
                self.lone = self.lone.with(square);
                self.lone_attackers |= attackers;
                self.movers |= attackers & openers;
            } else if attackers.len() == 2 {
                self.mutual |= closing;
                self.pairs |= attackers;
            }
        }
    }

    /// The moves of the king to those squares that are free.
    #[inline]
    fn king_moves(&self, free: Bitboard, near: Bitboard) -> i64 {
        let castling = |path: &&Bitboard| path.is_subset(free);
        (free & near).len() as i64 + self.castling.iter().flatten().filter(castling).count() as i64
    }

    /// Own pieces whose moves may matter wherever they go.
    #[inline(always)]
    pub(super) fn origins(&self) -> Bitboard {
        self.movers | self.lone_attackers | self.pairs
    }

    /// Where any own piece of this kind may matter.
    #[inline(always)]
    pub(super) fn landings(&self, kind: PieceKind) -> Bitboard {
        self.closing | self.pins | self.guarded | self.checks.of(kind) | self.contact.of(kind)
    }

    /// The targets of a piece to which its moves are played. On the line along which it pins
    /// it neither checks nor makes the pin.
    #[inline]
    pub(super) fn played(
        &self,
        board: &Board,
        (kind, from): (PieceKind, Square),
        targets: Bitboard,
        line_of_pin: Bitboard,
    ) -> Bitboard {
        if self.movers.has(from) {
            return targets;
        }
        let mut closing = self.closing;
        if self.lone_attackers.has(from) {
            // A slider stays on the line on which it attacks.
            let occupied = board.occupied().without(board.king(!board.side_to_move()));
            let attacked = attacks(board, kind, from, occupied) & self.lone;
            let paths = attacked.into_iter().map(|square| between(square, from));
            closing -= paths.fold(Bitboard::EMPTY, |all, path| all | path) - self.crossing;
        }
        let mutual = if self.pairs.has(from) { self.mutual } else { Bitboard::EMPTY };
        targets & (closing | mutual | ((self.checks.of(kind) | self.pins) - line_of_pin))
    }

    /// The sum of what moves that are not played give to the king, and take from it.
    #[inline]
    pub(super) fn change(
        &self,
        board: &Board,
        kind: PieceKind,
        from: Square,
        targets: Bitboard,
    ) -> i64 {
        let us = board.side_to_move();
        let occupied = board.occupied().without(from).without(board.king(!us));
        let (mut lone, mut changing) = (Bitboard::EMPTY, self.contact.of(kind) | self.guarded);
        if self.lone_attackers.has(from) {
            let attacked = attacks(board, kind, from, occupied);
            (lone, changing) = (attacked & self.lone, Bitboard::ALL);
        }
        let mut sum = 0;
        for to in targets & changing {
            sum += self
                .king_moves((self.free | lone) - attacks(board, kind, to, occupied), self.near)
                - self.replies;
            if self.guarded.has(to) {
                let protectors = board.attackers_to(to, occupied) & board.color(us).without(from);
                sum += i64::from(protectors.is_empty());
            }
        }
        sum
    }
}

/// What an own piece on `square` attacks.
#[inline]
fn attacks(board: &Board, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn_attacks(board.side_to_move(), square),
        kind => piece_attacks(kind, square, occupied),
    }
}
