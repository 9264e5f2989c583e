//! What must hold for a PGN file of any bytes. Shared by the fuzz target and the tests.

use std::io::BufReader;

use tamarin_analysis::book::make::pgn::read as read_opening;
use tamarin_game::pgn::games::{GameText, Games};
use tamarin_game::pgn::{Game, Tag, read, write};

/// Plies that a book takes of each game.
const PLIES: usize = 12;

/// Panics if reading these bytes as games breaks a promise.
pub fn check(bytes: &[u8]) {
    let whole = games(bytes, 1 << 16);
    assert_eq!(whole, games(bytes, 3), "the size of the buffer does not matter");
    let mut end = 0;
    for game in &whole {
        let begin = usize::try_from(game.offset).expect("an offset in the file");
        assert!(begin >= end, "games overlap at byte {begin}");
        end = begin + game.verbatim.len();
        assert!(bytes[begin..end] == game.verbatim, "not as it stands in the file");
        assert!(!game.bytes.is_empty() && game.bytes.len() <= game.verbatim.len());
        let opening = read_opening(game, PLIES);
        assert!(opening.as_ref().is_ok_and(|one| one.moves.len() <= PLIES) || opening.is_err());
        if let (Ok(opening), Ok(whole)) = (opening, read(game)) {
            // A null move ends an opening.
            let count = whole.moves.iter().take_while(|played| played.mv.is_some()).count();
            let alike = opening.moves.len() == count.min(PLIES);
            assert!(alike, "both read the same moves");
        }
        if let Ok(game) = read(game) {
            let text = write(&game);
            let again = read(&as_found(&game, &text))
                .unwrap_or_else(|error| panic!("{error} in what was written: {text}"));
            assert_eq!(again.moves.len(), game.moves.len(), "other moves were written: {text}");
            assert_eq!(write(&again), text, "what is written changes when it is read");
        }
    }
}

/// What was written, as it is found in a file.
///
/// Taken as it is: a text with a byte order mark, which is no part of the game at the beginning of a
/// file, or with tags that are not closed or are two `Event`, which may be two games.
fn as_found(game: &Game, text: &str) -> GameText {
    let events = game.tags.iter().filter(|tag| tag.name().trim() == "Event").count();
    if text.starts_with('\u{feff}') || events > 1 || !has_tags_as_written(game) {
        return GameText { bytes: text.into(), ..GameText::default() };
    }
    let mut games = games(text.as_bytes(), 1 << 16);
    assert_eq!(games.len(), 1, "not one game was written: {text}");
    games.remove(0)
}

/// Whether all tags look as this program writes new ones.
fn has_tags_as_written(game: &Game) -> bool {
    let is_as_written =
        |tag: &Tag| tag.to_string() == Tag::new(tag.name(), tag.value()).to_string();
    game.untagged.is_empty() && game.tags.iter().all(is_as_written)
}

fn games(bytes: &[u8], capacity: usize) -> Vec<GameText> {
    let mut games = Games::new(BufReader::with_capacity(capacity, bytes));
    let found = std::iter::from_fn(|| games.next_game().expect("a slice gives no error")).collect();
    assert_eq!(games.offset(), bytes.len() as u64, "not all was read");
    found
}
