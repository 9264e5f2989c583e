//! By how much a node updates the histories.

use crate::params::Params;

/// The bonus of a move that was good at this depth.
#[inline]
pub fn bonus(params: &Params, depth: i32) -> i32 {
    (params.bonus_factor() * depth - params.bonus_offset()).clamp(0, params.bonus_limit())
}

/// The malus of a move that was tried before the good one, as a positive number.
#[inline]
pub fn malus(params: &Params, depth: i32) -> i32 {
    (params.malus_factor() * depth - params.malus_offset()).clamp(0, params.malus_limit())
}

/// The bonus of the move before a node at which all moves failed low.
#[inline]
pub fn parent_bonus(params: &Params, depth: i32) -> i32 {
    bonus(params, depth) * params.parent_bonus_share() / 1024
}

/// The malus of the move before a node that failed high, as a positive number.
#[inline]
pub fn parent_malus(params: &Params, depth: i32) -> i32 {
    malus(params, depth) * params.parent_malus_share() / 1024
}

/// The bonus of a move that made the evaluation better by so many score units for its side.
#[inline]
pub fn evaluation_change(params: &Params, better: i32) -> i32 {
    let limit = params.evaluation_change_limit();
    (params.evaluation_change_factor() * better).clamp(-limit, limit)
}

/// The update of the correction history for a score that differs by `error` from the static
/// evaluation.
#[inline]
pub fn correction(params: &Params, error: i32, depth: i32) -> i32 {
    let limit = params.correction_update_limit();
    (error * depth / params.correction_divisor()).clamp(-limit, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::CORRECTION_HISTORY_LIMIT;

    #[test]
    fn bonuses_grow_with_depth_and_are_capped() {
        let params = &Params::new();
        for update in [bonus, malus] {
            assert!((1..50).all(|depth| update(params, depth) <= update(params, depth + 1)));
            assert!(update(params, 1) > 0);
            assert_eq!(update(params, 0), 0);
            assert_eq!(update(params, 100), update(params, 200));
        }
    }

    #[test]
    fn a_better_evaluation_is_a_bonus_within_the_limit() {
        let params = &Params::new();
        let limit = params.evaluation_change_limit();
        assert_eq!(evaluation_change(params, 0), 0);
        assert_eq!(evaluation_change(params, 3), 3 * params.evaluation_change_factor());
        assert_eq!(evaluation_change(params, 10_000), limit);
        assert_eq!(evaluation_change(params, -10_000), -limit);
    }

    #[test]
    fn corrections_follow_the_error_within_the_limit() {
        let params = &Params::new();
        let limit = params.correction_update_limit();
        assert_eq!(correction(params, 1000, 20), limit);
        assert_eq!(correction(params, -1000, 20), -limit);
        assert_eq!(correction(params, -2 * params.correction_divisor(), 4), -8);
        assert!(limit <= CORRECTION_HISTORY_LIMIT);
    }
}
