//! Files that are read and written: good ones, bad ones, and none at all.

use std::fs;

use crate::play::harness::Home;
use crate::support::PATIENCE;

#[test]
fn a_game_is_saved_and_loaded() {
    let home = Home::new();
    let path = home.name("my game.pgn");
    let out = home.good(&["--side", "both"], format!("e4\nc5\nNf3\nsave {path}\nquit\n"));
    assert!(out.contains(&format!("The game is in {path}.")), "{out}");
    let out = home.good(&["--side", "both", "--load", &path], "moves\nd6\nmoves\nquit\n");
    assert!(out.contains("\n1. e4 c5 2. Nf3\n") && out.contains("\n1. e4 c5 2. Nf3 d6\n"), "{out}");
    let out = home.good(&["--side", "both"], format!("load {path}\nmoves\nquit\n"));
    assert!(out.contains("\n1. e4 c5 2. Nf3\n"), "{out}");
}

#[test]
fn bad_files_are_reported_with_their_names() {
    let home = Home::new();
    let deep = format!("1. e4 {} e5 2. Ke3 *", "(".repeat(10_000));
    let bad = [
        home.name("."),
        home.name("missing"),
        home.file("empty", ""),
        home.file("blank", "\n\n \n"),
        home.file("zeros", [0; 10_000]),
        home.file("noise", (0..=255).cycle().take(70_000).collect::<Vec<u8>>()),
        home.file("illegal", "1. e4 e5 2. Ke3 *"),
        home.file("fen", "[FEN \"8/8 w\"]\n\n*\n"),
        home.file("other", "[Variant \"Bughouse\"]\n\n1. e4 *\n"),
        home.file("long", format!("1. e4 {{ {} }} *", "word ".repeat(300_000))),
    ];
    for path in &bad {
        let finished = home.play(&["--load", path], "e4\n");
        assert_eq!(finished.code(), 2, "{path}: {}", finished.out);
        let is_one_line = finished.err.lines().count() == 1;
        assert!(is_one_line && finished.err.contains(path.as_str()), "{path}: {}", finished.err);
        // In a game the game goes on.
        let out = home.good(&["--side", "both"], format!("load {path}\ne4\nquit\n"));
        assert!(out.contains(&format!("! {path}: ")) && out.contains("(P)"), "{path}: {out}");
    }
    // Variations are passed over, however deep and open.
    let deep = home.file("deep", deep);
    home.good(&["--side", "both", "--load", &deep], "quit\n");
}

#[test]
fn a_new_game_takes_nothing_from_the_file_of_the_old_one() {
    let home = Home::new();
    let old = "[Event \"old\"]\n\n1. d4 d5 2. c4 1-0\n";
    let path = home.file("games.pgn", old);
    let read = || home.read("games.pgn");
    // Nothing has happened yet.
    let out = home.good(&["--side", "both", "--save", &path], "new\nside both\nquit\n");
    assert!(read() == old && !out.contains("replaced"), "{out}{}", read());
    let input =
        "f3\ne5\ng4\nQh4\nnew\nd4\nsetup 8/8/8/8/8/1k6/8/K2q4 w - - 0 1\nnew\nc4\nundo\nquit\n";
    let out = home.good(&["--side", "both", "--save", &path], input);
    assert_eq!(out.matches("replaced a file of ").count(), 1, "{out}");
    let saved = read();
    assert_eq!(saved.matches("[Event ").count(), 4, "{saved}");
    assert!(saved.contains("Qh4# { Checkmate: Black wins } 0-1\n\n[Event"), "{saved}");
    assert!(saved.contains("\n1. d4 *\n\n[Event") && saved.ends_with("\n\n*\n\n"), "{saved}");
    // Any of them can be gone on with.
    let out = home.good(&["--load", &path, "--game", "2", "--side", "both"], "moves\nquit\n");
    assert!(out.contains("\n1. d4\n"), "{out}");
    // One that is loaded from the file is not there twice.
    home.good(&["--side", "both", "--save", &path], format!("e4\nload {path}\ne5\nquit\n"));
    assert!(read().contains("\n1. e4 e5 *\n") && read().matches("[Event ").count() == 1);
}

#[test]
fn a_killed_game_goes_on_without_losing_a_move() {
    let home = Home::new();
    let mut game = home.launch(&["--side", "both"]).start();
    game.send("e4\ne5\nNf3\nmoves");
    let wanted = "1. e4 e5 2. Nf3";
    game.until_line(wanted, PATIENCE, |text| text == wanted);
    // Which kills it.
    drop(game);
    let out = home.good(&["--resume"], "moves\nNc6\nquit\n");
    assert!(out.contains("\n1. e4 e5 2. Nf3\n"), "{out}");
    let out = home.good(&["--resume"], "moves\nresign\nquit\n");
    assert!(out.contains("\n1. e4 e5 2. Nf3 Nc6\n"), "{out}");
    // A finished game is not offered again.
    let finished = home.play(&["--resume"], "");
    assert_eq!(finished.code(), 2);
    assert!(finished.err.contains("no unfinished game was kept in "), "{}", finished.err);
}

#[test]
fn a_resumed_game_stays_as_it_was_where_nothing_is_to_be_kept() {
    let home = Home::new();
    home.good(&["--side", "both"], "e4\nquit\n");
    let arguments = ["--side", "both", "--resume", "--no-autosave"];
    let out = home.good(&arguments, "e5\nnew\nd4\nquit\n");
    assert!(!out.contains("The game is kept"), "{out}");
    let kept = home.kept();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let game = fs::read_to_string(&kept[0]).expect("it is there");
    assert!(game.contains("1. e4 *"), "{game}");
}
