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

/// Each of the twenty commonest mistakes is named, first and alone.
#[test]
fn long_rules_suite_names_twenty_mistakes_first() {
    for (number, mistake) in (1..=20).zip(Mistake::ALL) {
        let (code, object) = json(&faulty(number, "stockfish"), &["--suite", "rules"]);
        assert_eq!(object["findings"][0]["rule"], mistake.rule(), "{mistake:?}");
        assert_eq!((code, object["findings"].as_array().map(Vec::len)), (Some(1), Some(1)));
        let fen = object["findings"][0]["smallest"]["fen"].as_str().unwrap_or_default();
        let pieces = fen.chars().take_while(|c| *c != ' ').filter(|c| c.is_alphabetic()).count();
        assert!(pieces <= 6, "{mistake:?}: {fen}");
    }
}
