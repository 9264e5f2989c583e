//! Clocks: no limit of time is ever overdrawn, as the client measures it.

use std::time::Duration;

use crate::alone;
use crate::support::check::sound;
use crate::support::oracle::{Notation, STARTPOS};
use crate::support::{Engine, Oracle, ms, retry_once};

fn oracle(fen: &str) -> Oracle {
    Oracle::new(fen, Notation::Classic)
}

/// The answer must be there within the span.
fn in_time(fen: &str, go: &str, span: Duration) {
    retry_once(|| {
        let mut engine = Engine::ready();
        engine.quietly(&format!("position fen {fen}"));
        let search = engine.go(go);
        sound(&search, &oracle(fen));
        engine.quit();
        let took = search.spent;
        if took < span { Ok(()) } else { Err(format!("{go}: {took:?} of {span:?}")) }
    });
}

#[test]
fn clocks_come_in_any_order_and_one_may_be_missing() {
    let _turn = alone();
    let goes = [
        "go wtime 500 btime 500 winc 10 binc 10",
        "go binc 10 winc 10 btime 500 wtime 500",
        "go movestogo 5 winc 0 wtime 500 binc 0 btime 500",
        "go wtime 500",
        "go btime 500",
        "go wtime 500 winc 10",
        "go btime 500 binc 10",
    ];
    for go in goes {
        in_time(STARTPOS, go, ms(480));
    }
}

#[test]
fn an_empty_clock_is_answered_at_once() {
    let _turn = alone();
    let clocks = ["0", "-1", "1", "-5000", "-99999999999999999999", "2", "15"];
    for clock in clocks {
        in_time(STARTPOS, &format!("go wtime {clock} btime 100"), ms(60));
        in_time(STARTPOS, &format!("go wtime {clock} btime {clock} winc 0 binc 0"), ms(60));
    }
    in_time("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", "go wtime 60000 btime -40", ms(60));
}

#[test]
fn odd_clocks_are_never_overdrawn() {
    let _turn = alone();
    let goes = [
        ("go wtime 60 btime 60 winc 5000 binc 5000", 60),
        ("go wtime 200 btime 200 winc 200 binc 200", 200),
        ("go wtime 150 btime 150 movestogo 1", 150),
        ("go wtime 150 btime 150 movestogo 0", 150),
        ("go wtime 150 btime 150 movestogo -3", 150),
        ("go wtime 150 btime 150 movestogo 40", 150),
        ("go wtime 150 btime 150 winc 20 binc 20 movestogo 40", 150),
        ("go wtime 150 btime 150 movestogo 99999999999", 150),
        ("go binc 5 winc 5 btime 9 wtime 9 movestogo 1", 60),
    ];
    for (go, clock) in goes {
        in_time(STARTPOS, go, ms(clock));
    }
}

#[test]
fn a_first_clock_that_includes_the_increment_is_not_overdrawn() {
    let _turn = alone();
    in_time(STARTPOS, "go wtime 110 btime 110 winc 100 binc 100", ms(110));
    in_time(STARTPOS, "go wtime 210 btime 210 winc 10 binc 10", ms(210));
}

#[test]
fn movetime_is_kept_by_the_clients_clock() {
    let _turn = alone();
    for time in [30, 50, 100, 250] {
        in_time(STARTPOS, &format!("go movetime {time}"), ms(time));
    }
    for time in ["0", "1", "-7"] {
        in_time(STARTPOS, &format!("go movetime {time}"), ms(60));
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    let _turn = alone();
    retry_once(|| {
        let mut engine = Engine::ready();
        engine.send("go ponder wtime 300 btime 300");
        engine.no_bestmove_for(ms(400));
        engine.send("ponderhit");
        let search = engine.search();
        sound(&search, &Oracle::startpos());
        engine.quietly("ponderhit");
        engine.quit();
        let took = search.spent;
        if took < ms(280) { Ok(()) } else { Err(format!("{took:?} after ponderhit")) }
    });
}

#[test]
fn the_only_move_is_played_fast_with_its_score() {
    let _turn = alone();
    // From a clock of ten minutes an ordinary move takes seconds.
    let clock = "go wtime 600000 btime 600000";
    for (fen, only) in [
        ("rn2k2r/4p3/p1p2PPb/1R2Q2p/pP3Pb1/7p/1BPP1q2/RN2KB2 w Qkq - 4 20", "e1f2"),
        ("r4knr/p1p4p/bBPp4/Pp3p2/5P2/1P2K1q1/1bP1P1P1/RN1Q1B2 w - - 0 23", "e3d2"),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2"),
    ] {
        assert_eq!(oracle(fen).legal(), [only]);
        in_time(fen, clock, ms(300));
    }
}

#[test]
fn tiny_clocks_are_answered_with_a_scored_line() {
    let _turn = alone();
    let goes = [
        "go wtime 0 btime 100",
        "go wtime -1 btime 100",
        "go wtime 1 btime 100",
        "go wtime 100",
        "go btime 100",
        "go binc 5 winc 5 btime 9 wtime 9 movestogo 1",
    ];
    for go in goes {
        retry_once(|| {
            let mut engine = Engine::ready();
            let search = engine.go(go);
            sound(&search, &Oracle::startpos());
            engine.quit();
            let took = search.spent;
            if took <= ms(100) { Ok(()) } else { Err(format!("{go}: {took:?}")) }
        });
    }
}

#[test]
fn fifty_moves_of_a_tenth_of_a_second_are_all_in_time() {
    let _turn = alone();
    retry_once(|| {
        let mut engine = Engine::ready();
        let mut late = Vec::new();
        for _ in 0..50 {
            let search = engine.go("go movetime 100");
            sound(&search, &Oracle::startpos());
            if search.spent >= ms(100) {
                late.push(search.spent);
            }
        }
        engine.quit();
        if late.is_empty() { Ok(()) } else { Err(format!("late: {late:?}")) }
    });
}

#[test]
fn move_overhead_is_kept_free() {
    let _turn = alone();
    retry_once(|| {
        let mut engine = Engine::ready();
        engine.quietly("setoption name Move Overhead value 200");
        let search = engine.go("go movetime 300");
        sound(&search, &Oracle::startpos());
        engine.quit();
        let took = search.spent;
        if took < ms(150) { Ok(()) } else { Err(format!("{took:?} of 300 ms less 200")) }
    });
}

#[test]
fn the_clock_ends_a_search_that_other_limits_would_not() {
    let _turn = alone();
    for go in [
        "go movetime 60 depth 100 nodes 1000000000 wtime 600000 btime 600000",
        "go wtime 60 btime 60 depth 100 nodes 1000000000 movetime 60000",
    ] {
        in_time(STARTPOS, go, ms(60));
    }
}

#[cfg(unix)]
#[test]
fn a_suspended_engine_answers_soon_after_it_wakes() {
    use std::process::Command;
    use std::thread;
    let _turn = alone();
    let signal = |engine: &Engine, name: &str| {
        let id = engine.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().expect("kill runs");
        assert!(sent.success());
    };
    for go in ["go movetime 500", "go wtime 600 btime 600 movestogo 1"] {
        retry_once(|| {
            let mut engine = Engine::ready();
            engine.send(go);
            engine.no_bestmove_for(ms(50));
            signal(&engine, "-STOP");
            thread::sleep(ms(700));
            signal(&engine, "-CONT");
            let woken = std::time::Instant::now();
            let search = engine.search();
            sound(&search, &Oracle::startpos());
            engine.quit();
            // The time asleep is gone from the clock as well.
            let took = search.lines[search.lines.len() - 1].at - woken;
            if took < ms(50) { Ok(()) } else { Err(format!("{go}: {took:?} after waking")) }
        });
    }
}
