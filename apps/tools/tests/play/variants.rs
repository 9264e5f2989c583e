//! Games of variants, line by line.

use std::fs;

use crate::play::harness::{Home, Session, text};

#[test]
fn a_game_is_played_on_a_board_of_any_size() {
    let home = Home::new();
    let input = "legal a4\nlegal j1\na4a5\nundo\nA4A5\nfen\nmoves\nboard\nquit\n";
    let out = home.good(&["--variant", "xiangqi", "--level", "1"], input);
    assert!(out.starts_with("Xiangqi. White: Player. Black: Tamarin (level 1). Say help"), "{out}");
    let drawn = "\n 10  r  n  b  a  k  a  b  n  r  10  ";
    assert!(out.contains(drawn) && out.contains("\n     a  b  c  d  e  f  g  h  i\n"), "{out}");
    assert!(out.contains("\nFrom a4:\n   a5\n"), "{out}");
    assert!(out.contains("! \"j1\" is no square of this board"), "{out}");
    assert!(out.matches("\nTamarin (level 1): 1... ").count() >= 1, "{out}");
}

#[test]
fn games_are_saved_and_gone_on_with() {
    let home = Home::new();
    let file = text(&home.path("game.pgn"));
    let arguments = ["--variant", "shogi_nodrop", "--side", "both"];
    let first = [&arguments[..], &["--save", &file]].concat();
    home.good(&first, "c3c4\ng7g6\nb2h8+\nquit\n");
    let pgn = fs::read_to_string(&file).expect("it was written");
    assert!(pgn.contains("[Variant \"shogi_nodrop\"]\n"), "{pgn}");
    // A new game follows the old one, with its end; before a move nothing is written.
    let games = text(&home.path("games.pgn"));
    let several = [&arguments[..], &["--save", &games]].concat();
    home.good(&several, "new\nc3c4\nresign\nnew\nnew\ng3g4\nquit\n");
    let saved = fs::read_to_string(&games).expect("it was written");
    assert_eq!(saved.matches("[Event ").count(), 2, "{saved}");
    assert!(saved.contains("1-0\n\n[Event") && saved.trim_end().ends_with(" *"), "{saved}");
    let out = home.good(&[&arguments[..], &["--load", &file]].concat(), "moves\nfen\nquit\n");
    assert!(out.contains("\nFEN") || out.contains("/1r5+B1/"), "{out}");
    let other = home.play(&["--variant", "fide", "--load", &file], "");
    assert_eq!(other.status.code(), Some(2));
    assert!(other.err.contains("a game of \"shogi_nodrop\""), "{}", other.err);
}

#[test]
fn the_engine_plays_itself_to_an_end_and_clocks_run() {
    let home = Home::new();
    let arguments = ["--variant", "losalamos", "--side", "none", "--level", "2"];
    let out = home.good(&arguments, "");
    let ends = ["\nCheckmate: ", "\nStalemate: ", "\nRepetition: ", "\nToo many moves "];
    assert!(ends.iter().any(|end| out.contains(end)), "{out}");
    let clocked = ["--variant", "losalamos", "--side", "both", "--time", "0.002"];
    let mut session = Session::start(home.command(&clocked));
    // The clocks run once both sides have moved.
    session.say("a2a3");
    session.say("a5a4");
    session.until("White's time has run out: Black wins. 0-1");
    session.rest();
}

#[test]
fn rejects_what_chess_alone_has() {
    let home = Home::new();
    let input = "why\nclaim\nlevel 1800\nsetup 8/8 w\nxyz\nsetup 7k/8/6K1/8/8/8/8/3Q4 w\n\
        hint\nd1d8\nresign\nhelp quit\nhelp why\nquit\n";
    let out = home.good(&["--variant", "nuttyknights", "--side", "both"], input);
    assert_eq!(out.matches(" is only there in chess").count(), 2, "{out}");
    assert!(out.contains("! Ratings are for chess"), "{out}");
    assert!(out.contains("! bad position: the board has 8 rows, not 2"), "{out}");
    assert!(out.contains("! \"xyz\" is neither a move nor a command"), "{out}");
    assert!(out.contains("\nHint: ") && out.contains(" (#"), "{out}");
    assert!(out.contains("! There is no command \"why\"."), "{out}");
    for (arguments, wanted) in [
        (&["--variant", "nuttyknight"][..], "did you mean nuttyknights?"),
        (&["--variant", "fide", "--elo", "1500"], "cannot be used with"),
        (&["--variant", "fide", "--black", "1500"], "ratings are for chess"),
        (&["--variant", "fide", "--resume"], "cannot be used with"),
        (&["--variant", "fide", "--fen", "8/8"], "bad position: the board has 8 rows, not 2"),
    ] {
        let finished = home.play(arguments, "");
        assert_eq!(finished.status.code(), Some(2), "{arguments:?}");
        assert!(finished.err.contains(wanted), "{arguments:?}: {}", finished.err);
    }
}

#[test]
fn chess960_begins_by_number_or_lot() {
    let home = Home::new();
    let out = home.good(&["--side", "both", "--chess960", "0"], "fen\nchess960 959\nfen\nquit\n");
    assert!(out.contains("\nbbqnnrkr/pppppppp/"), "{out}");
    assert!(out.contains("\nrkrnnqbb/pppppppp/"), "{out}");
    let out = home.good(&["--side", "both", "--chess960"], "pgn\nquit\n");
    assert!(out.contains("[Variant \"Chess960\"]"), "{out}");
}
