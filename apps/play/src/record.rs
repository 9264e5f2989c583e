//! The game on the table as PGN, and back.

use std::io::BufReader;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use tamarin_movegen::{CastlingStyle, Color, PerColor, Position};

use super::clock::{Clocks, TimeControl, clk, read_clk};
use super::ending::Ending;
use super::game::{Game, Turn};
use tamarin_notation::pgn::games::Games;
use tamarin_notation::pgn::{self, Movetext, Outcome, Rejected, Tag, write_tag};

/// Why no game was loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// It has fewer games.
    #[error("there are only {0} games in it")]
    TooFew(usize),
    /// The game is none, or breaks a rule.
    #[error("byte {offset}: {source}")]
    Game {
        /// Where the game begins.
        offset: u64,
        /// What is wrong with it.
        source: Rejected,
    },
}

/// The game with this number, from 1, of a file.
///
/// # Errors
/// If the file cannot be read or the game not be used.
pub fn load(path: &Path, number: usize) -> Result<pgn::Game, LoadError> {
    let file = tamarin_files::open_stream(path)?;
    let mut games = Games::new(BufReader::new(file));
    for count in 0.. {
        let Some(text) = games.next_game()? else { return Err(LoadError::TooFew(count)) };
        if count + 1 == number {
            let game = pgn::read(&text);
            return game.map_err(|source| LoadError::Game { offset: text.offset, source });
        }
    }
    unreachable!("invariant: the loop ends at the end of the file")
}

/// A recorded game to go on with. `clocks` are what it is played with if the record has none.
pub fn resume(record: &pgn::Game, clocks: Option<Clocks>) -> Game {
    let control = record.tag("TimeControl").and_then(TimeControl::from_pgn).map(Clocks::new);
    let mut game = Game::new(record.start.clone(), clocks.or(control));
    for played in &record.moves {
        let left = played.comments.iter().find_map(|comment| read_clk(comment));
        let words = played.comments.iter().map(|comment| without_clock(comment));
        let comment = words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ");
        game.replay(played.mv, left, comment);
    }
    if game.ending().is_none() && record.outcome != Outcome::Unknown {
        game.set_ending(Ending::Recorded(record.outcome));
    }
    game
}

/// The names of the players in a record.
pub fn names(record: &pgn::Game) -> PerColor<String> {
    let name = |tag| record.tag(tag).unwrap_or("?").to_owned();
    PerColor([name("White"), name("Black")])
}

fn without_clock(comment: &str) -> String {
    let rest = match comment.split_once("[%clk ") {
        Some((before, after)) => {
            format!("{before}{}", after.split_once(']').map_or("", |(_, rest)| rest))
        }
        None => comment.to_owned(),
    };
    rest.trim().to_owned()
}

/// The tags that a game has anew whenever it is written.
const OWN_TAGS: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "SetUp",
    "FEN",
    "TimeControl",
    "Termination",
];

/// The game as PGN. `tags` are those that it was loaded with, or none; `names` those of the
/// players.
pub fn write(game: &Game, tags: &[Tag], names: &PerColor<String>) -> String {
    let mut out = String::new();
    let known = |name: &str| {
        let found = tags.iter().find(|tag| tag.name == name);
        found.map(|tag| tag.value.clone())
    };
    let or = |name: &str, default: &str| known(name).unwrap_or_else(|| default.to_owned());
    let outcome = game.ending().map_or(Outcome::Unknown, Ending::outcome);
    write_tag(&mut out, "Event", &or("Event", "Casual game"));
    write_tag(&mut out, "Site", &or("Site", "?"));
    write_tag(&mut out, "Date", &known("Date").unwrap_or_else(today));
    write_tag(&mut out, "Round", &or("Round", "-"));
    write_tag(&mut out, "White", &names[Color::White]);
    write_tag(&mut out, "Black", &names[Color::Black]);
    write_tag(&mut out, "Result", &outcome.to_string());
    if game.is_chess960() {
        write_tag(&mut out, "Variant", "Chess960");
    }
    let fen = game.start().fen(CastlingStyle::Standard);
    if fen != Position::startpos().fen(CastlingStyle::Standard) {
        write_tag(&mut out, "SetUp", "1");
        write_tag(&mut out, "FEN", &fen);
    }
    let control = game.clocks().map_or_else(|| "-".to_owned(), |clocks| clocks.control().pgn());
    write_tag(&mut out, "TimeControl", &control);
    if let Some(ending) = game.ending() {
        write_tag(&mut out, "Termination", ending.termination());
    }
    for tag in tags.iter().filter(|tag| !OWN_TAGS.contains(&tag.name.as_str())) {
        write_tag(&mut out, &tag.name, &tag.value);
    }
    out.push('\n');
    out.push_str(&movetext(game, outcome));
    out.push('\n');
    out
}

fn movetext(game: &Game, outcome: Outcome) -> String {
    let mut text = Movetext::default();
    let mut number = game.start().fullmove_number();
    let mut mover = game.start().side_to_move();
    let mut needs_number = true;
    for turn in game.turns() {
        match mover {
            Color::White => text.push(&format!("{number}.")),
            Color::Black if needs_number => text.push(&format!("{number}...")),
            Color::Black => {}
        }
        text.push(&turn.san);
        let comment = comment(turn);
        if !comment.is_empty() {
            text.comment(&comment);
        }
        needs_number = !comment.is_empty();
        number += u16::from(mover == Color::Black);
        mover = !mover;
    }
    if let Some(ending) = game.ending() {
        text.comment(&ending.to_string());
    }
    text.push(&outcome.to_string());
    text.finish()
}

fn comment(turn: &Turn) -> String {
    let clock = turn.after.map_or_else(String::new, |left| format!("[%clk {}]", clk(left)));
    format!("{clock} {}", turn.comment).trim().to_owned()
}

/// Today's date, in UTC, as PGN writes it.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(i64::try_from(seconds / 86_400).unwrap_or(0))
}

/// The date so many days after 1970-01-01.
///
/// Source: the algorithm is `civil_from_days` of Howard Hinnant's "chrono-Compatible Low-Level
/// Date Algorithms".
fn date(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::{date, load, resume, write};
    use crate::clock::Clocks;
    use crate::ending::Ending;
    use crate::game::Game;
    use std::io::Write;
    use std::time::{Duration, Instant};
    use tamarin_movegen::{Color, PerColor, Position};
    use tamarin_notation::pgn::{self, Outcome};

    fn names() -> PerColor<String> {
        PerColor(["A \"B\"".to_owned(), "Tamarin (level 3)".to_owned()])
    }

    fn written(text: &str) -> pgn::Game {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        load(file.path(), 1).unwrap()
    }

    #[test]
    fn a_game_comes_back_as_it_was_written() {
        let begin = Instant::now();
        let clocks = Clocks::new("5+3".parse().unwrap());
        let mut game = Game::new(Position::startpos(), Some(clocks));
        game.start_clock(begin);
        for (index, text) in ["e4", "e5", "Nf3"].iter().enumerate() {
            let mv = game.position().parse_san(text).unwrap();
            game.play(mv, begin + Duration::from_secs(10 * (index as u64 + 1)));
        }
        game.comment("a } good move".to_owned());
        let text = write(&game, &[], &names());
        assert!(text.contains("[White \"A \\\"B\\\"\"]\n"), "{text}");
        assert!(text.contains("[TimeControl \"300+3\"]\n"), "{text}");
        let record = written(&text);
        assert_eq!(record.tag("Black"), Some("Tamarin (level 3)"));
        let again = resume(&record, None);
        assert_eq!(again.position().key(), game.position().key());
        assert_eq!(again.ending(), None);
        let left = again.clocks().unwrap().both(Instant::now());
        let secs = Duration::from_secs;
        assert_eq!(left, PerColor([secs(286), secs(293)]));
        let rewritten = write(&again, &record.tags, &names());
        assert_eq!(rewritten, text);
    }

    #[test]
    fn results_variants_and_positions_are_kept() {
        let fischer = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9";
        let mut game = Game::new(Position::from_fen(fischer).unwrap(), None);
        game.resign(Color::White, Instant::now());
        let text = write(&game, &[], &names());
        assert!(text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1rqbkrbn"), "{text}");
        assert!(text.ends_with("{ White resigns: Black wins } 0-1\n\n"), "{text}");
        let again = resume(&written(&text), None);
        assert_eq!(again.ending(), Some(Ending::Recorded(Outcome::Won(Color::Black))));
        assert_eq!(again.start().to_string(), game.start().to_string());
    }

    #[test]
    fn dates_follow_the_calendar() {
        let cases = [(0, "1970.01.01"), (11_016, "2000.02.29"), (11_017, "2000.03.01")];
        for (days, text) in cases.into_iter().chain([(20_513, "2026.03.01")]) {
            assert_eq!(date(days), text);
        }
    }
}
