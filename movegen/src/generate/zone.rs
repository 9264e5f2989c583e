//! What a move may change for the enemy king: its moves, checks and pins.

use super::Masks;
use crate::castling::{castling_targets, home_rank};
use crate::{
    Bitboard, Board, Color, Piece, PieceKind, Square, between, bishop_attacks, king_attacks,
    knight_attacks, pawn_attacks, piece_attacks, rook_attacks,
};

/// The moves of the enemy king, and the own moves that change them, check it or pin its pieces.
#[derive(Default)]
pub(super) struct KingZone {
    /// The moves of the king after a pass, castling included.
    pub(super) replies: i64,
    /// The pins of enemy pieces; no checkers.
    pub(super) pins: Masks,
    /// `[kind]`, squares from which an own piece would give check.
    pub(super) checks: [Bitboard; 6],
    /// `[kind]`, squares from which it would pin.
    pub(super) pinning: [Bitboard; 6],
    /// `[kind]`, squares from which it would attack a free square.
    contact: [Bitboard; 6],
    /// The squares around the king without its own pieces, and those with them.
    near: Bitboard,
    guarded: Bitboard,
    /// The squares the king leaves and crosses in castling to each side; all squares where
    /// something else prevents it.
    castling: [Bitboard; 2],
    /// The squares that the king may enter or cross and nothing attacks, and its own.
    free: Bitboard,
    /// Those that something attacks, and those of them that one piece alone attacks.
    attacked: Bitboard,
    lone: Bitboard,
    /// The sliders that attack any, and the pieces that do it alone.
    sliders: Bitboard,
    lone_attackers: Bitboard,
    /// Own pieces whose moves are played.
    movers: Bitboard,
    /// Where any own piece cuts an attack or prevents castling; of it where several ways lead.
    closing: Bitboard,
    crossing: Bitboard,
}

impl KingZone {
    /// The zone of the king of the enemy of `us`.
    #[inline]
    pub(super) fn of(board: &Board, us: Color) -> Self {
        let king = board.king(!us);
        let (occupied, them) = (board.occupied(), board.color(!us));
        let near = king_attacks(king);
        let checks = attackers(us, king, occupied);
        let [_, _, diagonal, orthogonal, ..] = checks;
        // Behind an enemy piece a slider pins it.
        let diagonal = bishop_attacks(king, occupied - (diagonal & them)) - diagonal;
        let orthogonal = rook_attacks(king, occupied - (orthogonal & them)) - orthogonal;
        let mut zone = Self {
            checks,
            near: near - them,
            guarded: near & them,
            castling: [Bitboard::ALL; 2],
            ..Self::default()
        };
        zone.pinning[2..5].copy_from_slice(&[diagonal, orthogonal, diagonal | orthogonal]);
        zone.add_lines(board, us, king);
        let home = home_rank(!us);
        if (board.castling() & home).any() {
            zone.closing |= home;
            zone.movers |= board.color(us) & home;
        }
        let mut squares = zone.near;
        for (rook, castling) in (board.castling() & home).into_iter().zip(&mut zone.castling) {
            if super::is_path_free(board, king, rook) {
                let (king_to, _) = castling_targets(king, rook);
                *castling = between(king, king_to).with(king_to).with(king);
                squares |= castling.without(king);
            }
        }
        zone.add_squares(board, us, squares);
        zone.free = zone.free.with(king);
        zone.replies = zone.king_moves(zone.free);
        zone
    }

    /// Adds the lines of own sliders to the king: pins, discovered checks and discovered pins.
    #[inline]
    fn add_lines(&mut self, board: &Board, us: Color, king: Square) {
        let [diagonals, orthogonals] =
            [bishop_attacks, rook_attacks].map(|f| f(king, Bitboard::EMPTY));
        let sliders =
            (diagonals & board.diagonal_sliders(us)) | (orthogonals & board.orthogonal_sliders(us));
        let mut pins = Bitboard::EMPTY;
        for slider in sliders {
            let path = between(king, slider);
            let blockers = path & board.occupied();
            let own = blockers & board.color(us);
            if blockers.len() == 1 && own.is_empty() {
                pins |= path.with(slider);
            } else if blockers.len() <= 2 && own.len() == 1 {
                self.movers |= own;
            }
        }
        self.pins.diagonal_pins = pins & diagonals;
        self.pins.orthogonal_pins = pins & orthogonals;
    }

    /// Adds squares that the king may enter or cross if `us` does not attack them.
    #[inline]
    fn add_squares(&mut self, board: &Board, us: Color, squares: Bitboard) {
        let occupied = board.occupied().without(board.king(!us));
        let own = board.color(us);
        let (diagonal, orthogonal) = (board.diagonal_sliders(us), board.orthogonal_sliders(us));
        let mut contact = [Bitboard::EMPTY; 6];
        for square in squares {
            let mut attackers = own
                & ((knight_attacks(square) & board.pieces(PieceKind::Knight))
                    | (king_attacks(square) & board.pieces(PieceKind::King))
                    | (pawn_attacks(!us, square) & board.pieces(PieceKind::Pawn)));
            let mut openers = Bitboard::EMPTY;
            let sliders = (bishop_attacks(square, Bitboard::EMPTY) & diagonal)
                | (rook_attacks(square, Bitboard::EMPTY) & orthogonal);
            for slider in sliders {
                let blockers = between(square, slider) & occupied;
                if blockers.is_empty() {
                    attackers = attackers.with(slider);
                } else if !blockers.several() {
                    openers |= blockers & own;
                }
            }
            self.sliders |= attackers & (diagonal | orthogonal);
            if attackers.is_empty() {
                self.free = self.free.with(square);
                self.movers |= openers;
                let seen = self::attackers(us, square, occupied);
                contact = core::array::from_fn(|kind| contact[kind] | seen[kind]);
            } else if !attackers.several() {
                self.lone = self.lone.with(square);
                self.lone_attackers |= attackers;
                self.movers |= attackers & openers;
            }
        }
        self.contact = contact;
        self.attacked = squares - self.free;
        for slider in self.sliders {
            let paths = self.paths(board, slider);
            self.crossing |= self.closing & paths;
            self.closing |= paths;
        }
    }

    /// The squares between an own piece and those squares of the zone that it attacks.
    #[inline]
    fn paths(&self, board: &Board, from: Square) -> Bitboard {
        let occupied = board.occupied().without(board.king(!board.side_to_move()));
        let kind = board.piece_at(from).map_or(PieceKind::Knight, Piece::kind);
        let attacked = attacks(board, kind, from, occupied) & self.attacked;
        attacked.into_iter().fold(Bitboard::EMPTY, |all, square| all | between(square, from))
    }

    /// The moves of the king if these squares are free.
    #[inline]
    fn king_moves(&self, free: Bitboard) -> i64 {
        let [a, b] = self.castling.map(|path| i64::from(path.is_subset(free)));
        i64::from((free & self.near).len()) + a + b
    }

    /// Own pieces whose moves may matter wherever they go; `[kind]`, where those of others may.
    #[inline(always)]
    pub(super) fn special(&self, board: &Board) -> (Bitboard, [Bitboard; 6]) {
        let pins = self.pins.pins();
        let landings = |kind| self.checks[kind] | self.pinning[kind] | self.contact[kind];
        let all = self.closing | pins | self.guarded;
        let pinners = pins & board.color(board.side_to_move());
        let origins = self.movers | self.lone_attackers | pinners;
        (origins, core::array::from_fn(|kind| all | landings(kind)))
    }

    /// The targets of a piece to which its moves are played, whatever they attack.
    #[inline(always)]
    pub(super) fn played(&self, board: &Board, from: Square, targets: Bitboard) -> Bitboard {
        if self.movers.has(from) {
            return targets;
        }
        // A slider that stays on the line on which it attacks a square attacks it still.
        let own = if self.sliders.has(from) { self.paths(board, from) } else { Bitboard::EMPTY };
        targets & (self.closing - (own - self.crossing))
    }

    /// The sum of what moves of a piece that are not played give to the king, and take from it.
    #[inline(always)]
    pub(super) fn change(&self, board: &Board, kind: PieceKind, from: Square, to: Bitboard) -> i64 {
        let occupied = board.occupied().without(from).without(board.king(!board.side_to_move()));
        let mut changing = self.contact[kind.index()] | self.checks[kind.index()] | self.guarded;
        let mut free = self.free;
        if self.lone_attackers.has(from) {
            free |= attacks(board, kind, from, occupied) & self.lone;
            changing = Bitboard::ALL;
        }
        let mut sum = 0;
        for to in to & changing {
            sum += self.king_moves(free - attacks(board, kind, to, occupied)) - self.replies;
            if self.guarded.has(to) {
                // The king captures a piece that has captured beside it, if nothing protects that.
                let us = board.color(board.side_to_move()).without(from);
                sum += i64::from((board.attackers_to(to, occupied) & us).is_empty());
            }
        }
        sum
    }
}

/// `[kind]`, the squares from which a piece of `us` attacks `square`.
#[inline(always)]
fn attackers(us: Color, square: Square, occupied: Bitboard) -> [Bitboard; 6] {
    let (diagonal, orthogonal) = (bishop_attacks(square, occupied), rook_attacks(square, occupied));
    let (pawn, king) = (pawn_attacks(!us, square), king_attacks(square));
    [pawn, knight_attacks(square), diagonal, orthogonal, diagonal | orthogonal, king]
}

/// What an own piece on `square` attacks.
#[inline]
fn attacks(board: &Board, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn_attacks(board.side_to_move(), square),
        kind => piece_attacks(kind, square, occupied),
    }
}
