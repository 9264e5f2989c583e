//! `position` and `go searchmoves` in games other than chess, whose moves are any words.

use crate::go;
use crate::position::{Base, PositionError};
use crate::words::Words;

/// A `position` command of any game as text: neither the FEN nor the moves are checked here.
///
/// ```
/// use tamarin_uci::{AnyPosition, Base};
///
/// let position = AnyPosition::parse("position startpos moves a4a5 j9j10").unwrap();
/// assert_eq!(position.base, Base::Start);
/// assert_eq!(position.moves, ["a4a5", "j9j10"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyPosition<'a> {
    /// The position before the first move.
    pub base: Base,
    /// The moves of the game in order, as sent.
    pub moves: Vec<&'a str>,
}

impl<'a> AnyPosition<'a> {
    /// Reads a line in which `position` is the command.
    ///
    /// # Errors
    /// If neither a start position nor a FEN follows; never [`PositionError::BadMove`].
    pub fn parse(line: &'a str) -> Result<Self, PositionError> {
        let mut words = after(line, "position");
        let base = Base::parse(&mut words)?;
        Ok(Self { base, moves: words.collect() })
    }
}

/// The words that follow `searchmoves` in a line in which `go` is the command, up to another of
/// its keywords.
///
/// ```
/// let line = "go searchmoves a4a5 j9j10 depth 3 searchmoves b1c3";
/// let words: Vec<_> = tamarin_uci::search_move_words(line).collect();
/// assert_eq!(words, ["a4a5", "j9j10", "b1c3"]);
/// ```
pub fn search_move_words(line: &str) -> impl Iterator<Item = &str> {
    let mut listed = false;
    after(line, "go").filter(move |word| {
        let keyword = go::is_keyword(word);
        listed = if keyword { *word == "searchmoves" } else { listed };
        listed && !keyword
    })
}

/// What follows a command, which may have unknown words before it.
fn after<'a>(line: &'a str, command: &str) -> Words<'a> {
    let mut words = Words::new(line);
    words.find(|word| word.trim_start_matches('\u{feff}') == command);
    words
}

#[cfg(test)]
mod tests {
    use super::AnyPosition;
    use crate::{Base, PositionError};

    #[test]
    fn a_fen_of_any_size_ends_at_the_moves() {
        let line = "so position fen \"9/4k4/9 w - - 0 1 {e2:x}\" moves e2e3 h2h3+";
        let position = AnyPosition::parse(line).unwrap();
        assert_eq!(position.base, Base::Fen("9/4k4/9 w - - 0 1 {e2:x}".to_owned()));
        assert_eq!(position.moves, ["e2e3", "h2h3+"]);
        assert_eq!(AnyPosition::parse("position"), Err(PositionError::Missing));
        let bad = AnyPosition::parse("position startpos e2e4");
        assert!(matches!(bad, Err(PositionError::ExpectedMoves { .. })), "{bad:?}");
    }
}
