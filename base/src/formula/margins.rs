//! Margins, move counts and depths of pruning and extensions; scores and margins in score
//! units, depths in plies.

use crate::score::Score;

use crate::params::Params;
use crate::types::Window;

/// Optimism: what the score of the root adds to evaluations while all pieces are on the
/// board. Grows with the score, up to the parameter of that name.
#[inline]
pub fn optimism(params: &Params, score: Score) -> i32 {
    let score = score.clamp_to_evaluation().units();
    params.optimism() * score / (score.abs() + params.optimism_half())
}

/// What is left of optimism and contempt with so many pieces on the board, kings and pawns
/// included: all of it with 32.
#[inline]
pub fn faded_optimism(params: &Params, full: i32, pieces: i32) -> i32 {
    const ALL_PIECES: i32 = 32;
    let fading = params.optimism_fading();
    full * (ALL_PIECES * (1024 - fading) + pieces * fading) / (ALL_PIECES * 1024)
}

/// The static evaluation after correction history (`correction` is in 1/128 units), the
/// fifty-move clock and optimism.
///
/// Known wins are left alone: the clock would take more off them each ply than driving the
/// bare king to the edge adds (V49).
#[inline]
pub fn corrected(
    params: &Params,
    raw: Score,
    correction: i32,
    halfmove_clock: u16,
    optimism: i32,
) -> Score {
    if raw.units().abs() >= Score::KNOWN_WIN.units() {
        return raw;
    }
    // A known draw is a draw for both sides.
    let optimism = if raw == Score::DRAW { 0 } else { optimism };
    let clock = i32::from(halfmove_clock.min(100));
    let length = params.fifty_move_fading();
    let faded = raw.units() * (length - clock) / length;
    Score::new(faded + correction_units(correction) + optimism).clamp_to_evaluation()
}

/// A correction in score units, from 1/128 units.
#[inline]
pub fn correction_units(correction: i32) -> i32 {
    correction / 128
}

/// The next beta of the root after a score below alpha.
#[inline]
pub fn aspiration_fail_low(params: &Params, window: Window) -> Score {
    let share = params.aspiration_fail_low();
    Score::new((window.alpha.units() * share + window.beta.units() * (1024 - share)) / 1024)
}

/// Razoring: how far below alpha the evaluation has to be.
#[inline]
pub fn razor(params: &Params, depth: i32) -> i32 {
    params.razor_base() + params.razor_factor() * depth * depth
}

/// Reverse futility pruning: how far above beta the evaluation has to be.
#[inline]
pub fn reverse_futility(params: &Params, depth: i32, improving: bool, correction: i32) -> i32 {
    params.reverse_futility_factor() * (depth - i32::from(improving)).max(0)
        + correction.abs() * params.reverse_futility_correction() / 1024
}

/// The score of a node that reverse futility pruning ends: between the evaluation and beta.
#[inline]
pub fn reverse_futility_score(params: &Params, eval: Score, beta: Score) -> Score {
    interpolated(eval, beta, params.reverse_futility_return())
}

/// Hindsight: plies to add to the depth of a node that its parent reduced by `reduction` (in
/// 1/1024 ply), if the static evaluations of both nodes, each for its own side to move, add up
/// to `change`.
#[inline]
pub fn hindsight(params: &Params, depth: i32, reduction: i32, change: i32) -> i32 {
    if reduction >= params.hindsight_extension() && change <= 0 {
        return 1;
    }
    let reduces = reduction >= params.hindsight_reduction()
        && depth >= 2
        && change > params.hindsight_margin();
    if reduces { -1 } else { 0 }
}

/// The score of a node of quiescence search whose best score, that of standing pat or of a
/// capture, is at least beta: between the two, unless that claims a win.
#[inline]
pub fn qsearch_fail_high(params: &Params, best: Score, beta: Score) -> Score {
    if best.is_decisive() {
        return best;
    }
    interpolated(best, beta, params.qsearch_return())
}

/// A score between two others; `share`, in 1/1024, is that of the second.
#[inline]
fn interpolated(first: Score, second: Score, share: i32) -> Score {
    Score::new((first.units() * (1024 - share) + second.units() * share) / 1024)
}

/// Null move: how far below beta the static evaluation may be; negative if it has to be above.
#[inline]
pub fn null_move(params: &Params, depth: i32) -> i32 {
    params.null_margin_factor() * depth - params.null_margin_base()
}

/// Null move: the reduction, the move itself included; `above` is how far the evaluation is
/// above beta.
#[inline]
pub fn null_move_reduction(params: &Params, depth: i32, above: i32) -> i32 {
    params.null_reduction()
        + depth / params.null_reduction_depth()
        + (above / params.null_reduction_eval()).min(params.null_reduction_eval_limit())
}

/// Null move: in how many plies below a verification none is tried, by the reduced depth.
#[inline]
pub fn null_verification_plies(params: &Params, depth: i32) -> usize {
    (params.null_verification_share() * depth.max(0) / 1024) as usize
}

/// ProbCut: how far above beta a capture has to score.
#[inline]
pub fn probcut(params: &Params, improving: bool) -> i32 {
    params.probcut_margin() - if improving { params.probcut_improving() } else { 0 }
}

/// Singular extension: the smallest depth.
#[inline]
pub fn singular_depth(params: &Params, tt_pv: bool) -> i32 {
    params.singular_depth() + if tt_pv { params.singular_depth_tt_pv() } else { 0 }
}

/// Singular extension: the depth of the search without the table's move.
#[inline]
pub fn singular_search_depth(params: &Params, depth: i32) -> i32 {
    (depth - 1) * params.singular_search_share() / 1024
}

/// Singular extension: how far below the table's score all other moves have to be.
#[inline]
pub fn singular(params: &Params, depth: i32, tt_pv: bool) -> i32 {
    let factor = if tt_pv { params.singular_factor_tt_pv() } else { params.singular_factor() };
    factor * depth / 64
}

/// Late-move pruning: how many moves are searched before quiet ones are left out.
#[inline]
pub fn late_move_count(params: &Params, depth: i32, improving: bool) -> u32 {
    let moves = (params.late_move_base() + params.late_move_factor() * depth * depth) as u32;
    if improving { moves / 64 } else { moves / 128 }
}

/// Futility pruning: how far below alpha the static evaluation has to be, by reduced depth.
#[inline]
pub fn futility(params: &Params, depth: i32) -> i32 {
    params.futility_base() + params.futility_factor() * depth
}

/// Futility pruning of captures: how far below alpha static evaluation and victim together
/// have to be, by reduced depth.
#[inline]
pub fn capture_futility(params: &Params, depth: i32) -> i32 {
    params.capture_futility_base() + params.capture_futility_factor() * depth
}

/// SEE pruning: what a quiet move may lose by static exchange, by reduced depth; negative.
#[inline]
pub fn quiet_see(params: &Params, depth: i32) -> i32 {
    -params.quiet_see_factor() * depth * depth
}

/// SEE pruning: what a capture may lose by static exchange, by depth and history; never
/// positive.
#[inline]
pub fn capture_see(params: &Params, depth: i32, history: i32) -> i32 {
    (-params.capture_see_factor() * depth - history / params.capture_see_history()).min(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_moves_are_tried_with_more_depth() {
        let params = &Params::new();
        assert!(late_move_count(params, 1, false) >= 1);
        for depth in 1..20 {
            assert!(
                late_move_count(params, depth, true) < late_move_count(params, depth + 1, true)
            );
            assert!(late_move_count(params, depth, false) <= late_move_count(params, depth, true));
            assert!(futility(params, depth) < futility(params, depth + 1));
            assert!(capture_futility(params, depth) < capture_futility(params, depth + 1));
            assert!(quiet_see(params, depth) > quiet_see(params, depth + 1));
        }
        assert_eq!(capture_see(params, 0, -8000), 0);
        assert!(capture_see(params, 4, 0) > capture_see(params, 4, 3200));
    }

    #[test]
    fn corrections_and_the_clock_move_the_evaluation() {
        let params = &Params::new();
        let corrected =
            |raw, correction, clock, optimism| corrected(params, raw, correction, clock, optimism);
        let length = params.fifty_move_fading();
        assert_eq!(corrected(Score::new(110), 0, 0, 0), Score::new(110));
        assert_eq!(corrected(Score::new(110), 256, 0, 0), Score::new(112));
        assert_eq!(corrected(Score::new(-length), 0, 100, 0), Score::new(100 - length));
        assert_eq!(corrected(Score::new(-length), 0, u16::MAX, 0), Score::new(100 - length));
        assert_eq!(corrected(Score::new(110), 256, 0, -20), Score::new(92));
        assert_eq!(corrected(Score::DRAW, 0, 0, 50), Score::DRAW);
        assert_eq!(corrected(Score::MAX_EVALUATION, i32::MAX, 0, 100), Score::MAX_EVALUATION);
        for known in [Score::KNOWN_WIN, -Score::KNOWN_WIN] {
            assert_eq!(corrected(known, 10_000, 60, 50), known);
        }
    }

    #[test]
    fn optimism_grows_with_the_score_and_has_two_equal_sides() {
        let params = &Params::new();
        let optimism = |units| optimism(params, Score::new(units));
        assert_eq!(optimism(0), 0);
        assert_eq!(optimism(params.optimism_half()), params.optimism() / 2);
        for units in 0..3000 {
            assert!(optimism(units) <= optimism(units + 1));
            assert!(optimism(units) <= params.optimism());
            assert_eq!(optimism(-units), -optimism(units));
        }
        assert!(super::optimism(params, Score::MATE) <= params.optimism());
    }

    #[test]
    fn pruned_nodes_score_between_the_evaluation_and_beta() {
        let params = &Params::new();
        let beta = Score::new(20);
        let scores = [qsearch_fail_high, reverse_futility_score];
        for eval in (20..1_500).map(Score::new) {
            for score in scores {
                assert!((beta..=eval).contains(&score(params, eval, beta)), "{eval:?}");
            }
        }
        assert!(scores.iter().all(|score| score(params, Score::new(420), beta) < Score::new(420)));
        let win = Score::tablebase_win(9);
        assert_eq!(qsearch_fail_high(params, win, beta), win, "a win is no bound");
        assert_eq!(interpolated(Score::new(-30), Score::new(70), 512), Score::new(20));
    }

    #[test]
    fn hindsight_follows_what_a_reduced_move_has_changed() {
        let params = &Params::new();
        let (extends, reduces) = (params.hindsight_extension(), params.hindsight_reduction());
        let margin = params.hindsight_margin();
        let hindsight = |depth, reduction, change| hindsight(params, depth, reduction, change);
        assert_eq!(hindsight(5, extends, 0), 1);
        assert_eq!(hindsight(5, extends - 1, 0), 0, "hardly reduced");
        assert_eq!(hindsight(5, extends, 1), 0, "not worse than expected");
        assert_eq!(hindsight(2, reduces, margin + 1), -1);
        assert_eq!(hindsight(2, reduces, margin), 0);
        assert_eq!(hindsight(2, reduces - 1, margin + 1), 0);
        assert_eq!(hindsight(1, reduces, margin + 1), 0, "no depth is left to take away");
    }

    #[test]
    fn margins_grow_with_depth() {
        let params = &Params::new();
        for depth in 0..20 {
            assert!(razor(params, depth) < razor(params, depth + 1));
            let margin = |depth| reverse_futility(params, depth, false, 0);
            assert!(margin(depth) < margin(depth + 1));
            assert!(reverse_futility(params, depth, true, 0) <= margin(depth));
            assert!(reverse_futility(params, depth, false, -40) > margin(depth));
            assert!(
                null_move_reduction(params, depth, 0) <= null_move_reduction(params, depth, 900)
            );
        }
        assert_eq!(
            null_move_reduction(params, 8, 100_000),
            params.null_reduction() + 2 + params.null_reduction_eval_limit()
        );
    }
}
