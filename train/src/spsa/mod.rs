//! `spsa`: tuning the parameters of the search by games.

mod table;
mod tuner;

use std::path::PathBuf;

use tamarin_base::files::read_stream_text;
use tamarin_search::parameters;

use crate::data::{FileError, MAX_MEBIBYTES};
use crate::numbers::positive_f64;
use crate::pairs::{self, Experiment, GameSettings, RunArguments, RunError};
use crate::report::report;

use table::TableError;
use tuner::{Parameter, Tuner};

/// What the command line may say.
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
    /// The parameters to tune, as they are in this build.
    fn parameters(&self) -> Result<Vec<Parameter>, SpsaError> {
        // Every name contains the empty text.
        let is_known = |part: &&String| {
            !part.is_empty() && parameters().iter().any(|p| p.name.contains(part.as_str()))
        };
        if let Some(part) = self.only.iter().chain(&self.skip).find(|part| !is_known(part)) {
            return Err(SpsaError::NoParameter(part.clone()));
        }
        let named = |names: &[String], name: &str| names.iter().any(|part| name.contains(part));
        let chosen = |name: &str| {
            (self.only.is_empty() || named(&self.only, name)) && !named(&self.skip, name)
        };
        let parameters = parameters().iter().filter(|p| chosen(p.name));
        let parameters: Vec<_> = parameters.map(Parameter::from).collect();
        if parameters.is_empty() { Err(SpsaError::Nothing) } else { Ok(parameters) }
    }

    fn tuner(&self) -> Result<Tuner, SpsaError> {
        let (parameters, pairs) = (self.parameters()?, self.pairs);
        Ok(Tuner { parameters, pairs, played: 0, rate: self.rate, seed: self.seed })
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpsaError {
    /// The games cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("no parameter is to be tuned")]
    Nothing,
    /// A name of `--only` or `--skip`.
    #[error("no search parameter has {0:?} in its name; nothing was played")]
    NoParameter(String),
    /// The source of the table cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{path}")]
    Table {
        /// The source of the table.
        path: PathBuf,
        /// What is wrong with it.
        source: TableMismatch,
    },
}

/// The source of the table is not that of this build.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TableMismatch(TableError);

/// Plays the pairs that are left, then prints what was learned: values, a patch of the table,
/// and the form for OpenBench.
///
/// # Errors
/// Why the run ended early. What was learned is in its file, up to the last seconds.
pub fn run(arguments: &Arguments) -> Result<(), SpsaError> {
    let fresh = arguments.tuner()?;
    let Some(path) = arguments.out.as_deref().filter(|_| !arguments.openbench) else {
        report!("{}", table::openbench(&fresh.parameters, fresh.rate).trim_end());
        return Ok(());
    };
    let source = read_stream_text(&arguments.table, MAX_MEBIBYTES)
        .map_err(FileError::on(&arguments.table))?;
    let patch = |parameters: &[Parameter]| {
        let id = arguments.run_id.as_deref();
        let patch = table::patch(&arguments.table, &source, parameters, id);
        let path = arguments.table.clone();
        patch.map_err(|error| SpsaError::Table { path, source: TableMismatch(error) })
    };
    // Another table is refused before the games, not after them.
    patch(&fresh.parameters)?;
    let tuner = pairs::run(&arguments.run, &arguments.games, path, &[&arguments.table], fresh)?;
    report!("{} of {} pairs at {}\n", tuner.played(), tuner.pairs(), arguments.games.pace());
    report!("{}", table::summary(&tuner.parameters));
    report!("{}", patch(&tuner.parameters)?.trim_end());
    report!("\n{}", table::openbench(&tuner.parameters, tuner.rate));
    Ok(())
}
