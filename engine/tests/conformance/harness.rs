//! The harness itself: each kind of bad engine must be found out.

#![cfg(unix)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::check::sound;
use crate::support::info::Info;
use crate::support::{Launch, Oracle, PATIENCE, ms};

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
fn a_silent_engine_is_found_out() {
    let text = complaint(|| {
        fake("exec sleep 600").start().until_within("uciok", ms(50));
    });
    assert!(text.contains("no \"uciok\" within"), "{text}");
}

#[test]
fn a_dead_engine_is_found_out() {
    let text = complaint(|| {
        fake("exit 3").start().until_within("uciok", PATIENCE);
    });
    assert!(text.contains("output closed"), "{text}");
    let text = complaint(|| {
        fake("exit 3").start().expect_exit();
    });
    assert!(text.contains("exit status: 3"), "{text}");
}

#[test]
fn an_engine_that_does_not_end_is_found_out() {
    let text = complaint(|| {
        fake("exec sleep 600").start().exit_within(ms(50));
    });
    assert!(text.contains("still running"), "{text}");
}

#[test]
fn a_second_move_is_found_out() {
    let text = complaint(|| {
        let mut engine = fake("echo bestmove e2e4; echo bestmove d2d4; exec sleep 600").start();
        engine.search();
        engine.no_bestmove_for(PATIENCE);
    });
    assert!(text.contains("nobody asked for"), "{text}");
}

#[test]
fn an_illegal_move_a_silent_move_and_a_false_line_are_found_out() {
    let cases = [
        ("info depth 1 score cp 3 pv e2e4\\nbestmove e2e5", "e2e5 is illegal"),
        ("bestmove e2e4", "no scored line"),
        ("info depth 1 score cp 3 pv e2e4 e2e4\\nbestmove e2e4", "illegal in the line"),
        ("info depth 1 score cp 3 pv d2d4\\nbestmove e2e4", "is not what"),
        ("info depth 1 score cp 3 lowerbound pv e2e4\\nbestmove e2e4", "is a bound"),
        ("info depth 1 score mate 2 pv e2e4\\nbestmove e2e4", "length of the mate"),
        ("info depth 1 score mate 1 pv e2e4\\nbestmove e2e4", "does not end in mate"),
        ("info depth 1 score cp 3 pv e2e4\\nbestmove e2e4 ponder e2e4", "ponder e2e4 is illegal"),
        ("info depth 1 score cp 3 hashfull 2000 pv e2e4\\nbestmove e2e4", "hashfull"),
    ];
    for (lines, wanted) in cases {
        let text = complaint(|| {
            let mut engine = fake(&format!("printf '{lines}\\n'; exec sleep 600")).start();
            sound(&engine.search(), &Oracle::startpos());
        });
        assert!(text.contains(wanted), "{lines}: {text}");
    }
}

#[test]
fn a_panic_is_found_out_wherever_it_shows() {
    let says = |script: &str| {
        let text = complaint(|| {
            let mut engine = fake(script).start();
            engine.until("readyok");
        });
        assert!(text.contains("panic in the process"), "{text}");
    };
    // In a line that a test reads, and in one that it does not.
    says("echo info string internal error; echo readyok; exec sleep 600");
    says("echo 'Error (internal error): usermove'; echo readyok; exec sleep 600");
    says("echo '# internal error in search thread 2'; echo readyok; exec sleep 600");
    says("printf 'readyok\\ninfo string internal error\\n'; exec sleep 600");
    // Words of the client are none, wherever they are repeated.
    let repeated = "info string error: unknown command: \"internal error\"";
    fake(&format!("echo '{repeated}'; echo readyok; exec sleep 600")).start().until("readyok");
    fake(&format!("echo '{repeated}'")).run();
    // On standard error, however the process ends.
    for end in ["", "exec sleep 600", "exit 1"] {
        let text = complaint(|| {
            let mut engine = fake(&format!("echo oops >&2; echo readyok; {end}")).start();
            engine.until("readyok");
        });
        assert!(text.contains("standard error") && text.contains("oops"), "{text}");
    }
    for run in ["echo panicked at here >&2", "echo info string internal error"] {
        let text = complaint(|| drop(fake(run).run()));
        assert!(text.contains("panic in the process"), "{text}");
    }
    // A status of 1 is one, and so is the other way round.
    let text = complaint(|| {
        fake("exit 1").start().expect_exit();
    });
    assert!(text.contains("exit status: 1"), "{text}");
    complaint(|| drop(fake("echo panicked at here >&2").start().expect_exit_after_panic()));
    complaint(|| drop(fake("exit 1").start().expect_exit_after_panic()));
}

#[test]
fn odd_forms_are_found_out() {
    for line in
        ["bestmove e2e4\\r", " bestmove e2e4", "info  depth 1 score cp 3 pv e2e4", "readyok "]
    {
        complaint(|| {
            let mut engine = fake(&format!("printf '{line}\\n'; exec sleep 600")).start();
            let _ = engine.line_within(PATIENCE);
        });
    }
    for line in [
        "info depth 1 score cp 3.5 pv e2e4",
        "info depth one score cp 3 pv e2e4",
        "info score cp 3 pv e2e4",
        "info depth 1 score 3 pv e2e4",
        "info depth 1 score cp 3 nonsense pv e2e4",
    ] {
        complaint(|| {
            Info::parse(line);
        });
    }
}
