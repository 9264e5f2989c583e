//! Files that are read and written: good ones, bad ones, and none at all.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::play::harness::{Home, Killed, binary, finish, text, wait_until};

#[test]
fn a_game_is_saved_and_loaded() {
    let home = Home::new();
    let path = text(&home.path("my game.pgn"));
    let out = home.good(&["--side", "both"], format!("e4\nc5\nNf3\nsave {path}\nquit\n"));
    assert!(out.contains(&format!("The game is in {path}.")), "{out}");
    let out = home.good(&["--side", "both", "--load", &path], "moves\nd6\nmoves\nquit\n");
    assert!(out.contains("\n1. e4 c5 2. Nf3\n") && out.contains("\n1. e4 c5 2. Nf3 d6\n"), "{out}");
    let out = home.good(&["--side", "both"], format!("load {path}\nmoves\nquit\n"));
    assert!(out.contains("\n1. e4 c5 2. Nf3\n"), "{out}");
}

/// Clocks, evaluations, engines' comments, glyphs, variations, tags in any order.
const NOTES: &str = "[Event \"?\"]\n[White \"SF\"]\n[Date \"2019.01.14\"]\n[Black \"SL\"]\n[Result \"1-0\"]\n\
    [ECO \"B00\"]\n[Termination \"adjudication\"]\n[TimeControl \"40/900:300\"]\n\n{ first } 1.e4 {book} a6 $6 $14\n\
    {-0.32/34 37s} 2. c4! { [%eval 0.35] [%clk 0:14:58.2] [%cal Gc4c5] } 2... e5 (2... d5 {or} 3. exd5) (2... b5)\n\
    3. Nf3 ; a remark\nNc6 {White wins by adjudication} 1-0\n\n";

#[test]
fn what_is_loaded_is_saved_as_it_was() {
    let home = Home::new();
    let path = home.file("notes.pgn", NOTES);
    let copy = text(&home.path("copy.pgn"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for time in [&[][..], &["--time", "15+10"]] {
        let arguments = [&["--side", "both", "--load", &path], time].concat();
        home.good(&arguments, format!("save {copy}\nquit\n"));
        let saved = fs::read_to_string(&copy).expect("it was written");
        assert_eq!(words(&saved), words(NOTES));
    }
    // Going on changes what has changed: no clock is made up, and the notes before it stay.
    let input = format!("undo\nundo\nd4\nsave {copy}\nquit\n");
    home.good(&["--side", "both", "--load", &path], input);
    let saved = fs::read_to_string(&copy).expect("it was written");
    let wanted = words(NOTES);
    let kept = wanted
        .split_once("{ first }")
        .expect("a comment")
        .1
        .split_once(" 3. Nf3")
        .expect("a move")
        .0;
    assert!(words(&saved).contains(&format!("{{ first }}{kept} 3. d4")), "{saved}");
    assert!(saved.contains("[Result \"*\"]") && !saved.contains("Termination"), "{saved}");
    assert_eq!(saved.matches("[%clk").count(), 1, "{saved}");
}

/// The file of `--save` holds what it held, once one of its games was loaded.
#[test]
fn the_file_to_save_in_keeps_its_games_when_one_of_them_is_loaded() {
    let home = Home::new();
    for variant in ["", "[Variant \"losalamos\"]\n"] {
        let others = format!("{variant}\n1. a3 *\n\n{variant}\n1. b3 *\n");
        let path = home.file("games.pgn", &others);
        let mut arguments = vec!["--side", "both", "--save", &path];
        if !variant.is_empty() {
            arguments.extend(["--variant", "losalamos"]);
        }
        let input = format!("load {path} 2\nmoves\nsave {path}\nquit\n");
        let finished = home.play(&arguments, input);
        assert!(finished.out.contains("\n1. b3\n"), "{}", finished.out);
        assert!(finished.out.contains("it is the same file as"), "{}", finished.out);
        assert_eq!(fs::read_to_string(&path).expect("it is there"), others);
    }
}

#[test]
fn a_mate_that_its_record_calls_unfinished_is_not_resumed() {
    let home = Home::new();
    home.good(&["--side", "both"], "e4\nquit\n");
    let mate = home.file("study.pgn", "[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *\n");
    home.good(&["--side", "both", "--load", &mate], "quit\n");
    let out = home.good(&["--resume", "--side", "both"], "moves\nquit\n");
    assert!(out.contains("\n1. e4\n"), "{out}");
}

/// A null move is no move of a game that goes on: it is named, and the game in force stays.
#[test]
fn games_with_null_moves_are_refused_and_nothing_is_lost() {
    let home = Home::new();
    let null = home.file("null.pgn", "[Event \"n\"]\n\n1. e4 -- 2. d4 (2. Nf3 Z0) *\n");
    let check = home.file("check.pgn", "[Event \"c\"]\n\n1. e4 d5 2. Bb5+ Z0 *\n");
    let side = home.file("side.pgn", "[Event \"s\"]\n\n1. e4 e5 (1... -- 2. d4) *\n");
    let out =
        home.good(&["--side", "both"], format!("c4\nload {null}\nload {check}\nmoves\nquit\n"));
    let wanted = "null.pgn: byte 0: ply 2: a null move, with which no game can be played";
    assert!(out.contains(wanted), "{out}");
    assert!(
        out.contains("ply 4: null move \"--\" in check, where passing is not possible"),
        "{out}"
    );
    assert!(out.contains("\n1. c4\n"), "{out}");
    let refused = home.play(&["--load", &null], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.err.contains(wanted), "{}", refused.err);
    // In a variation it is kept.
    let copy = text(&home.path("copy.pgn"));
    home.good(&["--side", "both", "--load", &side], format!("save {copy}\nquit\n"));
    let saved = fs::read_to_string(&copy).expect("it was written");
    assert!(saved.contains("1. e4 e5 (1... -- 2. d4) *"), "{saved}");
}

#[test]
fn latin1_names_comments_and_the_second_game_are_read() {
    let home = Home::new();
    let first: &[u8] = b"[White \"M\xfcller\"]\n[Black \"\xc9tienne\"]\n[Result \"*\"]\n\n\
        1. e4 { a comment (1. d4) } e5 (1... c5 (1... e6)) 2. Nf3 $1 *\n\n";
    let second = b"[White \"x\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n";
    let path = home.file("latin1.pgn", [first, second].concat());
    let out = home.good(&["--side", "both", "--load", &path], "pgn\nNc6\npgn\nquit\n");
    assert!(out.contains("[White \"Müller\"]") && out.contains("[Black \"Étienne\"]"), "{out}");
    // Whoever goes on plays under another name.
    assert!(out.contains("[White \"Player\"]"), "{out}");
    let out = home.good(&["--side", "both", "--load", &path, "--game", "2"], "e4\nquit\n");
    assert!(out.contains("White won. 1-0") && out.contains("! The game is over."), "{out}");
    let finished = home.play(&["--load", &path, "--game", "3"], "");
    assert!(finished.err.contains("only 2 games are in it"), "{}", finished.err);
}

#[test]
fn bad_files_are_reported_with_their_names() {
    let home = Home::new();
    let deep = format!("1. e4 {} e5 2. Ke3 *", "(".repeat(10_000));
    let bad = [
        text(&home.path(".")),
        text(&home.path("missing")),
        home.file("empty", ""),
        home.file("blank", "\n\n \n"),
        home.file("zeros", [0; 10_000]),
        home.file("noise", (0..=255).cycle().take(70_000).collect::<Vec<u8>>()),
        home.file("illegal", "1. e4 e5 2. Ke3 *"),
        home.file("fen", "[FEN \"8/8 w\"]\n\n*\n"),
        home.file("other", "[Variant \"Atomic\"]\n\n1. e4 *\n"),
        home.file("long", format!("1. e4 {{ {} }} *", "word ".repeat(300_000))),
    ];
    for path in &bad {
        let finished = home.play(&["--load", path], "e4\n");
        assert_eq!(finished.status.code(), Some(2), "{path}: {}", finished.out);
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
fn what_cannot_be_written_is_reported_and_the_game_goes_on() {
    let home = Home::new();
    let folder = text(&home.path("."));
    let missing = text(&home.path("missing/game.pgn"));
    let input = format!("save {folder}\nsave {missing}\nsvg {missing}\nsave /dev/full\ne4\nquit\n");
    let out = home.good(&["--side", "both"], input);
    assert_eq!(out.matches("\n! ").count(), 4, "{out}");
    assert!(out.contains("(P)"), "{out}");
    let out = home.good(&["--side", "both", "--save", &missing], "e4\ne5\nquit\n");
    assert_eq!(out.matches("The game cannot be kept in ").count(), 1, "{out}");
}

/// The program under the shell's limit of the size of files, as if the disk were full.
fn with_full_disk(home: &Home, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -f 0; exec \"$0\" play \"$@\""])
        .arg(binary())
        .args(arguments)
        .env("XDG_STATE_HOME", home.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[test]
fn a_full_disk_leaves_the_old_file_and_the_game() {
    let home = Home::new();
    let path = home.file("game.pgn", "[Event \"old\"]\n\n1. d4 *\n");
    let before = fs::read(&path).expect("it is there");
    let command = with_full_disk(&home, &["--side", "both"]);
    let finished = finish(command, format!("e4\nsave {path}\ne5\nmoves\nquit\n").as_bytes());
    assert!(finished.status.success(), "{}{}", finished.err, finished.out);
    assert_eq!(finished.out.matches("The game cannot be kept in ").count(), 1, "{}", finished.out);
    assert!(!finished.out.contains("The game is kept: "), "{}", finished.out);
    assert!(finished.out.contains(&format!("! {path}: ")), "{}", finished.out);
    assert!(finished.out.contains("\n1. e4 e5\n"), "{}", finished.out);
    assert_eq!(fs::read(&path).expect("it is there"), before);
    let rest: Vec<_> = fs::read_dir(home.path("tamarin"))
        .expect("it is there")
        .map(|file| file.expect("it can be read").file_name())
        .filter(|name| name.to_string_lossy().ends_with(".tmp"))
        .collect();
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn a_new_game_takes_nothing_from_the_file_of_the_old_one() {
    let home = Home::new();
    let old = "[Event \"old\"]\n\n1. d4 d5 2. c4 1-0\n";
    let path = home.file("games.pgn", old);
    let read = || fs::read_to_string(&path).expect("it is there");
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
fn a_new_game_leaves_the_unfinished_one_for_later() {
    let home = Home::new();
    let finished = home.file("finished.pgn", "1. e4 e5 1-0\n");
    home.good(&["--side", "both"], format!("e4\ne5\nnew\nload {finished}\nnew\nd4\nquit\n"));
    assert_eq!(home.kept().len(), 2);
    for wanted in ["\n1. d4\n", "\n1. e4 e5\n"] {
        let out = home.good(&["--resume"], "moves\nresign\nquit\n");
        assert!(out.contains(wanted), "{out}");
    }
}

#[test]
fn a_killed_game_goes_on_without_losing_a_move() {
    let home = Home::new();
    let mut child = Killed(home.command(&["--side", "both"]).spawn().expect("it starts"));
    let mut stdin = child.0.stdin.take().expect("stdin is piped");
    let mut out = BufReader::new(child.0.stdout.take().expect("stdout is piped"));
    stdin.write_all(b"e4\ne5\nNf3\nmoves\n").expect("it reads");
    let mut line = String::new();
    while line != "1. e4 e5 2. Nf3\n" {
        line.clear();
        assert_ne!(out.read_line(&mut line).expect("text"), 0, "no moves were shown");
    }
    child.0.kill().expect("it runs");
    child.0.wait().expect("it ends");
    let out = home.good(&["--resume"], "moves\nNc6\nquit\n");
    assert!(out.contains("\n1. e4 e5 2. Nf3\n"), "{out}");
    let out = home.good(&["--resume"], "moves\nresign\nquit\n");
    assert!(out.contains("\n1. e4 e5 2. Nf3 Nc6\n"), "{out}");
    // A finished game is not offered again.
    let finished = home.play(&["--resume"], "");
    assert_eq!(finished.status.code(), Some(2));
    assert!(finished.err.contains("no unfinished game was kept in "), "{}", finished.err);
}

#[test]
fn a_game_without_tags_is_resumed_too() {
    let home = Home::new();
    let path = home.file("plain.pgn", "1. e4 e5 *\n");
    let out = home.good(&["--side", "both", "--load", &path], "quit\n");
    assert!(out.ends_with("The game is kept: tamarin play --resume goes on with it.\n"), "{out}");
    let out = home.good(&["--resume"], "moves\nquit\n");
    assert!(out.contains("\n1. e4 e5\n"), "{out}");
}

#[test]
fn resuming_brings_back_sides_levels_and_clocks() {
    let home = Home::new();
    home.good(&["--side", "black", "--level", "3", "--time", "7+2"], "quit\n");
    let out = home.good(&["--resume"], "pgn\nnew\npgn\nquit\n");
    assert!(out.contains("[White \"Tamarin (level 3)\"]"), "{out}");
    assert_eq!(out.matches("[TimeControl \"420+2\"]").count(), 2, "also of the next game: {out}");
    assert!(out.contains("* Black: Player  "), "{out}");
}

#[test]
fn a_file_is_whole_whenever_the_game_is_killed() {
    let home = Home::new();
    let path = home.path("game.pgn");
    let shown = text(&path);
    let arguments = ["--side", "none", "--level", "1", "--save", &shown];
    for round in 0..12 {
        // What was there before is a game too.
        fs::write(&path, "[Event \"old\"]\n\n1. d4 *\n").expect("it can be written");
        let mut command = home.command(&arguments);
        command.stdout(Stdio::null());
        let mut child = Killed(command.spawn().expect("it starts"));
        if round % 3 > 0 {
            wait_until("a move is kept", || {
                fs::read_to_string(&path).is_ok_and(|text| text.contains("\n1. "))
                    && fs::read_to_string(&path).is_ok_and(|text| !text.contains("old"))
            });
        }
        std::thread::sleep(Duration::from_millis(7 * round));
        child.0.kill().expect("it runs or has just ended");
        child.0.wait().expect("it ends");
        let content = fs::read_to_string(&path).expect("it is there");
        let end = content.trim_end();
        let results = [" *", " 1-0", " 0-1", " 1/2-1/2", "\n*"];
        assert!(results.iter().any(|result| end.ends_with(result)), "half a file: {content}");
        home.good(&["--side", "both", "--load", &shown, "--no-autosave"], "quit\n");
    }
}

#[test]
fn games_at_the_same_time_do_not_meet() {
    let home = Home::new();
    let mut first = Killed(home.command(&["--side", "both"]).spawn().expect("it starts"));
    let mut stdin = first.0.stdin.take().expect("stdin is piped");
    stdin.write_all(b"a3\n").expect("it reads");
    wait_until("the first game is kept", || home.kept().len() == 1);
    home.good(&["--side", "both"], "h3\nquit\n");
    assert_eq!(home.kept().len(), 2);
    // The first is still being played, so the second is resumed.
    let out = home.good(&["--resume"], "moves\nquit\n");
    assert!(out.contains("\n1. h3\n"), "{out}");
}

#[test]
fn a_picture_is_written() {
    let home = Home::new();
    let path = text(&home.path("board.svg"));
    home.good(&["--side", "both"], format!("e4\nsvg {path}\nquit\n"));
    let svg = fs::read_to_string(&path).expect("it was written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("<g transform=").count(), 32);
}

#[test]
fn without_a_home_the_game_is_played_all_the_same() {
    let home = Home::new();
    let mut command = home.command(&["--side", "both"]);
    command.env_remove("XDG_STATE_HOME").env_remove("HOME");
    let finished = finish(command, b"e4\nquit\n");
    assert!(finished.status.success() && finished.out.contains("(P)"), "{}", finished.out);
    assert!(finished.err.contains("not kept for --resume"), "{}", finished.err);
}

#[test]
fn the_cause_of_an_error_is_named_once() {
    let home = Home::new();
    let out = home.good(&["--side", "both"], "load none.pgn\nquit\n");
    let line = out.lines().find(|line| line.starts_with("! none.pgn: ")).expect("an error");
    assert_eq!(line.matches("os error").count(), 1, "{line}");
    let finished = home.play(&["--load", "none.pgn"], "");
    assert_eq!(finished.err.matches("os error").count(), 1, "{}", finished.err);
}

#[test]
fn the_scores_of_engines_are_their_own() {
    let home = Home::new();
    let path = text(&home.path("game.pgn"));
    // Black is a queen ahead.
    let fen = "8/8/8/8/8/2k5/q6P/7K w - - 0 1";
    home.good(&["--level", "3", "--save", &path, "--fen", fen], "h3\n");
    let saved = fs::read_to_string(&path).expect("it was written");
    assert!(saved.contains("{ +"), "{saved}");
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
