//! Late-move reductions (LMR).

use crate::params::Params;
use crate::types::Node;

/// One ply in the fixed-point units of a reduction.
pub const PLY: i32 = 1024;

/// Natural logarithms of 0 (taken as 1) to 255, times 1024, rounded down.
///
/// Integers only, so that every machine searches the same tree.
const LN: [i32; 256] = {
    let mut table = [0; 256];
    let mut x = 1;
    while x < 256 {
        table[x] = ln(x as u64);
        x += 1;
    }
    table
};

/// ln(x) * 1024: the binary logarithm bit by bit, by repeated squaring, times ln 2.
const fn ln(x: u64) -> i32 {
    const FRACTION: u32 = 20;
    let whole = 63 - x.leading_zeros();
    // The mantissa in 1..2, with 31 fractional bits.
    let mut mantissa = (x as u128) << (31 - whole);
    let mut log2 = (whole as u64) << FRACTION;
    let mut bit = FRACTION;
    while bit > 0 {
        bit -= 1;
        mantissa = (mantissa * mantissa) >> 31;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            log2 |= 1 << bit;
        }
    }
    // ln 2 = 744_261_118 / 2^30.
    ((log2 as u128 * 744_261_118 * 1024) >> (FRACTION + 30)) as i32
}

/// ln(x) * 1024 for any `x`, those above 255 counting as 255.
#[inline]
pub const fn log(x: i32) -> i32 {
    LN[if x < 0 {
        0
    } else if x > 255 {
        255
    } else {
        x as usize
    }]
}

/// The reduction of the `count`-th move at `depth`, in 1/1024 ply, before any adjustment:
/// `base + ln(depth) * ln(count) / divisor`, both given in 1/1024.
#[inline]
pub const fn base(depth: i32, count: i32, base: i32, divisor: i32) -> i32 {
    base + log(depth) * log(count) / divisor
}

/// How many moves of a node are searched before late-move reductions set in.
#[inline]
pub fn full_moves<N: Node>(params: &Params) -> i32 {
    params.lmr_moves() + if N::ROOT { params.lmr_moves_root() } else { 0 }
}

/// What a move's reduction depends on.
#[derive(Clone, Copy, Debug)]
pub struct LateMove {
    /// The depth of the node, in plies.
    pub depth: i32,
    /// How many moves were tried, this one included.
    pub count: u32,
    /// Whether it captures or promotes.
    pub noisy: bool,
    /// Whether the side to move stands better than at its last move.
    pub improving: bool,
    /// The sum of its histories.
    pub history: i32,
}

/// The reduction by depth, count and history alone, in 1/1024 ply; may be negative.
#[inline]
pub fn late_move(params: &Params, late: &LateMove) -> i32 {
    let count = late.count as i32;
    let reduction = if late.noisy {
        base(late.depth, count, params.capture_reduction_base(), params.capture_reduction_divisor())
    } else {
        base(late.depth, count, params.quiet_reduction_base(), params.quiet_reduction_divisor())
    };
    let not_improving = if late.improving { 0 } else { params.reduction_not_improving() };
    reduction + not_improving - late.history * PLY / params.reduction_history()
}

/// By how many plies the moves after one that raised alpha are searched less deep.
#[inline]
pub fn alpha_raised(params: &Params, depth: i32) -> i32 {
    let applies = depth >= params.alpha_raised_min() && depth <= params.alpha_raised_max();
    if applies { params.alpha_raised_reduction() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_history_reduces_less() {
        let params = &Params::new();
        let middling = LateMove { depth: 10, count: 10, noisy: false, improving: true, history: 0 };
        let good = LateMove { history: 9000, ..middling };
        let not_improving = LateMove { improving: false, ..middling };
        let capture = LateMove { noisy: true, ..middling };
        assert!(late_move(params, &good) < late_move(params, &middling));
        assert!(late_move(params, &not_improving) > late_move(params, &middling));
        assert!(late_move(params, &capture) < late_move(params, &middling));
    }

    #[test]
    fn moves_after_a_raised_alpha_are_reduced_at_some_depths() {
        let params = &Params::new();
        let (min, max) = (params.alpha_raised_min(), params.alpha_raised_max());
        let plies = params.alpha_raised_reduction();
        assert!(plies > 0 && min < max);
        for (depth, expected) in [(min - 1, 0), (min, plies), (max, plies), (max + 1, 0)] {
            assert_eq!(alpha_raised(params, depth), expected, "depth {depth}");
        }
    }

    #[test]
    fn logarithms_are_right() {
        for x in 1..256 {
            let exact = (f64::from(x)).ln() * 1024.0;
            let ours = f64::from(log(x));
            assert!((exact - ours).abs() <= 1.01, "ln({x}): {exact} is not {ours}");
        }
        assert_eq!(log(0), 0);
        assert_eq!(log(-3), 0);
        assert_eq!(log(100_000), log(255));
    }

    #[test]
    fn reductions_grow_with_depth_and_count() {
        for depth in 1..60 {
            for count in 1..60 {
                let here = base(depth, count, 800, 2150);
                assert!(here <= base(depth + 1, count, 800, 2150));
                assert!(here <= base(depth, count + 1, 800, 2150));
            }
        }
        assert_eq!(base(1, 30, 800, 2150), 800);
    }
}
