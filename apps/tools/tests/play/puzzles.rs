//! Positions to solve.

use crate::play::harness::Home;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

#[test]
fn puzzles_are_solved_with_hints_and_mistakes() {
    let home = Home::new();
    let content = format!(
        "{BACK_RANK} bm Rd8#; id \"back rank\";\n{BACK_RANK} dm 1;\n{BACK_RANK} am Rd7;\n\
         {BACK_RANK} pv Rd7 Kf8 Rd8+; id \"line\";\n{BACK_RANK} bm Rd8;\n"
    );
    let path = home.file("puzzles.epd", content);
    let input = "hint\nhint\nhint\nRd7\nRd8\n\
        Rd7\nRd8\n\
        Rd7\nRd6\n\
        Rd8\nRd7\nRd8\n\
        solution\nnext\n";
    let out = home.good(&["--puzzles", &path], input);
    let wanted = [
        "Puzzle 1 of 5, back rank: White to move: find the best move.",
        "Hint: the rook moves.\n",
        "Hint: the rook on d1 moves.\n",
        "Hint: Rd8#.\n",
        "! Rd7 is not the solution.",
        "Right: Rd8#.\nPuzzle 2 of 5, line 2: White to move mates in one move.",
        "Puzzle 3 of 5, line 3: White to move: which move loses nothing?",
        "Right: Rd6.\nPuzzle 4 of 5, line: ",
        "Right: Rd7.\n",
        "The solution: Rd8#. Say next to go on.",
        "5 of 5 puzzles tried, 4 solved, 0 of them without a hint or a wrong move.",
    ];
    for text in wanted {
        assert!(out.contains(text), "{text:?} is missing in {out}");
    }
    assert!(home.kept().is_empty(), "puzzles are no games to resume");
}

#[test]
fn bad_lines_are_reported_and_bad_files_refused() {
    let home = Home::new();
    let path = home.file("mixed.epd", format!("{BACK_RANK} bm Rd8#;\nnonsense\n{BACK_RANK}\n"));
    let finished = home.play(&["--puzzles", &path], "Rd8\n");
    assert!(finished.status.success(), "{}", finished.out);
    assert_eq!(finished.err.lines().count(), 2, "{}", finished.err);
    assert!(finished.err.contains("line 2: ") && finished.err.contains("line 3: "));
    assert!(finished.out.contains("1 of 1 puzzle tried, 1 solved, 1 of them"), "{}", finished.out);
    let bad = [
        home.name("."),
        home.name("missing"),
        home.file("empty", ""),
        home.file("noise", (0..=255).cycle().take(70_000).collect::<Vec<u8>>()),
        home.file("pgn", "[Event \"x\"]\n\n1. e4 *\n"),
    ];
    for path in bad {
        let finished = home.play(&["--puzzles", &path], "");
        assert_eq!(finished.code(), 2, "{path}: {}", finished.out);
        assert!(finished.err.starts_with(&format!("error: {path}: ")), "{path}: {}", finished.err);
    }
}

#[test]
fn the_lessons_explain_check_and_go_on() {
    let home = Home::new();
    let out = home.good(&["--learn"], "Rd2\nundo\nresign\nRxd5\nBxe4\nquit\n");
    for wanted in [
        "Lesson 1 of 17, The rook: ",
        "A rook moves along ranks and files",
        "! Rd2 is not the solution.",
        "The rook stands on d1",
        "! A lesson has no moves to take back.",
        "! This is a lesson, not a game.",
        "Right: Rxd5.\nLesson 2 of 17, The bishop: ",
        "Right: Bxe4+.\nLesson 3 of 17, The queen: ",
        "2 of 17 lessons tried, 2 solved, 1 of them",
    ] {
        assert!(out.contains(wanted), "{wanted:?} is missing in {out}");
    }
    assert!(!out.to_lowercase().contains("puzzle"), "{out}");
    let out = home.good(&["--learn"], "quit\n");
    assert!(out.contains("2 lessons were solved before: they are left out"), "{out}");
    assert!(out.contains("Lesson 1 of 15, The queen: "), "{out}");
}
