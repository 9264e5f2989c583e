//! Positions and moves of a session. What is a FEN or a move is tested in `movegen`.

use crate::support::check::sound;
use crate::support::{Engine, Oracle};

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
