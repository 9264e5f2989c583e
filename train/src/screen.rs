//! `screen`: what many changes of parameters are worth, from the games of one match.
//!
//! In each pair one side plays with a change and the other without it, for each change one or the
//! other at random. So every game says something about every change, and a run measures them all
//! as precisely as a match of that many games would measure a single one (a two-level factorial
//! experiment: R. Fisher, "The Design of Experiments", 1935). Changes that help or hinder each
//! other are measured in the company of the others, half of them on.

use core::fmt::Write as _;
use core::str::FromStr;
use std::path::PathBuf;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_search::{Tunable, parameters};

use crate::error::{Result, reject};
use crate::matches::stats::{QUANTILE, elo};
use crate::pairs::{self, Experiment, GameSettings, RunArguments, Sides};
use crate::play::random_of;
use crate::report::report;

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The file with the state of the run; if it is there, the run goes on
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// A change to measure: new values of one or more parameters, NAME=VALUE,NAME=VALUE; once
    /// for each change
    #[arg(long = "change", value_name = "VALUES", required = true)]
    changes: Vec<Change>,

    /// Pairs of games to play
    #[arg(long, default_value_t = 2_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,

    /// Seed of openings and sides
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    games: GameSettings,

    #[command(flatten)]
    run: RunArguments,
}

/// New values of one or more parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Change(pub Vec<(String, i32)>);

impl FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let value = |part: &str| {
            let (name, value) = part.split_once('=')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        let values: Option<Vec<_>> = text.split(',').map(value).collect();
        values.map(Self).ok_or_else(|| {
            format!(
                "a change is like razor_base=220 or razor_base=220,razor_factor=140, not {text:?}"
            )
        })
    }
}

impl core::fmt::Display for Change {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (index, (name, value)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{name}={value}")?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairResult {
    pub pair: u64,
    /// What the plus side scored more than the minus side, from -2 to 2 points.
    pub lead: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Screening {
    pub changes: Vec<Change>,
    /// The values that the changed parameters have in this build, in the order of the changes.
    pub usual: Vec<i32>,
    pub pairs: u64,
    pub seed: u64,
    pub results: Vec<PairResult>,
}

impl Screening {
    /// A run of these changes, before its first pair.
    pub fn new(changes: &[Change], pairs: u64, seed: u64) -> Result<Self> {
        let mut seen: Vec<&str> = Vec::new();
        let mut usual = Vec::new();
        for (name, value) in changes.iter().flat_map(|change| &change.0) {
            let known = parameters().iter().find(|tunable| tunable.name == name);
            let Some(&Tunable { min, max, default, .. }) = known else {
                reject!("there is no search parameter {name:?}; nothing was played")
            };
            if !(min..=max).contains(value) {
                reject!("{name} must be from {min} to {max}, not {value}; nothing was played");
            }
            if seen.contains(&name.as_str()) {
                reject!("{name} is changed twice; nothing was played");
            }
            seen.push(name);
            usual.push(default);
        }
        Ok(Self { changes: changes.to_vec(), usual, pairs, seed, results: Vec::new() })
    }

    /// One line a change: Elo with its 95 % interval, the best first.
    pub fn table(&self) -> String {
        let rows: Vec<_> = self
            .results
            .iter()
            .map(|result| {
                let sides = self.sides(result.pair, &mut random_of(self.seed, result.pair));
                // The score of a game, 0 to 1, less a half.
                (sides.directions, result.lead / 4.0)
            })
            .collect();
        // Pairs that all ended alike do not show their error.
        let shown = |effects: &Vec<Effect>| effects.iter().all(|effect| effect.error > 0.0);
        let Some(effects) = effects(&rows).filter(shown) else {
            return "too few pairs to tell the changes apart\n".to_owned();
        };
        let mut lines: Vec<_> = effects.iter().zip(&self.changes).collect();
        lines.sort_by(|(a, _), (b, _)| b.value.total_cmp(&a.value));
        let mut text = format!("{:>7} {:>6}  change\n", "Elo", "95 %");
        for (effect, change) in lines {
            let (value, error) = (elo(0.5 + effect.value), elo(0.5 + effect.error));
            let _ = writeln!(text, "{value:>+7.1} {error:>6.1}  {change}");
        }
        text
    }
}

impl Experiment for Screening {
    fn names(&self) -> Vec<String> {
        self.changes.iter().flat_map(|change| &change.0).map(|(name, _)| name.clone()).collect()
    }

    fn pairs(&self) -> u64 {
        self.pairs
    }

    fn played(&self) -> u64 {
        self.results.len() as u64
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// For each change, which side plays with it.
    fn sides(&self, pair: u64, random: &mut Xoshiro256PlusPlus) -> Sides {
        let mut sides = Sides { pair, directions: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        let mut usual = self.usual.iter();
        for change in &self.changes {
            let on: bool = random.random();
            sides.directions.push(if on { 1.0 } else { -1.0 });
            for (&(_, new), &old) in change.0.iter().zip(&mut usual) {
                sides.plus.push(if on { new } else { old });
                sides.minus.push(if on { old } else { new });
            }
        }
        sides
    }

    fn learn(&mut self, sides: &Sides, lead: f64) {
        self.results.push(PairResult { pair: sides.pair, lead });
    }

    fn began_like(&self, other: &Self) -> bool {
        let beginning = |run: &Self| Self { results: Vec::new(), ..run.clone() };
        beginning(self) == beginning(other)
    }
}

/// Plays the pairs that are left, then prints what each change is worth.
///
/// # Errors
/// Why the run ended early. The results so far are in its file, up to the last seconds.
pub fn run(arguments: &Arguments) -> Result<()> {
    let fresh = Screening::new(&arguments.changes, arguments.pairs, arguments.seed)?;
    let screening = pairs::run(&arguments.run, &arguments.games, &arguments.out, &[], fresh)?;
    let (played, pairs) = (screening.played(), screening.pairs());
    report!("{played} of {pairs} pairs at {}\n", arguments.games.pace());
    report!("{}", screening.table().trim_end());
    Ok(())
}

/// What a change adds to the result of a row in which it goes up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// The effects that explain the results best: each row has a direction, `1.0` or `-1.0`, for each
/// change, and a result. `None` if the rows do not tell the changes apart.
pub fn effects(rows: &[(Vec<f64>, f64)]) -> Option<Vec<Effect>> {
    let count = rows.first()?.0.len();
    let freedom = rows.len().checked_sub(count).filter(|&freedom| freedom > 0)?;
    // The normal equations: products of directions, beside them those with the results.
    let product = |a: usize, b: usize| rows.iter().map(|(row, _)| row[a] * row[b]).sum::<f64>();
    let products: Vec<Vec<f64>> =
        (0..count).map(|a| (0..count).map(|b| product(a, b)).collect()).collect();
    let inverse = inverse(products)?;
    let results: Vec<f64> = (0..count)
        .map(|change| rows.iter().map(|(row, result)| row[change] * result).sum())
        .collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let values: Vec<f64> = inverse.iter().map(|row| dot(row, &results)).collect();
    let rest = |(row, result): &(Vec<f64>, f64)| (result - dot(row, &values)).powi(2);
    let variance = rows.iter().map(rest).sum::<f64>() / freedom as f64;
    let effect = |change: usize| Effect {
        value: values[change],
        error: QUANTILE * (variance * inverse[change][change]).sqrt(),
    };
    Some((0..count).map(effect).collect())
}

/// The inverse of a symmetric matrix of products, by elimination; `None` if it has none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| if column == index { 1.0 } else { 0.0 }));
    }
    for pivot in 0..count {
        let scale = matrix[pivot][pivot];
        // Products of independent directions have diagonals of the size of the count of rows.
        if scale.abs() < 1e-6 {
            return None;
        }
        matrix[pivot].iter_mut().for_each(|value| *value /= scale);
        let pivot_row = matrix[pivot].clone();
        for (index, row) in matrix.iter_mut().enumerate() {
            let factor = row[pivot];
            if index != pivot {
                row.iter_mut().zip(&pivot_row).for_each(|(value, by)| *value -= factor * by);
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[count..].to_vec()).collect())
}
