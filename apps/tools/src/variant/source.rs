//! Where games and positions of a command come from.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tamarin_base::files::{Reader, Target, open_stream};
use tamarin_base::{complain, counted};
use tamarin_variant::{
    Builtin, Code, Color, Diagnostic, FenError, Game, Loaded, Position, Reach, grid, import, load,
    name_of_last, nearest_builtin, read_text_of,
};
use tamarin_variant_search::evaluate::SpecError;
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::learn::Stopped;
use tamarin_variant_search::{CHESS, EngineError, EvaluationError, learned_of_last};

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
    #[error("{0}")]
    Other(String),
    #[error("{0} counts other moves")]
    Differs(String),
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

/// A file that the user named to be written, which must differ from those.
pub(super) fn target<P: AsRef<Path>>(
    path: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> Result<Target, Failure> {
    let target = Target::of_user(path).and_then(|target| {
        target.unlike(inputs)?;
        target.check_writable()?;
        Ok(target)
    });
    target.map_err(|source| Failure::Write { path: path.display().to_string(), source })
}

/// Writes such a file.
pub(super) fn write(target: Target, path: &Path, text: &str) -> Result<(), Failure> {
    let old = target
        .write(text.as_bytes(), Reader::Awaited)
        .map_err(|source| Failure::Write { path: path.display().to_string(), source })?;
    if let Some(old) = old {
        complain(&format!("{}: {old}", path.display()));
    }
    Ok(())
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
    if name.eq_ignore_ascii_case(CHESS) {
        return "the rules of chess are the game 'fide'".to_owned();
    }
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

/// Where a game comes from.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct GameSource {
    /// Name of a built-in game (see `tamarin variant list`), or a file
    #[arg(value_name = "NAME|FILE")]
    pub(super) game: String,
    /// Which variant of a file that has several [default: the last; `check` takes all]
    #[arg(long, value_name = "NAME")]
    pub(super) variant: Option<String>,
}

/// The game of a file of Fairy-Stockfish as the text of a file of this program. Where something is
/// left out it is refused, or with `lossy` written with what is missing in comments; that is reported
/// on standard error.
pub(super) fn imported(file: &str, name: Option<&str>, lossy: bool) -> Result<String, Failure> {
    let source = GameSource { game: file.to_owned(), variant: None }.read()?;
    let imported =
        import(&source.text, name).map_err(|remarks| Failure::Refused(source.render(&remarks)))?;
    let missing: Vec<&Diagnostic> =
        imported.warnings.iter().filter(|remark| remark.code == Code::LeftOut).collect();
    if !missing.is_empty() && !lossy {
        let hint = "the game would not be the same, so nothing is written; --lossy writes it";
        let remarks = source.render(&imported.warnings);
        return Err(Failure::Refused(format!("{remarks}{}: {hint}\n", source.name)));
    }
    if !imported.warnings.is_empty() {
        complain(source.render(&imported.warnings).trim_end());
    }
    let missing = missing.iter().map(|remark| format!("# Missing: {}.\n", remark.message));
    let missing: String = missing.collect();
    Ok(format!("# Imported: [{}] of {}.\n{missing}{}", imported.name, source.name, imported.text))
}

/// Where a piece of White goes from a square.
pub(super) fn show(game: &Game, piece: &str, at: Option<&str>) -> Result<String, Failure> {
    let middle = game.rows() / 2 * game.columns() + game.columns() / 2;
    let from = match at {
        None => middle,
        Some(text) => game.parse_square(text).ok_or_else(|| Failure::Square(text.to_owned()))?,
    };
    let Some(reach) = game.reach(piece, from) else {
        return Err(Failure::Piece(piece.to_owned(), piece_names(game)));
    };
    let board = grid(game, Color::White, |square| {
        let goes = reach.iter().find(|reach| reach.square == square);
        let mark = match goes {
            _ if square == from => piece,
            None => ".",
            Some(Reach { quiet: true, capture: true, .. }) => "x",
            Some(Reach { quiet: true, capture: false, .. }) => "m",
            Some(Reach { quiet: false, capture: true, .. }) => "c",
            Some(Reach { quiet: false, capture: false, .. }) => "?",
        };
        mark.to_owned()
    });
    let drops = game.drop_targets(piece).unwrap_or_default();
    let dropped = match drops.is_empty() {
        true => String::new(),
        false => {
            let mark = |square| if drops.has(square) { "@" } else { "." }.to_owned();
            format!("\n{}\n@ from the hand, on an empty board\n", grid(game, Color::White, mark))
        }
    };
    Ok(format!(
        "{board}\nx moves and captures, m moves, c captures, ? depends on other pieces or flags\n\
         {dropped}"
    ))
}
