//! The opening book in a session: when it answers, what it plays, and files that are no book.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use tamarin_game::openings::COMMONEST;
use tamarin_movegen::{CastlingNotation, Position};

use crate::support::book_file::book;
use crate::support::check::sound;
use crate::support::engine::Search;
use crate::support::files::{Folder, text};
use crate::support::oracle::{Notation, STARTPOS};
use crate::support::{Engine, Launch, Oracle, ms};

/// An engine that plays from this file.
fn with_book(path: &str) -> Engine {
    let mut engine = Engine::ready();
    engine.quietly(&format!("setoption name Book File value {path}"));
    engine.quietly("setoption name OwnBook value true");
    engine
}

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
    engine.quietly("setoption name OwnBook value true\nsetoption name Book Seed value 1");
    let mut moves = Vec::new();
    for _ in 0..4 {
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        let search = engine.go("go wtime 60000 btime 60000");
        assert!(is_from_book(&search), "{:#?}", search.lines);
        assert!(Oracle::startpos().after(&moves).is_legal(&search.best));
        moves.push(search.best);
    }
    engine.quietly("setoption name OwnBook value false");
    engine.send("position startpos");
    sound(&engine.go("go depth 1"), &Oracle::startpos());
    engine.quit();
}

/// Moves of a line in coordinates.
fn coordinates(line: &str) -> Vec<String> {
    let mut position = Position::startpos();
    let mut moves = Vec::new();
    for san in line.split(' ') {
        let mv = position.parse_san(san).unwrap();
        moves.push(position.uci(mv, CastlingNotation::Classic).to_string());
        position.make(mv);
    }
    moves
}

#[test]
fn the_openings_of_people_are_answered_in_several_ways() {
    let mut engine = Engine::ready();
    engine.quietly("setoption name OwnBook value true");
    for (opening, _) in COMMONEST {
        let mut moves: Vec<String> = Vec::new();
        let mut given = coordinates(opening).into_iter();
        while moves.len() <= 4 {
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            let search = engine.go("go wtime 60000 btime 60000");
            assert!(is_from_book(&search), "{opening}: {moves:?}: {:#?}", search.lines);
            let (heaviest, sum, count) = weights(&search);
            // On the way there may be a single good move, such as 1. e4 e6 2. d4.
            assert!(count >= 2 || moves.len() != 4, "{moves:?}: {search:#?}");
            if moves.len() <= 4 && count >= 2 {
                assert!(100 * heaviest <= 60 * sum, "{moves:?}: {search:#?}");
            }
            moves.push(given.next().unwrap_or(search.best));
        }
    }
    engine.quit();
}

/// The weight of the move, the sum of all weights, and how many moves the book has.
fn weights(search: &Search) -> (u32, u32, u32) {
    let notes = search.lines.iter().find_map(|line| line.text.strip_prefix("info string book: "));
    let numbers: Vec<u32> =
        notes.unwrap().split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [heaviest, sum, count] = numbers[..] else { panic!("{notes:?}") };
    (heaviest, sum, count)
}

#[test]
fn only_a_move_of_a_game_comes_from_the_book() {
    let folder = Folder::new("book-limits");
    let file = folder.file("book.bin", book(&[(STARTPOS, "a2a3", 0, 1)]));
    let mut engine = with_book(&file);
    for command in [
        "go depth 3",
        "go nodes 100",
        "go movetime 20",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go wtime 1000 movestogo 3",
    ] {
        let search = engine.go(command);
        assert!(is_from_book(&search) && search.best == "a2a3", "{command}: {search:#?}");
        let note = "info string book: a2a3, weight 1 of 1 in 1 move";
        assert!(search.lines.iter().any(|line| line.text == note), "{:#?}", search.lines);
    }
    for command in ["go mate 1 depth 2", "go depth 2 searchmoves e2e4 d2d4"] {
        let search = engine.go(command);
        assert!(!is_from_book(&search), "{command}");
        sound(&search, &Oracle::startpos());
    }
    for command in ["go infinite", "go", "go ponder wtime 1000 btime 1000", "go infinite depth 1"] {
        engine.send(command);
        engine.no_bestmove_for(ms(50));
        let search = engine.go("stop");
        assert!(!is_from_book(&search), "{command}");
        sound(&search, &Oracle::startpos());
    }
    // The position after the book's move is not in the book.
    engine.send("position startpos moves a2a3");
    assert!(!is_from_book(&engine.go("go depth 2")));
    engine.quit();
}

#[test]
fn castling_promotions_and_chess960_are_played_as_they_are_in_the_file() {
    const CASTLE: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const ROOK: &str = "6k1/8/8/8/8/8/K7/4R3 w - - 0 1";
    const PROMOTION: &str = "8/P7/8/8/8/7k/8/2K5 w - - 0 1";
    const FISCHER: &str = "5k2/8/8/8/8/8/8/1R3KR1 w BG - 0 1";
    const PASSANT: &str = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
    let folder = Folder::new("book-moves");
    let lines = [
        (CASTLE, "e1h1", 0, 1),
        (ROOK, "e1a1", 0, 1),
        (PROMOTION, "a7a8", 1, 1),
        (FISCHER, "f1g1", 0, 1),
        (PASSANT, "e5f6", 0, 1),
    ];
    let mut engine = with_book(&folder.file("book.bin", book(&lines)));
    for (chess960, notation) in [(false, Notation::Classic), (true, Notation::Chess960)] {
        engine.quietly(&format!("setoption name UCI_Chess960 value {chess960}"));
        let castle = if chess960 { "e1h1" } else { "e1g1" };
        for (fen, wanted) in [
            (CASTLE, castle),
            (ROOK, "e1a1"),
            (PROMOTION, "a7a8n"),
            (FISCHER, "f1g1"),
            (PASSANT, "e5f6"),
        ] {
            engine.send(&format!("position fen {fen}"));
            let search = engine.go("go depth 1");
            assert!(is_from_book(&search), "{fen}: {:#?}", search.lines);
            assert_eq!(search.best, wanted, "{fen}");
            assert!(Oracle::new(fen, notation).is_legal(&search.best), "{fen}");
        }
    }
    engine.quit();
}

#[test]
fn moves_that_are_not_legal_are_passed_over() {
    let folder = Folder::new("book-illegal");
    let lines = [
        (STARTPOS, "e2e5", 0, 900),
        (STARTPOS, "e1g1", 0, 900),
        (STARTPOS, "e1h1", 0, 900),
        (STARTPOS, "a1a1", 0, 900),
        (STARTPOS, "e2e4", 4, 900),
        (STARTPOS, "e2e4", 7, 900),
        (STARTPOS, "d2d4", 0, 0),
        (STARTPOS, "b2b3", 0, 1),
    ];
    let mut engine = with_book(&folder.file("book.bin", book(&lines)));
    assert_eq!(engine.go("go depth 1").best, "b2b3");
    // With nothing that can be played the engine thinks.
    let nothing = folder.file("nothing.bin", book(&lines[..7]));
    engine.quietly(&format!("setoption name Book File value {nothing}"));
    let search = engine.go("go depth 2");
    assert!(!is_from_book(&search));
    sound(&search, &Oracle::startpos());
    engine.quit();
}

#[test]
fn the_choice_follows_weights_and_seed() {
    let folder = Folder::new("book-choice");
    let after = "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1";
    let lines = [
        (STARTPOS, "e2e4", 0, 100),
        (STARTPOS, "a2a3", 0, 300),
        (STARTPOS, "d2d4", 0, 100),
        (after, "h7h6", 0, 1),
    ];
    let file = folder.file("book.bin", book(&lines));
    let games = |seed: u32| {
        let mut engine = with_book(&file);
        engine.quietly(&format!("setoption name Book Seed value {seed}"));
        let mut moves = Vec::new();
        for _ in 0..60 {
            engine.quietly("ucinewgame\nposition startpos");
            let first = engine.go("go depth 1").best;
            assert_eq!(engine.go("go depth 1").best, first, "another move in the same game");
            moves.push(first);
        }
        engine.quit();
        moves
    };
    let moves = games(1);
    assert_eq!(moves, games(1), "the seed does not decide");
    assert_ne!(moves, games(2), "the seed does not matter");
    assert_ne!(games(0), games(0), "the seed is not drawn anew");
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    moves.iter().for_each(|mv| *counts.entry(mv).or_default() += 1);
    // 36 of 60 are expected; 20 and 52 are four standard deviations off.
    assert!(counts.len() == 3 && (20..=52).contains(&counts["a2a3"]), "{counts:?}");
}

#[test]
fn an_invalid_book_is_reported_once_and_the_old_book_stays() {
    let folder = Folder::new("bad-books");
    let good = book(&[(STARTPOS, "a2a3", 0, 1), (STARTPOS, "b2b3", 0, 1)]);
    let other = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let mut unsorted = book(&[(STARTPOS, "a2a3", 0, 1), (other, "a7a6", 0, 1)]);
    unsorted.rotate_left(16);
    let huge = folder.file("huge.bin", "");
    fs::File::options().write(true).open(&huge).expect("ours").set_len(1 << 40).expect("sparse");
    let mut bad = vec![
        text(&folder.0),
        text(&folder.0.join("missing.bin")),
        text(&folder.0.join("a".repeat(4096))),
        folder.pipe("pipe"),
        folder.file("empty.bin", ""),
        folder.file("short.bin", [1, 2, 3]),
        folder.file("cut.bin", &good[..31]),
        folder.file("long.bin", [&good[..], b"\n"].concat()),
        folder.file("unsorted.bin", unsorted),
        folder.file("noise.bin", (0..=255).rev().cycle().take(65_536).collect::<Vec<u8>>()),
        huge,
    ];
    if cfg!(target_os = "linux") {
        bad.extend(["/dev/zero".to_owned(), "/dev/stdin".to_owned()]);
    }
    let locked = folder.file("locked.bin", &good);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("it is ours");
    let refused = |engine: &mut Engine, path: &str| {
        let notes = engine.notes(&format!("setoption name Book File value {path}"));
        assert_eq!(notes.len(), 1, "{path:?}: {notes:?}");
        assert!(notes[0].contains("Book File unchanged"), "{path:?}: {notes:?}");
    };
    if let Some(launch) = Launch::bound_by_rights(fs::read(&locked).is_ok(), &folder.0) {
        let mut engine = launch.start();
        refused(&mut engine, &locked);
        engine.quit();
    }
    let mut engine = with_book(&folder.file("good.bin", &good[..16]));
    for path in bad {
        refused(&mut engine, &path);
        let search = engine.go("go depth 1");
        assert!(is_from_book(&search) && search.best == "a2a3", "{path:?}: {search:#?}");
    }
    // Nothing more is said about them later, and an empty value means the built-in book.
    engine.quietly("ucinewgame\nsetoption name Book File value <empty>");
    assert!(is_from_book(&engine.go("go depth 1")));
    engine.quit();
}

#[test]
fn a_book_outlives_its_file() {
    let folder = Folder::new("book-vanishes");
    let file = folder.file("book.bin", book(&[(STARTPOS, "a2a3", 0, 1)]));
    let mut engine = with_book(&file);
    fs::File::options().write(true).open(&file).expect("ours").set_len(5).expect("it is cut");
    assert_eq!(engine.go("go depth 1").best, "a2a3");
    fs::remove_file(&file).expect("ours");
    assert_eq!(engine.go("go depth 1").best, "a2a3");
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn a_book_for_which_there_is_no_memory_is_reported() {
    let folder = Folder::new("book-memory");
    let file = folder.file("zeros.bin", "");
    fs::File::options().write(true).open(&file).expect("ours").set_len(512 << 20).expect("sparse");
    let mut engine = Launch::limited("-v 400000").start();
    let notes = engine.notes(&format!("setoption name Book File value {file}"));
    assert!(notes.len() == 1 && notes[0].contains("Book File unchanged"), "{notes:?}");
    sound(&engine.go("go depth 2"), &Oracle::startpos());
    engine.quit();
}
