//! Static exchange evaluation (SEE).
//!
//! Source: <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>; with a threshold, as in
//! Stockfish's `see_ge`.

use crate::{
    Bitboard, Color, Move, MoveKind, PerColor, PieceKind, Position, Square, bishop_attacks, line,
    rook_attacks, slider_blockers,
};

/// Piece values of the static exchange evaluation in centipawns, by [`PieceKind`]. The
/// king's is never needed: a king captures undefended pieces only.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

const fn value(kind: PieceKind) -> i32 {
    SEE_VALUES[kind as usize]
}

impl Position {
    /// Returns `true` if the static exchange evaluation of a legal move is at least `threshold`
    /// centipawns.
    ///
    /// Both sides go on capturing on the target square, each time with the least valuable
    /// attacker, or stop if that is better for them. X-ray attackers join, pinned pieces
    /// capture along their pin lines only, captures by pawns on the last rank promote. SEE of
    /// castling is 0.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = Position::from_fen("4k3/2p5/3p4/8/8/8/3R4/4K3 w - - 0 1").unwrap();
    /// let takes = position.parse_san("Rxd6").unwrap();
    /// assert!(position.see_at_least(takes, -400));
    /// assert!(!position.see_at_least(takes, -399));
    /// ```
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let captured = self.captured_by(mv).map_or(0, value);
        let promoted = mv.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        // The balance above the threshold, first if the opponent does not recapture.
        let balance = captured + promoted - threshold;
        if balance < 0 {
            return false;
        }
        // Then if it recaptures, and nothing follows.
        let moved = mv.promotion().unwrap_or_else(|| self.moved_piece(mv).kind());
        let balance = balance - value(moved);
        balance >= 0 || Exchange::new(self, mv).reaches_threshold(balance)
    }
}

/// An exchange on one square under way.
struct Exchange<'a> {
    position: &'a Position,
    target: Square,
    occupied: Bitboard,
    /// Pieces of both sides that attack the target and have not captured yet.
    attackers: Bitboard,
    /// The pieces that a pin keeps from capturing on the target. Computed when a side is
    /// first to capture: most exchanges end before that.
    pinned: PerColor<Option<Bitboard>>,
}

impl<'a> Exchange<'a> {
    /// The exchange after its first move.
    fn new(position: &'a Position, mv: Move) -> Self {
        let (from, target) = (mv.from(), mv.to());
        let mut occupied = position.occupied().without(from).with(target);
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied.without(Square::new(target.file(), from.rank()));
        }
        let attackers = position.attackers_to(target, occupied) & occupied;
        Self { position, target, occupied, attackers, pinned: PerColor([None; 2]) }
    }

    /// The pieces of `side` whose pin line does not lead to the target.
    fn find_pinned(&self, side: Color) -> Bitboard {
        let board = self.position.board();
        let king = board.king(side);
        let blockers = slider_blockers(
            king,
            board.diagonal_sliders(!side) & self.occupied,
            board.orthogonal_sliders(!side) & self.occupied,
            self.occupied,
        );
        let pinned = blockers & board.color(side);
        pinned.into_iter().filter(|&square| !line(king, square).has(self.target)).collect()
    }

    /// Plays the exchange out, the opponent of the mover to capture first. `balance` is the
    /// mover's, above the threshold, once its piece is captured; it is negative.
    fn reaches_threshold(mut self, mut balance: i32) -> bool {
        let mover = self.position.side_to_move();
        let mut side = !mover;
        while let Some((kind, from)) = self.least_valuable_attacker(side) {
            self.remove_attacker(kind, from);
            side = !side;
            // Now the balance of the side that has captured, if its piece is captured in turn.
            // A pawn that promoted counts as a pawn: the gain and the loss of the queen cancel.
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                // A king may not capture a defended piece: its side had to stop instead.
                if kind == PieceKind::King && self.unpinned_attackers(side).any() {
                    side = !side;
                }
                break;
            }
        }
        // `side` cannot capture, or does not gain by it.
        side != mover
    }

    /// The attackers of a side that no pin keeps from capturing.
    fn unpinned_attackers(&mut self, side: Color) -> Bitboard {
        let attackers = self.attackers & self.position.color(side);
        if attackers.is_empty() {
            return attackers;
        }
        let pinned = self.pinned[side].unwrap_or_else(|| self.find_pinned(side));
        self.pinned[side] = Some(pinned);
        attackers - pinned
    }

    fn least_valuable_attacker(&mut self, side: Color) -> Option<(PieceKind, Square)> {
        let attackers = self.unpinned_attackers(side);
        if attackers.is_empty() {
            return None;
        }
        PieceKind::ALL
            .into_iter()
            .find_map(|kind| Some((kind, (attackers & self.position.pieces(kind)).first()?)))
    }

    /// Removes the attacker that has captured and adds the x-ray attackers behind it.
    fn remove_attacker(&mut self, kind: PieceKind, from: Square) {
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
        // If the piece was a pinner, its pin has ended: compute the pinned pieces anew. (Where
        // there were none, a pin that the move has caused is ignored.)
        for pinned in &mut self.pinned.0 {
            *pinned = pinned.filter(|pinned| pinned.is_empty());
        }
    }
}
