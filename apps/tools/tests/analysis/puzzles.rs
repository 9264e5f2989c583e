//! `tamarin analyse --puzzles`: mistakes as positions to solve.

use crate::analysis::analyse::GAMES;
use crate::analysis::folder::{Folder, good};
use crate::play::harness::Home;

/// Enough for every mate of the games, the same on every computer.
const EFFORT: [&str; 4] = ["-n", "20000", "--threads", "1"];

fn puzzles(folder: &Folder) -> String {
    let games = folder.file("games.pgn", GAMES);
    let arguments = ["analyse", &games, "--puzzles", &folder.name("mine.epd")];
    good(&[&arguments, &EFFORT[..]].concat());
    folder.read("mine.epd")
}

#[test]
fn each_mistake_is_a_position_with_the_best_move_and_the_refutation() {
    let folder = Folder::new();
    let text = puzzles(&folder);
    let lines: Vec<&str> = text.lines().collect();
    // 2. g4 allows mate, 4. d3 misses one; 2... Nf6 is a matter of taste.
    let allowed = lines.iter().find(|line| line.contains("am g4;")).expect("a blunder");
    assert!(allowed.starts_with("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - bm "));
    for wanted in [
        "id \"A - B, game 1, move 2\";",
        "c0 \"played: 2. g4 (blunder) in A - B\";",
        "c1 \"refutation: 2... Qh4# (#-1)\";",
        "c2 \"best: 2. ",
        "hmvc 0; fmvn 2;",
    ] {
        assert!(allowed.contains(wanted), "{wanted} is missing in {allowed}");
    }
    let missed = lines.iter().find(|line| line.contains("am d3;")).expect("a missed mate");
    assert!(missed.contains(" bm #1; am d3; id \"C - D, game 2, move 4\";"), "{missed}");
    assert!(lines.iter().all(|line| line.contains("blunder") || line.contains("mistake")));
}

#[test]
fn the_puzzles_are_solved_in_a_game_and_by_the_suite() {
    let folder = Folder::new();
    let text = puzzles(&folder);
    let missed = text.lines().find(|line| line.contains("am d3;")).expect("a missed mate");
    let home = Home::new();
    let path = home.file("mine.epd", format!("{missed}\n"));
    let out = home.good(&["--puzzles", &path], "d3\nQxf7\n");
    assert!(out.contains("C - D, game 2, move 4: White to move mates in one move."), "{out}");
    assert!(out.contains("! d3 is not the solution."), "{out}");
    assert!(out.contains("1 of 1 puzzle tried, 1 solved"), "{out}");
    let suite = good(&[&["suite", &folder.name("mine.epd")], &EFFORT[..2]].concat());
    let found = suite.out.lines().filter(|line| line.trim_start().starts_with("ok "));
    assert_eq!(found.count(), text.lines().count(), "{}", suite.out);
}
