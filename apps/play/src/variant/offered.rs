//! Which commands there are in variants.

use crate::command::Entry;

/// The commands that there are in variants too.
const OFFERED: [&str; 18] = [
    "help", "legal", "undo", "redo", "hint", "eval", "time", "resign", "level", "side", "new",
    "setup", "load", "save", "moves", "fen", "pgn", "board",
];

/// These need no help.
const OFFERED_LAST: [&str; 2] = ["flip", "quit"];

/// Their names, as they are completed.
pub fn names() -> impl Iterator<Item = &'static str> {
    OFFERED.into_iter().chain(OFFERED_LAST)
}

pub fn is_offered(entry: &Entry) -> bool {
    names().any(|name| name == entry.names[0])
}
