use std::fs;

use super::Message;
use crate::testing::{answered, said, session};

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
    let messages = session.perform("Rd7", std::time::Instant::now()).unwrap();
    let played = messages.into_iter().find_map(|message| match message {
        Message::Played { color, text } => session.move_text(color, &text),
        _ => None,
    });
    assert_eq!(played.as_deref(), Some("Answer: 1... Kf8"));
    assert_eq!(said(&mut session, "hint"), ["Hint: the rook moves."]);
    let summary = session.course().unwrap().summary();
    assert!(summary.starts_with("1 of 1 puzzle tried"), "{summary}");
}

#[test]
fn a_hint_is_about_the_position_that_is_shown() {
    let fen = format!("{BACK_RANK} 0 1");
    let mut session = session(&["--side", "both", "--fen", &fen]);
    for line in ["Rd7", "look 0", "hint"] {
        said(&mut session, line);
    }
    let hint = answered(&mut session);
    assert!(hint[0].starts_with("Hint: Rd8#"), "{hint:?}");
}

#[test]
fn another_level_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let mut session = session(&["--level", "3", "--save", path.to_str().unwrap()]);
    for line in ["e4", "level 5"] {
        said(&mut session, line);
    }
    let saved = fs::read_to_string(&path).unwrap();
    assert!(saved.contains("[Black \"Tamarin (level 5)\"]"), "{saved}");
}

#[test]
fn that_other_players_go_on_with_a_game_is_said_once() {
    let (_file, path) = file("[White \"Kasparov\"]\n[WhiteElo \"2795\"]\n\n1. e4 e5 *\n");
    let mut session = session(&["--side", "both", "--load", &path]);
    assert!(session.pgn().contains("WhiteElo"));
    let first = said(&mut session, "Nf3");
    let wanted = "The game is now saved as Player - Player, without the tags of players who left.";
    assert_eq!(first, [wanted]);
    assert!(said(&mut session, "Nc6").is_empty() && !session.pgn().contains("WhiteElo"));
}
