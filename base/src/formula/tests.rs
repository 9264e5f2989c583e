use super::*;
use crate::params::CORRECTION_HISTORY_LIMIT;

#[test]
fn more_moves_are_tried_with_more_depth() {
    let params = &Params::new();
    assert!(late_move_count(params, 1, false) >= 1);
    for depth in 1..20 {
        assert!(late_move_count(params, depth, true) < late_move_count(params, depth + 1, true));
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
        assert!(null_move_reduction(params, depth, 0) <= null_move_reduction(params, depth, 900));
    }
    assert_eq!(
        null_move_reduction(params, 8, 100_000),
        params.null_reduction() + 2 + params.null_reduction_eval_limit()
    );
}

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
            let here = base_reduction(depth, count, 800, 2150);
            assert!(here <= base_reduction(depth + 1, count, 800, 2150));
            assert!(here <= base_reduction(depth, count + 1, 800, 2150));
        }
    }
    assert_eq!(base_reduction(1, 30, 800, 2150), 800);
}
