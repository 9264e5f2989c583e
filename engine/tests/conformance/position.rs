//! Positions and moves of a session. What is a FEN or a move is tested in `movegen`.

use crate::support::check::sound;
use crate::support::oracle::Notation;
use crate::support::{Engine, Oracle, PATIENCE};

/// The `Fen:` line of `d`.
fn fen(engine: &mut Engine) -> String {
    engine.send("d");
    let lines = engine.until("Fen:");
    let text = lines[lines.len() - 1].text.trim_start_matches("Fen: ").to_owned();
    engine.until("Checkers:");
    text
}

/// The legal moves according to `go perft 1`, sorted.
fn moves(engine: &mut Engine) -> Vec<String> {
    engine.send("go perft 1");
    let lines = engine.until_line("Nodes", PATIENCE, |text| text.starts_with("Nodes searched: "));
    let moves = lines.iter().filter_map(|line| line.text.split_once(": 1"));
    let mut all: Vec<_> = moves.map(|(mv, _)| mv.to_owned()).filter(|mv| mv.len() <= 5).collect();
    all.sort();
    all
}

#[test]
fn positions_are_set_up_with_and_without_counters_and_moves() {
    let mut engine = Engine::ready();
    let full = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for way in [full, "4k3/8/8/8/8/8/4P3/4K3 w - -", "\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\""] {
        engine.send("position startpos");
        engine.notes(&format!("position fen {way}"));
        assert_eq!(fen(&mut engine), full, "{way}");
    }
    engine.notes("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4 e8d7");
    assert_eq!(fen(&mut engine), "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2");
    engine.quietly("position startpos moves");
    assert!(fen(&mut engine).starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"));
    engine.quit();
}

#[test]
fn impossible_positions_are_refused_and_leave_no_position() {
    let mut engine = Engine::ready();
    for case in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "startpos",
        "",
    ] {
        engine.quietly("position startpos");
        let notes = engine.notes(&format!("position fen {case} moves e2e4"));
        assert_eq!(notes.len(), 1, "{case:?}: {notes:?}");
        assert!(notes[0].starts_with("error: "), "{case:?}: {notes:?}");
        assert_eq!(engine.go("go depth 3").best, "0000", "{case:?} searched something");
        assert_eq!(engine.go("go infinite").best, "0000", "{case:?}");
    }
    engine.quietly("position startpos moves e2e4");
    sound(&engine.go("go depth 2"), &Oracle::startpos().after(&["e2e4"]));
    engine.quit();
}

#[test]
fn an_illegal_move_rejects_the_whole_command() {
    let mut engine = Engine::ready();
    for moves in ["e2e4 e7e5 e4e5", "e7e5", "0000", "e1g1", "e2e4q", "e2e4 nonsense", "é2e4"] {
        engine.quietly("position startpos moves d2d4");
        let notes = engine.notes(&format!("position startpos moves {moves}"));
        assert_eq!(notes.len(), 1, "{moves}: {notes:?}");
        assert!(notes[0].starts_with("error: "), "{moves}: {notes:?}");
        assert_eq!(engine.go("go depth 1").best, "0000", "{moves} left a position");
    }
    engine.quietly("position startpos");
    sound(&engine.go("go depth 1"), &Oracle::startpos());
    engine.quit();
}

#[test]
fn what_a_fen_only_claims_is_repaired_with_one_note() {
    let mut engine = Engine::ready();
    let wanted = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
    for case in ["r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R w Kq e3 -5 0"] {
        let notes = engine.notes(&format!("position fen {case}"));
        assert!(notes.len() == 1 && !notes[0].starts_with("error"), "{case}: {notes:?}");
        assert_eq!(fen(&mut engine), wanted);
    }
    engine.quit();
}

#[test]
fn a_chess960_position_without_the_option_is_still_played_right() {
    let mut engine = Engine::ready();
    for root in [
        "4k3/8/8/8/8/8/8/2K4R w H - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ] {
        let oracle = Oracle::new(root, Notation::Classic);
        let mut expected = oracle.legal();
        expected.sort();
        engine.quietly(&format!("position fen {root}"));
        assert_eq!(moves(&mut engine), expected, "{root}");
        sound(&engine.go("go depth 4"), &oracle);
    }
    engine.quietly("position fen 4k3/8/8/8/8/8/8/2K4R w H - 0 1");
    assert_eq!(engine.go("go depth 2 searchmoves c1h1").best, "c1h1");
    engine.quit();
}
