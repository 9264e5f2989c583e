//! `--engine`: the mistakes of a faulty engine are found and named.

use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tamarin_perft::compare::mailbox::Mailbox;
use tamarin_perft::compare::mistakes::Mistake;
use tamarin_perft::suite::Suite;

fn compare(engine: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_perft"));
    command.args(["--engine", engine]).args(arguments).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn faulty(number: usize, form: &str) -> String {
    format!("'{}' {number} {form}", env!("CARGO_BIN_EXE_faulty-engine"))
}

fn json(engine: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = compare(engine, &[arguments, &["--json"]].concat());
    let object = serde_json::from_slice(&output.stdout);
    (output.status.code(), object.unwrap_or_else(|error| panic!("{engine}: {error}: {output:?}")))
}

/// The second generator shares nothing with ours.
#[test]
fn second_generator_without_a_mistake_counts_right() {
    for record in Suite::rules().records() {
        let board = Mailbox::new(&record.fen, None).expect("a FEN");
        for &(depth, count) in record.counts.iter().filter(|(_, count)| *count < 10_000) {
            assert_eq!(board.total(depth.plies()), count, "{} depth {depth}", record.fen);
        }
    }
}

/// Each of the twenty commonest mistakes is named, first and alone; every tenth without
/// `TAMARIN_LONG_TESTS`.
#[test]
fn long_rules_suite_names_twenty_mistakes_first() {
    let step = if std::env::var_os("TAMARIN_LONG_TESTS").is_some() { 1 } else { 10 };
    for (number, mistake) in (1..=20).zip(Mistake::ALL).step_by(step) {
        let (code, object) = json(&faulty(number, "stockfish"), &["--suite", "rules"]);
        assert_eq!(object["findings"][0]["rule"], mistake.rule(), "{mistake:?}");
        assert_eq!((code, object["findings"].as_array().map(Vec::len)), (Some(1), Some(1)));
        let fen = object["findings"][0]["smallest"]["fen"].as_str().unwrap_or_default();
        let pieces = fen.chars().take_while(|c| *c != ' ').filter(|c| c.is_alphabetic()).count();
        assert!(pieces <= 6, "{mistake:?}: {fen}");
    }
}

/// Each protocol and form; how it ends, what the first finding is, and positions compared.
#[test]
fn other_protocols_and_forms() {
    let rank = Mistake::EpRank.rule();
    let fen = "4k3/8/8/K2pP2r/8/8/8/8 w - d6";
    for (form, cause) in [
        ("totals", "generation"),
        ("args", "generation"),
        ("lines", "generation"),
        ("crash", "failure"),
    ] {
        let (code, object) = json(&faulty(2, form), &["1", fen]);
        assert_eq!(code, Some(1), "{form}: {object}");
        assert_eq!(object["findings"][0]["cause"], cause, "{form}");
        if cause == "generation" {
            let causes = object["findings"][0].to_string();
            assert!(causes.contains(rank), "{form}: {causes}");
        }
        assert_eq!(object["positions"], 1);
        assert!(
            object["findings"][0]["commands"][0]
                .as_str()
                .is_some_and(|text| text.contains("K2pP2r"))
        );
    }
    let (code, object) = json(&faulty(0, "stockfish"), &["--hunt", "50", "--seed", "3"]);
    assert_eq!((code, &object["positions"], &object["wrong"]), (Some(0), &50.into(), &0.into()));
}

#[test]
fn bad_input_and_programs_that_are_no_engines() {
    for (engine, arguments, code, message) in [
        ("/no/such/program", ["1", "startpos"], 2, "cannot be started"),
        ("sh 'open", ["1", "startpos"], 2, "a quote is not closed"),
        ("engine {position}", ["1", "startpos"], 2, "{position} stands for nothing"),
        ("echo hello", ["1", "startpos"], 3, "cannot be compared"),
    ] {
        let output = compare(engine, &arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{engine}: {complaint}");
        assert!(complaint.contains(message), "{engine}: {complaint}");
    }
}
