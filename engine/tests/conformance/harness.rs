//! The harness itself: each kind of bad engine must be found out.

#![cfg(unix)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::check::sound;
use crate::support::info::Info;
use crate::support::{Launch, Oracle, PATIENCE};

/// An engine that does what the shell says.
fn fake(script: &str) -> Launch {
    Launch::program("sh").args(&["-c", script])
}

/// The complaint of a test body that must fail.
fn complaint(body: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(body)).expect_err("the fault went unnoticed");
    match panic.downcast_ref::<String>() {
        Some(text) => text.clone(),
        None => (*panic.downcast_ref::<&str>().unwrap_or(&"?")).to_owned(),
    }
}

#[test]
fn answers_that_are_wrong_or_malformed_are_found_out() {
    for (lines, wanted) in [
        ("info depth 1 score cp 3 pv e2e4\\nbestmove e2e5", "e2e5 is illegal"),
        ("bestmove e2e4", "no scored line"),
        ("info depth 1 score cp 3 pv e2e4 e2e4\\nbestmove e2e4", "illegal in the line"),
        ("info depth 1 score cp 3 pv d2d4\\nbestmove e2e4", "is not what"),
        ("info depth 1 score cp 3 lowerbound pv e2e4\\nbestmove e2e4", "is a bound"),
        ("info depth 1 score mate 2 pv e2e4\\nbestmove e2e4", "length of the mate"),
        ("info depth 1 score mate 1 pv e2e4\\nbestmove e2e4", "does not end in mate"),
        ("info depth 1 score cp 3 pv e2e4\\nbestmove e2e4 ponder e2e4", "ponder e2e4 is illegal"),
        ("info depth 1 score cp 3 hashfull 2000 pv e2e4\\nbestmove e2e4", "hashfull"),
        ("info depth 1 score cp 3 pv e2e4\\nbestmove e2e4\\nbestmove d2d4", "nobody asked for"),
        ("info string internal error", "panic in the process"),
        ("bestmove e2e4\\r", "blanks around"),
        ("info  depth 1 score cp 3 pv e2e4", "double blanks"),
    ] {
        let text = complaint(|| {
            let mut engine = fake(&format!("printf '{lines}\\n'; exec sleep 600")).start();
            sound(&engine.search(), &Oracle::startpos());
            engine.no_bestmove_for(PATIENCE);
        });
        assert!(text.contains(wanted), "{lines}: {text}");
    }
    for line in ["score cp 3.5 pv e2e4", "score 3 pv e2e4", "score cp 3 nonsense pv e2e4"] {
        complaint(|| drop(Info::parse(&format!("info depth 1 {line}"))));
    }
}
