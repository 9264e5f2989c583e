//! Names that commands make up where nobody named an output.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::engine::binary;
use crate::support::writers::finish;

const BAD: &str = "[Event \"good\"]\n\n1. e4 *\n\n[Event \"bad\"]\n\n1. e5 *\n\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("victim"), "untouched").expect("there is room");
    fs::write(folder.path().join("games.pgn"), BAD).expect("there is room");
    folder
}

/// Runs the program in the folder.
fn run(folder: &TempDir, arguments: &[&str], input: &str) -> (i32, String) {
    let mut command = Command::new(binary());
    command.args(arguments).current_dir(folder.path()).env("XDG_STATE_HOME", folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let finished = finish(command, input);
    let code = finished.status.code().expect("it ends by itself");
    (code, format!("{}{}", finished.out, finished.err))
}

fn victim_is_untouched(folder: &TempDir, link: &str) {
    let victim = fs::read_to_string(folder.path().join("victim")).expect("it is there");
    assert_eq!(victim, "untouched");
    let link = fs::symlink_metadata(folder.path().join(link)).expect("it is there");
    assert!(link.is_symlink());
}

#[test]
fn bad_games_beside_the_input_follow_no_link() {
    let folder = folder();
    symlink("victim", folder.path().join("games.pgn.rejected")).expect("the system has links");
    let (code, text) = run(&folder, &["analyse", "games.pgn", "-n", "10"], "");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("bad games are not kept") && text.contains("symbolic link"), "{text}");
    victim_is_untouched(&folder, "games.pgn.rejected");
}

#[test]
fn kept_games_and_their_locks_follow_no_link() {
    // What no game is in makes room for one; a lock that is a link is no lock.
    for (name, reason) in [("game-1.pgn", "--resume"), ("game-1.lock", "symbolic link")] {
        let folder = folder();
        fs::create_dir(folder.path().join("tamarin")).expect("there is room");
        let link = format!("tamarin/{name}");
        symlink("../victim", folder.path().join(&link)).expect("the system has links");
        let (code, text) = run(&folder, &["play", "--side", "both"], "e4\nquit\n");
        assert_eq!(code, 0, "{text}");
        assert!(text.contains(reason), "{name}: {text}");
        let victim = fs::read_to_string(folder.path().join("victim")).expect("it is there");
        assert_eq!(victim, "untouched", "{name}");
    }
}

#[test]
fn what_is_no_part_of_a_run_is_not_overwritten() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("report.pgn.partial"), "notes").expect("there is room");
    let arguments = ["analyse", "games.pgn", "-n", "10", "-o", "report.pgn"];
    let (code, text) = run(&folder, &arguments, "");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("report.pgn.partial: not of a run that was cut off"), "{text}");
    assert_eq!(fs::read_to_string(at("report.pgn.partial")).expect("it is there"), "notes");
    // The input may have the name of a file beside the report.
    for input in ["report.pgn.rejected.partial", "report.pgn.partial", "report.pgn.state"] {
        fs::write(at(input), BAD).expect("there is room");
        let arguments = ["analyse", input, "-n", "10", "-o", "report.pgn", "--restart"];
        let (code, text) = run(&folder, &arguments, "");
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("the same file as"), "{text}");
        assert_eq!(fs::read_to_string(at(input)).expect("it is there"), BAD);
    }
    // Bad games of an earlier run may have been mended.
    for input in ["games.pgn", "report.pgn.rejected"] {
        fs::write(at("report.pgn.rejected"), BAD).expect("there is room");
        let arguments = ["analyse", input, "-n", "10", "-o", "report.pgn", "--restart"];
        let (code, text) = run(&folder, &arguments, "");
        assert_eq!(code, 1, "{text}");
        assert!(text.contains("bad games are in report.pgn.rejected-"), "{text}");
        assert_eq!(fs::read_to_string(at("report.pgn.rejected")).expect("it is there"), BAD);
    }
    for name in ["report.pgn.rejected-2", "report.pgn.rejected-3"] {
        assert!(fs::read_to_string(at(name)).expect("it is there").contains("1. e5 *"), "{name}");
    }
    let arguments = ["book", "make", "book.bin.rejected.pgn", "-o", "book.bin", "--min-games", "1"];
    fs::write(at("book.bin.rejected.pgn"), BAD).expect("there is room");
    let (code, text) = run(&folder, &arguments, "");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("2 more left out: book.bin.rejected-2.pgn\n"), "{text}");
    assert_eq!(fs::read_to_string(at("book.bin.rejected.pgn")).expect("it is there"), BAD);
}

#[test]
fn a_hard_link_at_a_name_of_its_own_is_not_written_through() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for name in ["report.pgn.partial", "report.pgn.rejected.partial"] {
        fs::hard_link(at("victim"), at(name)).expect("the system has hard links");
        let arguments = ["analyse", "games.pgn", "-n", "10", "-o", "report.pgn", "--restart"];
        let (code, text) = run(&folder, &arguments, "");
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(name) && text.contains("several hard links"), "{text}");
        assert_eq!(fs::read_to_string(at("victim")).expect("it is there"), "untouched");
        fs::remove_file(at(name)).expect("it is there");
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    fs::write(folder.path().join("rules.var"), "@royal k\nk W1\nr W\n\nk . r\n. . .\nR . K\n")
        .expect("there is room");
    for arguments in [
        &["book", "make", "games.pgn", "-o", "out", "--rejected", "./out"][..],
        &["variant", "selfplay", "rules.var", "--depth", "1", "--out", "out", "--pgn", "./out"],
    ] {
        let (code, text) = run(&folder, arguments, "");
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("the same file as"), "{text}");
        assert!(!folder.path().join("out").exists(), "{text}");
    }
}
