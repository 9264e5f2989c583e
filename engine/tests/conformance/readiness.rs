//! `isready`, `ucinewgame`, `debug`.

use crate::support::check::sound;
use crate::support::{Engine, Oracle, ms};

#[test]
fn readyok_comes_after_the_effects_of_earlier_commands() {
    let mut engine = Engine::ready();
    // What each command says comes before the readyok behind it.
    let notes = engine.notes("setoption name Nonsense value 1");
    assert_eq!(notes, ["No such option: Nonsense"]);
    let notes = engine.notes("position fen nonsense");
    assert_eq!(notes.len(), 1);
    // A long line of them is carried out first.
    let setup = "setoption name Hash value 30\nucinewgame\nperft 3\nd\n".repeat(5);
    engine.send(&format!("position startpos\n{setup}isready"));
    let said = engine.until("readyok");
    let counts = said.iter().filter(|line| line.text == "Nodes searched: 8902");
    assert_eq!(counts.count(), 5, "{said:#?}");
    assert_eq!(said.iter().filter(|line| line.text.starts_with("Fen: ")).count(), 5);
    engine.quit();
}

#[test]
fn isready_is_answered_during_a_search_and_disturbs_nothing() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000"] {
        let mut engine = Engine::ready();
        engine.send(go);
        for _ in 0..20 {
            engine.send("isready");
            let said = engine.until("readyok");
            assert!(said.iter().all(|line| !line.text.starts_with("bestmove")), "{go}");
            engine.no_bestmove_for(ms(5));
        }
        engine.send("stop");
        sound(&engine.search(), &Oracle::startpos());
        engine.quit();
    }
}

#[test]
fn isready_sent_with_go_in_one_write_is_answered() {
    let mut engine = Engine::ready();
    for _ in 0..50 {
        engine.send_bytes(b"position startpos\ngo infinite\nisready\n");
        let said = engine.until("readyok");
        assert!(said.iter().all(|line| !line.text.starts_with("bestmove")));
        engine.send("stop");
        sound(&engine.search(), &Oracle::startpos());
    }
    engine.quit();
}

#[test]
fn isready_needs_no_uci_before_it() {
    let mut engine = Engine::start();
    engine.send("isready");
    assert_eq!(engine.until("readyok").len(), 1);
    engine.quit();
}

/// Nodes of the last iteration of a fixed search.
fn nodes(engine: &mut Engine) -> Option<i64> {
    engine.send("position startpos moves e2e4 e7e5");
    engine.go("go depth 6").last().nodes
}

#[test]
fn ucinewgame_forgets_the_game_and_keeps_the_options() {
    let mut engine = Engine::ready();
    engine.send("setoption name MultiPV value 3\nsetoption name Hash value 200");
    let fresh = nodes(&mut engine);
    engine.send("position startpos moves d2d4");
    engine.go("go depth 7");
    engine.send("ucinewgame");
    engine.sync();
    assert_eq!(nodes(&mut engine), fresh, "something of the old game is left");
    let search = engine.go("go depth 3");
    assert_eq!(search.infos.iter().filter(|info| info.depth == 3).count(), 3, "MultiPV is lost");
    engine.quit();
}

#[test]
fn nothing_is_needed_before_go() {
    let mut engine = Engine::start();
    engine.send_bytes(b"position startpos moves e2e4\ngo depth 2\n");
    sound(&engine.search(), &Oracle::startpos().after(&["e2e4"]));
    engine.quit();
}

#[test]
fn debug_only_adds_info_strings() {
    let mut engine = Engine::ready();
    engine.quietly("debug on");
    engine.send("go infinite\ndebug off\ndebug on");
    engine.no_bestmove_for(ms(30));
    engine.send("stop");
    let search = engine.search();
    assert!(
        search
            .lines
            .iter()
            .all(|line| { line.text.starts_with("info ") || line.text.starts_with("bestmove ") })
    );
    engine.quietly("debug off");
    engine.quit();
}

#[test]
fn words_of_other_dialects_are_ignored() {
    let mut engine = Engine::ready();
    for line in
        ["register later", "register name A code 1", "copyprotection ok", "readyok", "uciok"]
    {
        engine.quietly(line);
    }
    engine.quit();
}
