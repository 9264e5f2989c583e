//! The parts of a fit: traces, gradients, the optimizer, games to positions, weights as source.

#[path = "../../eval/tests/support/mod.rs"]
mod support;

use tamarin_eval::tuning::{NoTrace, current_weights, rows};
use tamarin_eval::{Breakdown, EvalCache, evaluate};
use tamarin_movegen::{Color, Position};
use tamarin_train::data::{Filter, Game, GameResult};
use tamarin_train::fit::ablation::change;
use tamarin_train::fit::initial::initial_weights;
use tamarin_train::fit::load::{Loaded, compare, load};
use tamarin_train::fit::optimizer::{Fit, FitState, Method, error};
use tamarin_train::fit::source;
use tamarin_train::fit::sparse::{DataSet, SparseTrace};

use self::support::{STARTS, walk};
use crate::support::{encoded, folder, numbered_games};

#[test]
fn traces_agree_with_the_evaluation() {
    let weights = current_weights();
    let mut table = EvalCache::new();
    let (mut compared, mut played) = (0, 0);
    let mut deviation = 0.0;
    walk(300, |position| {
        let trace = match SparseTrace::new(position) {
            Ok(trace) => trace,
            Err(reason) => return assert_eq!(reason, NoTrace::KnownEndgame, "{position}"),
        };
        let rounded = trace.view().rounded_score(&weights);
        assert_eq!(rounded, Breakdown::new(position).sum().total.tapered, "{position}");
        // From here on, lazy evaluation leaves terms out.
        let score = evaluate(position, &mut table);
        if score.units().abs() < 1_000 {
            let score = if position.side_to_move() == Color::White { score } else { -score };
            assert_eq!(rounded, score.units(), "{position}");
            played += 1;
        }
        // The evaluation rounds three times: both king dangers, the scale, the taper.
        let difference = f64::from(trace.view().score(&weights)) - f64::from(rounded);
        assert!(difference.abs() < 3.0, "{position}: {difference}");
        deviation += difference.abs();
        compared += 1;
    });
    assert!(compared > 10_000 && played > 5_000, "{compared} {played}");
    assert!(deviation / f64::from(compared) < 1.0, "{deviation}");
}

#[test]
fn checks_and_known_endgames_have_no_trace() {
    for (fen, reason) in [
        ("4k3/8/8/8/8/8/4q3/4K2R w - - 0 1", NoTrace::InCheck),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", NoTrace::KnownEndgame),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(SparseTrace::new(&position), Err(reason), "{fen}");
    }
}

const METHOD: Method = Method {
    epochs: 200,
    batch: 4,
    rate: 2.0,
    final_rate: 0.02,
    result_share: 1.0,
    k: 0.005,
    regularization: 0.0,
    seed: 7,
};

/// One position of each of the starts that have a trace, with made-up results.
fn games() -> DataSet {
    let mut data = DataSet::default();
    let outcomes = [GameResult::WhiteWin, GameResult::Draw, GameResult::BlackWin];
    let traces = STARTS
        .into_iter()
        .filter_map(|fen| SparseTrace::new(&Position::from_fen(fen).unwrap()).ok());
    for ((index, trace), outcome) in traces.enumerate().zip(outcomes.into_iter().cycle()) {
        data.push(&trace, 40.0 - 20.0 * index as f32, outcome);
    }
    assert!(data.count() > 4);
    data
}

fn fitted(data: &DataSet, method: Method, start: Vec<[f32; 2]>) -> Fit<'_> {
    let mut fit = Fit::new(data, method, 2, start);
    while !fit.is_done() {
        fit.run_epoch();
    }
    fit
}

#[test]
fn gradient_is_the_slope_of_the_error() {
    // From the initial weights, whose king danger is on the slope of its curve.
    let (data, method) = (games(), Method { epochs: 1, batch: 100, ..METHOD });
    let start = initial_weights();
    let fit = fitted(&data, method, start.clone());
    // After one step, Adam's momentum is a tenth of the gradient.
    let gradient = fit.state.momentum.iter().flatten().map(|momentum| momentum * 10.0);
    let mut tested = 0;
    for (index, slope) in gradient.enumerate().filter(|(_, slope)| slope.abs() > 1e-5) {
        let moved = |step: f32| {
            let mut weights = start.clone();
            weights[index / 2][index % 2] += step;
            error(&data, &weights, method.target(), 2)
        };
        let difference = (moved(0.5) - moved(-0.5)) as f32;
        assert!((difference - slope).abs() < 0.02 * slope.abs() + 1e-6, "{index}: {slope}");
        tested += 1;
    }
    assert!(tested > 100, "{tested}");
}

#[test]
fn frozen_weights_keep_their_value() {
    let (data, method) = (games(), Method { epochs: 2, ..METHOD });
    let material = rows().find(|(name, _)| name == "Material: value").unwrap().1;
    let mut fit = Fit::new(&data, method, 2, current_weights());
    fit.freeze(material.clone());
    (0..2).for_each(|_| _ = fit.run_epoch());
    let (before, after) = (current_weights(), &fit.state.weights);
    assert_eq!(before[material.clone()], after[material.clone()]);
    assert_ne!(before[material.end..], after[material.end..]);
}

#[test]
fn state_of_other_weights_is_rejected() {
    let (data, state) = (games(), Fit::new(&games(), METHOD, 2, initial_weights()).state);
    let cut = FitState { momentum: Vec::new(), ..state };
    assert!(Fit::resume(&data, METHOD, 2, cut).is_err());
}

#[test]
fn committed_weights_are_what_the_writer_writes() {
    let weights = current_weights();
    let committed = include_str!("../../eval/src/weights/values.rs");
    let origin = committed.split("Origin: ").nth(1).and_then(|rest| rest.lines().next());
    assert!(source(&weights, origin.unwrap_or_default()) == committed);
    // A line break would end the comment.
    let written = |origin| source(&weights, origin);
    assert_eq!(written("1 game (a\nb.viri\r)"), written("1 game (a b.viri )"));
}

fn loaded(name: &str, games: &[&[Game]]) -> Loaded {
    let folder = folder(name);
    let path = |(number, games): (usize, &&[Game])| {
        let path = folder.join(format!("{number}.viri"));
        std::fs::write(&path, encoded(games)).unwrap();
        path
    };
    let files: Vec<_> = games.iter().enumerate().map(path).collect();
    load(&files, &Filter::USUAL, 3).unwrap()
}

fn numbers(set: &DataSet) -> Vec<i32> {
    let mut numbers: Vec<_> = set.samples().iter().map(|s| s.score as i32).collect();
    numbers.dedup();
    numbers
}

#[test]
fn positions_are_split_by_the_content_of_their_game() {
    let games = numbered_games(150);
    let (first, second) = games.split_at(70);
    let there = loaded("fit-there", &[first, second]);
    let back = loaded("fit-back", &[second, first]);
    let [training, mut validation] = [&there.training, &there.validation].map(numbers);
    assert!(training.is_sorted() && validation.is_sorted(), "in the order of the games");
    assert!((3..=14).contains(&validation.len()), "{validation:?}");
    let mut all = [training, validation.clone()].concat();
    all.sort_unstable();
    assert_eq!(all, (1..=150).collect::<Vec<_>>());
    let mut same = numbers(&back.validation);
    same.sort_unstable();
    validation.sort_unstable();
    assert_eq!(same, validation);
    // A training is of games in their order.
    assert_ne!(there.summary.set.checksum, back.summary.set.checksum);
    let games = &there.validation_games;
    assert_eq!((games.len(), games.iter().sum()), (validation.len(), there.validation.count()));
}

#[test]
fn sum_that_differs_from_the_evaluation_is_an_error() {
    let position = Position::from_fen("4k3/pp6/8/8/8/8/PPP5/4K2R w K - 0 9").unwrap();
    let trace = SparseTrace::new(&position).unwrap();
    let (mut weights, mut pawns) = (current_weights(), EvalCache::new());
    compare(&position, &trace, &weights, &mut pawns).unwrap();
    weights.iter_mut().flatten().for_each(|half| *half += 2.0);
    let error = compare(&position, &trace, &weights, &mut pawns).unwrap_err();
    assert!(error.to_string().contains("the tuner reckons"), "{error}");
}

#[test]
fn changes_of_errors_are_judged_by_games() {
    let before = [0.1; 4];
    // All positions change alike: nothing is left to chance.
    let (mean, deviation) = change(&before, &[0.2; 4], &[1, 3]);
    assert!((mean - 0.1).abs() < 1e-12 && deviation < 1e-12, "{mean} {deviation}");
    // The same changes count for less if they are of two games only.
    let after = [0.0, 0.0, 0.2, 0.2];
    let single = change(&before, &after, &[1, 1, 1, 1]);
    let paired = change(&before, &after, &[2, 2]);
    assert!(single.0.abs() < 1e-12 && (single.1 - 0.05).abs() < 1e-12, "{single:?}");
    assert!((paired.1 - 0.02_f64.sqrt() / 2.0).abs() < 1e-12, "{paired:?}");
}
