//! Input that is not what it should be.

use std::fs::{self, File};
use std::process::Command;

use crate::analysis::analyse::{GAMES, objects};
use crate::analysis::folder::{Folder, code, good, run};
use crate::support::engine::{Finished, binary};
use crate::support::{Launch, Random};

/// Bytes without any sense.
fn junk(count: usize) -> Vec<u8> {
    let mut random = Random::new(7);
    // None of it can be a tag or a move: of those some are bound to come.
    let bytes: Vec<u8> =
        (0..=255).filter(|byte: &u8| !b"[abcdefghKQRBNO0".contains(byte)).collect();
    (0..count).map(|_| *random.pick(&bytes)).collect()
}

/// The command must end with this code and one message that has all these words.
fn refused(arguments: &[&str], wanted: i32, words: &[&str]) -> Finished {
    let finished = run(arguments);
    assert_eq!(code(&finished), wanted, "{arguments:?}: {}{}", finished.out, finished.err);
    for word in words {
        assert!(finished.err.contains(word), "{arguments:?}: {}", finished.err);
    }
    assert!(!finished.err.contains("panicked"), "{}", finished.err);
    finished
}

#[test]
fn what_is_no_file_of_games_is_refused_and_leaves_nothing() {
    let folder = Folder::new();
    let report = folder.name("report.json");
    let pipe = folder.name("pipe.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let empty = folder.file("empty.pgn", "");
    let blank = folder.file("blank.pgn", "\n\r\n\n");
    let remarks = folder.file("remarks.epd", "# nothing\n\n");
    let missing = folder.name("missing.pgn");
    let cases = [
        (folder.name("."), "not a file"),
        (pipe, "not a file"),
        ("/dev/zero".to_owned(), "not a file"),
        (missing, "missing.pgn"),
        (empty, "neither games nor positions"),
        (blank, "neither games nor positions"),
        (remarks, "neither games nor positions"),
        ("a".repeat(5000), "error: "),
        ("8/8/8/8/8/8/8/8 w - - 0 1".to_owned(), "neither a file nor a position"),
    ];
    for (input, reason) in cases {
        refused(&["analyse", &input, "-o", &report], 2, &["error: ", reason]);
        refused(&["analyse", &input], 2, &["error: ", reason]);
    }
    let left = fs::read_dir(folder.path(".")).expect("the folder is there").count();
    assert_eq!(left, 4, "a refused run left a file");
}

#[test]
fn unusable_tablebases_are_refused_or_reported_once() {
    let folder = Folder::new();
    let none = folder.name("none");
    let lines = "7k/8/8/8/8/8/8/KNNNN3 w - - bm Kb2;\n".repeat(4);
    let positions = folder.file("positions.epd", lines);
    // Tables of more than five pieces are first read by a search.
    folder.file("KNNNNvK.rtbw", "not a table ".repeat(7).split_at(80).0);
    let usable = folder.name(".");
    for command in ["analyse", "suite"] {
        let with =
            |path: &str| run(&[command, &positions, "--syzygy", path, "-d", "2", "--threads", "2"]);
        let finished = with(&none);
        assert_eq!((code(&finished), finished.out.as_str()), (2, ""), "{command}");
        let text = format!("error: no tablebases in {none}; tablebases left out: {none} (");
        assert!(finished.err.starts_with(&text), "{command}: {}", finished.err);
        let finished = with(&usable);
        assert!(!finished.out.is_empty(), "{command}: {}", finished.err);
        let reports: Vec<&str> =
            finished.err.lines().filter(|line| line.contains("damaged tablebases")).collect();
        assert!(
            reports.len() == 1 && reports[0].ends_with("KNNNNvK.rtbw"),
            "{command}: {reports:?}"
        );
    }
}

#[test]
fn several_files_are_named_as_such() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let more = ["one file at a time: cat *.pgn | tamarin analyse -"];
    refused(&["analyse", &games, &games], 2, &more);
    refused(&["analyse", &games, "-"], 2, &more);
}

#[test]
fn a_missing_folder_is_an_error_of_the_report() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let report = folder.name("none/report.html");
    let finished = refused(&["analyse", &games, "-o", &report], 2, &[&format!("{report}: ")]);
    assert!(!finished.err.contains("partial"), "{}", finished.err);
}

#[test]
fn binary_junk_is_one_bad_game_or_many_bad_lines() {
    let folder = Folder::new();
    let games = folder.file("junk.pgn", junk(300_000));
    let report = folder.name("report.pgn");
    fs::write(&report, "old").expect("there is room");
    refused(&["analyse", &games, "-o", &report, "-n", "10"], 2, &["nothing that can be analyzed"]);
    assert_eq!(folder.read("report.pgn"), "old");
    let kept = fs::read(folder.path("report.pgn.rejected")).expect("it is kept");
    assert!(kept.starts_with(b"% byte 0: ") && kept.len() >= 300_000);
    let positions = folder.file("junk.epd", junk(300_000));
    refused(&["analyse", &positions, "-n", "10"], 2, &["byte 0: ", " more", "nothing that can be"]);
    refused(&["suite", &positions], 2, &["error: ", "line 1"]);
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
    let mut offsets = Vec::new();
    for (game, _) in bad {
        content.extend_from_slice(GAMES.as_bytes());
        offsets.push(content.len());
        // In Latin-1, to be kept as it is.
        content.extend(game.chars().map(|c| c as u8));
    }
    let games = folder.file("games.pgn", &content);
    let report = folder.name("report.json");
    let finished =
        refused(&["analyse", &games, "-o", &report, "-n", "100"], 1, &["8 analyzed, 4 left out"]);
    let kept = fs::read(folder.path("report.json.rejected")).expect("it is there");
    let mut rest = kept.as_slice();
    for ((game, reason), offset) in bad.into_iter().zip(offsets) {
        let head = format!("% byte {offset}: {reason}");
        assert!(
            finished.err.contains(&format!("{games}: byte {offset}: {reason}")),
            "{}",
            finished.err
        );
        assert!(rest.starts_with(head.as_bytes()), "{}", String::from_utf8_lossy(rest));
        let end = rest.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        let bytes: Vec<u8> = game.chars().map(|c| c as u8).collect();
        assert!(rest[end..].starts_with(bytes.trim_ascii_end()), "{reason}");
        let next = rest[1..].windows(7).position(|window| window == b"\n% byte");
        rest = next.map_or(&[], |at| &rest[at + 2..]);
    }
    assert_eq!(folder.read("report.json").lines().count(), 8);
    // What was mended can be analyzed from the side file: its remarks are no part of any game.
    let mended = fs::read(folder.path("report.json.rejected")).expect("it is there");
    let mended = String::from_utf8_lossy(&mended).replace("Ke3", "Nf3");
    let again = folder.file("mended.pgn", mended);
    assert_eq!(objects(&again, &["-n", "10"]).len(), 1);
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
fn a_bad_game_lies_beside_the_input_if_the_report_goes_to_standard_output() {
    let folder = Folder::new();
    let bad = "[Event \"illegal\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    let games = folder.file("games.pgn", format!("{GAMES}{bad}"));
    let finished = refused(&["analyse", &games, "-n", "100"], 1, &["bad games are in"]);
    assert_eq!(finished.out.matches("[Event ").count(), 2, "{}", finished.out);
    let kept = folder.read("games.pgn.rejected");
    let head = format!("% byte {}: ply 3: illegal move \"Ke3\"", GAMES.len());
    assert!(kept.starts_with(&head) && kept.contains(bad), "{kept}");
    // Not in a file that is there: its games may have been mended.
    folder.file("games.pgn.rejected", "notes");
    refused(&["analyse", &games, "-n", "100"], 1, &["bad games are in", "games.pgn.rejected-2"]);
    assert_eq!(folder.read("games.pgn.rejected"), "notes");
    assert_eq!(folder.read("games.pgn.rejected-2"), kept);
    // Without a place for it the rest goes on all the same.
    fs::remove_file(folder.path("games.pgn.rejected")).expect("it is there");
    fs::create_dir(folder.path("games.pgn.rejected")).expect("it can be");
    let finished = refused(&["analyse", &games, "-n", "100"], 1, &["bad games are not kept"]);
    assert_eq!(finished.out.matches("[Event ").count(), 2, "{}", finished.out);
}

#[test]
fn remarks_outside_of_games_are_no_bad_games() {
    let folder = Folder::new();
    let dos = format!("{GAMES}\x1a").replace('\n', "\r\n");
    let exported = format!("; exported by X\n{GAMES}");
    let commented = format!("1. e4 e5 1-0\n\n{{White wins on time}}\n\n{GAMES}");
    for content in [dos, exported, commented, GAMES.replace('\n', "\r")] {
        let games = folder.file("games.pgn", &content);
        let wanted = 2 + content.matches("1. e4 e5 1-0").count();
        let done = good(&["analyse", &games, "-n", "10", "-f", "json"]);
        assert_eq!(done.out.lines().count(), wanted, "{content:?}: {}", done.err);
        assert!(!folder.has("games.pgn.rejected"), "{content:?}: {}", done.err);
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
    refused(
        &["analyse", &file, "-o", &report, "-n", "10"],
        1,
        &["byte 26: ", "longer than 64 KiB"],
    );
    assert_eq!(folder.read("report.json").lines().count(), 2);
    assert_eq!(folder.read("report.json.rejected").matches("% byte ").count(), 3);
}

#[test]
fn latin_1_names_become_utf_8_and_nul_does_no_harm() {
    let folder = Folder::new();
    let game =
        b"[White \"M\xfcller\"]\n[Black \"\xd8yvind \\\"O\\\"\"]\n\n1. e4 {caf\xe9 \0} e5 *\n"
            .to_vec();
    let file = folder.file("games.pgn", game);
    let out = good(&["analyse", &file, "-n", "10", "-q"]).out;
    assert!(out.contains("[White \"M\u{fc}ller\"]"), "{out}");
    assert!(
        out.contains("[Black \"\u{d8}yvind \\\"O\\\"\"]") && out.contains("caf\u{e9}"),
        "{out}"
    );
}

#[test]
fn huge_comments_are_kept_or_cost_only_their_game() {
    let folder = Folder::new();
    let comment = |size: usize| "word ".repeat(size / 5);
    let games = format!(
        "[Event \"large\"]\n\n1. e4 {{{}}} e5 *\n\n[Event \"huge\"]\n\n1. e4 {{{}}} e5 *\n\n{GAMES}",
        comment(900_000),
        comment(5_000_000)
    );
    let file = folder.file("games.pgn", games);
    let report = folder.name("report.pgn");
    refused(
        &["analyse", &file, "-o", &report, "-n", "10"],
        1,
        &["3 analyzed, 1 left out", "longer than 1 MiB"],
    );
    assert_eq!(folder.read("report.pgn").matches("word").count(), 180_000);
    assert_eq!(folder.read("report.pgn.rejected").matches("word").count(), 1_000_000);
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
fn output_that_cannot_be_written_is_reported() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let epd = folder.file("suite.epd", "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;\n");
    refused(&["analyse", &games, "-n", "10", "-o", &folder.name("missing/a.pgn")], 2, &["a.pgn"]);
    refused(&["analyse", &games, "-n", "10", "-o", &folder.name(".")], 2, &["error: "]);
    for arguments in [
        &["analyse", &games, "-n", "10"][..],
        &["suite", &epd, "-n", "10"],
        &["mate", "4k3/8/8/8/8/8/8/4K2R w K -", "1"],
    ] {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let output =
            Command::new(binary()).args(arguments).stdout(full).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("error: ") && !message.contains("panicked"), "{message}");
    }
}

#[test]
fn a_full_disk_leaves_the_old_report() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES.repeat(40));
    let report = folder.file("report.html", "old");
    // No file may be larger than 8 blocks of 512 bytes.
    let script = "ulimit -f 8; exec \"$0\" \"$@\"";
    let binary = binary().to_str().expect("a plain path").to_owned();
    let arguments = ["analyse", &games, "-o", &report, "-n", "10"];
    let full =
        Launch::program("sh").args(&[&["-c", script, &binary], &arguments[..]].concat()).run();
    assert_eq!(code(&full), 2, "{}", full.err);
    assert!(full.err.contains("error: ") && full.err.contains("report.html"), "{}", full.err);
    assert_eq!(folder.read("report.html"), "old");
    // With room again the same command goes on and ends well.
    good(&arguments);
    assert!(folder.read("report.html").ends_with("</html>\n"));
}

#[test]
fn arguments_are_checked_before_anything_happens() {
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
        &["mate", "startpos"],
    ] {
        let finished = refused(arguments, 2, &["error: "]);
        assert!(finished.out.is_empty(), "{arguments:?}: {}", finished.out);
    }
}
