//! Determinism: with one thread and a limit of depth or nodes, the same words every time.

use crate::support::info::{Bound, Info};
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle};

const ROOT: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Everything said about a search but times, and but bounds, which are shown after some time.
fn words(engine: &mut Engine, go: &str) -> Vec<String> {
    engine.send(&format!("position fen {ROOT}"));
    let search = engine.go(go);
    assert!(Oracle::new(ROOT, Notation::Classic).is_legal(&search.best));
    let exact = search.infos.iter().filter(|info| info.bound == Bound::Exact);
    let mut lines: Vec<String> = exact.map(Info::timeless).collect();
    lines.push(format!("{} {:?}", search.best, search.ponder));
    lines
}

#[test]
fn nothing_that_came_before_a_new_game_changes_a_search() {
    let mut fresh = Engine::ready();
    let wanted = words(&mut fresh, "go depth 7");
    fresh.quit();
    let before = [
        "setoption name Threads value 8\ngo nodes 20000\nsetoption name Threads value 1",
        "go infinite\nstop",
        "position startpos moves e2e4 e7e5\ngo depth 6",
        "setoption name Hash value 64\ngo depth 5\nsetoption name Hash value 16",
        "setoption name MultiPV value 5\ngo depth 4\nsetoption name MultiPV value 1",
        "go ponder wtime 1000 btime 1000\nponderhit",
        "setoption name Evaluator value hand-crafted\ngo depth 6\nsetoption name Evaluator value network",
        "setoption name Skill Level value 3\ngo depth 5\nsetoption name Skill Level value 20",
        "perft 3\nbench 1 1 2\neval\nd",
    ];
    let mut engine = Engine::ready();
    for lines in before {
        engine.send(lines);
        if lines.contains("go ") {
            engine.search();
        }
        engine.send("ucinewgame");
        engine.sync();
        assert_eq!(words(&mut engine, "go depth 7"), wanted, "after {lines:?}");
        engine.send("ucinewgame");
    }
    engine.quit();
}

#[test]
fn twenty_budgets_of_nodes_repeat_themselves() {
    let mut engine = Engine::ready();
    for budget in (1..=20).map(|step| step * step * 97) {
        let go = format!("go nodes {budget}");
        engine.send("ucinewgame");
        let first = words(&mut engine, &go);
        engine.send("ucinewgame");
        assert_eq!(words(&mut engine, &go), first, "{go}");
    }
    engine.quit();
}

#[test]
fn two_processes_say_the_same_with_either_evaluator() {
    let run = |evaluator: &str| {
        let mut engine = Engine::ready();
        engine.quietly(&format!("setoption name Evaluator value {evaluator}"));
        let all: Vec<_> =
            ["go depth 5", "go nodes 9000", "go depth 6"].map(|go| words(&mut engine, go)).into();
        engine.quit();
        all
    };
    let [network, terms] = ["network", "hand-crafted"].map(|evaluator| {
        let said = run(evaluator);
        assert_eq!(run(evaluator), said, "{evaluator}");
        said
    });
    assert_ne!(network, terms);
}
