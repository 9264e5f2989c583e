//! `spsa`: tuning the parameters of the search by games.

pub mod table;
pub mod tuner;

use std::path::PathBuf;

use tamarin_base::files::read_stream_text;
use tamarin_search::parameters;

use crate::data::MAX_MEBIBYTES;
use crate::error::{Context, Result, reject};
use crate::numbers::positive_f64;
use crate::pairs::{self, Experiment, GameSettings, RunArguments};
use crate::report::report;
use tuner::{Parameter, Tuner};

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
        report!("{}", table::openbench(&fresh.parameters, fresh.rate).trim_end());
        return Ok(());
    };
    let source = read_stream_text(&arguments.table, MAX_MEBIBYTES);
    let source = source.context(arguments.table.display())?;
    let patch = |parameters: &[Parameter]| {
        table::patch(&arguments.table, &source, parameters, arguments.run_id.as_deref())
    };
    // Another table is rejected before the games, not after them.
    patch(&fresh.parameters)?;
    let tuner = pairs::run(&arguments.run, &arguments.games, path, &[&arguments.table], fresh)?;
    report!("{} of {} pairs at {}\n", tuner.played(), tuner.pairs(), arguments.games.pace());
    report!("{}", table::summary(&tuner.parameters));
    report!("{}", patch(&tuner.parameters)?.trim_end());
    report!("\n{}", table::openbench(&tuner.parameters, tuner.rate));
    Ok(())
}
