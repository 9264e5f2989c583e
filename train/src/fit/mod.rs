//! `fit`: Texel tuning of the hand-crafted evaluation on files of games.
//!
//! Positions become sparse traces, gradient descent (Adam) fits the weights to them, and the
//! writer turns the weights into source.
//!
//! Source of the method: P. Österlund's Texel, see
//! <https://www.chessprogramming.org/Texel%27s_Tuning_Method>; of gradients over coefficients:
//! A. Grant, "Evaluation & Tuning in Chess Engines".

pub mod ablation;
pub mod initial;
pub mod load;
pub mod optimizer;
pub mod sparse;

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_base::Fnv1a;
use tamarin_eval::tuning::{Pair, current_weights, rows};

use crate::data::{Filter, Input};
use crate::error::{Result, reject};
use crate::numbers::note;
use crate::report::{Progress, report};
use crate::saved::{Checkpoint, Lock, replace_file};
use initial::initial_weights;
use load::{Summary, load};
use optimizer::{Fit, FitState, Method};

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,

    /// The Rust source to write, usually eval/src/weights/values.rs. The state of the fit lies
    /// beside it until the end, and an interrupted fit is resumed from there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// A sentence kept in the source: where the games are from, what a match said
    #[arg(long, default_value = "", hide_default_value = true, value_parser = note)]
    note: String,

    /// Start from the weights made by hand instead of those of this build
    #[arg(long)]
    from_initial: bool,

    #[command(flatten)]
    method: Method,
}

/// All that the weights depend on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Recipe {
    method: Method,
    filter: Filter,
    start: u64,
    data: Summary,
}

/// Fits the weights and writes them as Rust source.
///
/// # Errors
/// Why there are none. After an interruption the same call resumes after the last whole epoch.
pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { input, method, .. } = arguments;
    let lock = Lock::beside(&arguments.out, &input.files)?;
    let threads = input.threads();
    let data = load(&input.files, &input.filter, threads)?;
    report!("{}", data.summary);
    let start = if arguments.from_initial { initial_weights() } else { current_weights() };
    let best = optimizer::fit_k(&data.training, &start, threads);
    report!("K {}; the weights at the start predict results best with {best:.5}", method.k);
    let errors = |weights: &[Pair]| {
        [&data.training, &data.validation]
            .map(|set| optimizer::error(set, weights, method.target().results(), threads))
    };
    let before = errors(&start);
    report!("start: error {:.7} training, {:.7} validation", before[0], before[1]);

    // The number of epochs is part of the method: it shapes the learning rate.
    let recipe =
        Recipe { method: *method, filter: input.filter, start: hash(&start), data: data.summary };
    let checkpoint = Checkpoint::beside(lock.output(), ".fit.json", recipe);
    let mut fit = match checkpoint.read::<FitState>()? {
        Some(state) => {
            report!("resuming after epoch {}", state.epochs);
            Fit::resume(&data.training, *method, threads, state)?
        }
        None => Fit::new(&data.training, *method, threads, start),
    };
    let progress = Progress::new("epochs", method.epochs as u64, fit.state.epochs as u64);
    while !fit.is_done() {
        let error = fit.run_epoch();
        let state = &fit.state;
        progress.advance(state.epochs as u64, || format!("error {error:.6} on targets"));
        check_range(state)?;
        checkpoint.write(state)?;
    }
    progress.finish();
    let weights = &fit.state.weights;
    let after = errors(weights);
    report!("end: error {:.7} training, {:.7} validation", after[0], after[1]);
    let origin = origin(arguments, &data.summary, [before[1], after[1]]);
    replace_file(&arguments.out, source(weights, &origin).as_bytes())?;
    checkpoint.remove();
    report!("weights in {}", arguments.out.display());
    Ok(())
}

/// Checks that the evaluation can hold the weights, of which each half is an `i16`.
fn check_range(state: &FitState) -> Result<()> {
    let range = f32::from(i16::MIN)..=f32::from(i16::MAX);
    for (row, weights) in rows() {
        let mut values = state.weights[weights].iter().flatten();
        if let Some(&value) = values.find(|value| !range.contains(value)) {
            reject!(
                "epoch {}: a weight of {row:?} is {value}, which the evaluation cannot hold, so no \
                 weights are written; lower --rate or --regularization",
                state.epochs
            );
        }
    }
    Ok(())
}

/// A hash of weights, bit for bit.
fn hash(weights: &[Pair]) -> u64 {
    let mut hash = Fnv1a::default();
    weights.iter().flatten().for_each(|half| hash.write(&half.to_le_bytes()));
    hash.finish()
}

/// The recipe of a fit, as it stands in the source of the weights.
fn origin(arguments: &Arguments, summary: &Summary, [before, after]: [f64; 2]) -> String {
    let names = arguments.input.files.iter().filter_map(|path| path.file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    let Method { epochs, k, result_share, .. } = arguments.method;
    let note = if arguments.note.is_empty() { "" } else { " " };
    format!(
        "`tamarin-train fit` on {} positions of {} games ({}), K {k}, result share \
         {result_share}, {epochs} epochs: error on games not seen {before:.5} before, {after:.5} \
         after.{note}{}",
        summary.training,
        summary.set.games,
        names.join(", "),
        arguments.note,
    )
}

/// The source text for these weights, rounded to whole units; `origin` is a sentence
/// that says where they come from. Its control characters, such as of names of files, become
/// blanks: a line break would end the comment.
pub fn source(weights: &[Pair], origin: &str) -> String {
    let origin = origin.replace(char::is_control, " ");
    let mut text = format!(
        "//! The default weights. Written by `tamarin-train fit`: do not edit.\n\
         //!\n//! Origin: {origin}\n\n\
         use super::Weights;\nuse crate::tapered::s;\n\n\
         /// Middlegame and endgame value of every weight, in engine units.\n\
         #[rustfmt::skip]\npub(crate) static WEIGHTS: Weights = [\n"
    );
    for (name, range) in rows() {
        let _ = writeln!(text, "    // {name}");
        for line in weights[range].chunks(8) {
            text.push_str("   ");
            for [middlegame, endgame] in line {
                let (middlegame, endgame) = (middlegame.round(), endgame.round());
                let _ = write!(text, " s({middlegame:>4}, {endgame:>4}),");
            }
            text.push('\n');
        }
    }
    text.push_str("];\n");
    text.replace("  -0,", "   0,").replace("  -0)", "   0)")
}
