//! Files that are not what they should be, and what is left of a log. How files are written is
//! tested in `base::files`.

#![cfg(unix)]

use std::fs;
use std::thread;

use crate::support::book_file::book;
use crate::support::check::sound;
use crate::support::engine::binary;
use crate::support::files::{Folder, text};
use crate::support::network_file::{WIDTH, queens};
use crate::support::oracle::STARTPOS;
use crate::support::{Engine, Launch, Oracle, PATIENCE, ms, signal};

#[test]
fn rejects_a_bad_log_and_keeps_the_old_one() {
    let folder = Folder::new();
    let log = folder.file("session.log", "of an earlier day\n");
    let mut engine = Engine::ready();
    engine.quietly(&format!("setoption name Debug Log File value {log}"));
    for path in [
        text(folder.root()),
        folder.name("missing/session.log"),
        format!("{log}/session.log"),
        format!("{log}\0.log"),
        folder.pipe("pipe"),
    ] {
        let notes = engine.notes(&format!("setoption name Debug Log File value {path}"));
        assert!(notes.len() == 1 && notes[0].contains("unchanged"), "{path:?}: {notes:?}");
    }
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
    let log = fs::read_to_string(&log).expect("the log is there");
    assert!(log.starts_with("of an earlier day\n"), "the old log was overwritten: {log}");
    assert!(log.lines().any(|line| line == ">> go depth 2"), "{log}");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_closes_the_log_alone() {
    let mut engine = Engine::ready();
    let notes = engine.notes("setoption name Debug Log File value /dev/full");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("error: the log is closed: No space left"), "{notes:?}");
    sound(&engine.go("go depth 4"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn long_a_killed_engine_leaves_whole_lines_in_its_log_and_no_process() {
    let folder = Folder::new();
    for round in 0..10 {
        let log = folder.name(&format!("{round}.log"));
        let mut engine = Engine::ready();
        engine.quietly(&format!("setoption name Debug Log File value {log}"));
        engine.send("setoption name Threads value 2\nsetoption name MultiPV value 20\ngo infinite");
        // Each line is in the log before it is printed, so that many are there.
        for _ in 0..12 {
            engine.until("info");
        }
        thread::sleep(ms(round * 3));
        signal(engine.id(), "-KILL");
        let (_, status) = engine.exit_within(PATIENCE);
        assert!(!status.success());
        let log = fs::read_to_string(&log).expect("the log is there");
        assert!(log.ends_with('\n'), "half a line at the end: {log}");
        let marked = |line: &str| line.starts_with(">> ") || line.starts_with("<< ");
        assert!(log.lines().count() > 10 && log.lines().all(marked), "{log}");
    }
}

/// Books, networks, hash tables and positions.
#[cfg(target_os = "linux")]
#[test]
fn rejects_bad_files_and_keeps_the_old_ones() {
    let folder = Folder::new();
    // With a hole, which takes no room.
    let [huge, zeros] = [("huge", 1 << 40), ("zeros", 512 << 20)].map(|(name, bytes)| {
        let path = folder.file(name, "");
        let file = fs::File::options().write(true).open(&path).expect("ours");
        file.set_len(bytes).expect("the system has sparse files");
        path
    });
    let good = book(&[(STARTPOS, "a2a3", 0, 1), (STARTPOS, "b2b3", 0, 1)]);
    let network = folder.file("queens.net", queens(WIDTH));
    // There is no memory for half a gigabyte.
    let mut engine = Launch::limited("-v 500000").start();
    engine.quietly(&format!("setoption name Book File value {}", folder.file("g", &good[..16])));
    engine.notes(&format!("setoption name EvalFile value {network}"));
    let mut reject = |command: String, word: &str| {
        let notes = engine.notes(&command);
        assert!(notes.len() == 1 && notes[0].contains(word), "{command}: {notes:?}");
    };
    for path in [
        text(folder.root()),
        folder.name("missing"),
        folder.file("noise", (0..=255).rev().cycle().take(65_536).collect::<Vec<u8>>()),
        "/dev/zero".to_owned(),
        huge,
    ] {
        reject(format!("setoption name Book File value {path}"), "Book File unchanged");
        reject(format!("setoption name EvalFile value {path}"), "EvalFile unchanged");
        reject(format!("loadhash {path}"), "; the hash table is unchanged");
        reject(format!("bench 1 1 1 {path}"), "error: ");
        reject(format!("genfens 1 seed 1 book {path}"), "error: ");
    }
    for path in [folder.pipe("pipe"), zeros, folder.file("cut.bin", &good[..31])] {
        reject(format!("setoption name Book File value {path}"), "Book File unchanged");
    }
    for positions in ["# nothing\n\n", "8/8/8/8/8/8/8/8 w - - 0 1\n"] {
        reject(format!("bench 1 1 1 {}", folder.file("positions", positions)), "error: ");
    }
    engine.quietly("setoption name OwnBook value true");
    assert_eq!(engine.go("go depth 1").best, "a2a3");
    engine.send("eval --json");
    assert!(engine.sync()[0].text.contains("nothing but queens"));
    engine.quit();
}

#[test]
fn few_open_files_are_enough() {
    let folder = Folder::new();
    let log = folder.name("session.log");
    let mut engine = Launch::limited("-n 8").start();
    engine.quietly(&format!("setoption name Debug Log File value {log}"));
    engine.quietly("setoption name Threads value 4\nsetoption name Hash value 32");
    sound(&engine.go("go depth 6"), &Oracle::startpos());
    engine.quit();
    assert!(fs::read_to_string(&log).is_ok_and(|log| log.contains("<< bestmove ")));
}

/// Scripts keep in a file what is printed. A pipe that is closed is no error: its reader wants no
/// more.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_cannot_be_written_is_an_error() {
    use std::process::{Command, Stdio};
    for arguments in [&["--help"][..], &["uci"], &["eval"], &["perft", "2"], &["go depth 2"]] {
        let run = |output: Stdio| {
            let mut command = Command::new(binary());
            command.args(arguments).stdin(Stdio::null()).stdout(output).output().expect("it runs")
        };
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = run(full.into());
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1..=2)), "{arguments:?}: {err}");
        assert!(err.contains("error: ") && !err.contains("panicked"), "{arguments:?}: {err}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        assert!(run(writer.into()).stderr.is_empty(), "{arguments:?}");
    }
}
