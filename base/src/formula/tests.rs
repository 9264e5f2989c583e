use super::*;
use crate::params::CORRECTION_HISTORY_LIMIT;
use crate::types::{NonPv, Root};

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
fn weights_are_parts_of_128() {
    assert_eq!(weighted(128, -77), -77);
    assert_eq!(weighted(320, 10), 25);
    assert_eq!(weighted(64, 3), 1);
    assert_eq!(weighted(64, -3), -2, "rounded down");
}

#[test]
fn optimism_fades_with_the_pieces() {
    let params = &Params::new();
    let left = |pieces| faded_optimism(params, 1024, pieces);
    assert_eq!(left(32), 1024);
    assert_eq!(left(0), 1024 - params.optimism_fading());
    assert_eq!(left(8), (3 * left(0) + left(32)) / 4);
    assert_eq!(faded_optimism(params, -1024, 8), -left(8));
}

#[test]
fn margins_are_those_of_their_numbers() {
    let params = &Params::new();
    assert_eq!(razor(params, 0), params.razor_base());
    assert_eq!(razor(params, 3) - razor(params, 0), 9 * params.razor_factor());
    assert_eq!(reverse_futility(params, 0, true, 0), 0, "never below zero");
    assert_eq!(reverse_futility(params, 5, true, 0), 4 * params.reverse_futility_factor());
    assert_eq!(reverse_futility(params, 0, false, -1024), params.reverse_futility_correction());
    assert_eq!(null_move(params, 0), -params.null_margin_base());
    assert_eq!(null_move(params, 9) - null_move(params, 0), 9 * params.null_margin_factor());
    assert_eq!(probcut(params, false), params.probcut_margin());
    assert_eq!(probcut(params, true), params.probcut_margin() - params.probcut_improving());
    assert_eq!(futility(params, 0), params.futility_base());
    assert_eq!(futility(params, 3) - futility(params, 0), 3 * params.futility_factor());
    assert_eq!(capture_futility(params, 0), params.capture_futility_base());
    let of_depth = capture_futility(params, 3) - capture_futility(params, 0);
    assert_eq!(of_depth, 3 * params.capture_futility_factor());
    assert_eq!(quiet_see(params, 3), -9 * params.quiet_see_factor());
    assert_eq!(capture_see(params, 3, 0), -3 * params.capture_see_factor());
    let with_history = capture_see(params, 3, 5 * params.capture_see_history());
    assert_eq!(with_history, capture_see(params, 3, 0) - 5);
    assert_eq!(singular(params, 64, false), params.singular_factor());
    assert_eq!(singular(params, 64, true), params.singular_factor_tt_pv());
}

#[test]
fn depths_and_counts_are_those_of_their_numbers() {
    let params = &Params::new();
    let eval = params.null_reduction_eval();
    let reduction = |depth, above| null_move_reduction(params, depth, above);
    assert_eq!(reduction(0, 0), params.null_reduction());
    assert_eq!(reduction(3 * params.null_reduction_depth(), eval), params.null_reduction() + 4);
    let plies = |depth| null_verification_plies(params, depth);
    assert_eq!(plies(1024), params.null_verification_share() as usize);
    assert_eq!(plies(-5), 0);
    assert_eq!(singular_depth(params, false), params.singular_depth());
    let pv = params.singular_depth() + params.singular_depth_tt_pv();
    assert_eq!(singular_depth(params, true), pv);
    assert_eq!(singular_search_depth(params, 1025), params.singular_search_share());
    assert_eq!(full_moves::<NonPv>(params), params.lmr_moves());
    assert_eq!(full_moves::<Root>(params), params.lmr_moves() + params.lmr_moves_root());
    let moves = |depth, improving| late_move_count(params, depth, improving) as i32;
    let at_depth_8 = params.late_move_base() + 64 * params.late_move_factor();
    assert_eq!((moves(8, true), moves(8, false)), (at_depth_8 / 64, at_depth_8 / 128));
}

#[test]
fn updates_are_those_of_their_numbers() {
    let params = &Params::new();
    let depth = 4;
    assert_eq!(bonus(params, depth), depth * params.bonus_factor() - params.bonus_offset());
    assert_eq!(malus(params, depth), depth * params.malus_factor() - params.malus_offset());
    assert_eq!(
        (bonus(params, 100), malus(params, 100)),
        (params.bonus_limit(), params.malus_limit())
    );
    let (bonus, malus) = (bonus(params, depth), malus(params, depth));
    assert_eq!(parent_bonus(params, depth), bonus * params.parent_bonus_share() / 1024);
    assert_eq!(parent_malus(params, depth), malus * params.parent_malus_share() / 1024);
    assert_eq!(correction_units(-256), -2);
}

#[test]
fn reductions_are_those_of_their_numbers() {
    let params = &Params::new();
    let first = LateMove { depth: 1, count: 1, noisy: false, improving: true, history: 0 };
    let capture = LateMove { noisy: true, ..first };
    assert_eq!(late_move(params, &first), params.quiet_reduction_base());
    assert_eq!(late_move(params, &capture), params.capture_reduction_base());
    let later = LateMove { depth: 7, count: 12, ..first };
    let product = log(7) * log(12);
    let by_count = |late: &LateMove| {
        late_move(params, late) - late_move(params, &LateMove { depth: 1, ..*late })
    };
    assert_eq!(by_count(&later), product / params.quiet_reduction_divisor());
    let noisy = LateMove { noisy: true, ..later };
    assert_eq!(by_count(&noisy), product / params.capture_reduction_divisor());
    let not_improving = LateMove { improving: false, ..later };
    let difference = late_move(params, &not_improving) - late_move(params, &later);
    assert_eq!(difference, params.reduction_not_improving());
    let of_history = LateMove { history: 2 * params.reduction_history(), ..later };
    assert_eq!(late_move(params, &later) - late_move(params, &of_history), 2 * PLY);
}
