//! Where games and positions of a command come from.

use std::io;

use tamarin_variant::{BUILTINS, Diagnostic, FenError, Game, Loaded, Position, load};

use super::arguments::GameSource;

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
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

/// A text with the name that messages call it.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

impl GameSource {
    /// The text of a built-in game, or of a file.
    pub(super) fn read(&self) -> Result<Source, Failure> {
        let name = self.game.clone();
        if let Some(entry) = BUILTINS.iter().find(|entry| entry.name == name) {
            return Ok(Source { name, text: entry.source.to_owned() });
        }
        let failure = |source| Failure::File { path: self.game.clone(), source };
        let bytes = std::fs::read(&name).map_err(failure)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Source { name, text })
    }

    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        let source = self.read()?;
        load(&source.text, self.variant.as_deref())
            .map_err(|remarks| Failure::Refused(render(&source, &remarks)))
    }
}

pub(super) fn render(source: &Source, remarks: &[Diagnostic]) -> String {
    remarks.iter().map(|remark| remark.render(&source.name, &source.text)).collect()
}

/// The position of a FEN, or the start position.
pub(super) fn position(source: &GameSource, fen: &[String]) -> Result<Position, Failure> {
    let game = source.load()?.game;
    match fen {
        [] => Ok(Position::start(&game)),
        words => Ok(Position::from_fen(&game, &words.join(" "))?),
    }
}

/// The pieces of a game, for messages.
pub(super) fn piece_names(game: &Game) -> String {
    game.piece_names().collect::<Vec<_>>().join(" ")
}
