//! Score margins, in score units.

use tamarin_eval::Score;

use crate::params::Params;

/// The static evaluation with its correction, given in 1/128 units, and drawn towards a
/// draw as the fifty-move clock runs.
#[inline]
pub(crate) fn corrected(raw: Score, correction: i32, halfmove_clock: u16) -> Score {
    let clock = i32::from(halfmove_clock.min(100));
    let faded = raw.units() * (220 - clock) / 220;
    Score::new(faded + correction / 128).clamp_to_evaluation()
}

/// How far below alpha a node with this depth left is given up.
#[inline]
pub(crate) fn razor(params: &Params, depth: i32) -> i32 {
    params.razor_base() + params.razor_factor() * depth * depth
}

/// How far above beta a node with this depth left is won.
#[inline]
pub(crate) fn reverse_futility(params: &Params, depth: i32, improving: bool) -> i32 {
    params.reverse_futility_factor() * (depth - i32::from(improving)).max(0)
}

/// How far below beta the static evaluation may be for a null move.
#[inline]
pub(crate) fn null_move(params: &Params, depth: i32) -> i32 {
    params.null_margin_factor() * depth - params.null_margin_base()
}

/// How much less deep the search after a null move is, in plies; `lead` is how far the
/// evaluation is above beta.
#[inline]
pub(crate) fn null_move_reduction(params: &Params, depth: i32, lead: i32) -> i32 {
    params.null_reduction() + depth / 4 + (lead / params.null_lead()).min(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_and_the_clock_move_the_evaluation() {
        assert_eq!(corrected(Score::new(110), 0, 0), Score::new(110));
        assert_eq!(corrected(Score::new(110), 256, 0), Score::new(112));
        assert_eq!(corrected(Score::new(-220), 0, 100), Score::new(-120));
        assert_eq!(corrected(Score::new(-220), 0, u16::MAX), Score::new(-120));
        assert_eq!(corrected(Score::MAX_EVALUATION, i32::MAX, 0), Score::MAX_EVALUATION);
    }

    #[test]
    fn margins_grow_with_depth() {
        let params = &Params::default();
        for depth in 0..20 {
            assert!(razor(params, depth) < razor(params, depth + 1));
            let margin = |depth| reverse_futility(params, depth, false);
            assert!(margin(depth) < margin(depth + 1));
            assert!(reverse_futility(params, depth, true) <= margin(depth));
            assert!(
                null_move_reduction(params, depth, 0) <= null_move_reduction(params, depth, 900)
            );
        }
        assert_eq!(null_move_reduction(params, 8, 100_000), params.null_reduction() + 5);
    }
}
