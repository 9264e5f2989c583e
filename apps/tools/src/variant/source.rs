//! Where games and positions of a command come from.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tamarin_base::counted;
use tamarin_base::files::open_stream;
use tamarin_variant::{
    Builtin, Diagnostic, FenError, Game, Loaded, Position, load, name_of_last, nearest_builtin,
    read_text_of,
};
use tamarin_variant_search::evaluate::SpecError;
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::learn::Stopped;
use tamarin_variant_search::{EngineError, EvaluationError, learned_of_last};

use super::game_source::GameSource;
use super::peer::PeerError;

/// Why a command has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("there is no game or file {name:?}; {}", hint(name))]
    Unknown { name: String },
    #[error("cannot read {path:?}: {source}")]
    File { path: String, source: io::Error },
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },
    #[error("{0}")]
    Refused(String),
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    #[error("there is no piece {0:?}; the pieces are {1}")]
    Piece(String, String),
    #[error("{0:?} is no square of this board")]
    Square(String),
    #[error(transparent)]
    Evaluator(#[from] SpecError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// With the title of the game, which may be empty.
    #[error(
        "no learned evaluator comes with the program for {}; name a file that ends in .eval",
        if .0.is_empty() { "this game" } else { .0 }
    )]
    NoEvaluator(String),
    #[error("{}: {source}", .path.display())]
    Path { path: PathBuf, source: io::Error },
    #[error(
        "{}, line {line}: not a game of this contest; give another file, or the same arguments, \
         rules and evaluators",
        .path.display()
    )]
    OtherContest { path: PathBuf, line: usize },
    #[error(
        "{}, line {line}: not a game of this run; remove the file, or give the same arguments \
         as before or another --out",
        .path.display()
    )]
    OtherRun { path: PathBuf, line: usize },
    #[error(transparent)]
    Peer(#[from] PeerError),
    #[error("{address}: {source}")]
    Connect { address: String, source: io::Error },
    #[error("two files are called {0:?}: programs that connect choose a game by its name")]
    OfferedTwice(String),
    #[error("{0} of {1} connections ended with an error")]
    Connections(u32, u32),
    #[error("the game is over at its start: there is nothing to learn")]
    Over,
    #[error(transparent)]
    Learning(Stopped),
    #[error("{}", interrupted(kept))]
    Interrupted { kept: Option<(u32, PathBuf)> },
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// A game and what evaluates it.
pub(super) struct Playable {
    pub(super) game: Arc<Game>,
    /// What files of games call it.
    pub(super) tag: String,
    /// What was learned for it and is beside its file.
    pub(super) learned: Option<Arc<Learned>>,
    /// Why a file beside it cannot be used.
    pub(super) remark: Option<String>,
}

/// A text with the name that messages call it.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

impl GameSource {
    /// The file that is read, unless the game is a built-in one.
    pub(super) fn file(&self) -> Option<&Path> {
        Builtin::find(&self.game).is_none().then(|| Path::new(&self.game))
    }

    /// The text of a built-in game, or of a file.
    pub(super) fn read(&self) -> Result<Source, Failure> {
        let name = self.game.clone();
        if let Some(entry) = Builtin::find(&name) {
            return Ok(Source { name: entry.name.to_owned(), text: entry.source.to_owned() });
        }
        let text =
            open_stream(Path::new(&name)).and_then(read_text_of).map_err(|source| match source
                .kind()
            {
                io::ErrorKind::NotFound => Failure::Unknown { name: name.clone() },
                _ => Failure::File { path: name.clone(), source },
            })?;
        Ok(Source { name, text })
    }

    pub(super) fn load(&self) -> Result<Loaded, Failure> {
        self.read()?.load(self.variant.as_deref())
    }

    /// The last variant of the file, or a built-in game, with the learned evaluator beside the file
    /// if that is to play.
    pub(super) fn load_to_play(&self, with_learned: bool) -> Result<Playable, Failure> {
        let text = self.read()?;
        let game = text.load(None)?.game;
        let tag = self.tag(&text.text);
        let file = self.file().filter(|_| with_learned);
        let beside = file.map(|path| learned_of_last(&game, path, &text.text));
        let (learned, remark) = beside.unwrap_or_default();
        Ok(Playable { game, tag, learned, remark })
    }

    /// What files of games call the game that this text describes: the name by which `play` and the
    /// board know it.
    pub(super) fn tag(&self, text: &str) -> String {
        match (&self.variant, self.file()) {
            (Some(variant), _) => variant.clone(),
            (None, Some(path)) => name_of_last(path, text),
            (None, None) => self.game.to_ascii_lowercase(),
        }
    }
}

impl Source {
    /// The game that the text describes, or that variant of it.
    pub(super) fn load(&self, variant: Option<&str>) -> Result<Loaded, Failure> {
        load(&self.text, variant).map_err(|remarks| Failure::Refused(self.render(&remarks)))
    }

    /// Remarks about the text, as they are printed.
    pub(super) fn render(&self, remarks: &[Diagnostic]) -> String {
        remarks.iter().map(|remark| remark.render(&self.name, &self.text)).collect()
    }
}

/// What is said of a run of `learn` that was interrupted.
fn interrupted(kept: &Option<(u32, PathBuf)>) -> String {
    match kept {
        Some((games, path)) => format!(
            "interrupted; {} in {}, and the same command goes on from there",
            counted(*games, "game to learn from is kept", "games to learn from are kept"),
            path.display()
        ),
        None => "interrupted; no games are kept".to_owned(),
    }
}

/// What to type instead of a name that nothing has.
fn hint(name: &str) -> String {
    nearest_builtin(name).map_or_else(
        || "`tamarin variant list` shows the games".to_owned(),
        |near| format!("did you mean '{near}'?"),
    )
}

/// The position of a FEN, or the start position.
pub(super) fn position(source: &GameSource, fen: &[String]) -> Result<Position, Failure> {
    position_of(&source.load()?.game, fen)
}

/// The position of a FEN in a game, or its start position.
pub(super) fn position_of(game: &Arc<Game>, fen: &[String]) -> Result<Position, Failure> {
    match fen {
        [] => Ok(Position::start(game)),
        words => Ok(Position::from_fen(game, &words.join(" "))?),
    }
}

/// The pieces of a game, for messages.
pub(super) fn piece_names(game: &Game) -> String {
    game.piece_names().collect::<Vec<_>>().join(" ")
}
