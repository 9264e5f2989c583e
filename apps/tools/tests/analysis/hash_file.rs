//! `tamarin analyse --hash-file`: an analysis that goes on where an earlier one was.

use std::fs;

use serde_json::Value;

use crate::support::engine::{Finished, engine_binary};
use crate::support::engine::{good, run};
use crate::support::files::Folder;

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
    // As one process would search.
    let mut command = std::process::Command::new(engine_binary());
    command.args(["setoption name Hash value 1", &format!("position fen {MIDDLEGAME}")]);
    let one = Finished::of(command.args(["go nodes 40000", "go depth 14"]).output().expect("runs"));
    let counts = |line: &str| line.split_once(" nodes ")?.1.split(' ').next()?.parse::<u64>().ok();
    let before = |search: usize| {
        let lines = one.out.split("bestmove").nth(search).expect("two searches").lines();
        lines.rev().find_map(counts).expect("a count")
    };
    let expected = [before(0), before(1)];
    assert_eq!([first, second], expected);
}

#[test]
fn an_invalid_file_is_refused_and_stays() {
    let folder = Folder::new();
    let text = folder.file("notes.txt", "once upon a time there was a hash table");
    let path = folder.name("deep.hash");
    nodes(&path, &["-n", "100"]);
    let hand_crafted = ["--evaluator", "hand-crafted"];
    for (file, more, word) in [
        (&text, &[][..], "it is no saved hash table"),
        (&path, &hand_crafted, "it belongs to the network "),
    ] {
        let before = fs::read(file).expect("it is there");
        let report = folder.name("report.json");
        let common = ["analyse", MIDDLEGAME, "-n", "100", "-o", &report, "--hash-file", file];
        let refused = run(&[&common[..], more].concat());
        assert_eq!(refused.code(), 2, "{}", refused.err);
        let said = "not used as a hash table and left as it is: ";
        assert!(refused.err.contains(said) && refused.err.contains(word), "{}", refused.err);
        assert!(fs::read(file).expect("it is there") == before);
        assert!(!folder.has("report.json") && !folder.has("report.json.state"));
    }
}
