use std::fs;
use std::time::{Duration, Instant};

use tamarin_game::search::Found;
use tamarin_movegen::Color;

use super::{Asked, Message};
use crate::advice::Question;
use crate::begin::begin;
use crate::saving::{self, Wanted};
use crate::testing::{answered, arguments, said, session};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

/// A file of this content, and its path.
fn file(content: &str) -> (tempfile::NamedTempFile, String) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), content).unwrap();
    let path = file.path().to_str().unwrap().to_owned();
    (file, path)
}

#[test]
fn hints_at_a_mate_tell_more_each_time() {
    let (_file, path) = file(&format!("{BACK_RANK} dm 1;\n{BACK_RANK} dm 1; id \"two\";\n"));
    let mut session = session(&["--puzzles", &path]);
    assert!(said(&mut session, "hint").is_empty(), "the engine is asked");
    assert_eq!(answered(&mut session), ["Hint: the rook moves."]);
    assert_eq!(said(&mut session, "hint"), ["Hint: the rook on d1 moves."]);
    assert_eq!(said(&mut session, "hint"), ["Hint: Rd8#."]);
    // The next puzzle is another one.
    said(&mut session, "next");
    assert!(said(&mut session, "hint").is_empty());
    assert_eq!(answered(&mut session), ["Hint: the rook moves."]);
}

#[test]
fn a_hint_at_a_puzzle_with_bad_moves_names_none_of_them() {
    // The best move of all is the one that is not asked for.
    let (_file, path) = file(&format!("{BACK_RANK} am Rd8#;\n"));
    let mut session = session(&["--puzzles", &path]);
    said(&mut session, "hint");
    let first = answered(&mut session);
    assert!(first[0].starts_with("Hint: the ") && first[0].ends_with(" moves."), "{first:?}");
    said(&mut session, "hint");
    let last = said(&mut session, "hint");
    assert!(last[0].starts_with("Hint: ") && !last[0].contains("Rd8"), "{last:?}");
}

#[test]
fn hints_begin_anew_after_an_answer_which_has_no_name() {
    let (_file, path) = file(&format!("{BACK_RANK} pv Rd7 Kf8 Rd8+;\n"));
    let mut session = session(&["--puzzles", &path]);
    for line in ["hint", "hint"] {
        said(&mut session, line);
    }
    let messages = session.perform("Rd7", Instant::now()).unwrap();
    let played = messages.into_iter().find_map(|message| match message {
        Message::Played(said) => said,
        _ => None,
    });
    assert_eq!(played.as_deref(), Some("Answer: 1... Kf8"));
    assert_eq!(said(&mut session, "hint"), ["Hint: the rook moves."]);
    let summary = session.course().unwrap().summary();
    assert!(summary.starts_with("1 of 1 puzzle tried"), "{summary}");
}

#[test]
fn a_game_that_is_over_keeps_its_players() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut session = session(&["--side", "both", "--save", path.to_str().unwrap()]);
    for line in ["f3", "e5", "g4", "Qh4", "side white", "level 5"] {
        said(&mut session, line);
    }
    let saved = fs::read_to_string(&path).unwrap();
    assert!(saved.contains("[Black \"Player\"]"), "{saved}");
    for line in ["new", "e4"] {
        said(&mut session, line);
    }
    let saved = fs::read_to_string(&path).unwrap();
    assert!(saved.contains("[Black \"Player\"]"), "{saved}");
    assert!(saved.contains("[Black \"Tamarin (level 5)\"]"), "{saved}");
}

/// A game of somebody else.
const KASPAROV: &str = "[White \"Kasparov\"]\n[WhiteElo \"2795\"]\n\n1. e4 e5 *\n";

const OTHERS: &str =
    "The game is now saved as Player - Player, without the tags of players who left.";

#[test]
fn whoever_ends_a_loaded_game_is_named_in_it() {
    let (_file, path) = file(KASPAROV);
    let words = ["--side", "both", "--time", "1", "--load", &path];
    for line in ["resign", "draw"] {
        let mut session = session(&words);
        // A second word accepts the draw that the first one offers.
        let lines = [said(&mut session, line), said(&mut session, line)].concat();
        assert!(lines.iter().any(|line| line == OTHERS), "{lines:?}");
        assert!(!session.pgn().contains("WhiteElo"), "{line}: {}", session.pgn());
    }
    let mut session = session(&words);
    let now = Instant::now();
    session.advance(now).unwrap();
    let messages = session.advance(now + Duration::from_secs(61)).unwrap();
    assert!(messages.contains(&Message::Text(OTHERS.to_owned())), "{messages:?}");
    assert!(session.pgn().contains("[Termination \"time forfeit\"]"), "{}", session.pgn());
}

#[test]
fn each_loaded_game_has_the_clocks_of_its_own_file() {
    let (_first, first) = file("[TimeControl \"300+3\"]\n\n1. e4 *\n");
    let (_second, second) = file("[TimeControl \"60+0\"]\n\n1. e4 {[%clk 0:00:09]} *\n");
    let mut session = session(&["--side", "both"]);
    for path in [&first, &second] {
        said(&mut session, &format!("load {path}"));
    }
    let clocks = session.game.clocks().unwrap();
    assert_eq!(clocks.control().to_string(), "1+0");
    assert_eq!(clocks.left(Color::White, Instant::now()), Duration::from_secs(9));
    said(&mut session, "e5");
    assert!(session.pgn().contains("[TimeControl \"60+0\"]"), "{}", session.pgn());
}

#[test]
fn a_game_is_kept_only_if_it_could_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let slot = saving::take(folder.path(), Wanted::New).unwrap();
    let path = slot.path().to_owned();
    let mut session = session(&["--side", "both"]);
    session.storage.slot = Some(slot);
    said(&mut session, "e4");
    assert!(session.is_kept());
    // Nothing can be written where a folder is.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let lines = said(&mut session, "e5");
    assert!(lines[0].starts_with("The game cannot be kept in "), "{lines:?}");
    assert!(!session.is_kept());
    fs::remove_dir(&path).unwrap();
    said(&mut session, "Nf3");
    assert!(session.is_kept());
}

#[test]
fn a_move_of_the_book_ends_the_search_on_the_time_of_the_opponent() {
    let mut arguments = arguments(&["--ponder", "--level", "3"]);
    arguments.no_book = false;
    let mut session = begin(&arguments).unwrap();
    let now = Instant::now();
    let expected = session.game.position().find("d4").ok();
    session.players.ponder(expected, &session.game, now).unwrap();
    while session.players.sides[Color::Black].thoughts().depth == 0 {
        std::thread::yield_now();
    }
    said(&mut session, "e4");
    session.advance(now).unwrap();
    assert_eq!(session.game.turns().len(), 2, "the book knows an answer");
    assert_eq!(session.players.sides[Color::Black].thoughts(), Found::default(), "no search runs");
}

#[test]
fn the_hint_of_a_turn_comes_before_the_evaluation_for_the_bar() {
    let mut session = session(&["--bar", "--hints", "--side", "both"]);
    session.advance(Instant::now()).unwrap();
    assert!(matches!(session.asked, Some(Asked { question: Question::Hint, .. })));
    let lines = answered(&mut session);
    assert!(lines[0].starts_with("Hint: "), "{lines:?}");
}

#[test]
fn a_solution_that_the_puzzle_does_not_say_is_not_shown() {
    let (_file, path) = file(&format!("{BACK_RANK} dm 1;\n"));
    let mut session = session(&["--puzzles", &path]);
    let lines = said(&mut session, "solution");
    assert!(lines[0].contains("does not say it"), "{lines:?}");
    said(&mut session, "Rd8");
    let end = "1 of 1 puzzle tried, 1 solved, 1 of them without a hint or a wrong move.";
    assert_eq!(answered(&mut session), ["Right: Rd8#.", end]);
}

#[test]
fn a_draw_is_offered_on_ones_own_turn() {
    let mut session = session(&["--level", "1", "--fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"]);
    said(&mut session, "Kd2");
    let lines = said(&mut session, "draw");
    assert_eq!(lines, ["It is the engine's turn. Offer a draw on your own."]);
    while session.game.turns().len() < 2 {
        session.advance(Instant::now()).unwrap();
        std::thread::yield_now();
    }
    assert_eq!(said(&mut session, "draw"), ["The engine accepts."]);
}

#[test]
fn a_loaded_game_ends_as_it_did_after_its_last_move_was_taken_back() {
    let (_file, path) = file("[Termination \"adjudication\"]\n\n1. e4 e5 1-0\n");
    let mut session = session(&["--side", "white", "--load", &path]);
    let (pgn, ending) = (session.pgn(), session.game.ending());
    assert!(ending.is_some() && pgn.contains("adjudication"), "{pgn}");
    said(&mut session, "undo 1");
    assert!(session.game.ending().is_none());
    let lines = said(&mut session, "redo 1");
    assert!(!lines.iter().any(|line| line.contains("Paused")), "{lines:?}");
    assert_eq!((session.pgn(), session.game.ending()), (pgn, ending));
}

#[test]
fn variant_has_clocks_hints_draws_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("board.svg");
    let mut session = session(&["--variant", "losalamos", "--side", "both", "--time", "5+3"]);
    for line in ["a3", "A5-A4", "hint"] {
        said(&mut session, line);
    }
    let hint = answered(&mut session);
    assert!(hint[0].starts_with("Hint: "), "{hint:?}");
    assert_eq!(said(&mut session, "undo 1"), ["Taken back: a4."]);
    said(&mut session, "redo");
    assert!(session.pgn().contains("[%clk 0:05:00.0]"), "{}", session.pgn());
    assert_eq!(
        said(&mut session, "why"),
        ["why is only there in chess; say help for what there is"]
    );
    assert!(said(&mut session, "level 1800")[0].starts_with("Ratings are for chess"));
    said(&mut session, &format!("svg {}", picture.display()));
    assert_eq!(fs::read_to_string(picture).unwrap().matches("<rect x=").count(), 36);
    assert!(said(&mut session, "draw")[0].starts_with("White offers a draw"));
    said(&mut session, "draw");
    assert_eq!(session.game.ending().unwrap().to_string(), "Draw: agreement");
}

#[test]
fn engine_plays_a_variant() {
    let mut session = session(&["--variant", "xiangqi", "--level", "1"]);
    said(&mut session, "a4a5");
    assert_eq!(said(&mut session, "a7a6"), ["It is the engine's turn. Say now, pause or undo."]);
    while session.game.turns().len() < 2 {
        session.advance(Instant::now()).unwrap();
        std::thread::yield_now();
    }
    assert!(session.pgn().contains("[Black \"Tamarin (level 1)\"]"), "{}", session.pgn());
}

#[test]
fn rejects_to_save_over_rules_and_their_evaluators() {
    const TEXT: &str = "@variant one\n@extends losalamos\n";
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rules = file("my.var");
    for name in ["my.var", "my.eval", "my.one.eval"] {
        fs::write(file(name), TEXT).unwrap();
        let failure = begin(&arguments(&["--variant", &rules, "--save", &file(name)]));
        let failure = failure.err().unwrap().to_string();
        assert!(failure.contains("it is the same file as"), "{failure}");
        assert_eq!(fs::read_to_string(file(name)).unwrap(), TEXT);
    }
}
