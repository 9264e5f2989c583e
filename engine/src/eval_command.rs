//! `tamarin eval`.

use std::io::{self, Write};
use std::process::ExitCode;

use tamarin_base::files::end_of_output;
use tamarin_base::{complain, with_causes};
use tamarin_game::evaluation::{Shown, to_json, to_text};
use tamarin_game::evaluator::{EvaluatorArguments, EvaluatorError};
use tamarin_movegen::{FenError, Position};

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "Why a move is good or bad, proved by lines: tamarin analyse FEN --explain\n\n\
    Exit codes: 0 evaluated, or in check; 2 bad input or unwritable output."
)]
pub struct Arguments {
    /// A FEN, quoted or not [default: the start position]
    #[arg(value_name = "FEN")]
    words: Vec<String>,

    /// Print a JSON object: terms and pieces in engine units, scores from White's point of view
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    evaluator: EvaluatorArguments,
}

/// Why nothing is printed.
#[derive(Debug, thiserror::Error)]
enum EvalCommandError {
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> ExitCode {
    match print(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(EvalCommandError::Output(error)) => end_of_output(Err(error), 0),
        Err(failure) => {
            complain(&format!("error: {}", with_causes(&failure)));
            ExitCode::from(2)
        }
    }
}

fn print(arguments: &Arguments) -> Result<(), EvalCommandError> {
    let position = match arguments.words.as_slice() {
        [] => Position::startpos(),
        words => Position::from_fen(&words.join(" "))?,
    };
    let choice = arguments.evaluator.choice()?;
    let network = choice.loaded_network();
    let shown = Shown { network: &network, searches_with: choice.kind };
    let text = match arguments.json {
        true => to_json(&position, &shown).to_string(),
        false => to_text(&position, &shown),
    };
    let mut out = io::stdout().lock();
    Ok(writeln!(out, "{text}").and_then(|()| out.flush())?)
}
