//! Fits the evaluation's weights to positions from games.
//!
//! ```text
//! cargo run --release -p tamarin-eval --features tune --bin tune -- fit games.txt
//! ```

mod text;

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tamarin_eval::tuning::{
    self, DataSet, Fit, Settings, WinModel, current_weights, initial_weights, writer,
};

use crate::text::LineError;

/// The last positions, one in this many, are for validation and not for the fit.
const VALIDATION: usize = 20;

/// Fit the evaluation to games.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the initial weights, made by hand, where the first fit started.
    Initial {
        /// The Rust source to write.
        #[arg(long, default_value = "eval/src/weights/values.rs")]
        output: PathBuf,
    },
    /// Fit the weights to positions, `FEN | score | result` a line.
    Fit(FitArguments),
    /// Print the score that wins half of the games.
    Scale {
        /// Files of positions.
        #[arg(required = true)]
        data: Vec<PathBuf>,
    },
}

#[derive(clap::Args)]
struct FitArguments {
    /// Files of positions.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The Rust source to write.
    #[arg(long, default_value = "eval/src/weights/values.rs")]
    output: PathBuf,
    /// A sentence about the data, kept in the source.
    #[arg(long, default_value = "`tune fit`.")]
    origin: String,
    /// Passes over the data.
    #[arg(long, default_value_t = 40)]
    epochs: usize,
    /// Positions a step.
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Learning rate in the first epoch, in engine units a step; falls to a hundredth.
    #[arg(long, default_value_t = 2.0)]
    rate: f32,
    /// How much the game's result counts against the search's score, 0 to 1.
    #[arg(long, default_value_t = 0.5)]
    result_share: f32,
    /// L2 regularization towards the weights at the start.
    #[arg(long, default_value_t = 1e-9)]
    regularization: f32,
    /// Texel's K per engine unit. Sets the size of the unit: at the default, 100 units ahead
    /// score 62 %.
    #[arg(long, default_value_t = 0.005)]
    k: f32,
    /// Start from the initial weights, made by hand, instead of the current ones.
    #[arg(long)]
    from_initial: bool,
    /// Seed of the order of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// The tuner cannot go on.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("cannot open {path}")]
    Open { path: PathBuf, source: std::io::Error },
    #[error("cannot write {path}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{path}, line {line}")]
    Line { path: PathBuf, line: usize, source: LineError },
    #[error("the data holds no position that can be used")]
    Empty,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Initial { output } => {
            let origin = "made by hand, see `tuning/initial.rs`.";
            write(&output, &writer::source(&initial_weights(), origin))
        }
        Command::Fit(arguments) => fit(&arguments),
        Command::Scale { data } => load(&data).map(|data| {
            let samples = data.samples().iter();
            let model = WinModel::fit(samples.map(|s| (f64::from(s.score), s.result)));
            println!("units per pawn {:.0}, width {:.0}", model.center, model.width);
        }),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprint!("error: {error}");
            let mut cause = std::error::Error::source(&error);
            while let Some(source) = cause {
                eprint!(": {source}");
                cause = source.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

fn load(paths: &[PathBuf]) -> Result<DataSet, Error> {
    let mut data = DataSet::default();
    for path in paths {
        let file = File::open(path).map_err(|source| Error::Open { path: path.clone(), source })?;
        let left_out = text::read(BufReader::new(file), &mut data)
            .map_err(|(line, source)| Error::Line { path: path.clone(), line, source })?;
        println!("{}: {} positions so far, {left_out} left out", path.display(), data.len());
    }
    if data.is_empty() { Err(Error::Empty) } else { Ok(data) }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn fit(arguments: &FitArguments) -> Result<(), Error> {
    let data = load(&arguments.data)?;
    let count = data.len() - data.len() / VALIDATION;
    let (training, validation) = data.split_at(count);
    let start = if arguments.from_initial { initial_weights() } else { current_weights() };
    let settings = Settings {
        epochs: arguments.epochs,
        batch_size: arguments.batch,
        learning_rates: [arguments.rate, arguments.rate / 100.0],
        result_share: arguments.result_share,
        regularization: arguments.regularization,
        k: arguments.k,
        seed: arguments.seed,
        threads: arguments.threads,
    };
    let best_k = tuning::fit_k(&training, &start, settings.threads);
    println!("k {:.5}; the weights at the start predict best with {best_k:.5}", settings.k);
    // Measured against results alone, so that runs with different targets compare.
    let measure = Settings { result_share: 1.0, ..settings };
    let print_errors = |name: &str, weights: &[tuning::Pair]| {
        let training = tuning::error(&training, weights, &measure);
        let validation = tuning::error(&validation, weights, &measure);
        println!("{name}: error {training:.7} training, {validation:.7} validation");
    };
    print_errors("start", &start);
    let mut fit = Fit::new(&training, settings, start);
    fit.run(|epoch| {
        let done = epoch.state.epochs;
        if done % 10 == 0 || done == settings.epochs {
            print_errors(&format!("epoch {done}"), &epoch.state.weights);
        }
        ControlFlow::Continue(())
    });
    write(&arguments.output, &writer::source(&fit.state().weights, &arguments.origin))
}
