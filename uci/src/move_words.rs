//! Moves as a client wrote them.

use core::fmt;

use crate::words::{Words, push_word};

/// A list of moves of any game as text: neither their form nor their legality is checked here.
// One text instead of one for each move: a line of the greatest length has 500,000 words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveWords(String);

impl MoveWords {
    /// The moves in the order of the line.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        Words::new(&self.0)
    }

    /// Returns `true` for a list without moves.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, word: &str) {
        push_word(&mut self.0, word);
    }
}

/// Each item is one move, a word without white space.
impl<'a> FromIterator<&'a str> for MoveWords {
    fn from_iter<I: IntoIterator<Item = &'a str>>(words: I) -> Self {
        let mut moves = Self::default();
        words.into_iter().for_each(|word| moves.push(word));
        // Very many lines may wait for a search to end.
        moves.0.shrink_to_fit();
        moves
    }
}

/// The moves with single spaces between them.
impl fmt::Display for MoveWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
