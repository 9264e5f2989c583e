//! `screen`: what many changes of parameters are worth, from the games of one match.
//!
//! In each pair one side plays with a change and the other without it, for each change one or the
//! other at random. So every game says something about every change, and a run measures them all
//! as precisely as a match of that many games would measure a single one (a two-level factorial
//! experiment: R. Fisher, "The Design of Experiments", 1935). Changes that help or hinder each
//! other are measured in the company of the others, half of them on.

mod effects;

use core::fmt::Write as _;
use core::str::FromStr;
use std::path::PathBuf;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_search::{Tunable, parameters};

use crate::matches::elo;
use crate::pairs::{self, Experiment, GameSettings, RunArguments, RunError, Sides, random_of};
use crate::report::report;
use effects::{Effect, effects};

/// What the command line may say.
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
struct Change(Vec<(String, i32)>);

/// A change cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a change is like razor_base=220 or razor_base=220,razor_factor=140, not {0:?}")]
struct ChangeError(String);

impl FromStr for Change {
    type Err = ChangeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let value = |part: &str| {
            let (name, value) = part.split_once('=')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        let values: Option<Vec<_>> = text.split(',').map(value).collect();
        values.map(Self).ok_or_else(|| ChangeError(text.to_owned()))
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

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScreenError {
    /// The games cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("there is no search parameter {0:?}; nothing was played")]
    Unknown(String),
    #[error("{name} must be from {min} to {max}, not {value}; nothing was played")]
    Range {
        /// The parameter.
        name: String,
        /// Its smallest value.
        min: i32,
        /// Its greatest value.
        max: i32,
        /// What was asked for.
        value: i32,
    },
    #[error("{0} is changed twice; nothing was played")]
    Twice(String),
}

/// The result of a pair.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct PairResult {
    pair: u64,
    /// What the plus side scored more than the minus side, from -2 to 2 points.
    lead: f64,
}

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Screening {
    changes: Vec<Change>,
    /// The values that the changed parameters have in this build, in the order of the changes.
    usual: Vec<i32>,
    pairs: u64,
    seed: u64,
    results: Vec<PairResult>,
}

impl Screening {
    /// A run of these changes, before its first pair.
    fn new(changes: &[Change], pairs: u64, seed: u64) -> Result<Self, ScreenError> {
        let mut seen: Vec<&str> = Vec::new();
        let mut usual = Vec::new();
        for (name, value) in changes.iter().flat_map(|change| &change.0) {
            let known = parameters().iter().find(|tunable| tunable.name == name);
            let &Tunable { min, max, default, .. } =
                known.ok_or_else(|| ScreenError::Unknown(name.clone()))?;
            if !(min..=max).contains(value) {
                return Err(ScreenError::Range { name: name.clone(), min, max, value: *value });
            }
            if seen.contains(&name.as_str()) {
                return Err(ScreenError::Twice(name.clone()));
            }
            seen.push(name);
            usual.push(default);
        }
        Ok(Self { changes: changes.to_vec(), usual, pairs, seed, results: Vec::new() })
    }

    /// One line a change: Elo with its 95 % interval, the best first.
    fn table(&self) -> String {
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
pub fn run(arguments: &Arguments) -> Result<(), ScreenError> {
    let fresh = Screening::new(&arguments.changes, arguments.pairs, arguments.seed)?;
    let screening = pairs::run(&arguments.run, &arguments.games, &arguments.out, &[], fresh)?;
    let (played, pairs) = (screening.played(), screening.pairs());
    report!("{played} of {pairs} pairs at {}\n", arguments.games.pace());
    report!("{}", screening.table().trim_end());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(texts: &[&str]) -> Vec<Change> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn changes_are_read() {
        let change: Change = "a=1,b_2=-30".parse().unwrap();
        assert_eq!(change.0, [("a".to_owned(), 1), ("b_2".to_owned(), -30)]);
        assert_eq!(change.to_string(), "a=1,b_2=-30");
        for text in ["", "a", "a=", "a=x", "a=1,", "a=1;b=2", "a=99999999999"] {
            assert_eq!(text.parse::<Change>(), Err(ChangeError(text.to_owned())));
        }
    }

    #[test]
    fn impossible_changes_are_refused() {
        let refused = |texts: &[&str]| Screening::new(&changes(texts), 1, 1).unwrap_err();
        assert!(matches!(refused(&["nothing=1"]), ScreenError::Unknown(name) if name == "nothing"));
        assert!(matches!(refused(&["razor_depth=99"]), ScreenError::Range { max: 8, .. }));
        let twice = refused(&["razor_depth=3", "razor_base=210,razor_depth=5"]);
        assert!(matches!(twice, ScreenError::Twice(name) if name == "razor_depth"));
    }

    #[test]
    fn the_sides_of_a_pair_differ_in_every_change() {
        let texts = ["razor_depth=3,razor_base=210", "iir_depth=5"];
        let run = Screening::new(&changes(&texts), 100, 7).unwrap();
        let (new, usual) = ([3, 210, 5], &run.usual);
        let mut seen = [[0; 2]; 2];
        for pair in 0..100 {
            let sides = run.sides(pair, &mut random_of(run.seed, pair));
            let on: Vec<_> = sides.directions.iter().map(|&up| up > 0.0).collect();
            seen[usize::from(on[0])][usize::from(on[1])] += 1;
            for (value, change) in [(0, 0), (1, 0), (2, 1)] {
                let (with, without) = match on[change] {
                    true => (&sides.plus, &sides.minus),
                    false => (&sides.minus, &sides.plus),
                };
                assert_eq!((with[value], without[value]), (new[value], usual[value]));
            }
        }
        assert!(seen.as_flattened().iter().all(|&count| count > 10), "{seen:?}");
    }

    #[test]
    fn what_a_change_is_worth_is_found() {
        let texts = ["razor_depth=3", "iir_depth=5", "probcut_depth=6"];
        let mut run = Screening::new(&changes(&texts), 600, 7).unwrap();
        let drawn = |pair| PairResult { pair, lead: 0.0 };
        let drawn = Screening { results: (0..100).map(drawn).collect(), ..run.clone() };
        for run in [&run, &drawn] {
            assert!(run.table().starts_with("too few pairs"), "{}", run.table());
        }
        for pair in 0..600 {
            let mut random = random_of(run.seed, pair);
            let sides = run.sides(pair, &mut random);
            // The second change wins a game in ten, the third loses one in twenty; luck counts more.
            let luck = if random.random() { 1.0 } else { -1.0 };
            let lead = 0.4 * sides.directions[1] - 0.2 * sides.directions[2] + luck;
            run.learn(&sides, lead);
        }
        let table = run.table();
        let changes: Vec<_> = table.lines().skip(1).map(|line| &line[16..]).collect();
        assert_eq!(changes, ["iir_depth=5", "razor_depth=3", "probcut_depth=6"], "{table}");
        // 0.4 points of a pair are 0.1 a game: 60 % of the points, 70 Elo.
        let elo: f64 = table.lines().nth(1).unwrap()[..7].trim().parse().unwrap();
        assert!((55.0..85.0).contains(&elo), "{table}");
    }
}
