//! `tamarin variant`: inspects, checks and plays variants defined in rules files.

mod arguments;
mod compare;
mod contest;
mod iterators;
mod learn;
pub mod peer;
mod perft;
mod player;
mod runner;
mod selfplay;
mod source;
mod standings;
mod values;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use tamarin_base::process::shutdown::INTERRUPTED;
use tamarin_base::{complain, counted};
use tamarin_variant::{BUILTINS, Game, Loaded, expand, load, variant_names};

pub use arguments::Arguments;
use arguments::Command;
use source::{Failure, GameSource, position};
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
            other => format!("error: {other}"),
        };
        complain(text.trim_end());
    }
    ExitCode::from(match failure {
        Failure::Refused(_) | Failure::Differs(_) => 1,
        Failure::Interrupted { .. } => INTERRUPTED,
        _ => 2,
    })
}

/// Prints to standard output at once.
fn write_out(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::from)
}

fn answer(command: &Command) -> Result<String, Failure> {
    match command {
        Command::List => Ok(list()),
        Command::Check { source } => check(source),
        Command::Expand { source, piece } => expanded(source, piece.as_deref()),
        Command::Import { file, name, lossy } => source::imported(file, name.as_deref(), *lossy),
        Command::Show { source, piece, at } => {
            let game = source.load()?.game;
            source::show(&game, piece, at.as_deref())
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

/// What is wrong with a file: with one variant of it, or else with all, as programs read it.
fn check(source: &GameSource) -> Result<String, Failure> {
    let text = source.read()?;
    let names = match &source.variant {
        Some(_) => vec![source.variant.clone()],
        None => variant_names(&text.text),
    };
    let (mut out, mut reported, mut is_refused) = (String::new(), Vec::new(), false);
    for name in &names {
        let (game, remarks) = match load(&text.text, name.as_deref()) {
            Ok(Loaded { game, warnings }) => (Some(game), warnings),
            Err(remarks) => (None, remarks),
        };
        // What stands in a parent or breaks the whole file is reported once.
        let new: Vec<_> = remarks.into_iter().filter(|one| !reported.contains(one)).collect();
        out += &text.render(&new);
        reported.extend(new);
        is_refused |= game.is_none();
        out += &game.map_or_else(String::new, |game| match name {
            Some(name) if names.len() > 1 => {
                summary(&format!("{}, variant {name}", text.name), &game)
            }
            _ => summary(&text.name, &game),
        });
    }
    if is_refused { Err(Failure::Refused(out)) } else { Ok(out) }
}

/// The size of a game, in a line.
fn summary(name: &str, game: &Game) -> String {
    let pieces: Vec<&str> = game.piece_names().collect();
    format!(
        "{name}: {} by {} squares, {} ({}), {} in all\n",
        game.columns(),
        game.rows(),
        counted(pieces.len(), "piece", "pieces"),
        pieces.join(" "),
        counted(game.move_count(), "move", "moves")
    )
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_variant_of_a_file_is_checked() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("several.var");
        let file = path.to_str().expect("a name in UTF-8").to_owned();
        let check = |text: &str, variant: Option<&str>| {
            fs::write(&path, text).expect("the folder is ours");
            check(&GameSource { game: file.clone(), variant: variant.map(str::to_owned) })
        };
        let good = "@variant one\n@extends fide\nq W hot\n@variant two\n@extends one\nn W1\n";
        let shown = check(good, None).expect("two games");
        // What the second has from the first is reported once.
        assert_eq!(shown.matches("warning[V033]").count(), 1, "{shown}");
        for name in ["one", "two"] {
            assert!(shown.contains(&format!("{file}, variant {name}: 8 by 8 squares")), "{shown}");
        }
        // The first one is wrong, which the last one alone does not show.
        let bad = "@variant one\n@extends fide\nq WX\n@variant two\n@extends fide\nn W1\n";
        let Err(Failure::Refused(shown)) = check(bad, None) else { panic!("it is refused") };
        assert!(shown.contains(":3:4: error[V015]"), "{shown}");
        assert!(shown.contains(", variant two: 8 by 8 squares"), "{shown}");
        let two = check(bad, Some("two")).expect("a game");
        assert!(two.starts_with(&format!("{file}: 8 by 8 squares")), "{two}");
    }
}
