//! `go`, `stop`, `ponderhit`, clocks.
//!
//! How much of the time is used is measured by `make bench-latency`; that no limit is ever beyond
//! the clock is tested in `base::time_limits`. Nothing here looks at a clock.

use std::thread;
use std::time::{Duration, Instant};

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::info::Score;
use crate::support::oracle::{Notation, ROOTS, STARTPOS};
use crate::support::{Engine, Oracle, PATIENCE, ms};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
const CHECKMATE: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const ONE_MOVE: &str = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";
const BARE_KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

fn oracle(fen: &str) -> Oracle {
    Oracle::new(fen, Notation::Classic)
}

#[test]
fn each_go_is_answered_once_and_nothing_else_is() {
    let mut engine = Engine::ready();
    // `stop` does not hit the next search.
    engine.quietly("stop\nponderhit");
    for go in [
        "go depth 3",
        "go nodes 500",
        "go movetime 20",
        "go wtime 50 btime 50",
        "go searchmoves e2e4 depth 2",
        "go mate 1 depth 2",
        "go depth x",
    ] {
        sound(&engine.go(go), &Oracle::startpos());
        engine.quietly("stop\nponderhit\nstop");
    }
    engine.silent_for(ms(50));
    engine.quit();
}

#[test]
fn depth_and_mate_are_limits_that_hold() {
    let mut engine = Engine::ready();
    for (go, depth) in [("go depth 1", 1), ("go depth 8", 8), ("go depth -5", 1)] {
        let search = engine.go(go);
        sound(&search, &Oracle::startpos());
        assert_eq!(search.last().depth, depth, "{go}");
    }
    assert!(engine.go("go depth 7").ponder.is_some(), "no answer expected after depth 7");
    // A proven mate ends it, and after mate there is nothing to think about.
    engine.send(&format!("position fen {MATE_IN_ONE}"));
    let mate = engine.go("go mate 7");
    sound(&mate, &oracle(MATE_IN_ONE));
    assert_eq!((mate.last().score, mate.ponder), (Score::Mate(1), None));
    // Bare kings reach any depth at once.
    engine.send(&format!("position fen {BARE_KINGS}"));
    for go in ["go depth 1000000000", "go depth 99999999999999999999999", "go"] {
        sound(&engine.go(go), &oracle(BARE_KINGS));
    }
    engine.quit();
}

#[test]
fn infinite_and_ponder_wait_for_their_word_whatever_is_found() {
    let mut engine = Engine::ready();
    for fen in [MATE_IN_ONE, ONE_MOVE, STARTPOS] {
        engine.send(&format!("position fen {fen}"));
        for (go, end) in [
            ("go infinite", "stop"),
            ("go infinite depth 2 nodes 50 movetime 10 wtime 5 btime 5", "stop"),
            ("go ponder wtime 50 btime 50", "stop"),
            ("go ponder depth 2", "stop"),
            ("go ponder wtime 300 btime 300", "ponderhit"),
            ("go ponder movetime 10", "ponderhit"),
            ("go ponder nodes 1000", "ponderhit"),
        ] {
            engine.send(go);
            engine.no_bestmove_for(ms(60));
            engine.send(end);
            sound(&engine.search(), &oracle(fen));
        }
        engine.quietly("ponderhit");
    }
    engine.quit();
}

/// The processor time that a process has taken.
#[cfg(target_os = "linux")]
fn processor_time(id: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).expect("it runs");
    let fields: Vec<&str> = stat.split(' ').collect();
    Some(fields[13].parse::<u64>().ok()? + fields[14].parse::<u64>().ok()?)
}

#[cfg(target_os = "linux")]
#[test]
fn waiting_for_stop_costs_no_processor_time() {
    let mut engine = Engine::ready();
    engine.send(&format!("position fen {BARE_KINGS}\ngo infinite"));
    // Sooner or later the greatest depth is reached, and from then on nothing runs.
    let deadline = Instant::now() + PATIENCE;
    loop {
        let before = processor_time(engine.id());
        engine.no_bestmove_for(ms(500));
        if processor_time(engine.id()) == before {
            break;
        }
        assert!(Instant::now() < deadline, "it runs while waiting");
    }
    engine.send("stop");
    sound(&engine.search(), &oracle(BARE_KINGS));
    engine.quit();
}

#[test]
fn ponderhit_and_stop_at_any_moment_give_one_move() {
    let mut engine = Engine::ready();
    for round in 0..40_u64 {
        engine.send("go ponder wtime 200 btime 200\nponderhit\nstop");
        engine.send("ponderhit\ngo ponder movetime 3\nponderhit\nponderhit");
        engine.send("go ponder wtime 20 btime 20");
        thread::sleep(Duration::from_micros(round * 50));
        engine.send("ponderhit");
        thread::sleep(Duration::from_micros(round * 30));
        engine.send("stop");
        for _ in 0..3 {
            sound(&engine.search(), &Oracle::startpos());
        }
    }
    engine.silent_for(ms(30));
    engine.quit();
}

/// With more threads than there are cores, too.
#[test]
fn stop_right_after_go_gives_a_legal_scored_move() {
    let mut engine = Engine::ready();
    for threads in [1, 4] {
        engine.quietly(&format!("setoption name Threads value {threads}"));
        for round in 0..60 {
            let root = ROOTS[round % ROOTS.len()];
            engine.send(&format!("position fen {root}\ngo infinite"));
            thread::sleep(Duration::from_micros(20 * round as u64));
            engine.send("stop");
            sound(&engine.search(), &oracle(root));
        }
    }
    engine.quit();
}

#[test]
fn a_thousand_searches_in_one_write_give_a_thousand_moves_in_order() {
    let first = |index: usize| ["e2e4", "d2d4", "c2c4", "g1f3", "b2b3"][index % 5];
    let one = |index| format!("position startpos moves {}\ngo infinite\nstop\n", first(index));
    let mut engine = Engine::ready();
    engine.send_bytes((0..1000).map(one).collect::<String>().as_bytes());
    for index in 0..1000 {
        sound(&engine.search(), &Oracle::startpos().after(&[first(index)]));
    }
    engine.quietly("");
    engine.quit();
}

#[test]
fn searchmoves_restrict_the_root() {
    let mut engine = Engine::ready();
    let search = engine.go("go searchmoves a2a3 h2h3 depth 5");
    sound(&search, &Oracle::startpos());
    assert!(["a2a3", "h2h3"].contains(&search.best.as_str()), "{}", search.best);
    assert!(search.infos.iter().all(|info| ["a2a3", "h2h3"].contains(&info.pv[0].as_str())));
    // Illegal entries are ignored, the others hold.
    assert_eq!(engine.go("go depth 3 searchmoves a2a5 b1c3 e8e7").best, "b1c3");
    // With fewer moves than lines there are fewer lines.
    engine.send("setoption name MultiPV value 5");
    let two = engine.go("go depth 3 searchmoves a2a3 h2h3");
    assert_eq!(two.infos.iter().filter(|info| info.depth == 3).count(), 2);
    engine.send("setoption name MultiPV value 1");
    for list in ["0000", "a2a5 e8e7", "", "nonsense"] {
        let search = engine.go(&format!("go depth 3 searchmoves {list}"));
        sound(&search, &Oracle::startpos());
        let all = "info string no legal searchmoves, searching all moves";
        let times = search.lines.iter().filter(|line| line.text == all).count();
        assert_eq!(times, usize::from(!list.is_empty()), "{list:?}");
    }
    engine.quit();
}

fn assert_no_move(search: &Search, score: &str) {
    assert_eq!((search.best.as_str(), &search.ponder), ("(none)", &None), "{:#?}", search.lines);
    let is_zero = |text: &str| text.starts_with("info depth 0") && text.contains(score);
    assert!(search.lines.iter().any(|line| is_zero(&line.text)), "{:#?}", search.lines);
}

#[test]
fn a_root_without_moves_is_answered_at_once() {
    let mut engine = Engine::ready();
    for (fen, score) in [(CHECKMATE, "score mate 0"), (STALEMATE, "score cp 0")] {
        engine.send(&format!("position fen {fen}"));
        for go in ["go depth 3", "go infinite", "go ponder wtime 10", "go searchmoves e2e4", "go"] {
            assert_no_move(&engine.go(go), score);
            engine.quietly("stop\nponderhit");
        }
    }
    // An only move does not take its part of a clock of ten hours.
    engine.send(&format!("position fen {ONE_MOVE}"));
    sound(&engine.go("go wtime 36000000 btime 36000000"), &oracle(ONE_MOVE));
    // A drawn root still has a move.
    let drawn = "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90";
    engine.send(&format!("position fen {drawn}"));
    assert!(oracle(drawn).is_legal(&engine.go("go depth 4").best));
    engine.quit();
}

/// The time asleep is gone from the clock as well: how soon the answer comes is measured by
/// `make bench-latency`.
#[cfg(unix)]
#[test]
fn a_suspended_engine_answers_when_it_wakes() {
    let mut engine = Engine::ready();
    engine.send("go wtime 100 btime 100 movestogo 1");
    crate::support::signal(engine.id(), "-STOP");
    thread::sleep(ms(200));
    crate::support::signal(engine.id(), "-CONT");
    sound(&engine.search(), &Oracle::startpos());
    engine.quit();
}
