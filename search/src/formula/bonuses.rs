//! By how much a node updates the histories.

use crate::params::Params;

/// The bonus of a move that was good at this depth.
#[inline]
pub(crate) fn bonus(params: &Params, depth: i32) -> i32 {
    (params.bonus_factor() * depth - params.bonus_offset()).clamp(0, params.bonus_limit())
}

/// The malus of a move that was tried before the good one, as a positive number.
#[inline]
pub(crate) fn malus(params: &Params, depth: i32) -> i32 {
    (params.malus_factor() * depth - params.malus_offset()).clamp(0, params.malus_limit())
}

/// The update of the correction history for a score that differs by `error` from the static
/// evaluation.
#[inline]
pub(crate) fn correction(params: &Params, error: i32, depth: i32) -> i32 {
    let limit = params.correction_update_limit();
    (error * depth / params.correction_divisor()).clamp(-limit, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::CORRECTION_HISTORY_LIMIT;

    #[test]
    fn bonuses_grow_with_depth_and_are_capped() {
        let params = &Params::default();
        for update in [bonus, malus] {
            assert!((1..50).all(|depth| update(params, depth) <= update(params, depth + 1)));
            assert!(update(params, 1) > 0);
            assert_eq!(update(params, 0), 0);
            assert_eq!(update(params, 100), update(params, 200));
        }
    }

    #[test]
    fn corrections_follow_the_error_within_the_limit() {
        let params = &Params::default();
        let limit = params.correction_update_limit();
        assert_eq!(correction(params, 1000, 20), limit);
        assert_eq!(correction(params, -1000, 20), -limit);
        assert_eq!(correction(params, -2 * params.correction_divisor(), 4), -8);
        assert!(limit <= CORRECTION_HISTORY_LIMIT);
    }
}
