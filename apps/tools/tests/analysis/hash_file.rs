//! `tamarin analyse --hash-file`: an analysis that goes on where an earlier one was.

use std::fs;

use serde_json::Value;

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
fn second_run_goes_on_with_the_table_of_the_first() {
    let folder = Folder::new();
    let path = folder.name("deep.hash");
    let (_, printed) = nodes(&path, &["-n", "40000"]);
    assert!(
        printed.contains("deep.hash: hash saved: ") && !printed.contains("loaded"),
        "{printed}"
    );
    let (second, printed) = nodes(&path, &["-d", "14"]);
    assert!(
        printed.contains("hash loaded: ") && printed.contains("; replaced a file of "),
        "{printed}"
    );
    let (fresh, _) = nodes(&folder.name("other.hash"), &["-d", "14"]);
    assert_ne!(second, fresh, "nodes to depth 14");
}

#[test]
fn rejects_another_file_and_leaves_it() {
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
