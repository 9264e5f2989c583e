//! The engine's replies as a client reads them: the inverse of printing [`Reply`](crate::Reply).

mod info;
mod option;

use crate::BestMoveLine;
use crate::words::Words;

pub use info::ParsedInfo;
pub use option::ParsedOption;

/// One line of an engine. Texts and moves are parts of the line; moves are not checked, because
/// only the client knows the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsedReply<'a> {
    /// `id name ...`
    IdName(&'a str),
    /// `id author ...`
    IdAuthor(&'a str),
    /// `option name ...`
    Option(ParsedOption<'a>),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info ...`
    Info(ParsedInfo<'a>),
    /// `bestmove ...`; a line without a move counts as `bestmove (none)`.
    BestMove(BestMoveLine<&'a str>),
}

/// Reads a line of an engine, with or without its line end. `None` if a client has nothing to do
/// with it: a line of another kind, such as a banner or `copyprotection ok`, an `id` or `option`
/// line without a name.
///
/// Reading never fails. Unknown words in an `info` line are skipped; a field whose value is
/// missing or malformed is absent; numbers out of range are clamped to it. Only the first word of
/// the line decides its kind: engines print banners and errors, whose words must not end a search.
///
/// ```
/// use tamarin_uci::{ParsedReply, ScoreValue, parse_reply};
///
/// let line = "info depth 12 new 7 score cp 31 nodes 4096 pv e2e4 e7e5";
/// let Some(ParsedReply::Info(info)) = parse_reply(line) else { panic!("an info line") };
/// assert_eq!(info.line.depth, Some(12));
/// assert_eq!(info.line.exact_score(), Some(ScoreValue::Centipawns(31)));
/// assert_eq!(info.line.pv, ["e2e4", "e7e5"]);
/// assert_eq!(parse_reply("Tamarin, a chess engine"), None);
/// ```
#[must_use]
pub fn parse_reply(line: &str) -> Option<ParsedReply<'_>> {
    let mut words = Words::new(line);
    match words.next()? {
        "id" => match (words.next()?, words.rest()) {
            (_, "") => None,
            ("name", text) => Some(ParsedReply::IdName(text)),
            ("author", text) => Some(ParsedReply::IdAuthor(text)),
            _ => None,
        },
        "option" => ParsedOption::parse(words).map(ParsedReply::Option),
        "uciok" => Some(ParsedReply::UciOk),
        "readyok" => Some(ParsedReply::ReadyOk),
        "info" => Some(ParsedReply::Info(ParsedInfo::parse(words))),
        "bestmove" => Some(ParsedReply::BestMove(parse_best_move(words))),
        _ => None,
    }
}

fn parse_best_move<'a>(mut words: Words<'a>) -> BestMoveLine<&'a str> {
    match words.next() {
        None | Some("(none)") => BestMoveLine::None,
        Some("0000") => BestMoveLine::Null,
        Some(mv) => {
            let ponder = words.find(|word| *word == "ponder").and_then(|_| words.next());
            // Some engines print these for no move.
            let ponder = ponder.filter(|word| !matches!(*word, "(none)" | "0000"));
            BestMoveLine::Move { mv, ponder }
        }
    }
}
