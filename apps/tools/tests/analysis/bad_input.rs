//! Input that is not what it should be.

use std::fs;

use crate::analysis::analyse::GAMES;
use crate::support::engine::{Finished, good, run};
use crate::support::files::Folder;

/// The command must end with this code and one message that has all these words.
fn refused(arguments: &[&str], wanted: i32, words: &[&str]) -> Finished {
    let finished = run(arguments);
    assert_eq!(finished.code(), wanted, "{arguments:?}: {}{}", finished.out, finished.err);
    for word in words {
        assert!(finished.err.contains(word), "{arguments:?}: {}", finished.err);
    }
    assert!(!finished.err.contains("panicked"), "{}", finished.err);
    finished
}

#[test]
fn rejects_files_without_games_and_leaves_nothing() {
    let folder = Folder::new();
    let report = folder.name("report.json");
    let cases = [
        (folder.name("."), "not a file"),
        (folder.pipe("pipe.pgn"), "not a file"),
        (folder.name("missing.pgn"), "missing.pgn"),
        (folder.file("blank.pgn", "\n\r\n\n"), "neither games nor positions"),
        (folder.file("remarks.epd", "# nothing\n\n"), "neither games nor positions"),
        ("a".repeat(5000), "error: "),
        ("8/8/8/8/8/8/8/8 w - - 0 1".to_owned(), "neither a file nor a position"),
    ];
    for (input, reason) in cases {
        refused(&["analyse", &input, "-o", &report], 2, &["error: ", reason]);
        refused(&["analyse", &input], 2, &["error: ", reason]);
    }
    let left = fs::read_dir(folder.root()).expect("the folder is there").count();
    assert_eq!(left, 3, "a refused run left a file");
}

#[test]
fn a_bad_game_goes_to_the_side_file_and_the_rest_goes_on() {
    let folder = Folder::new();
    let bad = [
        (
            "[Event \"illegal\"]\n\n1. e4 e5 2. Ke3 { M\u{fc}ller } *\n\n",
            "ply 3: illegal move \"Ke3\"",
        ),
        ("[Event \"fen\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n", "tag FEN: "),
        ("[Event \"other\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n", "a game of \"Atomic\""),
        ("[Event \"open\"]\n\n1. e4 { open\n\n", "malformed: unterminated comment"),
    ];
    let mut content = Vec::new();
    let mut lines = Vec::new();
    for (game, _) in bad {
        content.extend_from_slice(GAMES.as_bytes());
        lines.push(content.iter().filter(|byte| **byte == b'\n').count() + 1);
        // In Latin-1, to be kept as it is.
        content.extend(game.chars().map(|c| c as u8));
    }
    let games = folder.file("games.pgn", &content);
    let report = folder.name("report.json");
    let finished =
        refused(&["analyse", &games, "-o", &report, "-n", "100"], 1, &["8 analyzed, 4 left out"]);
    let kept = fs::read(folder.path("report.json.rejected")).expect("it is there");
    let mut rest = kept.as_slice();
    for ((game, reason), line) in bad.into_iter().zip(lines) {
        let head = format!("% line {line}: {reason}");
        let told = format!("{games}: line {line}: {reason}");
        assert!(finished.err.contains(&told), "{}", finished.err);
        assert!(rest.starts_with(head.as_bytes()), "{}", String::from_utf8_lossy(rest));
        let end = rest.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        let bytes: Vec<u8> = game.chars().map(|c| c as u8).collect();
        assert!(rest[end..].starts_with(bytes.trim_ascii_end()), "{reason}");
        let next = rest[1..].windows(7).position(|window| window == b"\n% line");
        rest = next.map_or(&[], |at| &rest[at + 2..]);
    }
    assert_eq!(folder.read("report.json").lines().count(), 8);
    // A later run leaves the side file as it is: its games may have been mended.
    let before = fs::read(folder.path("report.json.rejected")).expect("it is there");
    let fine = folder.file("fine.pgn", GAMES);
    good(&["analyse", &fine, "-o", &report, "-n", "100"]);
    assert!(!folder.has("report.json.rejected-2"));
    refused(&["analyse", &games, "-o", &report, "-n", "100"], 1, &["report.json.rejected-2\n"]);
    for name in ["report.json.rejected", "report.json.rejected-2"] {
        assert_eq!(fs::read(folder.path(name)).expect("it is there"), before, "{name}");
    }
}

#[test]
fn bad_lines_of_positions_are_reported_and_kept() {
    let folder = Folder::new();
    let kings = "4k3/8/8/8/8/8/8/4K3 w - -";
    let long = "x".repeat(200_000);
    let content = format!("{kings}\nnonsense\n{long}\n8/8 w - -\n{kings} id \"b\";\n");
    let file = folder.file("positions.epd", content);
    let report = folder.name("report.json");
    refused(&["analyse", &file, "-o", &report, "-n", "10"], 1, &["line 2: ", "longer than 64 KiB"]);
    assert_eq!(folder.read("report.json").lines().count(), 2);
    assert_eq!(folder.read("report.json.rejected").matches("% line ").count(), 3);
    // Nothing is written beside the input but where it is asked for.
    refused(&["analyse", &file, "-n", "10"], 1, &["line 2: "]);
    assert!(!folder.has("positions.epd.rejected"));
    refused(&["analyse", &file, "-n", "10", "--rejected", &folder.name("bad")], 1, &["bad\n"]);
    assert_eq!(folder.read("bad"), folder.read("report.json.rejected"));
}

#[test]
fn variations_may_nest_ten_thousand_deep() {
    let folder = Folder::new();
    let (open, close) = ("(1. d4 ".repeat(10_000), ")".repeat(10_000));
    let games = format!("1. e4 {open}{close} e5 *\n\n[Event \"open\"]\n1. e4 e5 {open}\n\n{GAMES}");
    let file = folder.file("games.pgn", games);
    for form in ["pgn", "html", "json", "text"] {
        let out = good(&["analyse", &file, "-n", "10", "-q", "-f", form]).out;
        if form == "pgn" {
            assert_eq!(out.matches(')').count(), out.matches('(').count());
            assert!(out.matches('(').count() >= 20_000);
        }
    }
}

#[test]
fn rejects_wrong_arguments() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    for arguments in [
        &["analyse"][..],
        &["analyse", &games, "--nodes", "0"],
        &["analyse", &games, "--depth", "many"],
        &["analyse", &games, "--threads", "0"],
        &["analyse", &games, "--hash", "99999999999"],
        &["analyse", &games, "--lines", "0"],
        &["analyse", &games, "--format", "pdf"],
        &["suite"],
        &["suite", &games, "--minimum", "lots"],
        &["mate"],
    ] {
        let finished = refused(arguments, 2, &["error: "]);
        assert!(finished.out.is_empty(), "{arguments:?}: {}", finished.out);
    }
}
