//! Every way in which a game ends.

use crate::play::harness::{Home, Session};

/// The line that reports the end of a game between people, which must be there once.
fn ending(arguments: &[&str], input: &str) -> String {
    let out = Home::new().good(&[&["--side", "both"], arguments].concat(), input);
    let ends = |line: &&str| ["1-0", "0-1", "1/2-1/2"].iter().any(|mark| line.ends_with(mark));
    let found: Vec<&str> = out.lines().filter(ends).collect();
    assert_eq!(found.len(), 1, "{out}");
    found[0].to_owned()
}

#[test]
fn mate_and_every_draw_by_rule_end_the_game_and_are_named() {
    let cases: [(&[&str], String, &str); 7] = [
        (&[], "f3\ne5\ng4\nQh4\n".into(), "Checkmate: Black wins. 0-1"),
        (&["--fen", "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"], "Kg6\n".into(), "Draw: stalemate. 1/2-1/2"),
        (
            &["--fen", "7k/8/8/8/8/8/1p6/B5K1 w - - 0 1"],
            "Bxb2\n".into(),
            "Draw: insufficient material. 1/2-1/2",
        ),
        (
            &["--fen", "4k3/8/6p1/p1p1p3/P1P1P1P1/8/8/4K3 b - - 0 1"],
            "g5\n".into(),
            "Draw: dead position: the pawns hold each other, and no king gets through. 1/2-1/2",
        ),
        (&[], "Nf3\nNf6\nNg1\nNg8\n".repeat(4), "Draw: fivefold repetition. 1/2-1/2"),
        (
            &["--fen", "7k/8/8/8/8/8/8/R5K1 w - - 149 200"],
            "Ra2\n".into(),
            "Draw: seventy-five-move rule. 1/2-1/2",
        ),
        (&[], "e4\ndraw\ndraw\n".into(), "Draw: agreement. 1/2-1/2"),
    ];
    for (arguments, input, wanted) in cases {
        assert_eq!(ending(arguments, &input), wanted, "{arguments:?}");
    }
}

#[test]
fn resigning_and_offers_are_for_people_too() {
    assert_eq!(ending(&[], "e4\nresign\n"), "Black resigns: White wins. 1-0");
    // An offer is declined by word or by a move, and then nothing is left to accept.
    let out = Home::new()
        .good(&["--side", "both"], "draw\ndecline\ndecline\ne4\ndraw\ne5\nd4\nexd4\ndraw\nquit\n");
    assert!(out.contains("White offers a draw") && out.contains("The offer is declined."), "{out}");
    assert!(out.contains("! No draw is offered."), "{out}");
    assert_eq!(out.matches("offers a draw; ").count(), 3, "{out}");
    assert!(!out.contains("agreement"), "{out}");
}

#[test]
fn the_engine_takes_a_draw_only_when_it_is_not_better() {
    let worse = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";
    let input = "Kd2\ndraw\n";
    let lost = Home::new().good(&["--level", "1", "--fen", worse], input);
    assert!(lost.contains("The engine accepts.\n"), "{lost}");
    assert!(lost.contains("Draw: agreement. 1/2-1/2"), "{lost}");
    let better = "qq2k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let won = Home::new().good(&["--level", "20", "--fen", better], "Kd2\ndraw\n");
    assert!(won.contains("The engine wants to play on."), "{won}");
}

#[test]
fn time_runs_out_while_a_move_is_awaited() {
    let home = Home::new();
    for (fen, first, wanted) in [
        (
            "4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
            ["Ke7", "Ra2"],
            "Black's time has run out: White wins. 1-0",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            ["Ra2", "Ke7"],
            "Draw: time ran out, but the opponent has nothing to mate with. 1/2-1/2",
        ),
    ] {
        let command = home.command(&["--side", "both", "--time", "0.005", "--fen", fen]);
        let mut session = Session::start(command);
        // The clocks run once both sides have moved.
        first.into_iter().for_each(|mv| session.say(mv));
        // The input is open and silent: the flag falls while a move is awaited.
        session.until(wanted);
        session.say("Ke2");
        session.until("! The game is over.");
        session.say("Ke7");
        assert!(session.rest().contains("! The game is over."), "{wanted}");
    }
}
