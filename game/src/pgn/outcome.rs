//! How a game of a variant ended, by its tags and words.

use super::game::{Outcome, Tag};
use super::words::{Token, Word, outside};

/// How a game ended, as [`read`](super::read) takes it: by the last termination marker outside of
/// variations that names a result, else by the tag `Result`.
pub fn outcome(tags: &[Tag], words: &[Word]) -> Outcome {
    let tag = tags.iter().rfind(|tag| tag.name() == "Result");
    let markers = outside(words).filter_map(|(_, word)| match &word.token {
        Token::Result(text) => Some(Outcome::of(text)),
        _ => None,
    });
    let marked = markers.filter(|outcome| *outcome != Outcome::Unknown).last();
    marked.or(tag.map(|tag| Outcome::of(tag.value()))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::games::GameText;
    use crate::pgn::{outcome, read, words};

    #[test]
    fn results_are_those_that_games_of_chess_have() {
        for (game, expected) in [
            ("1. e4 e5 1-0", "1-0"),
            ("[Result \"1-0\"]\n\n1. e4 e5 *", "1-0"),
            ("[Result \"*\"]\n\n1. e4 (1. d4 0-1) e5 1/2-1/2", "1/2-1/2"),
            ("[Result \"1-0\"]\n\n1. e4 e5 0-1", "0-1"),
            ("[Result \"0-1\"]\n\n1. e4 (1. d4 1-0", "0-1"),
            ("1. e4 e5", "*"),
        ] {
            let text = GameText { bytes: game.as_bytes().into(), ..GameText::default() };
            let (tags, found) = words(&text).unwrap();
            assert_eq!(outcome(&tags, &found).to_string(), expected, "{game}");
            assert_eq!(read(&text).unwrap().outcome.to_string(), expected, "{game}");
        }
    }
}
