//! The opening book in a session: when it answers. The format and the choice among moves are tested
//! beside their code, files that are no book in `files.rs`.

#![cfg(unix)]

use std::fs;

use crate::support::book_file::book;
use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::files::Folder;
use crate::support::oracle::STARTPOS;
use crate::support::{Engine, Oracle, ms};

/// Was the move taken from the book? Then one line says so, and nothing claims a score.
fn is_from_book(search: &Search) -> bool {
    let notes = search.lines.iter().filter(|line| line.text.starts_with("info string book: "));
    let notes = notes.count();
    assert_eq!(notes == 1, search.infos.is_empty(), "{:#?}", search.lines);
    assert!(notes == 0 || search.ponder.is_none(), "{:#?}", search.lines);
    notes == 1
}

#[test]
fn the_built_in_book_is_off_until_asked_for() {
    let mut engine = Engine::ready();
    sound(&engine.go("go depth 1"), &Oracle::startpos());
    engine.quietly("setoption name OwnBook value true");
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < 4 {
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        let search = engine.go("go wtime 60000 btime 60000");
        assert!(is_from_book(&search), "{moves:?}: {:#?}", search.lines);
        assert!(Oracle::startpos().after(&moves).is_legal(&search.best));
        moves.push(search.best);
    }
    engine.quit();
}

#[test]
fn only_a_move_of_a_game_comes_from_the_book() {
    let folder = Folder::new();
    let file = folder.file("book.bin", book(&[(STARTPOS, "a2a3", 0, 1)]));
    let mut engine = Engine::ready();
    engine.quietly(&format!("setoption name Book File value {file}"));
    engine.quietly("setoption name OwnBook value true");
    for command in ["go depth 3", "go nodes 100", "go wtime 1000 movestogo 3"] {
        let search = engine.go(command);
        assert!(is_from_book(&search) && search.best == "a2a3", "{command}: {search:#?}");
        let note = "info string book: a2a3, weight 1 of 1 in 1 move";
        assert!(search.lines.iter().any(|line| line.text == note), "{:#?}", search.lines);
    }
    for command in ["go mate 1 depth 2", "go depth 2 searchmoves e2e4 d2d4"] {
        assert!(!is_from_book(&engine.go(command)), "{command}");
    }
    for command in ["go infinite", "go", "go ponder wtime 1000 btime 1000"] {
        engine.send(command);
        engine.no_bestmove_for(ms(50));
        assert!(!is_from_book(&engine.go("stop")), "{command}");
    }
    // The position after the book's move is not in the book.
    engine.send("position startpos moves a2a3");
    assert!(!is_from_book(&engine.go("go depth 2")));
    // The file is in memory.
    fs::remove_file(&file).expect("ours");
    engine.send("position startpos");
    assert_eq!(engine.go("go depth 1").best, "a2a3");
    engine.quit();
}
