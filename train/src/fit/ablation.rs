//! `ablation`: what terms of the evaluation are worth on games kept for validation.

use core::ops::ControlFlow;

use tamarin_eval::tuning::{current_weights, rows};

use super::error::FitError;
use super::load::{Loaded, load};
use super::method::Method;
use super::optimizer::{self, Fit, Settings};
use crate::data::Input;
use crate::report::report;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Terms to leave out together: families or rows of weights as the source of the weights names
    /// them (`Space`, `Pieces: rook_open`), separated by commas. Repeat it for other fits
    #[arg(long, required = true, value_name = "NAME,...")]
    without: Vec<String>,

    #[command(flatten)]
    method: Method,
}

/// Fits the weights once with all terms and once without each of those named, from the weights of
/// this build, and prints by how much the validation error is greater without them.
pub fn run(arguments: &Arguments) -> Result<(), FitError> {
    let lists = arguments.without.iter().map(|names| weights_of(names));
    let lists = lists.collect::<Result<Vec<_>, _>>()?;
    let threads = arguments.input.threads();
    let data = load(&arguments.input.files, &arguments.input.filter, threads)?;
    report!("{}", data.summary);
    let settings = arguments.method.settings(threads);
    let whole = errors_without(&data, settings, &[]);
    report!("all terms: validation error {:.7}", mean(&whole));
    for (names, weights) in arguments.without.iter().zip(lists) {
        let errors = errors_without(&data, settings, &weights);
        let (change, deviation) = change(&whole, &errors, &data.validation_games);
        report!("{change:+.7} ± {deviation:.7} without {names} ({} weights)", weights.len());
    }
    Ok(())
}

/// The squared error of each position for validation after a fit in which these weights are zero.
fn errors_without(data: &Loaded, settings: Settings, weights: &[usize]) -> Vec<f64> {
    let mut start = current_weights();
    weights.iter().for_each(|&weight| start[weight] = [0.0; 2]);
    let mut fit = Fit::new(&data.training, settings, start);
    fit.freeze(weights.iter().copied());
    fit.run(|_| ControlFlow::Continue(()));
    // Measured against results alone, so that fits with other targets can be compared.
    let measure = Settings { result_share: 1.0, ..settings };
    optimizer::squared_errors(&data.validation, &fit.state().weights, &measure)
}

/// The places of all weights that belong to families or rows separated by commas.
fn weights_of(names: &str) -> Result<Vec<usize>, FitError> {
    let mut weights = Vec::new();
    for name in names.split(',').map(str::trim) {
        let belongs = |row: &str| {
            row == name || row.split_once(": ").is_some_and(|(family, _)| family == name)
        };
        let before = weights.len();
        weights.extend(rows().filter(|(row, _)| belongs(row)).flat_map(|(_, range)| range));
        if weights.len() == before {
            return Err(FitError::NoSuchTerm(name.to_owned()));
        }
    }
    Ok(weights)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// By how much the mean error changed, and the standard error of that. Positions of one game are
/// alike, so that games count, not positions: the cluster-robust variance of a mean.
fn change(before: &[f64], after: &[f64], games: &[usize]) -> (f64, f64) {
    let changes: Vec<f64> =
        before.iter().zip(after).map(|(before, after)| after - before).collect();
    let mean = mean(&changes);
    let mut rest = changes.as_slice();
    let variance: f64 = games
        .iter()
        .map(|&length| {
            let (game, others) = rest.split_at(length);
            rest = others;
            game.iter().map(|change| change - mean).sum::<f64>().powi(2)
        })
        .sum();
    (mean, variance.sqrt() / changes.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::{change, weights_of};

    #[test]
    fn changes_are_judged_by_games() {
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

    #[test]
    fn terms_are_found_by_family_and_by_row() {
        let count = |names: &str| weights_of(names).map(|weights| weights.len());
        assert_eq!(count("Pieces: rook_open").unwrap(), 1);
        assert_eq!(count("Mobility: knight, Pieces: rook_open").unwrap(), 10);
        assert!(count("Mobility").unwrap() > 60);
        for name in ["Pieces: rook", "Mob", "", "Mobility,"] {
            assert!(count(name).is_err(), "{name}");
        }
    }
}
