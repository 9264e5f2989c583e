//! A panic inside costs neither the game nor the process, and does not stay hidden: the engine
//! answers, reports it, and ends with status 1. Needs the feature `inject-panic`.

#[path = "../support/mod.rs"]
mod support;

use crate::support::check::sound;
use crate::support::engine::{Line, Search};
use crate::support::oracle::{Notation, STARTPOS};
use crate::support::{Engine, Launch, Oracle, PATIENCE, ms};

/// The engine with one of the variables that make it panic.
fn faulty(variable: &str, value: &str) -> Engine {
    let launch = Launch::new().configure(|command| {
        command.env(variable, value);
    });
    launch.that_may_panic().start()
}

fn says_so(search: &Search) -> bool {
    search.lines.iter().any(|line| line.text.starts_with("info string internal error"))
}

fn ends_with_status_1(mut engine: Engine) {
    engine.send("quit");
    engine.expect_exit_after_panic();
}

#[test]
fn a_panic_in_a_search_thread_is_reported_and_a_legal_move_comes_out() {
    for (threads, evaluator) in [(1, "network"), (4, "network"), (4, "hand-crafted")] {
        for nodes in ["1", "50", "5000"] {
            let mut engine = faulty("TAMARIN_PANIC_AT_NODES", nodes);
            engine.send(&format!("uci\nsetoption name Threads value {threads}"));
            engine.until("uciok");
            engine.send(&format!("setoption name Evaluator value {evaluator}"));
            for go in ["go depth 9", "go movetime 50", "go infinite", "go nodes 50000"] {
                engine.send(go);
                // The others may answer as soon as they have failed.
                if go == "go infinite" {
                    engine.no_bestmove_for(ms(20));
                }
                engine.send("stop");
                let search = engine.search();
                assert!(Oracle::startpos().is_legal(&search.best), "{go}");
            }
            // Far enough for every thread to fail, however the system shares the cores.
            let search = engine.go("go nodes 200000");
            assert!(says_so(&search), "{nodes} nodes: {:#?}", search.lines);
            assert!(Oracle::startpos().is_legal(&search.best));
            ends_with_status_1(engine);
        }
    }
}

#[test]
fn without_a_panic_nothing_is_said() {
    let mut engine = Launch::new().start();
    let search = engine.go("go depth 6");
    sound(&search, &Oracle::startpos());
    assert!(!says_so(&search));
    engine.quit();
}

/// Whatever command it is in: each `go` has one legal move, and the next commands are carried out.
#[test]
fn a_panic_in_the_reader_the_session_or_an_answer_costs_one_command() {
    // The lines that follow; the session does not get `stop`.
    let lines = ["uci", "position startpos moves e2e4", "go infinite", "stop"];
    for site in ["reader", "session", "answer"] {
        for times in 1..=if site == "answer" { 1 } else { lines.len() } {
            let mut engine = faulty("TAMARIN_PANIC_AT", &format!("{site}:{times}"));
            engine.send(&lines.join("\n"));
            // Where the `stop` was lost.
            if (site, times) == ("reader", 4) {
                engine.send("stop");
            }
            let search = engine.search();
            // Without its `position` the game is the one before.
            let lost = times == 2 && site != "answer";
            let root = if lost { Oracle::startpos() } else { Oracle::startpos().after(&["e2e4"]) };
            assert!(root.is_legal(&search.best), "{site} {times}: {}", search.best);
            engine.send("ucinewgame\nposition startpos moves d2d4");
            let after = engine.go("go depth 5");
            // The fourth command of the session is among these.
            let reported = says_so(&search) || says_so(&after);
            assert!(reported, "{site} {times}: {:#?}", (&search.lines, &after.lines));
            engine.send("position startpos moves d2d4");
            sound(&engine.go("go depth 5"), &Oracle::startpos().after(&["d2d4"]));
            ends_with_status_1(engine);
        }
    }
}

/// What replaces the search that panicked has its size.
#[cfg(target_os = "linux")]
#[test]
fn a_panic_leaves_threads_hash_and_tablebases_as_they_were() {
    let threads = |mut engine: Engine| {
        engine.send("setoption name Threads value 3\nsetoption name Hash value 40");
        engine.go("go depth 3");
        engine.go("go depth 2");
        let threads = engine.status("Threads:");
        let memory = engine.status("VmRSS:") / 1024;
        assert!(memory >= 40, "{memory} MiB");
        (threads, engine)
    };
    let (sound, engine) = threads(Engine::start());
    engine.quit();
    // The search of depth 3 is the third request.
    let (restored, engine) = threads(faulty("TAMARIN_PANIC_AT", "session:3"));
    assert_eq!(restored, sound);
    ends_with_status_1(engine);
}

#[test]
fn a_lost_quit_is_obeyed_all_the_same() {
    let mut engine = faulty("TAMARIN_PANIC_AT", "reader:1");
    engine.send("quit");
    engine.expect_exit_after_panic();
}

#[test]
fn a_panic_costs_xboard_one_command() {
    let oracle = Oracle::new(STARTPOS, Notation::Classic);
    for site in ["reader:3", "session:2", "session:4", "answer:1"] {
        let mut engine = faulty("TAMARIN_PANIC_AT", site);
        engine.send("xboard\nprotover 2\nnew\nsd 4\ngo\nping 1");
        let all = |lines: Vec<Line>| -> Vec<String> { lines.into_iter().map(|l| l.text).collect() };
        let said = all(engine.until_line("a pong", PATIENCE, |text| text == "pong 1"));
        assert!(said.iter().any(|line| line.contains("internal error")), "{site}: {said:#?}");
        let moves = said.iter().filter_map(|line| line.strip_prefix("move "));
        let moves: Vec<&str> = moves.collect();
        assert!(moves.len() == 1 && oracle.is_legal(moves[0]), "{site}: {said:#?}");
        engine.send("new\nsd 4\ngo\nping 2");
        let said = all(engine.until_line("a pong", PATIENCE, |text| text == "pong 2"));
        let found = said.iter().find_map(|line| line.strip_prefix("move "));
        assert!(found.is_some_and(|mv| oracle.is_legal(mv)), "{site}: {said:#?}");
        ends_with_status_1(engine);
    }
}
