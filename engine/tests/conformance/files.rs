//! Files that are not what they should be, and what is left of a log.

#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::thread;

use crate::support::check::sound;
use crate::support::files::{Folder, text};
use crate::support::{Engine, Launch, Oracle, PATIENCE, ms, signal};

#[test]
fn a_log_that_cannot_be_opened_is_reported_and_the_old_one_stays() {
    let folder = Folder::new("bad-logs");
    let log = folder.file("session.log", "of an earlier day\n");
    let bad = [
        text(&folder.0),
        text(&folder.0.join("missing/session.log")),
        text(&folder.0.join("a".repeat(4096))),
        format!("{log}/session.log"),
        format!("{log}\0.log"),
        folder.pipe("pipe"),
    ];
    let locked = folder.file("locked.log", "");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o444)).expect("it is ours");
    let refused = |engine: &mut Engine, path: &str| {
        let notes = engine.notes(&format!("setoption name Debug Log File value {path}"));
        assert_eq!(notes.len(), 1, "{path:?}: {notes:?}");
        assert!(notes[0].contains("unchanged"), "{path:?}: {notes:?}");
    };
    let may = fs::OpenOptions::new().append(true).open(&locked).is_ok();
    if let Some(launch) = Launch::bound_by_rights(may, &folder.0) {
        let mut engine = launch.start();
        refused(&mut engine, &locked);
        engine.quit();
    }
    let mut engine = Engine::ready();
    engine.quietly(&format!("setoption name Debug Log File value {log}"));
    bad.iter().for_each(|path| refused(&mut engine, path));
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
    let log = fs::read_to_string(&log).expect("the log is there");
    assert!(log.starts_with("of an earlier day\n"), "the old log was overwritten: {log}");
    assert!(log.lines().any(|line| line == ">> go depth 2"), "{log}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_log_and_nothing_else() {
    let mut engine = Engine::ready();
    let notes = engine.notes("setoption name Debug Log File value /dev/full");
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("error: the log is closed: No space left"), "{notes:?}");
    for _ in 0..3 {
        sound(&engine.go("go depth 4"), &Oracle::startpos());
    }
    engine.quit();
}

#[test]
fn a_killed_engine_leaves_whole_lines_in_its_log_and_no_process() {
    let folder = Folder::new("killed");
    for round in 0..10 {
        let log = text(&folder.0.join(format!("{round}.log")));
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

#[test]
fn files_of_invalid_positions_are_reported() {
    let folder = Folder::new("bad-positions");
    let start = crate::support::oracle::STARTPOS;
    let bad = [
        text(&folder.0),
        text(&folder.0.join("missing")),
        text(&folder.0.join("a".repeat(4096))),
        folder.file("empty", ""),
        folder.file("comment", "# nothing\n\n"),
        folder.file("zeros", [0; 100_000]),
        folder.file("noise", (0..=255).cycle().take(70_000).collect::<Vec<u8>>()),
        folder.file("half", &start[..20]),
        folder.file("impossible", "8/8/8/8/8/8/8/8 w - - 0 1\n"),
    ];
    let mut engine = Engine::ready();
    for path in bad {
        for command in [format!("bench 1 1 1 {path}"), format!("genfens 1 seed 1 book {path}")] {
            let notes = engine.notes(&command);
            assert_eq!(notes.len(), 1, "{command}: {notes:?}");
            assert!(notes[0].starts_with("error: "), "{command}: {notes:?}");
        }
    }
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_positions_without_end_or_too_large_is_refused() {
    let folder = Folder::new("large-positions");
    let large = folder.file("large.epd", "");
    let file = fs::File::options().write(true).open(&large).expect("it is ours");
    // A file with a hole, which takes no room.
    file.set_len(1 << 40).expect("the system has such files");
    let mut engine = Launch::limited("-v 600000").start();
    for (path, reason) in [("/dev/zero", "it is a device"), (&large, "it is larger than ")] {
        for command in [format!("bench 1 1 1 {path}"), format!("genfens 1 seed 1 book {path}")] {
            let notes = engine.notes(&command);
            assert_eq!(notes.len(), 1, "{command}: {notes:?}");
            assert!(notes[0].starts_with("error: ") && notes[0].contains(reason), "{notes:?}");
        }
    }
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn openings_come_from_books_larger_than_64_mebibytes() {
    let folder = Folder::new("large-book");
    let start = crate::support::oracle::STARTPOS;
    let book = folder.file("large.epd", format!("no position\n{start}\n"));
    let mut file = fs::File::options().append(true).open(&book).expect("it is ours");
    file.set_len(70 << 20).expect("the system has files with holes");
    file.write_all(format!("\n{start}").as_bytes()).expect("there is room");
    let mut engine = Launch::limited("-v 600000").start();
    let notes = engine.notes(&format!("genfens 6 seed 1 book {book}"));
    assert!(notes.len() == 6 && notes.iter().all(|note| note.starts_with("genfens ")), "{notes:?}");
    engine.quit();
}

#[test]
fn a_book_without_nearly_equal_openings_is_reported() {
    let folder = Folder::new("unequal-book");
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let book = folder.file("mate.epd", mate);
    let mut engine = Engine::ready();
    let notes = engine.notes(&format!("genfens 1 seed 1 book {book}"));
    assert_eq!(notes, ["error: genfens: no nearly equal opening in 10000 tries"]);
    engine.quit();
}

#[test]
fn few_open_files_are_enough() {
    let folder = Folder::new("few-files");
    let log = text(&folder.0.join("session.log"));
    let mut engine = Launch::limited("-n 8").start();
    engine.quietly(&format!("setoption name Debug Log File value {log}"));
    engine.quietly("setoption name Threads value 4\nsetoption name Hash value 32");
    sound(&engine.go("go depth 6"), &Oracle::startpos());
    engine.quit();
    assert!(fs::read_to_string(&log).is_ok_and(|log| log.contains("<< bestmove ")));
}
