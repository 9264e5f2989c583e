//! `tamarin variant`: inspects, checks and plays variants defined in rules files.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

mod arguments;
mod board;
mod contest;
mod evaluator_name;
mod game_source;
mod import;
mod iterators;
mod learn;
pub mod peer;
mod perft;
mod player;
mod runner;
mod selfplay;
mod source;
mod standings;
mod streams;
mod values;

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use tamarin_base::counted;
use tamarin_variant::{BUILTINS, Loaded, expand, load};

pub use arguments::Arguments;
use arguments::Command;
use game_source::GameSource;
use source::{Failure, position};
use streams::{tell, write_out};
use tamarin_variant::draw;

/// Does what the command line says. The exit code is 0, 1 if a file is refused, and 2 for other
/// bad input or output that cannot be written.
pub fn run(arguments: &Arguments) -> ExitCode {
    let answer = answer(&arguments.command).and_then(|text| write_out(&text));
    let Err(failure) = answer else { return ExitCode::SUCCESS };
    let broken_pipe = matches!(&failure,
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe);
    if !broken_pipe {
        let text = match &failure {
            Failure::Refused(remarks) => remarks.clone(),
            other => format!("error: {other}\n"),
        };
        tell(&text);
    }
    ExitCode::from(match failure {
        Failure::Refused(_) => 1,
        Failure::Interrupted { .. } => learn::INTERRUPTED,
        _ => 2,
    })
}

fn answer(command: &Command) -> Result<String, Failure> {
    match command {
        Command::List => Ok(list()),
        Command::Check { source } => check(source),
        Command::Expand { source, piece } => expanded(source, piece.as_deref()),
        Command::Import { file, name } => import::run(file, name.as_deref()),
        Command::Show { source, piece, at } => {
            let game = source.load()?.game;
            board::show(&game, piece, at.as_deref())
        }
        Command::Perft(arguments) => perft::run(arguments),
        Command::Learn(arguments) => learn::run(arguments),
        Command::Values(arguments) => values::run(arguments),
        Command::Selfplay(arguments) => selfplay::selfplay(arguments),
        Command::Tournament(arguments) => selfplay::tournament(arguments),
        Command::Iterators(arguments) => iterators::run(arguments),
        Command::Serve(arguments) => peer::serve(arguments),
        Command::Connect(arguments) => peer::connect(arguments),
        Command::Moves { source, san, fen } => moves(source, *san, fen),
        Command::Board { source, fen } => Ok(draw(&position(source, fen)?)),
    }
}

fn list() -> String {
    BUILTINS.iter().fold(String::new(), |mut text, entry| {
        if let Ok(Loaded { game, .. }) = load(entry.source, None) {
            let (columns, rows) = (game.columns(), game.rows());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{:<16}{columns:>2} x {rows:<4}{}", entry.name, game.title());
        }
        text
    })
}

fn check(source: &GameSource) -> Result<String, Failure> {
    let text = source.read()?;
    let Loaded { game, warnings } = text.load(source.variant.as_deref())?;
    let pieces: Vec<&str> = game.piece_names().collect();
    Ok(format!(
        "{}{}: {} by {} squares, {} ({}), {} in all\n",
        text.render(&warnings),
        text.name,
        game.columns(),
        game.rows(),
        counted(pieces.len(), "piece", "pieces"),
        pieces.join(" "),
        counted(game.move_count(), "move", "moves")
    ))
}

/// The moves of one piece, or of all, in the notation with braces.
fn expanded(source: &GameSource, piece: Option<&str>) -> Result<String, Failure> {
    let text = source.read()?;
    let pieces = expand(&text.text, source.variant.as_deref())
        .map_err(|remarks| Failure::Refused(text.render(&remarks)))?;
    let mut out = String::new();
    for (name, moves) in pieces.iter().filter(|(name, _)| piece.is_none_or(|wanted| wanted == name))
    {
        let _ = writeln!(out, "{name}");
        for text in moves {
            let _ = writeln!(out, "  {text}");
        }
    }
    match piece {
        Some(piece) if out.is_empty() => {
            let names: Vec<&str> = pieces.iter().map(|(name, _)| name.as_str()).collect();
            Err(Failure::Piece(piece.to_owned(), names.join(" ")))
        }
        _ => Ok(out),
    }
}

fn moves(source: &GameSource, san: bool, fen: &[String]) -> Result<String, Failure> {
    let position = position(source, fen)?;
    let moves = if san { position.sans() } else { position.texts() };
    let texts: Vec<String> = moves.into_iter().map(|(text, _)| text).collect();
    let count = counted(texts.len(), "legal move", "legal moves");
    Ok(format!("{}\n{count}\n", texts.join(" ")))
}
