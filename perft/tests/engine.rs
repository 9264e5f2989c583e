//! `--engine`: the mistakes of a faulty engine are found and named.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Common mistakes and the rules that they break.
const MISTAKES: [(&str, &str); 22] = [
    ("en-passant-never", EN_PASSANT),
    ("en-passant-rank", RANK),
    ("en-passant-pin-ignored", "en passant: a pinned pawn may not leave the pin's diagonal"),
    ("en-passant-along-pin", "en passant: a pinned pawn may take along the pin's diagonal"),
    ("en-passant-checker", "en passant: takes the pawn that gives check"),
    ("en-passant-stays", EN_PASSANT),
    ("en-passant-victim-stays", "state: the pawn taken en passant leaves the board"),
    ("castling-out-of-check", "castling: not out of check"),
    ("castling-across-check", "castling: not across an attacked f1"),
    ("castling-b1-attacked", "castling: an attacked b1 does not matter"),
    ("castling-pawns-ignored", "castling: not out of a pawn's check"),
    ("right-survives-capture", "castling: the right ends when the rook is taken"),
    ("right-survives-promotion", "castling: the right ends when a promoting pawn takes the rook"),
    ("unmake-loses-rights", "state: taking a move back does not restore the castling rights"),
    ("promotion-queen-only", "promotion: four pieces, none optional"),
    ("promotion-in-check", "promotion: closes the line of a check"),
    ("king-retreats", "king: may not retreat along the line of the check"),
    ("double-check", "double check: only the king may move"),
    ("pinned-answers-check", "check: a pinned piece may not answer it"),
    ("castling-rook-pinned", "Chess960: the castling rook is pinned on the first rank: illegal"),
    (
        "right-survives-king-move",
        "castling: the right ends when king or rook move, and stays lost when they return",
    ),
    ("total-one-more", "counting: the total is the sum over the moves"),
];
const EN_PASSANT: &str =
    "en passant: a pawn that has just moved two squares may be taken, the next move only";
const RANK: &str = "en passant: both pawns leave the rank, which opens it to a rook: illegal";

fn compare(engine: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_perft"));
    command.args(["--engine", engine]).args(arguments).stdin(Stdio::null());
    command.output().expect("the program starts")
}

fn faulty(mistake: &str, form: &str) -> String {
    format!("'{}' {mistake} {form}", env!("CARGO_BIN_EXE_faulty-engine"))
}

fn json(engine: &str, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = compare(engine, &[arguments, &["--json"]].concat());
    let object = serde_json::from_slice(&output.stdout);
    (output.status.code(), object.unwrap_or_else(|error| panic!("{engine}: {error}: {output:?}")))
}

/// Each mistake is named first, in a small position; every fifth without
/// `TAMARIN_LONG_TESTS`. Without a mistake all agree.
#[test]
fn long_rules_suite_names_each_mistake_first() {
    let step = if std::env::var_os("TAMARIN_LONG_TESTS").is_some() { 1 } else { 5 };
    for (mistake, rule) in MISTAKES.into_iter().step_by(step) {
        let (code, object) = json(&faulty(mistake, "stockfish"), &["3", "--suite", "rules"]);
        assert_eq!((code, &object["findings"][0]["rule"]), (Some(1), &rule.into()), "{mistake}");
        let fen = object["findings"][0]["smallest"]["fen"].as_str().unwrap_or_default();
        let pieces = fen.chars().take_while(|c| *c != ' ').filter(|c| c.is_alphabetic()).count();
        assert!(pieces <= 6, "{mistake}: {fen}");
    }
    let (code, object) = json(&faulty("none", "stockfish"), &["--suite", "rules"]);
    assert_eq!((code, &object["positions"], &object["wrong"]), (Some(0), &88.into(), &0.into()));
}

/// Each protocol and form: what the first finding is, its rule, with the commands.
#[test]
fn other_protocols_and_forms() {
    let fen = "4k3/8/8/K2pP2r/8/8/8/8 w - d6";
    let stale = "position: not taken, the one before is counted again";
    for (form, options, cause, rule) in [
        ("totals", &[][..], "generation", RANK),
        ("args", &[], "generation", RANK),
        ("lines", &[], "generation", RANK),
        ("xboard", &["--protocol", "xboard"], "generation", RANK),
        ("plain", &["--ask", "count {depth}"], "generation", RANK),
        ("crash", &[], "failure", "no answer: "),
        ("hang", &["--timeout", "1"], "failure", "no answer: "),
        ("stale", &[], "stale", stale),
    ] {
        let arguments = [&["1", fen], options].concat();
        let (code, object) = json(&faulty("en-passant-rank", form), &arguments);
        let finding = &object["findings"][0];
        assert_eq!((code, &finding["cause"]), (Some(1), &cause.into()), "{form}: {object}");
        assert!(
            finding["rule"].as_str().is_some_and(|text| text.contains(rule)),
            "{form}: {object}"
        );
        assert!(finding["commands"].to_string().contains("K2pP2r"), "{form}: {object}");
        assert_eq!(object["positions"], 1);
    }
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - -";
    for (form, arguments, number) in [
        ("stockfish", ["--hunt", "50", "--seed", "3"], 50),
        ("lines", ["1", stalemate, "--timeout", "9"], 1),
    ] {
        let (code, object) = json(&faulty("none", form), &arguments);
        let result = (code, &object["positions"], &object["wrong"]);
        assert_eq!(result, (Some(0), &number.into(), &0.into()), "{form}");
    }
    let hunted = compare(&faulty("right-survives-capture", "stockfish"), &["--hunt", "1000"]);
    assert_eq!(hunted.status.code(), Some(1), "{hunted:?}");
}

/// A case for each position, with the rule of the wrong ones.
#[test]
fn junit_file_has_the_rule_of_each_failure() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [suite, file] = ["junit.epd", "junit.xml"].map(|name| folder.join(name));
    std::fs::write(
        &suite,
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1 ;D1 6 ; a < b\n8/8/4k3/8/8/4K3/8/8 w - - 0 1 ;D1 8\n",
    )
    .expect("a suite");
    let [suite, file] = [&suite, &file].map(|path| path.to_str().expect("a path"));
    let output =
        compare(&faulty("en-passant-rank", "stockfish"), &["--suite", suite, "--junit", file]);
    let text = std::fs::read_to_string(file).expect("a result");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(text.contains("tests=\"2\" failures=\"1\" skipped=\"0\""), "{text}");
    assert!(text.contains("name=\"a &lt; b 4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1\""), "{text}");
    assert!(text.contains(&format!("<failure message=\"{RANK}\"/>")), "{text}");
    assert_eq!((text.matches("<testcase").count(), text.matches("<failure").count()), (2, 1));
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
