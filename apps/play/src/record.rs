//! The game in progress as PGN, and back.

use std::io::{self, BufReader};
use std::path::Path;

use tamarin_base::counted;
use tamarin_game::clock::{Clocks, TimeControl, clk, read_clk};
use tamarin_game::ending::Ending;
use tamarin_game::game::{Game, Turn};
use tamarin_game::packed::unpacked;
use tamarin_game::pgn::games::Games;
use tamarin_game::pgn::{self, Outcome, Played, Tag, Token, Wanted, Word};
use tamarin_game::position::{Castling, Position};
use tamarin_movegen::{Color, PerColor};

/// A game as it was read.
pub type Record = pgn::Game<Position>;

/// The game with this number, from 1, of a file.
pub fn load(path: &Path, number: usize, wanted: Wanted<'_>) -> io::Result<Record> {
    let file = BufReader::new(tamarin_base::files::open_stream(path)?);
    let mut games = Games::new(BufReader::new(unpacked(file)?));
    let mut count = 0;
    let text = loop {
        match games.next_game()? {
            Some(text) if count + 1 == number => break text,
            Some(_) => count += 1,
            None => {
                let games = counted(count, "game is", "games are");
                return Err(io::Error::other(format!("only {games} in it")));
            }
        }
    };
    let bad = |why: String| io::Error::other(format!("line {}: {why}", text.line));
    let game = pgn::read_any(&text, wanted).map_err(|error| bad(error.to_string()))?;
    match game.moves.iter().position(|played| played.mv.is_none()) {
        Some(index) => {
            let what = "a null move, with which no game can be played";
            Err(bad(format!("ply {}: {what}", index + 1)))
        }
        None => Ok(game),
    }
}

/// A recorded game to go on with, with these clocks; without any with those of the record. The
/// times beside its moves count unless the clocks are of another time control.
pub fn resume(record: &Record, clocks: Option<Clocks>) -> Game {
    let recorded = control_of(record);
    let has_times = clocks.as_ref().is_none_or(|clocks| Some(clocks.control()) == recorded);
    let clocks = clocks.or_else(|| recorded.map(Clocks::new));
    let mut game = Game::new(record.start.clone(), clocks);
    for played in &record.moves {
        let Some(mv) = played.mv else { break };
        game.replay(mv, played.comments().filter(|_| has_times).find_map(read_clk));
    }
    if let Some(ending) = recorded_ending(record, game.position()) {
        game.set_ending(ending);
    }
    game
}

/// What a record says about its clocks.
fn control_of(record: &Record) -> Option<TimeControl> {
    record.tag("TimeControl").and_then(TimeControl::from_pgn)
}

/// How a record ends, whose last position this is.
fn recorded_ending(record: &Record, last: &Position) -> Option<Ending> {
    let is_over = record.outcome != Outcome::Unknown;
    last.ending().or(is_over.then_some(Ending::Recorded(record.outcome)))
}

/// The names of the players in a record.
pub fn names(record: &Record) -> PerColor<String> {
    let name = |tag| record.tag(tag).unwrap_or("?").to_owned();
    PerColor([name("White"), name("Black")])
}

/// The game as PGN, of the variant of this name if there is one. `record` is what it was loaded
/// from, if it was: as long as nothing has happened since, it is written as it was. `names` are
/// those of the players.
pub fn write(
    game: &Game,
    record: Option<&Record>,
    names: &PerColor<String>,
    variant: Option<&str>,
) -> String {
    let Some(record) = record else {
        return pgn::write(&continued(game, fresh(game, variant), 0, names));
    };
    let kept = game.turns().iter().take_while(|turn| turn.is_recorded).count();
    let is_same = kept == record.moves.len()
        && kept == game.turns().len()
        && game.ending() == recorded_ending(record, game.position());
    match is_same {
        true => pgn::write(record),
        false => pgn::write(&continued(game, record.clone(), kept, names)),
    }
}

/// The tags of a game that was not loaded, before anything has happened.
fn fresh(game: &Game, variant: Option<&str>) -> Record {
    let mut record = Record::of_position(game.start().clone());
    record.set_tag("Event", "Casual game");
    record.set_tag("Date", &pgn::header::today());
    record.set_tag("Round", "-");
    match game.start() {
        Position::Chess(_, Castling::Chess960) => record.set_tag("Variant", "Chess960"),
        Position::Chess(_, Castling::Classic) => {}
        Position::Variant(_) => record.set_tag("Variant", variant.unwrap_or("?")),
    }
    record.complete_tags();
    record.set_tag("TimeControl", "-");
    record
}

/// The record with its first `kept` moves, and what has happened since.
fn continued(game: &Game, mut record: Record, kept: usize, names: &PerColor<String>) -> Record {
    record.moves.truncate(kept);
    // The number of a move that was taken back, and the old result.
    let last = record.words_before(kept);
    let is_end = |word: &Word| matches!(word.token, Token::Number(_) | Token::Result(_));
    while last.last().is_some_and(is_end) {
        last.pop();
    }
    let ending = game.ending();
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        if record.tag(name) != Some(&names[color]) {
            // Rating, title, team and the like are those of the player before.
            let is_about =
                |tag: &Tag| tag.name().strip_prefix(name).is_some_and(|rest| !rest.is_empty());
            record.tags.retain(|tag| !is_about(tag));
        }
        record.set_tag(name, &names[color]);
    }
    let outcome = ending.map_or(Outcome::Unknown, Ending::outcome);
    record.set_tag("Result", &outcome.to_string());
    record.outcome = outcome;
    record.complete_tags();
    if let Some(control) = game.clocks().map(Clocks::control)
        && control_of(&record) != Some(control)
    {
        record.set_tag("TimeControl", &control.pgn());
    }
    match ending {
        // The reason of the record is known better than by its result.
        Some(Ending::Recorded(_)) => {}
        Some(ending) => record.set_tag("Termination", ending.termination()),
        None => record.tags.retain(|tag| tag.name() != "Termination"),
    }
    add_turns(&mut record, game, kept);
    record
}

/// Adds the moves behind the first `kept`, and the result.
fn add_turns(record: &mut Record, game: &Game, kept: usize) {
    for turn in &game.turns()[kept..] {
        let mut played = Played::new(turn.mv, turn.san.as_str());
        let comment = comment(turn);
        if !comment.is_empty() {
            played.words.push(Word::comment(&comment));
        }
        record.moves.push(played);
    }
    record.number_moves(kept..record.moves.len());
    if let Some(ending) = game.ending().filter(|ending| !matches!(ending, Ending::Recorded(_))) {
        let end = record.moves.len();
        record.words_before(end).push(Word::comment(&ending.to_string()));
    }
    record.set_outcome(game.ending().map_or(Outcome::Unknown, Ending::outcome));
}

fn comment(turn: &Turn) -> String {
    let clock = turn.after.map_or_else(String::new, |left| format!("[%clk {}]", clk(left)));
    format!("{clock} {}", turn.comment).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Record, load, resume, write};
    use crate::variant::Variant;
    use std::io::{self, Write};
    use std::time::{Duration, Instant};
    use tamarin_game::clock::Clocks;
    use tamarin_game::ending::Ending;
    use tamarin_game::game::Game;
    use tamarin_game::pgn::{Outcome, Wanted};
    use tamarin_game::position::Position;
    use tamarin_movegen::{self as chess, Color, PerColor};

    fn names() -> PerColor<String> {
        PerColor(["A \"B\"".to_owned(), "Tamarin (level 3)".to_owned()])
    }

    fn read(text: &str, wanted: Wanted<'_>) -> io::Result<Record> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        load(file.path(), 1, wanted)
    }

    fn written(text: &str) -> Record {
        read(text, Wanted::Chess).unwrap()
    }

    #[test]
    fn games_come_back_as_they_were_written() {
        let capablanca = Variant::find("capablanca").unwrap();
        let chess = (Position::startpos(), ["e4", "e5", "Nf3"], None, Wanted::Chess);
        let variant =
            (capablanca.start(), ["e2e4", "j7j5", "b1c3"], Some("capablanca"), capablanca.wanted());
        for (start, moves, name, wanted) in [chess, variant] {
            let begin = Instant::now();
            let secs = Duration::from_secs;
            let mut game = Game::new(start, Some(Clocks::new("5+3".parse().unwrap())));
            game.start_clock(begin);
            for (text, time) in moves.into_iter().zip([10, 20, 30]) {
                game.play(game.position().find(text).unwrap(), begin + secs(time));
            }
            game.comment("a } good move".to_owned());
            let text = write(&game, None, &names(), name);
            let tags = "[White \"A \\\"B\\\"\"]\n[Black \"Tamarin (level 3)\"]\n[Result \"*\"]\n";
            let variant = name.map_or(String::new(), |name| format!("[Variant \"{name}\"]\n"));
            assert!(text.contains(&format!("{tags}{variant}[TimeControl \"300+3\"]\n")), "{text}");
            let record = read(&text, wanted).unwrap();
            let again = resume(&record, None);
            assert!(again.position().is_same(game.position()));
            assert_eq!(again.ending(), None);
            let left = again.clocks().unwrap().both(Instant::now());
            assert_eq!(left, PerColor([secs(286), secs(293)]));
            assert_eq!(write(&again, Some(&record), &names(), name), text);
        }
        let other = read("[Variant \"capablanca\"]\n\n*\n", Wanted::Chess).err().unwrap();
        assert!(other.to_string().starts_with("line 1: a game of \"capablanca\""), "{other}");
    }

    #[test]
    fn results_variants_and_positions_are_kept() {
        let fischer = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9";
        let mut game = Game::new(chess::Position::from_fen(fischer).unwrap().into(), None);
        game.resign(Color::White, Instant::now());
        let text = write(&game, None, &names(), None);
        assert!(text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1rqbkrbn"), "{text}");
        assert!(text.ends_with("{ White resigns: Black wins } 0-1\n\n"), "{text}");
        let again = resume(&written(&text), None);
        assert_eq!(again.ending(), Some(Ending::Recorded(Outcome::Won(Color::Black))));
        assert_eq!(again.start().fen(), game.start().fen());
    }

    /// What was loaded is written as it was; what happens afterwards is added to it.
    #[test]
    fn a_record_stays_and_grows() {
        let text = "[Event \"E\"]\n[Termination \"adjudication\"]\n[TimeControl \"900+5\"]\n[White \"x\"]\n\
            [Result \"1-0\"]\n[ECO \"B00\"]\n\n1. e4 {+0.24/27 13s} e5?! $14 { [%eval 0.2] } (1... c5 2. c3) \n\
            2. Nf3 {White wins by adjudication} 1-0\n\n";
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let record = written(text);
        let mut game = resume(&record, None);
        assert_eq!(words(&write(&game, Some(&record), &names(), None)), words(text));
        // Without the clock of anybody who did not have one.
        assert!(game.turns().iter().all(|turn| turn.after.is_none()));
        game.undo();
        let taken_back = write(&game, Some(&record), &names(), None);
        assert!(taken_back.ends_with("{ [%eval 0.2] } (1... c5 2. c3) *\n\n"), "{taken_back}");
        assert!(!taken_back.contains("Termination") && taken_back.contains("[Result \"*\"]"));
        game.redo(Instant::now());
        assert_eq!(game.ending(), Some(Ending::Recorded(Outcome::Won(Color::White))));
        assert_eq!(words(&write(&game, Some(&record), &names(), None)), words(text));
        game.undo();
        let mv = game.position().find("Nc3").unwrap();
        game.play(mv, Instant::now());
        game.resign(Color::Black, Instant::now());
        let grown = write(&game, Some(&record), &names(), None);
        let tags = "[Event \"E\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[Termination \"normal\"]\n\
            [TimeControl \"900+5\"]\n[White \"A \\\"B\\\"\"]\n[Black ";
        assert!(grown.starts_with(tags), "{grown}");
        assert!(
            grown.contains("1. e4 {+0.24/27 13s} e5?! $14 { [%eval 0.2] } (1... c5 2. c3) 2. Nc3"),
            "{grown}"
        );
    }

    #[test]
    fn times_of_another_time_control_are_not_those_of_new_clocks() {
        let record =
            written("[TimeControl \"60+0\"]\n\n1. e4 {[%clk 0:00:09]} e5 {[%clk 0:00:08]} *\n");
        let left = |clocks: Option<&str>| {
            let clocks = clocks.map(|control| Clocks::new(control.parse().unwrap()));
            let game = resume(&record, clocks);
            game.clocks().unwrap().both(Instant::now())
        };
        let secs = Duration::from_secs;
        assert_eq!(left(None), PerColor([secs(9), secs(8)]));
        assert_eq!(left(Some("1+0")), PerColor([secs(9), secs(8)]));
        assert_eq!(left(Some("5+3")), PerColor([secs(300); 2]));
    }

    #[test]
    fn the_tags_of_a_replaced_player_are_dropped() {
        let tags = "[White \"Kasparov\"]\n[WhiteElo \"2795\"]\n[WhiteTitle \"GM\"]\n\
            [Black \"Tamarin (level 3)\"]\n[BlackElo \"670\"]\n[BlackType \"program\"]\n";
        let record = written(&format!("{tags}\n1. e4 *\n"));
        let mut game = resume(&record, None);
        let unchanged = write(&game, Some(&record), &names(), None);
        assert!(unchanged.contains(tags), "{unchanged}");
        game.play(game.position().find("e5").unwrap(), Instant::now());
        let text = write(&game, Some(&record), &names(), None);
        assert!(
            text.contains("[White \"A \\\"B\\\"\"]\n[Black \"Tamarin (level 3)\"]\n"),
            "{text}"
        );
        assert!(text.contains("[BlackElo \"670\"]\n[BlackType \"program\"]\n"), "{text}");
    }
}
