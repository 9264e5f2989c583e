//! The keys of chess positions in the transposition table.
//!
//! A bucket that is in no cache takes a third of the time of a node to arrive. So it is prefetched as
//! soon as the move may be the next one, not when it is made: 1.10 times the nodes a second (V54).

use tamarin_base::params::Params;
use tamarin_base::tt;
use tamarin_movegen::{Move, Position};

pub(crate) use tt::{DEPTH_OF_EVALUATION, ScoreContext, TranspositionTable};

pub(crate) type TableEntry = tt::TableEntry<Move>;

/// What the scores of the table have to be adjusted to at a node `ply` plies from the root.
pub(crate) fn score_context(ply: usize, position: &Position) -> ScoreContext {
    ScoreContext { ply, plies_left: 100 - i32::from(position.halfmove_clock().min(100)) }
}

/// The key of a position in the table.
///
/// Scores depend on the fifty-move clock once it has run for a while: from there on it is
/// part of the key, in steps.
pub(crate) fn key(position: &Position, params: &Params) -> u64 {
    position.key() ^ clock_key(position.halfmove_clock(), params)
}

/// The key after a move, which need not be legal: good enough for a prefetch. It is wrong
/// after castling, promotions and en-passant captures, where castling rights or an en-passant
/// square come or go, and after a pawn's step once the clock is part of the key.
#[inline]
pub(crate) fn key_after(position: &Position, mv: Move, params: &Params) -> u64 {
    let clock = if mv.is_noisy() { 0 } else { position.halfmove_clock().saturating_add(1) };
    position.key_after(mv) ^ clock_key(clock, params)
}

pub(crate) fn key_after_null(position: &Position, params: &Params) -> u64 {
    let clock = position.halfmove_clock().saturating_add(1);
    position.key_after_null() ^ clock_key(clock, params)
}

#[inline]
fn clock_key(halfmove_clock: u16, params: &Params) -> u64 {
    /// The odd integer next to 2^64 divided by the golden ratio.
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let clock = i32::from(halfmove_clock);
    let beyond = clock - params.tt_key_clock();
    let steps = if beyond < 0 { 0 } else { 1 + beyond / params.tt_key_clock_step() };
    STEP.wrapping_mul(steps as u64)
}

#[cfg(test)]
mod tests {
    use tamarin_movegen::PieceKind;

    use super::*;

    #[test]
    fn keys_after_plain_moves_are_right() {
        let params = Params::new();
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
                let predicted = key_after(&position, mv, &params);
                position.make(mv);
                assert_eq!(key(&position, &params), predicted, "{mv:?} at clock {clock}");
                position.unmake();
                checked += 1;
            }
            assert!(checked > 30);
            let predicted = key_after_null(&position, &params);
            position.make_null();
            assert_eq!(key(&position, &params), predicted, "passing at clock {clock}");
        }
    }

    #[test]
    fn the_clock_is_part_of_the_key_in_steps() {
        let params = Params::new();
        let key = |clock: i32| clock_key(clock as u16, &params);
        let (first, step) = (params.tt_key_clock(), params.tt_key_clock_step());
        assert_eq!(key(first - 1), 0);
        let keys = [0, 1, 2].map(|steps| key(first + steps * step));
        assert!(keys[0] != 0 && keys[1] != keys[0] && keys[2] != keys[1]);
        assert_eq!(key(first + step - 1), keys[0]);
    }
}
