//! What the page and the server say to each other.
//!
//! | request | answer |
//! |---|---|
//! | `GET /TOKEN/` and `/TOKEN/assets/...` | the page and its files |
//! | `POST /TOKEN/api/open` with [`Open`] | `{"session": ID, "state": {...}}` |
//! | `GET /TOKEN/api/sessions` | games that can be resumed |
//! | `POST /TOKEN/api/forget?session=ID`, `restore` | a game is kept no longer, or again |
//! | `GET /TOKEN/api/state?session=ID` | `{"state": {...}}` |
//! | `GET /TOKEN/api/index?session=ID` | the games of the file, a row for each; `file` events change rows |
//! | `GET /TOKEN/api/found?session=ID` | the numbers of those games of the file that reach the position on the board |
//! | `GET /TOKEN/api/moves?session=ID` | what is known of each legal move: book, own games, tablebases, opening |
//! | `GET /TOKEN/api/results` | the results against the engine, a line for each person |
//! | `GET /TOKEN/api/files` | the files of games that are kept |
//! | `POST /TOKEN/api/files` with [`FileCommand`] | the same after a change |
//! | `GET /TOKEN/api/pgn?session=ID` | the game with everything in it; with `all=1` all games of the file |
//! | `GET /TOKEN/api/events?session=ID` | events: `state`, `lines`, `threats`, `clock`, `notice`, `hint`, `explanation`, `file` |
//! | `POST /TOKEN/api/invite?session=ID&side=white` | `{"address": ...}`: another TOKEN, for a player of this side of this game, and nothing else |
//! | `POST /TOKEN/api/do?session=ID` with a [`Command`] | `{"state": {...}}`, or 4xx with `{"error": text}` |
//!
//! Scores, chances and accuracies are White's. A state has the tree of moves by its `tree_stamp`: `tree`
//! itself is left out where the page has it, as it says to `do` with `tree=STAMP`, or was sent it by the
//! last `state` event of this stream. Scores of `scores` go before those in the tree, which are of the file.
//!
//! Events come over a WebSocket, of which a browser may have many to one server, each as
//! `{"event": NAME, "data": ...}`; without its handshake as server-sent events.
//!
//! Nodes are numbered from 0 in each game. Events about a node have the `serial` of the game, as the
//! state has: it grows when another game is on the board.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A game of at least one person.
    Play,
    /// A game of the engine against itself.
    Watch,
    /// Analysis of games and positions.
    #[default]
    Analyse,
}

/// Who has the pieces of a color.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum PlayerRequest {
    /// A person at a page.
    Person { name: Option<String> },
    /// The engine. Without a level or rating it plays as well as it can.
    Engine {
        /// One of [`tamarin_game::level::LEVELS`].
        level: Option<u8>,
        /// A rating, one of [`tamarin_search::RATINGS`].
        elo: Option<u16>,
        #[serde(default)]
        full: bool,
        /// `network` or `hand-crafted`.
        evaluator: Option<String>,
        name: Option<String>,
    },
    /// Another program that the server was started with, by its name there.
    Program { program: String, name: Option<String> },
}

/// A time control: time for the game, or for each move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockRequest {
    /// Moves after which the time is given again.
    pub moves: Option<u32>,
    /// Seconds for the game, or for so many moves.
    pub base_s: Option<f64>,
    /// Seconds added after each move.
    pub increment_s: Option<f64>,
    /// Seconds for each move, in place of both.
    pub move_s: Option<f64>,
}

/// What a session begins with.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    pub kind: Kind,
    /// The game: `chess`, or the name of a variant.
    pub game: Option<String>,
    /// The text of a rules file, in place of a name.
    pub rules: Option<String>,
    /// The text of an evaluator that was learned for these rules.
    pub evaluation: Option<String>,
    /// The first position.
    pub fen: Option<String>,
    /// A game to go on with, or several to analyze.
    pub pgn: Option<String>,
    /// The name of a kept file of games, in place of its text.
    pub library: Option<String>,
    /// The number of a start position of Chess960; one is drawn if neither it nor a position is
    /// given.
    pub chess960: Option<u16>,
    pub white: Option<PlayerRequest>,
    pub black: Option<PlayerRequest>,
    pub clock: Option<ClockRequest>,
    /// The seed of the engines' choices; another one for each game if none is given.
    pub seed: Option<u32>,
}

/// What is done with a kept file of this name.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileCommand {
    Forget(String),
    Restore(String),
}

/// A side, as pages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    White,
    Black,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PuzzleStep {
    Hint,
    Solution,
    Next,
}

/// An analysis that is wanted. What is not said stays as it is.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyseRequest {
    pub on: bool,
    /// From 1 to 10.
    pub lines: Option<usize>,
    pub threads: Option<usize>,
    /// The transposition table, in MiB.
    pub hash: Option<usize>,
    /// Plies after which it ends; 0 for none.
    pub depth: Option<usize>,
    pub threats: Option<bool>,
    /// Another program that analyzes; empty for the own engine.
    pub program: Option<String>,
}

/// Something to do in a session. Without a `node` it is about the move on the board. `as` and `side`
/// say who does it, where the page is that of one player.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Plays a move, given by squares or in algebraic notation.
    Move { mv: String, r#as: Option<SideName> },
    /// Shows the position after a move.
    Goto { node: u32 },
    /// Shows the first position.
    First,
    /// Shows the position before.
    Back,
    /// Shows the position after the next move of the line.
    Forward,
    /// Shows the last position of the line.
    Last,
    /// Makes the line that begins with a move the one that it leaves.
    PromoteLine { node: Option<u32> },
    /// Deletes a move with what follows it.
    DeleteLine { node: Option<u32> },
    /// Says something about a move.
    Comment { text: String, node: Option<u32> },
    /// Gives a move a glyph, or takes it away.
    Glyph { nag: u8, node: Option<u32> },
    /// Draws these arrows and squares in place of those of a move: each is a color (`G`, `R`, `B`, `Y`)
    /// and two squares or one, such as `Ge2e4`.
    Shapes { shapes: Vec<String>, node: Option<u32> },
    /// Undoes the last change of the tree.
    Undo,
    /// Makes it again; in a game, plays the moves again that were taken back last.
    Redo,
    /// Begins another game in this session.
    New(Box<Open>),
    /// Takes one's own last move back, with the reply to it. Where no side is named, that is the
    /// last move, and with that of an engine the move before it.
    /// With a `node`, in a game against an engine, everything after it.
    TakeBack { side: Option<SideName>, node: Option<u32> },
    /// Does not let the opponent take moves back.
    DeclineTakeBack,
    /// Gives up; without a side it is the person at the board.
    Resign { side: Option<SideName> },
    /// Offers a draw, or accepts that of the opponent.
    OfferDraw { side: Option<SideName> },
    /// Declines the draw that the opponent offers.
    DeclineDraw,
    /// Claims a draw, if the rules give one to the side to move.
    ClaimDraw { side: Option<SideName> },
    /// Says that the opponent's time has run out.
    Flag,
    /// Asks for a good move, in three steps: what to think of, where, and which.
    Hint { step: u8 },
    /// Plays this move, by squares, as soon as it is legal. Without a piece to promote to, that is a
    /// queen.
    Premove { mv: String, r#as: Option<SideName> },
    /// Forgets that move.
    CancelPremove,
    /// Lets the engine look at the position on the board, or not.
    Analyse(AnalyseRequest),
    /// Asks why a move is good or bad.
    Explain { node: Option<u32> },
    /// Analyzes the whole game or all games of the file, or ends that.
    Report { on: bool, all: Option<bool> },
    /// Warns of threats, or not.
    Threat { on: bool },
    /// Begins the lessons, or the puzzles of a text: EPD, or the CSV of Lichess.
    Puzzles { text: Option<String> },
    /// Helps with the puzzle on the board, or goes on to the next one.
    Puzzle { step: PuzzleStep },
    /// Analyzes another position.
    SetFen { fen: String },
    /// Analyzes another game, or several.
    LoadPgn { text: String },
    /// Puts another game of the file on the board, by its place in the file from 0 on.
    ShowGame { index: usize },
    /// Keeps the games of the file, or the one on the board, as a file of this name: in place of the
    /// kept file that was opened, else behind the games of one that there is.
    KeepFile { name: String },
    /// Gives players other names.
    Name { white: Option<String>, black: Option<String> },
    /// Stops everything that the engine does here.
    Stop,
    /// Lets a game go on that was stopped.
    Go,
    /// Checks the text of a rules file.
    Rules { text: String },
}

impl Command {
    /// The command as one of an invited player of this side; `None` if it is not for such a player.
    pub fn of_guest(self, side: SideName) -> Option<Self> {
        let own = Some(side);
        Some(match self {
            Self::Move { mv, .. } => Self::Move { mv, r#as: own },
            Self::Premove { mv, .. } => Self::Premove { mv, r#as: own },
            Self::TakeBack { .. } => Self::TakeBack { side: own, node: None },
            Self::Resign { .. } => Self::Resign { side: own },
            Self::OfferDraw { .. } => Self::OfferDraw { side: own },
            Self::ClaimDraw { .. } => Self::ClaimDraw { side: own },
            Self::Goto { .. }
            | Self::First
            | Self::Back
            | Self::Forward
            | Self::Last
            | Self::DeclineDraw
            | Self::DeclineTakeBack
            | Self::CancelPremove
            | Self::Flag => self,
            _ => return None,
        })
    }

    /// Returns `true` if the game is another one after it; walking about and questions leave it as
    /// it is.
    pub const fn is_kept(&self) -> bool {
        !matches!(
            self,
            Self::Goto { .. }
                | Self::First
                | Self::Back
                | Self::Forward
                | Self::Last
                | Self::Hint { .. }
                | Self::Analyse(_)
                | Self::Explain { .. }
                | Self::Report { .. }
                | Self::Threat { .. }
                | Self::Rules { .. }
        )
    }
}
