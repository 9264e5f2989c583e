//! `tamarin analyse --hash-file`: an analysis that goes on where an earlier one was.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::thread;
use std::time::Instant;

use serde_json::Value;
use tamarin_eval::network::Network;
use tamarin_movegen::Position;
use tamarin_search::{Engine, Limits, SearchOptions, Silent};

use crate::analysis::analyse::GAMES;
use crate::analysis::cut_off::{signal, start, wait_for_progress};
use crate::analysis::folder::{Folder, code, good, run};
use crate::support::{PATIENCE, ms};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

/// The analysis of the position with a table of 1 MiB in this file: nodes, and what is said.
fn nodes(hash_file: &str, arguments: &[&str]) -> (u64, String) {
    let common = ["analyse", MIDDLEGAME, "-f", "json", "--threads", "1", "--hash", "1"];
    let finished = good(&[&common[..], &["--hash-file", hash_file], arguments].concat());
    let report: Value = serde_json::from_str(&finished.out).expect("an object");
    (report["last"]["nodes"].as_u64().expect("a count"), finished.err)
}

#[test]
fn the_second_run_goes_on_as_one_process_would() {
    let folder = Folder::new();
    let path = folder.name("deep.hash");
    let (first, printed) = nodes(&path, &["-n", "40000"]);
    assert!(
        printed.contains("deep.hash: hash saved: ") && !printed.contains("loaded"),
        "{printed}"
    );
    let (second, printed) = nodes(&path, &["-d", "14"]);
    assert!(
        printed.contains("hash loaded: ") && printed.contains("; replaced a file of "),
        "{printed}"
    );
    let mut engine = Engine::new().expect("a thread");
    engine.set_network(Some(Network::embedded())).expect("memory");
    engine.set_hash(1).expect("a MiB");
    let position = Position::from_fen(MIDDLEGAME).expect("legal");
    let expected = [Limits::nodes(40_000), Limits::depth(14)].map(|limits| {
        engine.search(&position, limits, &SearchOptions::default(), Box::new(Silent)).nodes
    });
    assert_eq!([first, second], expected);
    let quiet = nodes(&path, &["-d", "3", "-q"]);
    assert_eq!(quiet.1, "");
}

#[test]
fn an_invalid_file_is_refused_and_stays() {
    let folder = Folder::new();
    let text = folder.file("notes.txt", "once upon a time there was a hash table");
    let path = folder.name("deep.hash");
    nodes(&path, &["-n", "100"]);
    let whole = fs::read(&path).expect("it is there");
    let cut = folder.file("cut.hash", &whole[..whole.len() - 9]);
    let hand_crafted = ["--evaluator", "hand-crafted"];
    for (file, more, word) in [
        (&text, &[][..], "it is no saved hash table"),
        (&cut, &[], "it is cut off"),
        (&path, &hand_crafted, "it belongs to the network "),
    ] {
        let before = fs::read(file).expect("it is there");
        let report = folder.name("report.json");
        let common = ["analyse", MIDDLEGAME, "-n", "100", "-o", &report, "--hash-file", file];
        let refused = run(&[&common[..], more].concat());
        assert_eq!(code(&refused), 2, "{}", refused.err);
        let said = "not used as a hash table and left as it is: ";
        assert!(refused.err.contains(said) && refused.err.contains(word), "{}", refused.err);
        assert!(fs::read(file).expect("it is there") == before);
        assert!(!folder.has("report.json") && !folder.has("report.json.state"));
    }
    let nowhere = folder.name("missing/deep.hash");
    let refused = run(&["analyse", MIDDLEGAME, "-n", "9", "--hash-file", &nowhere]);
    let is_named = refused.err.contains("missing/deep.hash");
    assert!(code(&refused) == 2 && is_named && refused.out.is_empty(), "before the search");
    let same = run(&["analyse", MIDDLEGAME, "-n", "9", "-o", &path, "--hash-file", &path]);
    assert!(code(&same) == 2 && same.err.contains("the same file as"), "{}", same.err);
}

#[test]
fn an_interrupted_analysis_keeps_what_it_has_learned() {
    let folder = Folder::new();
    let path = folder.name("deep.hash");
    nodes(&path, &["-n", "100"]);
    let old = fs::read(&path).expect("it is there");
    let day = ["-t", "86400000", "--threads", "2", "--hash", "1"];
    // Before it hears signals one ends it without a word: then it was too early.
    let mut delay = 50;
    let printed = loop {
        let mut child = start(&[&["analyse", MIDDLEGAME, "--hash-file", &path], &day[..]].concat());
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut printed = String::new();
        lines.read_line(&mut printed).expect("text");
        assert!(printed.contains("hash loaded: "), "{printed}");
        thread::sleep(ms(delay));
        signal(&child, "-INT");
        lines.read_to_string(&mut printed).expect("text");
        if let Some(code) = child.wait().expect("it has ended").code() {
            assert_eq!(code, 130, "{printed}");
            break printed;
        }
        delay *= 2;
    };
    assert!(
        printed.contains("hash saved: ") && printed.contains("interrupted after 0 games"),
        "{printed}"
    );
    assert!(fs::read(&path).expect("it is there") != old);
    assert!(nodes(&path, &["-d", "2"]).1.contains("it was saved with Threads 2, 1 is in force"));
}

#[test]
fn a_second_interrupt_waits_for_the_hash_file() {
    let folder = Folder::new();
    let path = folder.name("deep.hash");
    let begin = Instant::now();
    let mut delay = 50;
    loop {
        let mut child = start(
            &[
                &["analyse", MIDDLEGAME, "--hash-file", &path][..],
                &["-t", "86400000", "--threads", "1", "--hash", "64"],
            ]
            .concat(),
        );
        thread::sleep(ms(delay));
        signal(&child, "-INT");
        let mut is_running = || child.try_wait().expect("it is ours").is_none();
        while is_running() && folder.unfinished() == 0 {
            thread::sleep(ms(1));
        }
        if is_running() {
            signal(&child, "-INT");
        }
        // As above.
        if let Some(code) = child.wait().expect("it has ended").code() {
            assert_eq!(code, 130);
            break;
        }
        assert!(begin.elapsed() < PATIENCE, "it never ends by the interrupt");
        delay *= 2;
    }
    assert_eq!(folder.unfinished(), 0);
    let (_, printed) = nodes(&path, &["-n", "100"]);
    assert!(printed.contains("hash loaded: "), "{printed}");
}

#[test]
fn an_interrupted_run_over_games_keeps_its_report_and_what_it_has_learned() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES.repeat(5));
    let report = folder.name("report.json");
    let path = folder.name("games.hash");
    let limits = ["-t", "30", "--threads", "2", "--hash", "1", "--hash-file", &path];
    let arguments = [&["analyse", &games, "-o", &report], &limits[..]].concat();
    let begin = Instant::now();
    let output = loop {
        let child = start(&arguments);
        wait_for_progress(&folder, "report.json");
        signal(&child, "-INT");
        let output = child.wait_with_output().expect("it ends");
        if output.status.code() != Some(0) {
            break output;
        }
        assert!(begin.elapsed() < PATIENCE, "it never ends by the interrupt");
        fs::remove_file(&report).expect("the whole report");
    };
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{printed}");
    assert!(
        printed.contains("hash saved: ") && printed.contains("goes on from there"),
        "{printed}"
    );
    let partial = folder.read("report.json.partial");
    let limits = ["-n", "9", "--threads", "2", "--hash", "1"];
    let other = run(&[&["analyse", &games, "-o", &report], &limits[..]].concat());
    assert!(code(&other) == 2 && other.err.contains("other options"), "{}", other.err);
    let whole = good(&arguments);
    assert!(whole.err.contains("hash loaded: ") && whole.err.contains("going on after "));
    assert!(folder.read("report.json").starts_with(&partial), "{partial}");
}
