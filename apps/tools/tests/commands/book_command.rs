//! `tamarin book`: making, showing and checking books.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::book_file::{BookLine, book};
use crate::support::engine::{self, Finished};
use crate::support::files::{Folder, text};
use crate::support::oracle::STARTPOS;
use crate::support::times;

fn run(arguments: &[&str]) -> Finished {
    engine::run(&[&["book"], arguments].concat())
}

/// What `show` prints behind its heading: a move, its weight and its share in each line.
fn shown(book: &str, position: &str) -> Vec<String> {
    let finished = run(&["show", position, "--book", book]);
    assert_eq!(finished.code(), 0, "{}{}", finished.out, finished.err);
    let rows = finished.out.lines().skip(3);
    rows.map(|row| row.split_whitespace().take(3).collect::<Vec<_>>().join(" ")).collect()
}

/// Four good games, in the forms in which PGN comes.
const GAMES: &str = "\u{feff}[Event \"one\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 {[%eval 0.1]} e5 $1\r\n\r\n\
    (1... c5 2. Nf3 (2. c3)) 2. Nf3 Nc6 ; Spanish\r\n3. Bb5 1-0\r\n\r\n\
    [Event \"two\"]\r\n\r\n1.e4 e5 2.Nf3! Nf6 1/2-1/2\r\n\r\n\
    [Event \"three\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n\
    [Event \"four\"]\n[Variant \"fischerandom\"]\n[FEN \"bnrkrnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRNQB w ECec - 0 1\"]\n\n1. e4 e5 1-0\n";

#[test]
fn a_book_is_made_from_games_and_shows_them() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let path = folder.name("made.bin");
    let made = run(&["make", &games, "-o", &path, "--min-games", "1", "--loss", "1"]);
    assert_eq!((made.code(), made.err.as_str()), (0, ""), "{}", made.out);
    assert!(made.out.starts_with("4 games, 0 more left out\n"), "{}", made.out);
    // Two points for a win, one for a draw and here for a loss, for the side that moves.
    assert_eq!(shown(&path, "e4"), ["e5 2 100.0%"]);
    assert_eq!(shown(&path, "e4 e5 Nf3"), ["Nc6 1 50.0%", "Nf6 1 50.0%"]);
    assert_eq!(shown(&path, STARTPOS), ["e4 3 75.0%", "d4 1 25.0%"]);
    let fischer = "bnrkrnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRNQB w ECec - 0 1";
    assert_eq!(shown(&path, fischer), ["e4 2 100.0%"]);
    assert_eq!(run(&["show", "a3", "--book", &path]).code(), 1);
}

#[test]
fn bad_games_are_skipped_and_reported_with_their_place() {
    let folder = Folder::new();
    let bad = [
        "[Event \"illegal\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n",
        "[Event \"unfinished\"]\n[Result \"*\"]\n\n1. e4 *\n\n",
        "[Event \"open\"]\n\n1. e4 { not closed\n\n",
    ];
    let good = "[Event \"good\"]\n\n1. e4 e5 1-0\n\n";
    let mut content = String::new();
    let mut numbers = Vec::new();
    for one in bad {
        numbers.push(content.lines().count() + 1);
        content += one;
        content += good;
    }
    let games = folder.file("games.pgn", content);
    let path = folder.name("made.bin");
    let made = run(&["make", &games, "-o", &path, "--min-games", "3"]);
    assert_eq!(made.code(), 0, "{}{}", made.out, made.err);
    let side = format!("{path}.rejected.pgn");
    assert!(made.out.starts_with(&format!("3 games, 3 more left out: {side}\n")), "{}", made.out);
    let reasons = ["ply 3: ", "no result", "malformed: "];
    let lines: Vec<&str> = made.err.lines().collect();
    assert_eq!(lines.len(), bad.len(), "{}", made.err);
    for ((line, number), reason) in lines.iter().zip(numbers).zip(reasons) {
        assert!(line.starts_with(&format!("{games}: line {number}: {reason}")), "{line}");
    }
    // Each is kept as it was, behind the line about it.
    let kept = fs::read_to_string(&side).expect("the games that were left out");
    let wanted: String =
        lines.iter().zip(bad).map(|(line, game)| format!("% {line}\n{game}")).collect();
    assert_eq!(kept, wanted);
    // Of very many only the first are reported.
    let many = folder.file("many.pgn", bad[1].repeat(50));
    let made = run(&["make", &many, &games, "-o", &path]);
    assert!(made.err.ends_with("... and 33 more\n"), "{}", made.err);
}

#[test]
fn faults_of_a_book_are_counted() {
    const AFTER: &str = "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1";
    let folder = Folder::new();
    let good: [BookLine<'_>; 3] =
        [(STARTPOS, "a2a3", 0, 1), (STARTPOS, "b2b3", 0, 0), (AFTER, "a7a6", 0, 1)];
    let good = book(&good);
    let mut unsorted = good.clone();
    unsorted.rotate_left(16);
    unsorted.rotate_left(16);
    let twice = book(&[(STARTPOS, "a2a3", 0, 1), (STARTPOS, "a2a3", 0, 2)]);
    let illegal = book(&[(STARTPOS, "e1g1", 0, 1)]);
    for (name, content, wanted, line) in [
        ("good", good.clone(), 0, "         3 entries"),
        ("good", good.clone(), 0, "         1 moves of weight 0, never played"),
        ("good", good.clone(), 0, "no faults"),
        ("cut", good[..47].to_vec(), 1, "        15 FAULT: bytes behind the last entry"),
        ("twice", twice, 1, "         1 FAULT: moves that are there twice"),
        ("illegal", illegal, 1, "         1 FAULT: moves that are not legal"),
        ("unsorted", unsorted, 1, "         1 FAULT: entries out of order"),
        ("empty", Vec::new(), 1, "faulty"),
    ] {
        let checked = run(&["check", &folder.file(name, content)]);
        assert_eq!(checked.code(), wanted, "{name}: {}", checked.out);
        assert!(checked.out.lines().any(|found| found == line), "{name}: {}", checked.out);
    }
    let games = folder.file("text", "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n");
    for path in [text(folder.root()), folder.name("missing"), games] {
        for arguments in [vec!["check", &path], vec!["show", "--book", &path]] {
            let finished = run(&arguments);
            assert_eq!(finished.code(), 2, "{arguments:?}");
            assert!(finished.err.starts_with(&format!("error: {path}: ")), "{}", finished.err);
        }
    }
}

#[test]
fn the_built_in_book_shows_its_moves() {
    let finished = run(&["show"]);
    assert_eq!(finished.code(), 0, "{}", finished.err);
    assert!(finished.out.contains("key 463b96181691fc9c"), "{}", finished.out);
    assert!(finished.out.lines().count() > 4, "{}", finished.out);
    assert_eq!(run(&["show", "e4", "e5", "Ke2", "Ke7"]).code(), 1);
    assert_eq!(run(&["show", "e4", "e4"]).code(), 2);
}

#[test]
fn a_real_book_of_another_program_is_read() {
    let folder = std::env::var_os("TAMARIN_TEST_DATA").map(PathBuf::from);
    let path = folder.map(|folder| folder.join("book/performance.bin"));
    let Some(path) = path.filter(|path| Path::is_file(path)) else {
        println!("SKIP 1: no book/performance.bin where TAMARIN_TEST_DATA says");
        return;
    };
    let path = text(&path);
    // Half a minute for all, which is for `make prove`: each entry of a sample is a book too.
    let every = times("TAMARIN_EVERY_ENTRY", 40);
    let whole = fs::read(&path).expect("it is there");
    let part: Vec<u8> = whole.chunks(16).step_by(every).flatten().copied().collect();
    let folder = Folder::new();
    let checked = run(&["check", &folder.file("part.bin", part)]);
    assert_eq!(checked.code(), 0, "{}", checked.out);
    // Entries, and in the whole the keys, as another library counts them.
    let entries = format!("{:>10} entries", 92_954_usize.div_ceil(every));
    let positions = if every == 1 { "     77872 positions" } else { "no faults" };
    for line in [&entries, positions, "no faults"] {
        assert!(checked.out.lines().any(|found| found == line), "{}", checked.out);
    }
    assert_eq!(shown(&path, ""), ["e4 1 33.3%", "d4 1 33.3%", "c4 1 33.3%"]);
}
