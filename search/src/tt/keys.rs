//! Under which key the table knows a position, and one that is not on the board yet.

use tamarin_movegen::{Move, Position};

use super::TranspositionTable;

/// The key of a position in the table.
///
/// Late on the way to a draw by the fifty-move rule the same position is not the same
/// any more, so the clock becomes part of the key, in steps.
#[inline]
pub(crate) fn key(position: &Position) -> u64 {
    position.key() ^ clock_key(position.halfmove_clock())
}

/// The key after a move, which need not be legal. After castling, promotions, captures in
/// passing, and where a right to castle or a pawn that can be taken in passing comes or goes,
/// it is wrong; after a pawn's step late on the way to a draw too.
#[inline]
fn key_after(position: &Position, mv: Move) -> u64 {
    let clock = if mv.is_noisy() { 0 } else { position.halfmove_clock().saturating_add(1) };
    position.key_after(mv) ^ clock_key(clock)
}

fn key_after_null(position: &Position) -> u64 {
    position.key_after_null() ^ clock_key(position.halfmove_clock().saturating_add(1))
}

#[inline]
fn clock_key(halfmove_clock: u16) -> u64 {
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let clock = u64::from(halfmove_clock);
    let steps = if clock < 14 { 0 } else { (clock - 6) / 8 };
    STEP.wrapping_mul(steps)
}

/// A bucket that is in no cache takes half the time of a node to arrive. So the bucket of a
/// position is prefetched as soon as the move to it may come next, not when it is made.
impl TranspositionTable {
    /// Fetches what is known of the position after a move.
    #[inline]
    pub fn prefetch_after(&self, position: &Position, mv: Move) {
        self.prefetch(key_after(position, mv));
    }

    /// Fetches what is known of the position after a null move.
    #[inline]
    pub fn prefetch_after_null(&self, position: &Position) {
        self.prefetch(key_after_null(position));
    }
}

#[cfg(test)]
mod tests {
    use tamarin_movegen::PieceKind;

    use super::*;

    #[test]
    fn keys_after_plain_moves_are_right() {
        for clock in [0, 12, 13, 14, 20, 21, 22, 98] {
            let fen = format!(
                "r2q1rk1/1b2bppp/p2p1n2/1p1Np3/4P3/P2Q1N2/1PP2PPP/R1B2RK1 w - - {clock} 30"
            );
            let mut position = Position::from_fen(&fen).unwrap();
            let mut checked = 0;
            for mv in position.legal_moves() {
                let pawn = position.moved_piece(mv).kind() == PieceKind::Pawn;
                if pawn && !mv.is_noisy() {
                    continue;
                }
                let predicted = key_after(&position, mv);
                position.make(mv);
                assert_eq!(key(&position), predicted, "{mv:?} at clock {clock}");
                position.unmake();
                checked += 1;
            }
            assert!(checked > 30);
            let predicted = key_after_null(&position);
            position.make_null();
            assert_eq!(key(&position), predicted, "passing at clock {clock}");
        }
    }
}
