//! Clocks: whatever they say, the search ends by itself, and at once where there is no time.
//!
//! How much of the time is used is measured by `make bench-latency`; that no limit is ever beyond
//! the clock is shown by `base/src/time_limits/tests.rs`. Nothing here looks at a clock.

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::oracle::{Notation, STARTPOS};
use crate::support::{Engine, Oracle, ms};

/// More nodes than any computer searches in the millisecond that is the least time for a move:
/// where a thread has to wait for its turn, time passes and nodes do not.
const NODES_OF_A_MILLISECOND: i64 = 50_000;

fn oracle(fen: &str) -> Oracle {
    Oracle::new(fen, Notation::Classic)
}

/// The answer of a new engine, which must come without a `stop`.
fn answer(options: &str, fen: &str, go: &str) -> Search {
    let mut engine = Engine::ready();
    engine.quietly(&format!("{options}\nposition fen {fen}"));
    let search = engine.go(go);
    sound(&search, &oracle(fen));
    engine.quit();
    search
}

/// The answer must come at once.
fn at_once(options: &str, fen: &str, go: &str) {
    let nodes = answer(options, fen, go).last().nodes.expect("nodes are printed");
    assert!(nodes <= NODES_OF_A_MILLISECOND, "{go}: {nodes} nodes without time");
}

#[test]
fn clocks_come_in_any_order_and_one_may_be_missing() {
    for go in [
        "go wtime 500 btime 500 winc 10 binc 10",
        "go binc 10 winc 10 btime 500 wtime 500",
        "go movestogo 5 winc 0 wtime 500 binc 0 btime 500",
        "go wtime 500",
        "go btime 500",
        "go wtime 500 winc 10",
        "go btime 500 binc 10",
    ] {
        answer("", STARTPOS, go);
    }
}

#[test]
fn an_empty_clock_is_answered_at_once() {
    let mut engine = Engine::ready();
    let mut at_once = |go: &str| {
        engine.quietly("ucinewgame\nposition startpos");
        let search = engine.go(go);
        sound(&search, &Oracle::startpos());
        let nodes = search.last().nodes.expect("nodes are printed");
        assert!(nodes <= NODES_OF_A_MILLISECOND, "{go}: {nodes} nodes without time");
    };
    for clock in ["0", "-1", "1", "-5000", "-99999999999999999999", "2", "15"] {
        at_once(&format!("go wtime {clock} btime 36000000"));
        at_once(&format!("go wtime {clock} btime {clock} winc 0 binc 0"));
    }
    at_once("go wtime 1");
    at_once("go binc 5 winc 5 btime 9 wtime 9 movestogo 1");
    engine.quit();
    let black = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1";
    self::at_once("", black, "go wtime 36000000 btime -40");
}

#[test]
fn odd_clocks_end_the_search() {
    for go in [
        "go wtime 60 btime 60 winc 36000000 binc 36000000",
        "go wtime 200 btime 200 winc 200 binc 200",
        "go wtime 150 btime 150 movestogo 1",
        "go wtime 150 btime 150 movestogo 0",
        "go wtime 150 btime 150 movestogo -3",
        "go wtime 150 btime 150 movestogo 40",
        "go wtime 150 btime 150 winc 20 binc 20 movestogo 40",
        "go wtime 150 btime 150 movestogo 99999999999",
        "go wtime 110 btime 110 winc 100 binc 100",
        "go wtime 210 btime 210 winc 10 binc 10",
    ] {
        answer("", STARTPOS, go);
    }
}

#[test]
fn a_time_for_the_move_ends_the_search() {
    answer("", STARTPOS, "go movetime 50");
    for time in ["0", "1", "-7"] {
        at_once("", STARTPOS, &format!("go movetime {time}"));
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut engine = Engine::ready();
    engine.send("go ponder wtime 300 btime 300");
    engine.no_bestmove_for(ms(400));
    engine.send("ponderhit");
    sound(&engine.search(), &Oracle::startpos());
    engine.quietly("ponderhit");
    engine.quit();
}

#[test]
fn the_only_move_is_played_without_much_thought_and_with_its_score() {
    // From a clock of ten hours an ordinary move takes a quarter of one.
    let clock = "go wtime 36000000 btime 36000000";
    for (fen, only) in [
        ("rn2k2r/4p3/p1p2PPb/1R2Q2p/pP3Pb1/7p/1BPP1q2/RN2KB2 w Qkq - 4 20", "e1f2"),
        ("r4knr/p1p4p/bBPp4/Pp3p2/5P2/1P2K1q1/1bP1P1P1/RN1Q1B2 w - - 0 23", "e3d2"),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2"),
    ] {
        assert_eq!(oracle(fen).legal(), [only]);
        answer("", fen, clock);
    }
}

#[test]
fn move_overhead_is_kept_free() {
    let overhead = "setoption name Move Overhead value 5000";
    at_once(overhead, STARTPOS, "go movetime 5000");
    at_once(overhead, STARTPOS, "go wtime 5000 btime 5000");
}

#[test]
fn the_clock_ends_a_search_that_other_limits_would_not() {
    for go in [
        "go movetime 60 depth 200 nodes 1000000000000 wtime 36000000 btime 36000000",
        "go wtime 60 btime 60 depth 200 nodes 1000000000000 movetime 36000000",
    ] {
        answer("", STARTPOS, go);
    }
}

/// The time asleep is gone from the clock as well: how soon the answer comes is measured by
/// `make bench-latency`.
#[cfg(unix)]
#[test]
fn a_suspended_engine_answers_when_it_wakes() {
    use crate::support::signal;
    for go in ["go movetime 100", "go wtime 100 btime 100 movestogo 1"] {
        let mut engine = Engine::ready();
        engine.send(go);
        signal(engine.id(), "-STOP");
        std::thread::sleep(ms(200));
        signal(engine.id(), "-CONT");
        sound(&engine.search(), &Oracle::startpos());
        engine.quit();
    }
}
