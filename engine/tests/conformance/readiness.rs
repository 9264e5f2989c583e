//! `isready`, `ucinewgame`, and searches that repeat themselves.

use crate::support::info::{Bound, Info};
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle};

#[test]
fn readyok_comes_after_the_effects_of_earlier_commands() {
    let mut engine = Engine::start();
    let notes = engine.notes("setoption name Nonsense value 1");
    assert_eq!(notes, ["No such option: Nonsense"]);
    let setup = "setoption name Hash value 30\nucinewgame\nperft 3\nd\n".repeat(5);
    engine.send(&format!("position startpos\n{setup}isready"));
    let said = engine.until("readyok");
    let count = |start| said.iter().filter(|line| line.text.starts_with(start)).count();
    assert_eq!((count("Nodes searched: 8902"), count("Fen: ")), (5, 5), "{said:#?}");
    engine.quit();
}

const ROOT: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Everything printed of a search but times, and but bounds, which are shown after some time.
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
fn ucinewgame_forgets_the_game_and_keeps_the_options() {
    let mut fresh = Engine::ready();
    fresh.quietly("setoption name MultiPV value 2");
    let wanted = words(&mut fresh, "go depth 6");
    fresh.quit();
    let mut engine = Engine::ready();
    engine.quietly("setoption name MultiPV value 2");
    for before in [
        "setoption name Threads value 8\ngo nodes 20000\nsetoption name Threads value 1",
        "setoption name Hash value 64\ngo depth 5\nsetoption name Hash value 16",
        "go ponder wtime 1000 btime 1000\nponderhit",
        "setoption name Evaluator value hand-crafted\ngo depth 6\nsetoption name Evaluator value network",
        "setoption name Skill Level value 3\ngo depth 5\nsetoption name Skill Level value 20",
        "perft 3\nbench 1 1 2\neval\nd",
    ] {
        engine.send(before);
        if before.contains("go ") {
            engine.search();
        }
        engine.send("ucinewgame");
        engine.sync();
        assert_eq!(words(&mut engine, "go depth 6"), wanted, "after {before:?}");
    }
    engine.quit();
}

#[test]
fn budgets_of_nodes_repeat_themselves_in_another_process() {
    let run = |evaluator: &str| {
        let mut engine = Engine::ready();
        engine.quietly(&format!("setoption name Evaluator value {evaluator}"));
        let budgets = (1..=8).map(|step| step * step * 397);
        let all: Vec<_> =
            budgets.map(|budget| words(&mut engine, &format!("go nodes {budget}"))).collect();
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
