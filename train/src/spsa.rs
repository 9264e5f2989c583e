//! `spsa`: tuning the parameters of the search by games.
//!
//! Simultaneous perturbation stochastic approximation: all numbers at once are moved up or
//! down at random, and what plays better pulls them along.
//!
//! Source: J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", 1992; its use in chess, with the step at the end of the run as
//! what the user sets, is that of Stockfish's fishtest.

use core::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_base::files::read_stream_text;
use tamarin_search::{Tunable, parameters};

use crate::data::MAX_MEBIBYTES;
use crate::error::{Context, Result, TrainError, reject};
use crate::numbers::positive_f64;
use crate::pairs::{self, Experiment, GameSettings, RunArguments, Sides};
use crate::report::report;

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The file with the state of the run; if it is there, the run goes on
    #[arg(long, value_name = "FILE", required_unless_present = "openbench")]
    out: Option<PathBuf>,

    /// Only print the lines for the SPSA form of OpenBench
    #[arg(long)]
    openbench: bool,

    /// The source of the table of parameters, for the patch
    #[arg(long, value_name = "FILE", default_value = "base/src/params/table.rs")]
    table: PathBuf,

    /// The id of this run in the list of results; becomes the origin of the values
    #[arg(long = "run", value_name = "ID")]
    run_id: Option<String>,

    /// Pairs of games to play
    #[arg(long, default_value_t = 10_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,

    /// Tune only parameters whose names contain one of these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Leave out parameters whose names contain one of these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skip: Vec<String>,

    /// Learning rate at the end of the run, in squared steps
    #[arg(long, default_value_t = 0.002, value_parser = positive_f64)]
    rate: f64,

    /// Seed of openings and perturbations
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    games: GameSettings,

    #[command(flatten)]
    run: RunArguments,
}

impl Arguments {
    fn parameters(&self) -> Result<Vec<Parameter>> {
        // Every name contains the empty text.
        let is_known = |part: &&String| {
            !part.is_empty() && parameters().iter().any(|p| p.name.contains(part.as_str()))
        };
        if let Some(part) = self.only.iter().chain(&self.skip).find(|part| !is_known(part)) {
            reject!("no search parameter has {part:?} in its name; nothing was played");
        }
        let named = |names: &[String], name: &str| names.iter().any(|part| name.contains(part));
        let chosen = |name: &str| {
            (self.only.is_empty() || named(&self.only, name)) && !named(&self.skip, name)
        };
        let parameters = parameters().iter().filter(|p| chosen(p.name));
        let parameters: Vec<_> = parameters.map(Parameter::from).collect();
        if parameters.is_empty() {
            reject!("no parameter is to be tuned");
        }
        Ok(parameters)
    }

    fn tuner(&self) -> Result<Tuner> {
        let (parameters, pairs) = (self.parameters()?, self.pairs);
        Ok(Tuner { parameters, pairs, played: 0, rate: self.rate, seed: self.seed })
    }
}

/// Plays the pairs that are left, then prints what was learned: values, a patch of the table,
/// and the form for OpenBench.
///
/// # Errors
/// Why the run ended early. What was learned is in its file, up to the last seconds.
pub fn run(arguments: &Arguments) -> Result<()> {
    let fresh = arguments.tuner()?;
    let Some(path) = arguments.out.as_deref().filter(|_| !arguments.openbench) else {
        // OpenBench takes an empty line for a fault.
        let text = openbench(&fresh.parameters, fresh.rate);
        return io::stdout().write_all(text.trim_end().as_bytes()).map_err(TrainError::Output);
    };
    let source = read_stream_text(&arguments.table, MAX_MEBIBYTES);
    let source = source.context(arguments.table.display())?;
    let patched = |parameters: &[Parameter]| {
        patch(&arguments.table, &source, parameters, arguments.run_id.as_deref())
    };
    // Another table is rejected before the games, not after them.
    patched(&fresh.parameters)?;
    let tuner = pairs::run(&arguments.run, &arguments.games, path, &[&arguments.table], fresh)?;
    report!("{} of {} pairs at {}\n", tuner.played(), tuner.pairs(), arguments.games.pace());
    report!("{}", summary(&tuner.parameters));
    report!("{}", patched(&tuner.parameters)?.trim_end());
    report!("\n{}", openbench(&tuner.parameters, tuner.rate));
    Ok(())
}

/// How fast the learning rate falls; the usual constants.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of the run after which the learning rate begins to fall in earnest.
const STABILITY: f64 = 0.1;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    /// Where it began: the default of the build.
    pub start: i32,
    pub min: i32,
    pub max: i32,
    /// The perturbation at the end of the run.
    pub step: f64,
    pub value: f64,
}

impl From<&Tunable> for Parameter {
    fn from(tunable: &Tunable) -> Self {
        Self {
            name: tunable.name.to_owned(),
            start: tunable.default,
            min: tunable.min,
            max: tunable.max,
            step: tunable.step.into(),
            value: tunable.default.into(),
        }
    }
}

impl Parameter {
    /// The whole number it comes to.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32
    }

    fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuner {
    pub parameters: Vec<Parameter>,
    pub pairs: u64,
    pub played: u64,
    /// The learning rate at the end, in squared steps a game.
    pub rate: f64,
    pub seed: u64,
}

impl Tuner {
    /// The perturbation of a parameter with this step in the given pair.
    fn perturbation(&self, step: f64, pair: u64) -> f64 {
        step * (self.pairs as f64 / (pair + 1) as f64).powf(GAMMA)
    }

    /// What the parameters were before the first pair.
    fn beginning(&self) -> impl Iterator<Item = Parameter> {
        let at_start = |p: &Parameter| Parameter { value: p.start.into(), ..p.clone() };
        self.parameters.iter().map(at_start)
    }
}

impl Experiment for Tuner {
    fn names(&self) -> Vec<String> {
        self.parameters.iter().map(|parameter| parameter.name.clone()).collect()
    }

    fn pairs(&self) -> u64 {
        self.pairs
    }

    fn played(&self) -> u64 {
        self.played
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn began_like(&self, other: &Self) -> bool {
        let settings = |tuner: &Self| (tuner.pairs, tuner.rate.to_bits(), tuner.seed);
        settings(self) == settings(other) && self.beginning().eq(other.beginning())
    }

    /// What the sides of a pair play with. Values between two whole numbers become one of
    /// them at random, the nearer the likelier, so that small changes count on average.
    fn sides(&self, pair: u64, random: &mut Xoshiro256PlusPlus) -> Sides {
        let mut directions = Vec::new();
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for parameter in &self.parameters {
            let direction = if random.random() { 1.0 } else { -1.0 };
            let change = direction * self.perturbation(parameter.step, pair);
            let mut round = |value: f64| {
                let value = parameter.clamped(value);
                (value + random.random::<f64>()).floor().min(parameter.max.into()) as i32
            };
            plus.push(round(parameter.value + change));
            minus.push(round(parameter.value - change));
            directions.push(direction);
        }
        Sides { pair, directions, plus, minus }
    }

    fn learn(&mut self, tried: &Sides, lead: f64) {
        let stability = STABILITY * self.pairs as f64;
        let progress = (stability + self.pairs as f64) / (stability + (tried.pair + 1) as f64);
        let decay = progress.powf(ALPHA);
        for index in 0..self.parameters.len() {
            let step = self.parameters[index].step;
            let gain = self.rate * step * step * decay / self.perturbation(step, tried.pair);
            let parameter = &mut self.parameters[index];
            let moved = parameter.value + gain * tried.directions[index] * lead;
            parameter.value = parameter.clamped(moved);
        }
        self.played += 1;
    }
}

/// Lines for the SPSA form of OpenBench: name, type, value, range, step at the end of the run,
/// learning rate.
pub fn openbench(parameters: &[Parameter], rate: f64) -> String {
    let mut text = String::new();
    for Parameter { name, value, min, max, step, .. } in parameters {
        let _ = writeln!(text, "{name}, int, {value:.1}, {min}, {max}, {step}, {rate}");
    }
    text
}

/// The values before and after, one parameter a line, those that moved most first.
pub fn summary(parameters: &[Parameter]) -> String {
    let moved =
        |parameter: &Parameter| (parameter.value - f64::from(parameter.start)) / parameter.step;
    let mut sorted: Vec<_> = parameters.iter().collect();
    sorted.sort_by(|a, b| moved(b).abs().total_cmp(&moved(a).abs()));
    let mut text = String::new();
    let _ =
        writeln!(text, "{:<32} {:>6} {:>10} {:>6} {:>7}", "parameter", "was", "is", "", "steps");
    for parameter in sorted {
        let Parameter { name, start, value, .. } = parameter;
        let (rounded, steps) = (parameter.rounded(), moved(parameter));
        let _ = writeln!(text, "{name:<32} {start:>6} {value:>10.2} {rounded:>6} {steps:>+7.2}");
    }
    text
}

/// A patch (`patch -p1`, `git apply --unidiff-zero`) of the table's source that gives all
/// parameters their new values. `run` becomes their origin, if it is known.
pub fn patch(
    path: &Path,
    source: &str,
    parameters: &[Parameter],
    run: Option<&str>,
) -> Result<String> {
    let path = path.display();
    let mut text = format!("--- a/{path}\n+++ b/{path}\n");
    let mut found = vec![false; parameters.len()];
    for (number, line) in source.lines().enumerate() {
        let declared = |parameter: &&Parameter| {
            let begin = format!("{} = {},", parameter.name, parameter.start);
            line.trim_start().starts_with(&begin)
        };
        let Some(index) = parameters.iter().position(|parameter| declared(&parameter)) else {
            continue;
        };
        found[index] = true;
        let Parameter { name, start, .. } = &parameters[index];
        let new = parameters[index].rounded();
        if new == *start {
            continue;
        }
        let begin = [format!("{name} = {start},"), format!("{name} = {new},")];
        let mut changed = line.replacen(&begin[0], &begin[1], 1);
        if let (Some(run), Some(from)) = (run, changed.find(", from ")) {
            changed = format!("{}, from Run(\"{run}\");", &changed[..from]);
        }
        let number = number + 1;
        let _ = writeln!(text, "@@ -{number} +{number} @@\n-{line}\n+{changed}");
    }
    if let Some(missing) = found.iter().position(|found| !found) {
        let Parameter { name, start, .. } = &parameters[missing];
        reject!(
            "{path}: the table has no line `{name} = {start}, ...`: it is not the one of this build"
        );
    }
    Ok(text)
}
