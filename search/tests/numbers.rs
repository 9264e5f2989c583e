//! Every number that changes play stands in the table of parameters, with its origin.

use std::fs;
use std::path::{Path, PathBuf};

use tamarin_search::{Origin, parameters};

/// The text of all files in a folder and below.
fn text_below(path: &Path, text: &mut String) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            text_below(&entry.unwrap().path(), text);
        }
    } else if let Ok(content) = fs::read_to_string(path) {
        text.push_str(&content);
    }
}

#[test]
fn runs_named_as_origins_are_recorded() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut recorded = String::new();
    for name in ["results.md", "results"] {
        let path = docs.join(name);
        if path.exists() {
            text_below(&path, &mut recorded);
        }
    }
    let is_word =
        |id: &str| recorded.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == id);
    for tunable in parameters() {
        if let Origin::Run(id) = tunable.origin {
            assert!(is_word(id), "{}: no run {id} in docs/results", tunable.name);
        }
    }
    assert!(!is_word("M99999"));
}

/// Folders and files whose code may hold no number that changes play.
const WITHOUT_NUMBERS: [&str; 16] = [
    "base/src/replacement.rs",
    "base/src/formula",
    "base/src/time_limits.rs",
    "base/src/types.rs",
    "search/src/history",
    "search/src/iterate.rs",
    "search/src/node",
    "search/src/order",
    "search/src/pv.rs",
    "search/src/quiesce.rs",
    "search/src/root.rs",
    "search/src/stack.rs",
    "search/src/strength",
    "search/src/threads/run.rs",
    "search/src/threads/vote.rs",
    "search/src/tt",
];

/// What else stands in those files, and why it is no matter of tuning.
const STRUCTURE: [(&str, &[&str], &str); 16] = [
    ("base/src/replacement.rs", &["32"], "bits of a generation"),
    (
        "base/src/formula/mod.rs",
        &["7", "32", "100", "256", "255", "20", "63", "31", "744_261_118", "30"],
        "division by 128; men on a full board, plies of the fifty-move rule; the table of logarithms",
    ),
    ("search/src/history/capture.rs", &["12", "6"], "pieces, kinds of pieces"),
    (
        "search/src/history/continuation.rs",
        &["3", "16", "40", "0x9E37_79B9_7F4A_7C15"],
        "earlier moves; a hash",
    ),
    ("search/src/history/correction.rs", &["3", "4", "5"], "its five tables"),
    ("search/src/history/quiet.rs", &["4", "3", "4096", "4095"], "its indices"),
    ("search/src/iterate.rs", &["3000"], "ms before bounds are reported"),
    ("search/src/node/probe.rs", &["4"], "the evaluation four plies ago"),
    ("search/src/node/moves.rs", &["3"], "plies of a triple extension"),
    ("search/src/order/mod.rs", &["8", "22", "255", "256"], "how keys are packed"),
    ("search/src/order/scores.rs", &["3"], "earlier moves"),
    ("search/src/stack.rs", &["4", "256"], "earlier moves, the size of the stack"),
    ("search/src/strength/mod.rs", &["500", "3190"], "what UCI users may ask for"),
    (
        "search/src/tt/entry.rs",
        &["3", "5", "16", "32", "48", "56", "58", "59", "255", "0xFFFF", "100"],
        "bits of an entry; plies of the fifty-move rule",
    ),
    ("search/src/tt/table.rs", &["250", "1000", "0x9E37_79B9_7F4A_7C15"], "hashfull; a hash"),
    ("base/src/types.rs", &["246", "245"], "the longest line and the last iteration"),
];

/// Numbers that need no excuse: nothing, one, two sides, and the denominators of fixed-point
/// numbers.
const PLAIN: [&str; 6] = ["0", "1", "2", "64", "128", "1024"];

/// The code of a Rust file without comments, strings and the module of tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let mut code = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or(line);
        // Every second piece is within quotes.
        line.split('"').step_by(2).for_each(|piece| code.push_str(piece));
        code.push('\n');
    }
    code
}

/// The number literals of some code, without those of names and tuple fields.
fn numbers(code: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut numbers = Vec::new();
    let mut before = ' ';
    let mut rest = code;
    while let Some(start) = rest.find(is_part) {
        before = rest[..start].chars().next_back().unwrap_or(before);
        let word = &rest[start..];
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        if word.starts_with(|c: char| c.is_ascii_digit()) && before != '.' {
            numbers.push(&word[..end]);
        }
        rest = &word[end..];
    }
    numbers
}

#[test]
fn numbers_of_code_are_found() {
    let text =
        "let x1 = a.0 + 77 * depth; // 5\nf(\"6\", 0x9E, -8_000);\n#[cfg(test)]\nmod tests 9";
    assert_eq!(numbers(&code(text)), ["77", "0x9E", "8_000"]);
}

fn rust_files(path: PathBuf, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            rust_files(entry.unwrap().path(), files);
        }
    } else if path.file_name().is_some_and(|name| name != "tests.rs" && name != "numbers.rs") {
        files.push(path);
    }
}

/// Numbers that change play belong into the table, where they have an origin and can be tuned.
#[test]
fn no_number_that_changes_play_stands_outside_the_table() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    WITHOUT_NUMBERS.iter().for_each(|name| rust_files(source.join(name), &mut files));
    let mut strangers = Vec::new();
    for file in files {
        let name = file.strip_prefix(&source).unwrap().display().to_string();
        let known = STRUCTURE.iter().find(|of| of.0 == name).map_or(&[][..], |of| of.1);
        let code = code(&fs::read_to_string(&file).unwrap());
        for number in numbers(&code) {
            if !PLAIN.contains(&number) && !known.contains(&number) {
                strangers.push(format!("{name}: {number}"));
            }
        }
    }
    assert!(strangers.is_empty(), "numbers outside base/src/params/table.rs: {strangers:#?}");
}
