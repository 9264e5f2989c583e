//! Outputs and inputs of all commands: files are written through `base::files`, whose tests show
//! every case; what has no end is refused.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use crate::support::Launch;
use crate::support::engine::binary;
use crate::support::files::Folder;

/// Two good games.
const GAMES: &str = "[Event \"one\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
    [Event \"two\"]\n[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n";

const BAD: &str =
    "[Event \"good\"]\n\n1. e4 *\n\n[Event \"bad\"]\n[Result \"1-0\"]\n\n1. e5 1-0\n\n";

/// A game that two kings and two rooks play on nine squares, and one that is over soon.
const RULES: &str = "@royal k\nk W1\nr W\n\nk r .\n. . .\n. R K\n";
const NARROW: &str = "@royal k\n@stalemate loss\nk W1F1\nr W\n\nr k .\n. . .\n. K R\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("games.pgn", GAMES);
    folder.file("bad.pgn", BAD);
    folder.file("rules.var", RULES);
    folder.file("narrow.var", NARROW);
    folder.file("victim", "untouched");
    folder
}

/// Runs the program in the folder with these words and this input; the exit code and all that it
/// printed.
fn run(folder: &Folder, words: &str, input: &str) -> (i32, String) {
    let launch = Launch::new().configure(|command| {
        command.args(words.split(' ')).current_dir(folder.root()).env("LC_ALL", "C");
        command.env("XDG_STATE_HOME", folder.root());
    });
    let finished = launch.feed(input.as_bytes());
    (finished.code(), format!("{}{}", finished.out, finished.err))
}

/// Words of a command that writes the file `out`, its input, and what stands in the file then.
const WRITERS: [(&str, &str, &str); 14] = [
    ("analyse games.pgn -n 10 --hash 1 -f pgn -o out", "", "[Event \"two\"]"),
    ("analyse games.pgn -n 10 --hash 1 --puzzles out", "", ""),
    ("analyse games.pgn -n 10 --hash 1 -o report.pgn --puzzles out", "", ""),
    ("analyse games.pgn bad.pgn -n 10 --hash 1 --rejected out", "", "[Event \"bad\"]"),
    ("analyse games.pgn -n 10 --hash 1 --hash-file out", "", "TAMARINH"),
    ("book make games.pgn --min-games 1 -o out", "", ""),
    ("book make bad.pgn --min-games 1 -o book.bin --rejected out", "", "[Event \"bad\"]"),
    ("play --side both --save out", "e4\nquit\n", "1. e4 *"),
    ("play --side both --no-autosave", "e4\nsave out\nquit\n", "1. e4 *"),
    ("play --side both --no-autosave", "e4\nsvg out\nquit\n", "</svg>"),
    ("play --side both --variant rules.var --save out", "Kc2\nquit\n", "1. Kc2"),
    ("variant selfplay rules.var --depth 1 --games 1 --pgn out", "", "[Variant "),
    ("variant selfplay rules.var --depth 1 --games 1 --out out", "", "\"number\":0"),
    ("variant learn narrow.var --games 10 --nodes 50 --quiet --out out", "", "tamarin-eval 1"),
];

#[test]
fn outputs_replace_an_old_file_keep_its_mode_and_refuse_a_folder() {
    for (words, input, proof) in WRITERS {
        let folder = folder();
        let (_, printed) = run(&folder, words, input);
        let first = fs::read(folder.path("out")).unwrap_or_else(|_| panic!("{words}: {printed}"));
        assert!(String::from_utf8_lossy(&first).contains(proof), "{words}: {printed}");
        let mode = fs::Permissions::from_mode(0o600);
        fs::set_permissions(folder.path("out"), mode).expect("it is ours");
        let (_, printed) = run(&folder, words, input);
        let grows = words.ends_with("--out out") && words.contains("selfplay");
        let said = format!("replaced a file of {} bytes", first.len());
        assert!(grows || printed.contains(&said), "{words}: {printed}");
        let mode = fs::metadata(folder.path("out")).expect("it is there").mode();
        assert_eq!(mode & 0o7777, 0o600, "{words}: {printed}");
        fs::remove_file(folder.path("out")).expect("it is there");
        fs::create_dir(folder.path("out")).expect("there is room");
        let (code, printed) = run(&folder, words, input);
        let words_of_failure = ["\n! ", "error: ", "cannot be kept", "is not kept"];
        let is_reported = words_of_failure.iter().any(|word| printed.contains(word));
        assert!((code == 2 || words.starts_with("play")) && is_reported, "{words}: {printed}");
    }
}

#[test]
fn names_that_a_command_makes_up_follow_no_link_and_replace_nothing_of_others() {
    let folder = folder();
    symlink("victim", folder.path("x.pgn.rejected")).expect("the system has links");
    let (code, text) = run(&folder, "analyse bad.pgn -n 10 -o x.pgn", "");
    assert!(code == 2 && text.contains("symbolic link"), "{text}");
    fs::create_dir(folder.path("tamarin")).expect("there is room");
    symlink("../victim", folder.path("tamarin/game-1.lock")).expect("the system has links");
    let (_, text) = run(&folder, "play --side both", "e4\nquit\n");
    assert!(text.contains("symbolic link"), "{text}");
    folder.file("report.pgn.partial", "notes");
    let (code, text) = run(&folder, "analyse games.pgn -n 10 -o report.pgn", "");
    assert!(code == 2 && text.contains("not of a run that was cut off"), "{text}");
    assert_eq!(folder.read("report.pgn.partial"), "notes");
    fs::remove_file(folder.path("report.pgn.partial")).expect("it is there");
    fs::hard_link(folder.path("victim"), folder.path("report.pgn.partial")).expect("hard links");
    let (code, text) = run(&folder, "analyse games.pgn -n 10 -o report.pgn --restart", "");
    assert!(code == 2 && text.contains("several hard links"), "{text}");
    assert_eq!(folder.read("victim"), "untouched");
}

#[test]
fn inputs_and_outputs_are_different_files() {
    let folder = folder();
    symlink("games.pgn", folder.path("link")).expect("the system has links");
    for words in [
        "analyse games.pgn -n 10 -o link",
        "analyse games.pgn -n 10 -o out --hash-file ./out",
        "book make games.pgn -o link",
        "book make games.pgn -o out --rejected ./out",
        "play --load games.pgn --save link",
        "variant selfplay rules.var --depth 1 --out out --pgn ./out",
    ] {
        let (_, text) = run(&folder, words, "quit\n");
        assert!(text.contains("the same file as"), "{words}: {text}");
        assert_eq!(folder.read("games.pgn"), GAMES, "{words}");
    }
}

#[test]
fn devices_without_end_are_refused_by_every_command_that_reads_a_file() {
    let folder = folder();
    for words in [
        "analyse /dev/zero",
        "analyse startpos -n 10 --eval-file /dev/zero",
        "analyse startpos -n 10 --hash-file /dev/zero",
        "suite /dev/zero",
        "book make /dev/zero -o out",
        "book show --book /dev/zero",
        "book check /dev/zero",
        "play --load /dev/zero",
        "play --puzzles /dev/zero",
        "play --eval-file /dev/zero",
        "play --variant /dev/zero",
        "play --variant fide --load /dev/zero",
        "variant check /dev/zero",
        "variant import /dev/zero",
    ] {
        let (code, text) = run(&folder, words, "");
        let clear = ["not a file", "neither a file nor a", "is a device"];
        assert!(code == 2 && clear.iter().any(|word| text.contains(word)), "{words}: {text}");
    }
    let (_, text) = run(&folder, "play --side both --no-autosave", "load /dev/zero\nquit\n");
    assert!(text.contains("! /dev/zero: it is a device"), "{text}");
}

/// A pipe that is closed is no error: its reader wants no more.
#[test]
fn standard_output_that_cannot_be_written_is_an_error() {
    let folder = folder();
    for words in [
        "--help",
        "analyse startpos -n 10",
        "mate 4k3/8/8/8/8/8/8/4K2R w K - 1",
        "book show",
        "variant list",
    ] {
        let run = |output: std::process::Stdio| {
            let mut command = std::process::Command::new(binary());
            command.args(words.split(' ')).current_dir(folder.path(".")).stdout(output);
            command.output().expect("it starts")
        };
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = run(full.into());
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1..=2)), "{words}: {err}");
        assert!(err.contains("error: ") && !err.contains("panicked"), "{words}: {err}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert!(!String::from_utf8_lossy(&run(writer.into()).stderr).contains("error"), "{words}");
    }
}
