//! What reading and writing moves needs to know of a game.

use std::fmt::Debug;
use std::sync::Arc;

use tamarin_movegen::{self as chess, CastlingStyle, Color};
use tamarin_variant as variant;

use super::game::Tag;
use super::read::Rejected;
use super::words::Token;
use crate::moves;
use crate::position::{self, Castling, Position};

/// A position of a game that PGN can hold.
pub trait Rules: Clone {
    type Move: Copy + PartialEq + Eq + Debug;

    /// The legal move of a text in any notation, or why there is none.
    fn find_move(&self, text: &str) -> Result<Self::Move, String>;

    /// Plays a legal move.
    fn make(&mut self, mv: Self::Move);

    /// A legal move in algebraic notation.
    fn san(&self, mv: Self::Move) -> String;

    /// Returns `true` if the side to move may pass: a null move leaves its king in no check.
    fn may_pass(&self) -> bool;

    /// Passes.
    fn pass(&mut self);

    /// The ply that is to be played: 0 for the first move of the side that begins.
    fn ply_number(&self) -> u32;

    /// The position as a FEN, unless the game begins with it.
    fn unusual_fen(&self) -> Option<String>;

    /// The text of the move that a word is, if it is one.
    fn move_text<'a>(&self, token: &'a Token) -> Option<&'a str>;
}

impl Rules for chess::Position {
    type Move = chess::Move;

    fn find_move(&self, text: &str) -> Result<Self::Move, String> {
        moves::written(self, text).map_err(|error| error.to_string())
    }

    fn make(&mut self, mv: Self::Move) {
        Self::make(self, mv);
    }

    fn san(&self, mv: Self::Move) -> String {
        Self::san(self, mv).to_string()
    }

    fn may_pass(&self) -> bool {
        !self.in_check()
    }

    fn pass(&mut self) {
        self.make_null();
    }

    fn ply_number(&self) -> u32 {
        let black = u32::from(self.side_to_move() == Color::Black);
        2 * u32::from(self.fullmove_number()).saturating_sub(1) + black
    }

    fn unusual_fen(&self) -> Option<String> {
        let fen = self.fen(CastlingStyle::Standard);
        (fen != Self::startpos().fen(CastlingStyle::Standard)).then_some(fen)
    }

    fn move_text<'a>(&self, token: &'a Token) -> Option<&'a str> {
        token.move_text()
    }
}

impl Rules for Position {
    type Move = position::Move;

    fn find_move(&self, text: &str) -> Result<Self::Move, String> {
        match self {
            Self::Chess(position, _) => position.find_move(text).map(position::Move::Chess),
            Self::Variant(_) => self.find(text),
        }
    }

    fn make(&mut self, mv: Self::Move) {
        Self::make(self, mv);
    }

    fn san(&self, mv: Self::Move) -> String {
        Self::san(self, mv)
    }

    fn may_pass(&self) -> bool {
        self.chess().is_some_and(Rules::may_pass)
    }

    fn pass(&mut self) {
        if let Self::Chess(position, _) = self {
            position.make_null();
        }
    }

    fn ply_number(&self) -> u32 {
        let black = u32::from(self.turn() == Color::Black);
        2 * self.number().saturating_sub(1) + black
    }

    fn unusual_fen(&self) -> Option<String> {
        match self {
            Self::Chess(position, _) => position.unusual_fen(),
            Self::Variant(position) => {
                let fen = position.fen();
                (fen != variant::Position::start(position.game()).fen()).then_some(fen)
            }
        }
    }

    fn move_text<'a>(&self, token: &'a Token) -> Option<&'a str> {
        match self {
            Self::Chess(..) => token.move_text(),
            Self::Variant(_) => token.move_text_of_variant(),
        }
    }
}

/// Names of the tag `Variant` that mean chess, in lower case.
const CHESS: [&str; 7] =
    ["standard", "classical", "normal", "chess", "illegal", "from position", "fromposition"];

/// Names of the tag `Variant` that mean Chess960, in lower case.
const CHESS960: [&str; 10] = [
    "chess960",
    "chess 960",
    "fischer random",
    "fischer random chess",
    "fischerandom",
    "fischerrandom",
    "freestyle",
    "freestyle chess",
    "frc",
    "wild/fr",
];

/// Returns `true` if this value of the tag `Variant` means chess or Chess960.
pub fn is_chess(variant: &str) -> bool {
    let name = variant.trim().to_lowercase();
    // Chess from shuffled positions, as the Free Internet Chess Server calls it.
    let is_wild = name
        .strip_prefix("wild/")
        .is_some_and(|rest| rest.starts_with(|c| ('0'..='8').contains(&c)));
    is_wild || CHESS.contains(&name.as_str()) || is_chess960(variant)
}

/// The value of a tag, unless it is empty or says that it is unknown.
pub(super) fn value<'a>(tags: &'a [Tag], name: &str) -> Option<&'a str> {
    let tag = tags.iter().rfind(|tag| tag.name() == name)?;
    Some(tag.value()).filter(|value| !matches!(value.trim(), "" | "?" | "-"))
}

/// The first position of a game with these tags.
///
/// # Errors
/// If it is not a game of chess or Chess960, or the position is none.
pub(super) fn start(tags: &[Tag]) -> Result<chess::Position, Rejected> {
    let variant = value(tags, "Variant");
    if let Some(other) = variant.filter(|name| !is_chess(name)) {
        return Err(Rejected::Variant(other.to_owned()));
    }
    let is_left_open = tags.iter().any(|tag| tag.name() == "FEN");
    match value(tags, "FEN") {
        Some(fen) => {
            chess::Position::from_fen(fen).map_err(|error| Rejected::Fen(error.to_string()))
        }
        None if is_left_open && variant.is_some_and(is_chess960) => {
            Err(Rejected::Fen("a game of Chess960 without its first position".to_owned()))
        }
        None => Ok(chess::Position::startpos()),
    }
}

/// The game that a file is to be read as.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// Chess or Chess960.
    Chess,
    /// A game by these rules, known by this name.
    Variant(&'a str, &'a Arc<variant::Game>),
    /// What the tag `Variant` names.
    Any,
}

/// The same of any game.
///
/// # Errors
/// If it is a game of something else than what is wanted, or the position is none.
pub(super) fn start_of(tags: &[Tag], wanted: Wanted<'_>) -> Result<Position, Rejected> {
    let named = value(tags, "Variant").filter(|name| !is_chess(name));
    let rules = match (wanted, named) {
        (Wanted::Variant(name, rules), _) => {
            // Games of rules without a name are saved with their title.
            let is_own = |other: &&str| {
                [name, rules.title()].iter().any(|name| other.eq_ignore_ascii_case(name))
            };
            if let Some(other) = value(tags, "Variant").filter(|other| !is_own(other)) {
                return Err(Rejected::Variant(other.to_owned()));
            }
            Arc::clone(rules)
        }
        (Wanted::Any, Some(name)) => variant::builtin(&name.to_lowercase())
            .ok_or_else(|| Rejected::Variant(name.to_owned()))?,
        (Wanted::Any | Wanted::Chess, _) => {
            let start = start(tags)?;
            let castling = match value(tags, "Variant").is_some_and(is_chess960) {
                true => Castling::Chess960,
                false => position::castling_of(&start),
            };
            return Ok(Position::Chess(Box::new(start), castling));
        }
    };
    Position::of_variant(&rules, value(tags, "FEN")).map_err(Rejected::Fen)
}

/// Returns `true` if this value of the tag `Variant` means Chess960.
pub(super) fn is_chess960(variant: &str) -> bool {
    CHESS960.contains(&variant.trim().to_lowercase().as_str())
}
