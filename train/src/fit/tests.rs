//! The tuner sees the evaluation that is played, learns, and can be interrupted.

#[path = "../../../eval/tests/support/mod.rs"]
mod support;

use std::ops::ControlFlow;

use tamarin_eval::tuning::{NoTrace, current_weights, rows};
use tamarin_eval::{Breakdown, EvalCache, evaluate};
use tamarin_movegen::{Color, Position};

use self::support::{STARTS, walk};
use super::dataset::DataSet;
use super::initial::initial_weights;
use super::optimizer::{Fit, FitState, Settings, error};
use super::sparse::SparseTrace;
use super::writer;
use crate::data::Outcome;

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
fn positions_without_an_evaluation_have_no_trace() {
    for (fen, reason) in [
        ("4k3/8/8/8/8/8/4q3/4K2R w - - 0 1", NoTrace::InCheck),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", NoTrace::KnownEndgame),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(SparseTrace::new(&position), Err(reason), "{fen}");
    }
}

fn settings() -> Settings {
    Settings {
        epochs: 200,
        batch_size: 4,
        learning_rates: [2.0, 0.02],
        result_share: 1.0,
        k: 0.005,
        regularization: 0.0,
        seed: 7,
        threads: 2,
    }
}

/// One position of each of the starts that have a trace, with made-up results.
fn games() -> DataSet {
    let mut data = DataSet::default();
    let outcomes = [Outcome::WhiteWin, Outcome::Draw, Outcome::BlackWin];
    let traces = STARTS
        .into_iter()
        .filter_map(|fen| SparseTrace::new(&Position::from_fen(fen).unwrap()).ok());
    for ((index, trace), outcome) in traces.enumerate().zip(outcomes.into_iter().cycle()) {
        data.push(&trace, 40.0 - 20.0 * index as f32, outcome);
    }
    assert!(data.len() > 4);
    data
}

#[test]
fn gradient_is_the_slope_of_the_error() {
    // From the initial weights, whose king danger is on the slope of its curve.
    let (data, settings) = (games(), Settings { epochs: 1, batch_size: 100, ..settings() });
    let start = initial_weights();
    let mut fit = Fit::new(&data, settings, start.clone());
    fit.run(|_| ControlFlow::Continue(()));
    // After one step, Adam's momentum is a tenth of the gradient.
    let gradient = fit.state().momentum.iter().flatten().map(|momentum| momentum * 10.0);
    let mut tested = 0;
    for (index, slope) in gradient.enumerate().filter(|(_, slope)| slope.abs() > 1e-5) {
        let moved = |step: f32| {
            let mut weights = start.clone();
            weights[index / 2][index % 2] += step;
            error(&data, &weights, &settings)
        };
        let difference = (moved(0.5) - moved(-0.5)) as f32;
        assert!((difference - slope).abs() < 0.02 * slope.abs() + 1e-6, "{index}: {slope}");
        tested += 1;
    }
    assert!(tested > 100, "{tested}");
}

#[test]
fn fits_lower_the_error() {
    let (data, settings) = (games(), settings());
    let before = error(&data, &current_weights(), &settings);
    let mut fit = Fit::new(&data, settings, current_weights());
    let mut errors = Vec::new();
    fit.run(|epoch| {
        errors.push(epoch.error);
        ControlFlow::Continue(())
    });
    assert_eq!(errors.len(), settings.epochs);
    let after = error(&data, &fit.state().weights, &settings);
    assert!(after < before / 2.0, "{before} {after}");
    assert!(errors[settings.epochs - 1] < errors[0] / 2.0, "{errors:?}");
}

#[test]
fn frozen_weights_keep_their_value() {
    let (data, settings) = (games(), Settings { epochs: 2, ..settings() });
    let material = rows().find(|(name, _)| name == "Material: value").unwrap().1;
    let mut fit = Fit::new(&data, settings, current_weights());
    fit.freeze(material.clone());
    fit.run(|_| ControlFlow::Continue(()));
    let (before, after) = (current_weights(), &fit.state().weights);
    assert_eq!(before[material.clone()], after[material.clone()]);
    assert_ne!(before[material.end..], after[material.end..]);
}

#[test]
fn rows_tile_the_vector() {
    let mut next = 0;
    for (name, range) in rows() {
        assert_eq!(range.start, next, "{name}");
        next = range.end;
    }
    assert_eq!(next, current_weights().len());
}

#[test]
fn interrupted_fits_end_where_others_do() {
    let data = games();
    let settings = Settings { epochs: 6, ..settings() };
    let mut whole = Fit::new(&data, settings, initial_weights());
    whole.run(|_| ControlFlow::Continue(()));

    let mut first = Fit::new(&data, settings, initial_weights());
    first.run(|epoch| match epoch.state.epochs {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(first.state().epochs, 3);
    let kept = serde_json::to_string(first.state()).unwrap();
    let state: FitState = serde_json::from_str(&kept).unwrap();
    let mut second = Fit::resume(&data, settings, state).unwrap();
    second.run(|_| ControlFlow::Continue(()));
    assert_eq!(second.state(), whole.state());
}

#[test]
fn states_of_other_evaluations_are_refused() {
    let data = games();
    let mut state = Fit::new(&data, settings(), initial_weights()).state().clone();
    state.momentum.pop();
    let error = Fit::resume(&data, settings(), state).err().unwrap();
    assert_eq!((error.found + 1, error.expected), (error.expected, initial_weights().len()));
}

#[test]
fn sets_can_be_joined() {
    let data = games();
    let scores = |data: &DataSet| -> Vec<_> {
        let weights = current_weights();
        data.samples().iter().map(|sample| data.trace(sample).score(&weights)).collect()
    };
    let mut both = data.clone();
    both.append(&data);
    assert_eq!(scores(&both), scores(&data).repeat(2));
}

#[test]
fn initial_weights_fill_the_vector() {
    let initial = initial_weights();
    assert_eq!(initial.len(), current_weights().len());
    assert!(initial.iter().filter(|pair| **pair != [0.0; 2]).count() > initial.len() / 3);
}

#[test]
fn committed_weights_are_what_the_writer_writes() {
    let weights = current_weights();
    let committed = include_str!("../../../eval/src/weights/values.rs");
    let origin = committed.split("Origin: ").nth(1).and_then(|rest| rest.lines().next());
    assert_eq!(writer::source(&weights, origin.unwrap_or_default()), committed);
    assert_eq!(committed.matches(" s(").count(), weights.len());
}

#[test]
fn the_origin_is_one_line_of_a_comment() {
    let written = |origin| writer::source(&current_weights(), origin);
    assert_eq!(written("1 game (a\nb.viri\r)"), written("1 game (a b.viri )"));
}
