//! The messages of the peer protocol: JSON objects, one a line.
//!
//! Source: section 5.7 of the thesis has `new_variant`, `new_position`, `play_color` and `move`;
//! `hello`, `draw`, `resign`, `result` and `error` are additions.

use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tamarin_base::counted;
use tamarin_variant::MoveTextError;

use super::board::BoardError;

/// The version of the protocol in `hello`.
pub const VERSION: u32 = 1;
/// The longest line taken, in bytes without its end. A board of 12 by 12 squares takes 5 KiB.
pub const MAX_LINE: usize = 1 << 16;

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// The first message of a program that knows the additions; the other answers it.
    Hello { version: u32, name: String },
    /// The game, by name.
    NewVariant { variant: String },
    /// The position that the game begins with.
    NewPosition { board: Board },
    /// Which side the one that reads it plays. The game begins.
    PlayColor { white: bool },
    /// A move in the notation of files with absolute squares.
    Move {
        #[serde(rename = "move")]
        squares: String,
        effects: String,
    },
    /// Before a move: an offer. Instead of a move: the offer is accepted.
    Draw {},
    /// The sender gives up.
    Resign {},
    /// How the game has ended, by the rules of the sender.
    Result { result: GameResult, reason: String },
    /// The sender closes the connection, and says why.
    Error { message: String },
}

/// A board, by rows from White's side.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Board {
    pub pos: Rows,
    /// Whether White is to move.
    pub white: bool,
    /// Plies played before.
    pub moves: u32,
    /// What both sides hold in hand; an addition, not written where there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands: Vec<Held>,
}

/// Pieces of a kind in a hand.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// As of a [`Cell`], never 0.
    pub piece_id: i32,
    /// How many.
    pub count: u8,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    pub squares: Vec<Vec<Cell>>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The number of the piece in the order of the game's file, from 1; negative for Black, 0 for
    /// an empty square.
    pub piece_id: i32,
    /// Bit 0 is `unmoved`, the others are the flags in the order of the file.
    pub flags: i64,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    #[serde(rename = "1-0")]
    White,
    #[serde(rename = "0-1")]
    Black,
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl Message {
    /// Reads a line without its end.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(|error| printable(&error.to_string()))
    }

    /// The message as a line with its end.
    pub fn line(&self) -> String {
        // Strings, numbers and lists of them can always be written.
        let text = serde_json::to_string(self).unwrap_or_default();
        format!("{text}\n")
    }

    /// What `type` says.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::NewVariant { .. } => "new_variant",
            Self::NewPosition { .. } => "new_position",
            Self::PlayColor { .. } => "play_color",
            Self::Move { .. } => "move",
            Self::Draw {} => "draw",
            Self::Resign {} => "resign",
            Self::Result { .. } => "result",
            Self::Error { .. } => "error",
        }
    }
}

/// The beginning of a text from outside, without what could command a terminal.
pub fn printable(text: &str) -> String {
    const LENGTH: usize = 160;
    let quote = |c: char| matches!(c, '"' | '\'' | '\\');
    let mut out = String::new();
    for c in text.chars().take(LENGTH) {
        if quote(c) {
            out.push(c);
        } else {
            out.extend(c.escape_debug());
        }
    }
    if text.chars().nth(LENGTH).is_some() {
        out += "...";
    }
    out
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum PeerError {
    #[error("the connection is lost: {0}")]
    Io(#[from] io::Error),
    #[error("no message for {} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error("the connection was closed in the middle of a game or message")]
    Closed,
    #[error("a line is longer than {MAX_LINE} bytes")]
    TooLong,
    #[error("{} of one connection; connect again for more", counted(*.0, "game is the most", "games are the most"))]
    Games(u32),
    #[error("{} here, and no more can", counted(*.0, "program plays", "programs play"))]
    Full(u32),
    #[error("the system gives no thread: {0}")]
    Thread(#[source] io::Error),
    #[error("not a message: {0}")]
    Message(String),
    #[error("a message {found:?}, where {wanted} was expected")]
    Unexpected { found: &'static str, wanted: &'static str },
    #[error("version {0} of the protocol; this is version {VERSION}")]
    Version(u32),
    #[error("there is no game {:?} here", printable(.0))]
    Variant(String),
    #[error("not a position of this game: {0}")]
    Board(#[from] BoardError),
    #[error("after {}: {}", counted(*plies, "ply", "plies"), printable(&.source.to_string()))]
    Move { plies: usize, source: MoveTextError },
    #[error("the game is {theirs} to the peer, by the rules of this program it is {own}")]
    Disagreement { own: String, theirs: String },
    #[error("the peer says: {}", printable(.0))]
    Said(String),
    #[error("{0}")]
    Player(String),
}

impl PeerError {
    /// A message that was not expected.
    pub(super) fn unexpected(found: &Message, wanted: &'static str) -> Self {
        Self::Unexpected { found: found.kind(), wanted }
    }

    /// Returns `true` if the peer is informed.
    pub(super) fn is_for_the_peer(&self) -> bool {
        !matches!(self, Self::Io(_) | Self::Closed | Self::Said(_))
    }
}

#[cfg(test)]
mod tests {
    use super::{Board, Cell, GameResult, Message, Rows, printable};

    #[test]
    fn p3_messages_are_those_of_the_thesis() {
        let cell = |piece_id, flags| Cell { piece_id, flags };
        let board = Board {
            pos: Rows { squares: vec![vec![cell(5, 1), cell(0, 0)], vec![cell(-5, 0)]] },
            white: true,
            moves: 7,
            hands: Vec::new(),
        };
        let squares = "($0 $4) -> ($0 $6)".to_owned();
        let effects = "($0 $7) -> ($0 $5)".to_owned();
        for (message, text) in [
            (
                Message::NewVariant { variant: "fide".to_owned() },
                r#"{"type":"new_variant","variant":"fide"}"#,
            ),
            (
                Message::NewPosition { board },
                r#"{"type":"new_position","board":{"pos":{"squares":[[{"piece_id":5,"flags":1},{"piece_id":0,"flags":0}],[{"piece_id":-5,"flags":0}]]},"white":true,"moves":7}}"#,
            ),
            (Message::PlayColor { white: false }, r#"{"type":"play_color","white":false}"#),
            (
                Message::Move { squares, effects },
                r#"{"type":"move","move":"($0 $4) -> ($0 $6)","effects":"($0 $7) -> ($0 $5)"}"#,
            ),
            (Message::Draw {}, r#"{"type":"draw"}"#),
            (
                Message::Result { result: GameResult::Draw, reason: "stalemate".to_owned() },
                r#"{"type":"result","result":"1/2-1/2","reason":"stalemate"}"#,
            ),
        ] {
            assert_eq!(message.line(), format!("{text}\n"));
            assert_eq!(Message::read(text.as_bytes()), Ok(message.clone()));
            assert!(text.contains(message.kind()));
        }
        // The order of fields is free.
        let turned = br#" { "white" : true , "type":"play_color"}"#;
        assert_eq!(Message::read(turned), Ok(Message::PlayColor { white: true }));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let deep = "[".repeat(60_000);
        for line in [
            "",
            "e2e4",
            "{}",
            "[]",
            "null",
            deep.as_str(),
            r#"{"type":"castle"}"#,
            r#"{"type":"play_color"}"#,
            r#"{"type":"play_color","white":1}"#,
            r#"{"type":"play_color","white":true,"black":false}"#,
            r#"{"type":"play_color","white":true,"white":false}"#,
            r#"{"type":"play_color","white":true} {}"#,
            r#"{"type":"resign","now":true}"#,
            r#"{"type":"move","move":"a","effects":null}"#,
            r#"{"type":"result","result":"1-1","reason":"x"}"#,
            r#"{"type":"hello","version":-1,"name":"x"}"#,
            r#"{"type":"new_position","board":{"pos":{"squares":[[{"piece_id":99999999999,"flags":0}]]},"white":true,"moves":0}}"#,
        ] {
            assert!(Message::read(line.as_bytes()).is_err(), "{line:.80}");
        }
        assert!(Message::read(b"{\"type\":\"hello\",\"version\":1,\"name\":\"\xff\"}").is_err());
        let refused = Message::read("{\"type\":\"\u{1b}[2J\"}".as_bytes());
        assert!(!refused.clone().unwrap_err().contains('\u{1b}'), "{refused:?}");
    }

    #[test]
    fn texts_of_peers_cannot_command_a_terminal() {
        assert_eq!(printable("a \"b\" \u{1b}[31m\n\u{202e}"), "a \"b\" \\u{1b}[31m\\n\\u{202e}");
        assert_eq!(printable(&"é".repeat(1000)), format!("{}...", "é".repeat(160)));
    }
}
