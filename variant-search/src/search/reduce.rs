//! Late-move reductions and margins, in whole numbers.

/// Deeper and later moves are reduced as the last of these.
const MOST: i32 = 63;

/// Sixteenths of the binary logarithm, linear between powers of two.
fn log2(n: i32) -> i32 {
    let n = n.clamp(1, MOST) as u32;
    let whole = n.ilog2();
    (whole * 16 + ((n << 4) >> whole) - 16) as i32
}

/// By how many plies the `number`-th quiet move (from 1) is reduced, in 1/1024 ply.
pub(super) fn reduction(depth: i32, number: i32) -> i32 {
    512 + log2(depth) * log2(number)
}

/// Whether the side to move stands better than at its last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trend {
    Improving,
    Worsening,
}

/// How many moves are tried at a depth before quiet ones are skipped. Source: the formula of
/// Stockfish.
pub(super) fn quiet_moves(depth: i32, trend: Trend) -> i32 {
    match trend {
        Trend::Improving => 3 + depth * depth,
        Trend::Worsening => (3 + depth * depth) / 2,
    }
}

/// Reverse futility: how far above beta the evaluation has to be, in centipawns.
pub(super) fn reverse_futility(depth: i32) -> i32 {
    90 * depth
}

/// Futility: how much a quiet move may gain at most, in centipawns.
pub(super) fn futility(depth: i32) -> i32 {
    120 + 100 * depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        assert_eq!((log2(1), log2(2), log2(3), log2(8), log2(63)), (0, 16, 24, 48, 95));
        for depth in 3..40 {
            for number in 3..40 {
                assert!(reduction(depth + 1, number) >= reduction(depth, number));
                assert!(reduction(depth, number + 1) >= reduction(depth, number));
            }
        }
        // About a ply and a half at depth 6 for the eighth move, three at depth 12 for the 24th.
        assert!((2..=3).contains(&(reduction(6, 8) / 1024)), "{}", reduction(6, 8));
        assert!((4..=5).contains(&(reduction(12, 24) / 1024)), "{}", reduction(12, 24));
    }
}
