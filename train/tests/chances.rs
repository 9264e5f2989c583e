//! The chances to win, draw and lose, and the optimizer that fits and trainings share.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_eval::wdl::{Parameter, WDL_MODEL, WdlModel};
use tamarin_train::adamw::{AdamW, Parameter as Optimized};
use tamarin_train::data::GameResult;
use tamarin_train::wdl::{Counts, FULL_MATERIAL, chances, constants, fit, half_won};

#[test]
fn model_of_known_games_is_found() {
    let truth = WdlModel {
        half_won: Parameter { full: 73.0, empty: 190.0 },
        spread: Parameter { full: 81.0, empty: 42.0 },
    };
    // Games in which the chances are those of the model, rounded to thousandths.
    let mut counts = Counts::default();
    for material in (0..=FULL_MATERIAL).step_by(6) {
        for score in (-900..=900).step_by(20) {
            let chances = chances(&truth, score.into(), material);
            for (outcome, chance) in GameResult::ALL.into_iter().zip(chances) {
                for _ in 0..(chance * 1_000.0).round() as usize {
                    counts.add(score, material, outcome);
                }
            }
        }
    }
    let found = fit(&counts);
    for (found, truth) in [(found.half_won, truth.half_won), (found.spread, truth.spread)] {
        assert!((found.full - truth.full).abs() < 2.0, "{found:?}");
        assert!((found.empty - truth.empty).abs() < 2.0, "{found:?}");
    }
    let row = counts.compare(&found, 0..=FULL_MATERIAL, 50..150).unwrap();
    assert!((row.won[0] - row.won[1]).abs() < 0.01 && (row.drawn[0] - row.drawn[1]).abs() < 0.01);
    assert!(counts.compare(&found, 1..=5, 50..150).is_none());
}

#[test]
fn scores_are_counted_in_bins_of_limited_range() {
    let mut counts = Counts::default();
    for score in [-2, 0, 2] {
        counts.add(score, 10, GameResult::Draw);
    }
    counts.add(-40_000, 200, GameResult::BlackWin);
    let filled: Vec<_> = counts.results().filter(|&(_, _, count)| count > 0).collect();
    assert_eq!(filled, [(-1_500.0, GameResult::BlackWin, 1), (0.0, GameResult::Draw, 3)]);
}

#[test]
fn score_that_wins_half_is_found_on_steep_and_flat_curves() {
    // On the flat one a whole step of the method leads too far.
    for (width, max_score) in [(60.0, 600), (300.0, 1_400)] {
        let chance = |score: f64| 1.0 / (1.0 + ((120.0 - score) / width).exp());
        let mut samples = Vec::new();
        for score in (-max_score..=max_score).step_by(10).map(f64::from) {
            let wins = (chance(score) * 100.0).round() as u64;
            let losses = (chance(-score) * 100.0).round() as u64;
            samples.push((score, GameResult::WhiteWin, wins));
            samples.push((score, GameResult::BlackWin, losses));
            samples.push((score, GameResult::Draw, 100_u64.saturating_sub(wins + losses)));
        }
        let found = half_won(samples).unwrap();
        assert!((found - 120.0).abs() < 2.0, "{found} with width {width}");
    }
}

#[test]
fn no_score_wins_half_without_wins_that_follow_it() {
    use GameResult::{BlackWin, Draw, WhiteWin};
    let none: [&[(f64, GameResult, u64)]; 5] = [
        &[],
        &[(20.0, Draw, 300), (-100.0, Draw, 100)],
        &[(100.0, BlackWin, 3), (100.0, WhiteWin, 1)],
        // Half of the games would be won at 5,000 units, beyond all scores that count.
        &[(1_000.0, WhiteWin, 20), (1_000.0, Draw, 100), (1_000.0, BlackWin, 10)],
        &[(20.0, Draw, 0), (1_500.0, WhiteWin, 3)],
    ];
    for samples in none {
        assert_eq!(half_won(samples.iter().copied()), None, "{samples:?}");
    }
}

#[test]
fn constants_are_printed_as_the_source_has_them() {
    let source = include_str!("../../eval/src/wdl.rs");
    let printed = constants(&WDL_MODEL);
    assert!(source.contains(&format!("\n{printed}\n")), "{printed}");
}

/// A parameter after three steps with the same gradient.
fn optimized(optimizer: AdamW, start: f32, gradient: f32, decay_to: f32) -> f32 {
    let (mut value, mut momentum, mut variance) = (start, 0.0, 0.0);
    for number in 1..=3 {
        let [value, momentum, variance] = [&mut value, &mut momentum, &mut variance];
        let parameter = Optimized { value, momentum, variance, decay_to };
        optimizer.step(number, 0.1).update(parameter, gradient);
    }
    value
}

#[test]
fn parameters_decay_and_stay_in_bounds() {
    let decaying = AdamW { decay: 5.0, epsilon: 1e-8, bound: 2.0 };
    assert!((optimized(decaying, 1.0, 0.0, 0.0) - 0.125).abs() < 1e-6);
    assert!((optimized(decaying, 1.0, 0.0, 0.2) - 0.3).abs() < 1e-6);
    assert_eq!(optimized(AdamW { decay: 0.0, ..decaying }, -1.9, 1.0, 0.0), -2.0);
}

/// Adam's update as its paper writes it.
fn adam(value: f32, moments: &mut [f32; 2], gradient: f32, number: i32, rate: f32) -> f32 {
    moments[0] = 0.9 * moments[0] + (1.0 - 0.9) * gradient;
    moments[1] = 0.999 * moments[1] + (1.0 - 0.999) * gradient * gradient;
    let momentum = moments[0] / (1.0 - 0.9_f32.powi(number));
    let variance = moments[1] / (1.0 - 0.999_f32.powi(number));
    value - rate * momentum / (variance.sqrt() + 1e-10)
}

#[test]
fn optimizer_without_decay_is_adam_bit_for_bit() {
    let optimizer = AdamW { decay: 0.0, epsilon: 1e-10, bound: f32::INFINITY };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for scale in [1e-7_f32, 1e-3, 10.0] {
        let start = random.random_range(-900.0..900.0);
        let (mut value, mut momentum, mut variance) = (start, 0.0, 0.0);
        let (mut wanted, mut moments) = (start, [0.0; 2]);
        for number in 1..=500 {
            let gradient = scale * random.random_range(-1.0..1.0);
            let rate = random.random_range(0.01..2.0);
            wanted = adam(wanted, &mut moments, gradient, number, rate);
            let [value, momentum, variance] = [&mut value, &mut momentum, &mut variance];
            let parameter = Optimized { value, momentum, variance, decay_to: 0.0 };
            optimizer.step(number as u64, rate).update(parameter, gradient);
        }
        assert_eq!(value.to_bits(), wanted.to_bits(), "{scale}");
    }
}
