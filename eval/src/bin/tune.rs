//! Fits the evaluation's weights to positions from games.
//!
//! ```text
//! cargo run --release -p tamarin-eval --features tune --bin tune -- fit games.txt
//! ```

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tamarin_eval::tuning::data::{DataSet, LineError};
use tamarin_eval::tuning::optimizer::{self, Fit, Settings};
use tamarin_eval::tuning::scale::WinModel;
use tamarin_eval::tuning::{Pair, current, seed, writer};

/// Fit the evaluation to games.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the weights made by hand, where the first fit started.
    Seed {
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
    /// Step size at the start, in engine units.
    #[arg(long, default_value_t = 2.0)]
    rate: f32,
    /// How much the game's result counts against the search's score, 0 to 1.
    #[arg(long, default_value_t = 0.5)]
    result_share: f32,
    /// Pull towards the starting weights.
    #[arg(long, default_value_t = 1e-9)]
    pull: f32,
    /// Steepness of the expected result. Sets the size of the engine's unit: at the
    /// default, 100 units ahead score 62 %.
    #[arg(long, default_value_t = 0.005)]
    steepness: f32,
    /// Start from the weights made by hand instead of the current ones.
    #[arg(long)]
    from_seed: bool,
    /// Seed of the order of the batches.
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
        Command::Seed { output } => {
            let origin = "made by hand, see `tuning/seed.rs`.";
            write(&output, &writer::source(&seed::seed(), origin))
        }
        Command::Fit(arguments) => fit(&arguments),
        Command::Scale { data } => load(&data).map(|data| {
            let model = WinModel::fit(&data);
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
        let skipped = data.read(BufReader::new(file)).map_err(|(line, source)| Error::Line {
            path: path.clone(),
            line,
            source,
        })?;
        println!("{}: {} positions so far, {skipped} skipped", path.display(), data.samples.len());
    }
    if data.samples.is_empty() { Err(Error::Empty) } else { Ok(data) }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn fit(arguments: &FitArguments) -> Result<(), Error> {
    let data = load(&arguments.data)?;
    let start: Vec<Pair> = if arguments.from_seed { seed::seed() } else { current() };
    let settings = Settings {
        epochs: arguments.epochs,
        batch: arguments.batch.max(1),
        rate: arguments.rate,
        result_share: arguments.result_share,
        pull: arguments.pull,
        steepness: arguments.steepness,
        seed: arguments.seed,
        threads: arguments.threads.max(1),
    };
    let fitted = optimizer::fit_steepness(&data, &start, &settings);
    println!(
        "steepness {:.5}; the weights at the start predict best with {fitted:.5}",
        settings.steepness
    );
    // The last twentieth is kept out of the fit, to see whether it generalizes.
    let all = data.samples.len();
    let kept = all - all / 20;
    let mut fit = Fit::new(&data, kept, start, settings);
    // Measured against results alone, so that runs with different targets compare.
    let measure = Settings { result_share: 1.0, ..settings };
    let report = |name: &str, weights: &[Pair]| {
        let seen = optimizer::error(&data, 0..kept, weights, &measure);
        let unseen = optimizer::error(&data, kept..all, weights, &measure);
        println!("{name}: error {seen:.7} seen, {unseen:.7} unseen");
    };
    report("start", &fit.weights);
    for epoch in 0..settings.epochs {
        fit.epoch(epoch);
        if (epoch + 1) % 10 == 0 || epoch + 1 == settings.epochs {
            report(&format!("epoch {}", epoch + 1), &fit.weights);
        }
    }
    write(&arguments.output, &writer::source(&fit.weights, &arguments.origin))
}
