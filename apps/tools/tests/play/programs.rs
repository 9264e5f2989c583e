//! Other programs that speak UCI as players.

use crate::play::harness::Home;
use crate::support::engine::engine_binary;
use crate::support::files::text;

/// A program that answers `uci` and `isready`, and anything else by `on_go` when it has to move.
fn script(home: &Home, on_go: &str) -> String {
    let lines = format!(
        "while read -r word rest; do case $word in uci) echo 'id name Script'; echo uciok;; \
         isready) echo readyok;; go) {on_go};; quit) exit;; esac; done"
    );
    format!("uci:/bin/sh {}", home.file("engine.sh", lines))
}

#[test]
fn the_engine_plays_another_program_to_the_end() {
    let home = Home::new();
    let program = text(&engine_binary());
    let black = format!("uci:{program}; UCI_LimitStrength=true; UCI_Elo=2000; Hash = 1");
    let game = home.path("game.pgn");
    let saved = text(&game);
    let fen = "4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1";
    let arguments = ["--side", "none", "--white", "18", "--black", &black, "--time", "60+0"];
    let out = home.good(&[&arguments[..], &["--save", &saved, "--fen", fen]].concat(), "");
    assert!(out.starts_with("White: Tamarin (level 18). Black: Tamarin 0."), "{out}");
    assert!(["1-0\n", "0-1\n", "1/2-1/2\n"].iter().any(|end| out.ends_with(end)), "{out}");
    let pgn = std::fs::read_to_string(game).expect("it was saved");
    assert!(pgn.contains("[Black \"Tamarin 0."), "{pgn}");
    assert!(pgn.matches("[%clk").count() > 6, "{pgn}");
    // Scores of both are noted behind their moves, such as `2. Nf3 { +0.20/3 } 2... Nc6`.
    let is_score = |word: &str| {
        let parts = word.split_once('/');
        parts.is_some_and(|(pawns, depth)| {
            pawns.parse::<f64>().is_ok() && depth.parse::<u32>().is_ok()
        })
    };
    let (mut mover, mut scores) = (0, [0; 2]);
    for word in pgn.split_whitespace() {
        match word {
            _ if word.ends_with("...") => mover = 1,
            _ if word.ends_with('.') => mover = 0,
            _ => scores[mover] += u32::from(is_score(word)),
        }
    }
    assert!(scores.iter().all(|&count| count > 2), "{scores:?} {pgn}");
}

#[test]
fn a_program_without_a_score_takes_no_draw() {
    let home = Home::new();
    let black = script(&home, "echo 'bestmove e8d8'");
    let fen = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";
    let out = home.good(&["--black", &black, "--fen", fen], "Kd2\ndraw\nquit\n");
    assert!(out.contains("Script: 1... Kd8"), "{out}");
    assert!(out.contains("wants to play on") && !out.contains("agreement"), "{out}");
}

#[test]
fn programs_that_fail_are_named_with_the_reason() {
    let home = Home::new();
    let cases = [
        ("uci:/no/such/program".to_owned(), "/no/such/program: cannot be started: "),
        (script(&home, "exit") + "; Speed=9", "/bin/sh: has no option \"Speed\""),
        (script(&home, "exit"), "Script: has ended by itself"),
        ("uci:/bin/true".to_owned(), "/bin/true: has ended by itself"),
    ];
    for (black, reason) in cases {
        let finished = home.play(&["--black", &black], "e4\nd4\n");
        assert_eq!(finished.code(), 2, "{black}: {}", finished.out);
        assert!(finished.err.contains(&format!("error: {reason}")), "{}", finished.err);
    }
    let illegal = script(&home, "echo 'bestmove e2e5'");
    let finished = home.play(&["--black", &illegal], "e4\nd4\n");
    assert_eq!(finished.code(), 2);
    let reason =
        "Script: wants to play \"e2e5\" in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
    assert!(finished.err.contains(reason), "{}", finished.err);
    // The game up to there is kept, and who plays it now is said.
    let resumed = home.play(&["--resume", "--side", "both"], "pgn\nquit\n");
    assert!(resumed.out.contains("1. e4"), "{}", resumed.out);
    let said = "Black was Script and is Player now; --black uci:PROGRAM lets a program play";
    assert!(resumed.err.contains(said) && !resumed.err.contains("White"), "{}", resumed.err);
}

#[test]
fn an_engine_that_ponders_plays_on_whatever_is_answered() {
    let out = Home::new().good(
        &["--level", "3", "--ponder", "--time", "60+1", "--side", "white"],
        "e4\nd4\nNc3\nhint\nundo\nNf3\nquit\n",
    );
    assert!(out.matches("Tamarin (level 3): ").count() >= 3, "{out}");
    assert!(out.contains("Hint: "), "{out}");
}
