//! A panic inside costs neither the game nor the process. Needs the feature `inject-panic`.

#[path = "../support/mod.rs"]
mod support;

use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::{Engine, Launch, Oracle, ms};

fn faulty(nodes: &str) -> Engine {
    Launch::new()
        .configure(|command| {
            command.env("TAMARIN_PANIC_AT_NODES", nodes);
        })
        .start()
}

fn says_so(search: &Search) -> bool {
    search.lines.iter().any(|line| line.text.starts_with("info string internal error"))
}

#[test]
fn a_panic_in_a_search_thread_is_told_and_a_legal_move_comes_out() {
    for (threads, evaluator) in [(1, "network"), (4, "network"), (4, "hand-crafted")] {
        for nodes in ["1", "50", "5000"] {
            let mut engine = faulty(nodes);
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
            engine.send("quit");
            engine.expect_exit();
        }
    }
}

#[test]
fn without_a_panic_nothing_is_said() {
    let mut engine = faulty("");
    let search = engine.go("go depth 6");
    sound(&search, &Oracle::startpos());
    assert!(!says_so(&search));
    engine.quit();
}
