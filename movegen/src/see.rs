//! Static exchange evaluation: what a series of captures on one square is worth.

use crate::{
    Bitboard, Color, Move, MoveKind, PerColor, PieceKind, Position, Square, between,
    bishop_attacks, line, rook_attacks,
};

/// What a piece is worth in an exchange, in centipawns, by [`PieceKind`]. The king's
/// value is never taken: it only captures what is not defended.
///
/// ```
/// use tamarin_movegen::{PieceKind, SEE_VALUES};
/// assert_eq!(SEE_VALUES[PieceKind::Rook.index()], 500);
/// ```
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

const fn value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind as usize]
}

impl Position {
    /// Does a legal move win at least `threshold` centipawns, if both sides go on to
    /// capture on its target square with their least valuable pieces, or stop, as suits
    /// them?
    ///
    /// Pinned pieces take part only along their pins, sliders join from behind those
    /// that capture before them, pawns that capture on the last rank promote. Castling
    /// wins nothing and risks nothing.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = Position::from_fen("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1").unwrap();
    /// let takes = position.parse_san("Rxd6").unwrap();
    /// assert!(position.see_at_least(takes, -400));
    /// assert!(!position.see_at_least(takes, -399));
    /// ```
    #[must_use]
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        if m.is_castle() {
            return threshold <= 0;
        }
        let captured = self.captured_by(m).map_or(0, value);
        let promoted = m.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        // What the mover is above the threshold: now, and if its piece is then lost.
        let gain = captured + promoted - threshold;
        if gain < 0 {
            return false;
        }
        let at_risk = m.promotion().unwrap_or_else(|| self.moved_piece(m).kind());
        let balance = gain - value(at_risk);
        balance >= 0 || Exchange::new(self, m).mover_keeps(balance)
    }
}

/// The pieces that can still capture on the target.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    /// Pinned pieces that may not capture on the target while their pin lasts; `None`
    /// until a side wants to capture, which most never do.
    pinned: PerColor<Option<Bitboard>>,
}

impl<'a> Exchange<'a> {
    /// The exchange after its first move.
    fn new(position: &'a Position, m: Move) -> Self {
        let (from, target) = (m.from(), m.to());
        let mut occupied = position.occupied().without(from).with(target);
        if m.kind() == MoveKind::EnPassant {
            occupied = occupied.without(Square::new(target.file(), from.rank()));
        }
        let attackers = position.attackers_to(target, occupied) & occupied;
        Self { position, target, occupied, attackers, pinned: PerColor([None; 2]) }
    }

    /// Which pieces of `side` are held back by a pin, with the squares occupied as now.
    fn find_pins(&self, side: Color) -> Bitboard {
        let board = self.position.board();
        let king = board.king(side);
        let diagonal = board.diagonal_sliders(!side) & self.occupied;
        let straight = board.straight_sliders(!side) & self.occupied;
        let snipers = (bishop_attacks(king, Bitboard::EMPTY) & diagonal)
            | (rook_attacks(king, Bitboard::EMPTY) & straight);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers.without(self.target) {
            let shield = between(king, sniper) & self.occupied;
            if shield.any() && !shield.several() && !line(king, sniper).has(self.target) {
                pinned |= shield & board.color(side);
            }
        }
        pinned
    }

    /// Plays the exchange on, the opponent of the first mover to capture. `balance` is
    /// what the mover would be above its threshold after losing its piece; below zero.
    fn mover_keeps(mut self, mut balance: i32) -> bool {
        let mover = self.position.side_to_move();
        let mut side = !mover;
        while let Some((kind, from)) = self.least_attacker(side) {
            self.leave(kind, from);
            side = !side;
            // Seen by the one who has just captured: lost again, a promoted pawn costs a
            // pawn, because the queen it became was won on this square.
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                // A king may not capture what is defended: then it had to stop.
                if kind == PieceKind::King && self.able(side).any() {
                    side = !side;
                }
                break;
            }
        }
        // The side to capture cannot or will not.
        side != mover
    }

    /// Attackers of a side that no pin holds back.
    fn able(&mut self, side: Color) -> Bitboard {
        let attackers = self.attackers & self.position.color(side);
        if attackers.is_empty() {
            return attackers;
        }
        let pinned = self.pinned[side].unwrap_or_else(|| self.find_pins(side));
        self.pinned[side] = Some(pinned);
        attackers - pinned
    }

    fn least_attacker(&mut self, side: Color) -> Option<(PieceKind, Square)> {
        let able = self.able(side);
        if able.is_empty() {
            return None;
        }
        PieceKind::ALL
            .into_iter()
            .find_map(|kind| Some((kind, (able & self.position.pieces(kind)).first()?)))
    }

    /// A piece has captured from `from`: whoever stood behind it attacks too, and if it
    /// was a pinner, its pin ends.
    fn leave(&mut self, kind: PieceKind, from: Square) {
        let board = self.position.board();
        self.occupied = self.occupied.without(from);
        if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
            let sliders = board.pieces(PieceKind::Bishop) | board.pieces(PieceKind::Queen);
            self.attackers |= bishop_attacks(self.target, self.occupied) & sliders;
        }
        if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
            let sliders = board.pieces(PieceKind::Rook) | board.pieces(PieceKind::Queen);
            self.attackers |= rook_attacks(self.target, self.occupied) & sliders;
        }
        self.attackers &= self.occupied;
        for pinned in &mut self.pinned.0 {
            // None of nothing is released.
            *pinned = pinned.filter(|pinned| pinned.is_empty());
        }
    }
}
