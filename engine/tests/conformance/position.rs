//! Positions and moves of a session. What is a FEN or a move is tested in `movegen`.

use crate::support::check::sound;
use crate::support::{Engine, Oracle};

#[test]
fn an_illegal_move_rejects_the_whole_command() {
    let mut engine = Engine::ready();
    let moves =
        ["e2e4 e7e5 e4e5", "e7e5", "e2e4 d7d5 f1b5 0000", "e1g1", "e2e4q", "e2e4 nonsense", "é2e4"];
    let moves = moves.map(|moves| format!("startpos moves {moves}"));
    let fens = ["8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "startpos", ""];
    let fens = fens.map(|fen| format!("fen {fen} moves e2e4"));
    for position in moves.iter().chain(&fens) {
        engine.quietly("position startpos moves d2d4");
        let notes = engine.notes(&format!("position {position}"));
        assert_eq!(notes.len(), 1, "{position}: {notes:?}");
        assert!(notes[0].starts_with("error: "), "{position}: {notes:?}");
        assert_eq!(engine.go("go depth 1").best, "0000", "{position} left a position");
        assert_eq!(engine.go("go infinite").best, "0000", "{position}");
    }
    engine.quietly("position startpos moves e2e4");
    sound(&engine.go("go depth 2"), &Oracle::startpos().after(&["e2e4"]));
    engine.quit();
}
