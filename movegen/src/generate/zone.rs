//! What a move may change for the enemy king: lines to it, and the squares around it.

use super::pins::KingLines;
use crate::castling::{castling_targets, home_rank};
use crate::{
    Bitboard, Board, Color, PieceKind, Square, between, bishop_attacks, king_attacks,
    knight_attacks, line, pawn_attacks, piece_attacks, rook_attacks,
};

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
    /// The squares the king leaves and crosses in castling to each side; all squares where
    /// something else prevents it.
    castling: [Bitboard; 2],
    /// The squares that nothing attacks, that of the king included.
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
    /// The squares that two pieces attack, and these pieces.
    pair: Bitboard,
    pairs: Bitboard,
    /// Where one of two cuts the attack of the other; of it where several ways lead.
    mutual: Bitboard,
    mutual_crossing: Bitboard,
    /// Where an own piece gives check.
    checks: Contact,
    /// Where an own piece makes a pin.
    pinning: Contact,
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
        let behind = |view: Bitboard, attacks: fn(Square, Bitboard) -> Bitboard| {
            attacks(king, occupied - (view & them)) - view
        };
        let pinning = Contact {
            diagonal: behind(checks.diagonal, bishop_attacks),
            orthogonal: behind(checks.orthogonal, rook_attacks),
            ..Contact::default()
        };
        let mut zone = Self {
            replies: 0,
            near: near - them,
            guarded: near & them,
            castling: [Bitboard::ALL; 2],
            free: Bitboard::EMPTY,
            lone: Bitboard::EMPTY,
            lone_attackers: Bitboard::EMPTY,
            contact: Contact::default(),
            movers: lines.discoverers,
            closing: Bitboard::EMPTY,
            crossing: Bitboard::EMPTY,
            pins: lines.pins.pins(),
            mutual: Bitboard::EMPTY,
            mutual_crossing: Bitboard::EMPTY,
            pair: Bitboard::EMPTY,
            pairs: Bitboard::EMPTY,
            checks,
            pinning,
        };
        let rooks = board.castling() & home_rank(!us);
        let way = if rooks.any() { zone.add_castling(board, us, lines, rooks) } else { rooks };
        zone.add_squares(board, us, (near - them) | way);
        zone.free = zone.free.with(king);
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
                self.castling[castling] = king_path.with(king);
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
            let mut openers = Bitboard::EMPTY;
            let sliders = (bishop_attacks(square, Bitboard::EMPTY) & diagonal)
                | (rook_attacks(square, Bitboard::EMPTY) & orthogonal);
            for slider in sliders {
                let path = between(square, slider);
                let blockers = path & occupied;
                if blockers.is_empty() {
                    attackers = attackers.with(slider);
                } else if !blockers.several() {
                    openers |= blockers & own;
                }
            }
            if attackers.is_empty() {
                self.free = self.free.with(square);
                self.movers |= openers;
                self.contact.add(us, square, occupied);
            } else if !attackers.several() {
                self.lone = self.lone.with(square);
                self.lone_attackers |= attackers;
                self.movers |= attackers & openers;
            } else if attackers.len() == 2 {
                self.pair = self.pair.with(square);
                self.pairs |= attackers;
            }
        }
        for slider in self.lone_attackers & diagonal {
            self.close(paths(board, PieceKind::Bishop, slider, self.lone));
        }
        for slider in self.lone_attackers & orthogonal {
            self.close(paths(board, PieceKind::Rook, slider, self.lone));
        }
        for (kind, sliders) in [(PieceKind::Bishop, diagonal), (PieceKind::Rook, orthogonal)] {
            for slider in self.pairs & sliders {
                let paths = paths(board, kind, slider, self.pair);
                self.mutual_crossing |= self.mutual & paths;
                self.mutual |= paths;
            }
        }
    }

    /// The moves of the king to those squares that are free.
    #[inline]
    fn king_moves(&self, free: Bitboard, near: Bitboard) -> i64 {
        let [a, b] = self.castling.map(|path| i64::from(path.is_subset(free)));
        i64::from((free & near).len()) + a + b
    }

    /// Own pieces whose moves may matter wherever they go.
    #[inline(always)]
    pub(super) fn origins(&self) -> Bitboard {
        self.movers | self.lone_attackers | self.pairs
    }

    /// Where any own piece of this kind may matter.
    #[inline(always)]
    pub(super) fn landings(&self, kind: PieceKind) -> Bitboard {
        let to_king = self.checks.of(kind) | self.pinning.of(kind);
        self.closing | self.pins | self.guarded | to_king | self.contact.of(kind)
    }

    /// Where a piece of this kind gives check.
    #[inline]
    pub(super) fn checks(&self, kind: PieceKind) -> Bitboard {
        self.checks.of(kind)
    }

    /// Where a piece of this kind makes a pin.
    #[inline]
    pub(super) fn makes_pin(&self, kind: PieceKind) -> Bitboard {
        self.pinning.of(kind)
    }

    /// The targets of a piece to which its moves are played, whatever they attack.
    #[inline(always)]
    pub(super) fn played(
        &self,
        board: &Board,
        (kind, from): (PieceKind, Square),
        targets: Bitboard,
    ) -> Bitboard {
        if self.movers.has(from) {
            return targets;
        }
        let mut played = self.closing;
        // A slider stays on the line on which it attacks.
        let is_slider = matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen);
        let own =
            |squares| if is_slider { paths(board, kind, from, squares) } else { Bitboard::EMPTY };
        if self.lone_attackers.has(from) {
            played -= own(self.lone) - self.crossing;
        }
        if self.pairs.has(from) {
            played |= self.mutual - (own(self.pair) - self.mutual_crossing);
        }
        targets & played
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
        let us = board.side_to_move();
        let occupied = board.occupied().without(from).without(board.king(!us));
        let mut changing = self.contact.of(kind) | self.checks.of(kind) | self.guarded;
        let mut free = self.free;
        if self.lone_attackers.has(from) {
            free |= attacks(board, kind, from, occupied) & self.lone;
            changing = Bitboard::ALL;
        }
        let mut sum = 0;
        for to in targets & changing {
            let attacked = attacks(board, kind, to, occupied);
            sum += self.king_moves(free - attacked, self.near) - self.replies;
            if self.guarded.has(to) {
                let protectors = board.attackers_to(to, occupied) & board.color(us).without(from);
                sum += i64::from(protectors.is_empty());
            }
        }
        sum
    }
}

/// The squares between an own slider and those squares that it attacks, through the enemy king.
fn paths(board: &Board, kind: PieceKind, from: Square, squares: Bitboard) -> Bitboard {
    let occupied = board.occupied().without(board.king(!board.side_to_move()));
    let attacked = attacks(board, kind, from, occupied) & squares;
    attacked.into_iter().fold(Bitboard::EMPTY, |all, square| all | between(square, from))
}

/// What an own piece on `square` attacks.
#[inline]
fn attacks(board: &Board, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn_attacks(board.side_to_move(), square),
        kind => piece_attacks(kind, square, occupied),
    }
}
