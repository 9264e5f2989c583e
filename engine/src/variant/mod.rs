//! `tamarin variant`: games whose rules a file describes.

mod arguments;
mod board;
mod perft;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use tamarin_variant::{BUILTINS, FenError, Game, Loaded, Position, expand, load};

pub use arguments::Arguments;
use arguments::{Command, GameSource};

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("cannot read {path:?}: {source}")]
    File {
        path: String,
        #[source]
        source: io::Error,
    },
    /// Remarks about the file, as they are printed.
    #[error("{0}")]
    Refused(String),
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    #[error("there is no piece {0:?}; the pieces are {1}")]
    Piece(String, String),
    #[error("{0:?} is no square of this board")]
    Square(String),
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Does what the command line says. The exit code is 0, 1 if a file is refused, and 2 for other
/// bad input or output that cannot be written.
pub fn run(arguments: &Arguments) -> ExitCode {
    let answer = answer(&arguments.command).and_then(|text| {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::from)
    });
    let Err(failure) = answer else { return ExitCode::SUCCESS };
    let broken_pipe = matches!(&failure,
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe);
    if !broken_pipe {
        let text = match &failure {
            Failure::Refused(remarks) => remarks.clone(),
            other => format!("error: {other}\n"),
        };
        // If standard error is closed there is nobody to tell.
        let _ = io::stderr().write_all(text.as_bytes());
    }
    ExitCode::from(if matches!(failure, Failure::Refused(_)) { 1 } else { 2 })
}

fn answer(command: &Command) -> Result<String, Failure> {
    match command {
        Command::List => Ok(list()),
        Command::Check { source } => check(source),
        Command::Expand { source, piece } => expanded(source, piece.as_deref()),
        Command::Show { source, piece, at } => {
            let game = source.load()?.game;
            board::show(&game, piece, at.as_deref())
        }
        Command::Perft(arguments) => perft::run(arguments),
        Command::Moves { source, fen } => moves(source, fen),
        Command::Board { source, fen } => Ok(board::draw(&mut position(source, fen)?)),
    }
}

/// A text with the name that messages call it.
struct Source {
    name: String,
    text: String,
}

impl GameSource {
    /// The text of a built-in game, or of a file.
    fn read(&self) -> Result<Source, Failure> {
        let name = self.game.clone();
        if let Some(entry) = BUILTINS.iter().find(|entry| entry.name == name) {
            return Ok(Source { name, text: entry.source.to_owned() });
        }
        let failure = |source| Failure::File { path: self.game.clone(), source };
        let bytes = std::fs::read(&name).map_err(failure)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Source { name, text })
    }

    fn load(&self) -> Result<Loaded, Failure> {
        let source = self.read()?;
        load(&source.text, self.variant.as_deref())
            .map_err(|remarks| Failure::Refused(render(&source, &remarks)))
    }
}

fn render(source: &Source, remarks: &[tamarin_variant::Diagnostic]) -> String {
    remarks.iter().map(|remark| remark.render(&source.name, &source.text)).collect()
}

/// The position of a FEN, or the start position.
fn position(source: &GameSource, fen: &[String]) -> Result<Position, Failure> {
    let game = source.load()?.game;
    match fen {
        [] => Ok(Position::start(&game)),
        words => Ok(Position::from_fen(&game, &words.join(" "))?),
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
    let Loaded { game, warnings } = source.load()?;
    let pieces: Vec<&str> = game.piece_names().collect();
    Ok(format!(
        "{}{}: {} by {} squares, {} pieces ({}), {} moves in all\n",
        render(&text, &warnings),
        text.name,
        game.columns(),
        game.rows(),
        pieces.len(),
        pieces.join(" "),
        game.move_count()
    ))
}

/// The moves of one piece, or of all, in the notation with braces.
fn expanded(source: &GameSource, piece: Option<&str>) -> Result<String, Failure> {
    let text = source.read()?;
    let pieces = expand(&text.text, source.variant.as_deref())
        .map_err(|remarks| Failure::Refused(render(&text, &remarks)))?;
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

fn moves(source: &GameSource, fen: &[String]) -> Result<String, Failure> {
    let mut position = position(source, fen)?;
    let texts: Vec<String> = position.texts().into_iter().map(|(text, _)| text).collect();
    Ok(format!("{}\n{} legal moves\n", texts.join(" "), texts.len()))
}

/// The pieces of a game, for messages.
fn piece_names(game: &Game) -> String {
    game.piece_names().collect::<Vec<_>>().join(" ")
}
