//! `ablation`: what terms of the evaluation are worth on games kept for validation.

use tamarin_eval::tuning::{current_weights, rows};

use super::load::{Loaded, load};
use super::optimizer::Method;
use super::optimizer::{Fit, squared_errors};
use crate::data::Input;
use crate::error::{Result, reject};
use crate::report::report;

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
pub fn run(arguments: &Arguments) -> Result<()> {
    let lists = arguments.without.iter().map(|names| weights_of(names));
    let lists = lists.collect::<Result<Vec<_>, _>>()?;
    let threads = arguments.input.threads();
    let data = load(&arguments.input.files, &arguments.input.filter, threads)?;
    report!("{}", data.summary);
    let errors = |weights: &[usize]| errors_without(&data, arguments.method, threads, weights);
    let whole = errors(&[]);
    report!("all terms: validation error {:.7}", mean(&whole));
    for (names, weights) in arguments.without.iter().zip(lists) {
        let (change, deviation) = change(&whole, &errors(&weights), &data.validation_games);
        report!("{change:+.7} ± {deviation:.7} without {names} ({} weights)", weights.len());
    }
    Ok(())
}

/// The squared error of each position for validation after a fit in which these weights are zero.
fn errors_without(data: &Loaded, method: Method, threads: usize, weights: &[usize]) -> Vec<f64> {
    let mut start = current_weights();
    weights.iter().for_each(|&weight| start[weight] = [0.0; 2]);
    let mut fit = Fit::new(&data.training, method, threads, start);
    fit.freeze(weights.iter().copied());
    while !fit.is_done() {
        fit.run_epoch();
    }
    squared_errors(&data.validation, &fit.state.weights, method.target().results(), threads)
}

/// The places of all weights that belong to families or rows separated by commas.
pub fn weights_of(names: &str) -> Result<Vec<usize>> {
    let mut weights = Vec::new();
    for name in names.split(',').map(str::trim) {
        let belongs = |row: &str| {
            row == name || row.split_once(": ").is_some_and(|(family, _)| family == name)
        };
        let before = weights.len();
        weights.extend(rows().filter(|(row, _)| belongs(row)).flat_map(|(_, range)| range));
        if weights.len() == before {
            reject!("no family or row of weights is called {name:?}");
        }
    }
    Ok(weights)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// By how much the mean error changed, and the standard error of that. Positions of one game are
/// alike, so that games count, not positions: the cluster-robust variance of a mean.
pub fn change(before: &[f64], after: &[f64], games: &[usize]) -> (f64, f64) {
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
