//! `net`: training of the network on files of games.

pub mod load;
pub mod model;
pub mod pass;
pub mod positions;
pub mod record;
pub mod training;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_base::files::read_stream;
use tamarin_eval::network::Network;

use crate::ENGINE;
use crate::data::{Filter, Input, MAX_MEBIBYTES};
use crate::error::{Context, Result, reject};
use crate::matches::ledger::file_name;
use crate::numbers::note;
use crate::report::{Progress, report};
use crate::saved::{Checkpoint, Lock, replace_file};
pub use positions::MOST_PARTS;

use load::{Source, Summary};
use model::{Shape, Values};
use positions::Data;
use record::Record;
use training::{Method, Scores, State, Training};

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,

    /// The network to write. The state of the training lies beside it until the end, and an
    /// interrupted training is resumed from there
    #[arg(long, value_name = "NET")]
    out: PathBuf,

    /// The initial network, whose weights are taken instead of random ones
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,

    /// Let weights decay to those of the initial network instead of zero, so that few games do not
    /// undo what it has learned from others
    // Source: X. Li, Y. Grandvalet and F. Davoine, "Explicit Inductive Bias for Transfer Learning
    // with Convolutional Networks", 2018 (L2-SP).
    #[arg(long, requires = "from")]
    decay_to_initial: bool,

    /// A sentence kept in the network: which engine played the games
    #[arg(long, default_value = "", hide_default_value = true, value_parser = note)]
    note: String,

    /// Memory for positions, in MiB. If they may not fit, they are dealt out at random to files beside
    /// the network, of which one at a time is loaded [default: all in memory]
    #[arg(long, value_name = "MiB", value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: Option<u64>,

    #[command(flatten)]
    method: Method,
}

const NO_NETWORK: &str = "the parameters make no valid network";

/// All that the parameters of a network depend on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Recipe {
    method: Method,
    filter: Filter,
    shape: Shape,
    start: Option<u64>,
    decay_to_initial: bool,
    data: Summary,
}

/// The parameters to begin with, as they are trained.
struct Start {
    shape: Shape,
    values: Values,
    checksum: Option<u64>,
}

/// Trains a network and writes it.
///
/// # Errors
/// Why there is none. After an interruption the same call resumes after the last whole
/// epoch.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { input, method, decay_to_initial, .. } = arguments;
    let lock = Lock::beside(&arguments.out, input.files.iter().chain(&arguments.from))?;
    let (filter, threads) = (input.filter, input.threads());
    let start = start(arguments)?;
    let shape = start.shape;
    // A note that is too long is rejected before the work, not after it.
    let first = shape.unfold(&start.values);
    shape.quantized(&first, description(arguments, &Summary::LARGEST, 0.0)).context(NO_NETWORK)?;
    let source = Source { files: &input.files, filter: &filter, method, threads };
    let data = Data::load(&source, lock.output(), arguments.memory)?;
    let summary = data.summary;
    report!("{summary}");

    let recipe = Recipe {
        method: *method,
        filter,
        shape,
        start: start.checksum,
        decay_to_initial: *decay_to_initial,
        data: summary,
    };
    let checkpoint = Checkpoint::beside(lock.output(), ".net.json", recipe);
    let decay_to = decay_to_initial.then(|| start.values.clone());
    let state = match checkpoint.read::<State>()? {
        Some(state) if state.fits(shape) => {
            report!("resuming after epoch {}", state.epochs());
            state
        }
        Some(_) => reject!("the interrupted training is of a network of another size"),
        None => State::new(start.values),
    };
    let mut training = Training::new(&data.positions, shape, *method, threads, state);
    if let Some(values) = decay_to {
        training.decay_to(values);
    }
    train(&mut training, &data, &recipe, &checkpoint)?;

    let values = training.values();
    let records = &data.validation.records;
    let scores = pass::scores(shape, &values, records, threads);
    let error = pass::error(records, &scores, method.lambda);
    let network = shape.quantized(&values, description(arguments, &summary, error));
    let network = network.context(NO_NETWORK)?;
    print_epochs(&training.state.errors);
    let quantized = pass::quantized_scores(&network, records, threads);
    let compared = [&*scores, &quantized, &data.validation.hand_crafted];
    print_comparison(records, method.lambda, compared);
    replace_file(&arguments.out, &network.to_bytes())?;
    checkpoint.remove();
    data.remove();
    report!("network in {}: {}", arguments.out.display(), network.description());
    Ok(())
}

/// Runs the epochs that are left and keeps the state after each.
fn train(
    training: &mut Training<'_>,
    data: &Data,
    recipe: &Recipe,
    checkpoint: &Checkpoint<Recipe>,
) -> Result<()> {
    let Recipe { method, shape, .. } = *recipe;
    let threads = training.threads;
    let validate = |values: &[f32]| {
        let records = &data.validation.records;
        pass::error(records, &pass::scores(shape, values, records, threads), method.lambda)
    };
    let before = training.state.steps;
    let progress = Progress::new("steps", training.total_steps(), before);
    while training.state.epochs() < method.epochs {
        let epoch = training.state.epochs() + 1;
        let last = training.state.errors.last().copied();
        training.run_epoch(validate, |step| {
            progress.advance(step.steps, || {
                let positions = (step.steps - before) * method.batch as u64;
                let speed = positions as f64 / progress.elapsed().as_secs_f64() / 1e3;
                let validation = last.map_or_else(String::new, |[_, validation]| {
                    format!(", {validation:.6} validation before it")
                });
                format!(
                    "epoch {epoch}: error {:.6} on targets{validation}, {speed:.0} thousand \
                     positions/s",
                    step.error
                )
            });
        })?;
        if !training.state.values.iter().all(|value| value.is_finite()) {
            reject!(
                "epoch {epoch}: a parameter is no finite number any more, so no network is written; \
                 lower --rate or --decay"
            );
        }
        checkpoint.write(&training.state)?;
    }
    progress.finish();
    Ok(())
}

/// Random parameters, or those of the initial network.
fn start(arguments: &Arguments) -> Result<Start> {
    let Method { width, buckets, king_buckets, seed, .. } = arguments.method;
    let Some(path) = &arguments.from else {
        let shape =
            Shape::new(width.unwrap_or(64), buckets.unwrap_or(1), king_buckets.unwrap_or(1));
        let shape = shape.context(NO_NETWORK)?;
        return Ok(Start { shape, values: shape.random(seed), checksum: None });
    };
    let bytes = read_stream(path, MAX_MEBIBYTES).context(path.display())?;
    let network = Network::from_bytes(&bytes).context(path.display())?;
    let (mut shape, mut values) = Shape::of_network(&network);
    if let (1, Some(king_buckets)) = (shape.king_buckets, king_buckets) {
        Shape::new(shape.width, shape.buckets, king_buckets).context(NO_NETWORK)?;
        (shape, values) = shape.with_king_buckets(&values, king_buckets);
    }
    if width.is_some_and(|width| width != shape.width)
        || buckets.is_some_and(|buckets| buckets != shape.buckets)
        || king_buckets.is_some_and(|king_buckets| king_buckets != shape.king_buckets)
    {
        let Shape { width, buckets, king_buckets } = shape;
        reject!(
            "{} has width {width}, {buckets} output and {king_buckets} king buckets",
            path.display()
        );
    }
    let values = shape.fold(values);
    Ok(Start { shape, values, checksum: Some(network.checksum()) })
}

/// The recipe of a network as its file states it.
fn description(arguments: &Arguments, summary: &Summary, error: f64) -> String {
    let Method { scores, epochs, rate, lambda, mean_of, seed, .. } = arguments.method;
    let from = arguments.from.as_deref().map(|path| format!(" from {}", file_name(path)));
    let from = from.unwrap_or_default();
    let (by, share) = match scores {
        Scores::Search if mean_of == 1 => ("", format!(", lambda {lambda}")),
        Scores::Search => ("", format!(", lambda {lambda}, means of {mean_of} scores")),
        Scores::HandCrafted => (" with hand-crafted scores", String::new()),
    };
    let note = if arguments.note.is_empty() { "" } else { ". " };
    format!(
        "{ENGINE}{from}: {} positions of {} games{by}, {epochs} epochs, rate {rate}{share}, \
         seed {seed}, error {error:.6} on targets of the validation{note}{}",
        summary.training, summary.set.games, arguments.note,
    )
}

fn print_epochs(errors: &[[f64; 2]]) {
    report!("epoch  training  validation (errors on targets)");
    for (epoch, [training, validation]) in errors.iter().enumerate() {
        report!("{:>5}  {training:.6}  {validation:.6}", epoch + 1);
    }
}

/// Prints the errors of evaluations on the games for validation, given as their scores: of the
/// network with real numbers, the quantized one, and the hand-crafted evaluation.
fn print_comparison(records: &[Record], lambda: f32, scores: [&[f32]; 3]) {
    report!("validation    error on targets  on results");
    for (name, scores) in ["network", "quantized", "hand-crafted"].into_iter().zip(scores) {
        let error = |share| pass::error(records, scores, share);
        // Results alone: so that networks and fits with other targets can be compared.
        report!("{name:<12}  {:.7}         {:.7}", error(lambda), error(1.0));
    }
}
