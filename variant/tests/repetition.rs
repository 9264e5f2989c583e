//! Positions that come back after moves that look final.

use crate::common::{play, position, royal_position};
use tamarin_variant::{Color, Position, Reason, builtin, load};

/// Games of one kind of effect, each with four moves that lead back to its start.
const CIRCLES: [(&str, &str, &str, [&str; 4]); 5] = [
    (
        "pieces become others and themselves again",
        "a {-square (1 0) -effects b -> (1 0)}\n\nb {-square (-1 0) -effects a -> (-1 0)}",
        "3/a2/3/2A/3",
        ["c2c3b", "a4a3b", "c3c2a", "a3a4a"],
    ),
    (
        "a flag comes and goes",
        "c {-square (0 1) -conditions (0 0) !*far (0 1) empty -effects (0 1) +far} \
         {-square (0 -1) -conditions (0 0) *far (0 -1) empty -effects (0 -1) -far} far",
        "c1/2/2/C1",
        ["a1b1", "a4b4", "b1a1", "b4a4"],
    ),
    (
        "nobody is removed",
        "a {-square (0 1) -effects . -> (1 1)} {-square (0 -1) -effects . -> (-1 -1)}",
        "4/1a2/4/4/1A2/4",
        ["b2c2", "b5c5", "c2b2", "c5b5"],
    ),
    (
        "a flag is set that is there",
        "c +far {-square (0 1) -conditions (0 1) empty -effects (0 1) +far} \
         {-square (0 -1) -conditions (0 -1) empty -effects (0 -1) +far} \
         {-square (1 0) -conditions (0 0) *far (1 0) opponent}",
        "1c/2/2/1C",
        ["b1a1", "b4a4", "a1b1", "a4b4"],
    ),
    (
        "a piece takes another one back",
        "p {-square (1 0) -conditions (1 0) empty [ROW = 1]}\n\
         h {-square (0 0) -conditions (2 0) friend (1 0) empty -effects (2 0) -> (1 0)}",
        "1h/1p/2/2/P1/H1",
        ["a2a3", "b5b4", "a1a1", "b6b6"],
    ),
];

#[test]
fn what_effects_undo_is_repeated() {
    for (what, pieces, board, circle) in CIRCLES {
        let mut position = position(pieces, &format!("{board} w"));
        for times in 2..=3 {
            play(&mut position, &circle);
            assert_eq!(position.occurrences(), times, "{what}");
        }
        assert!(position.outcome().is_some(), "{what}");
    }
}

/// Either king may answer the check of the other by one that may not be mate.
#[test]
fn moves_that_may_not_give_mate_answer_each_other() {
    let text = "@royal k\n\
        k {-square (0 1) -conditions (0 1) empty [COL = 1] nomate} \
          {-square (0 -1) -conditions (0 -1) empty [COL = 2] nomate}\n\
        r {-square ($3 $1) -conditions ($0 $1) empty ($3 $1) opponent}\n\
        s {-square ($3 $2) -conditions ($0 $2) empty ($3 $2) opponent}\n\
        t {-square ($3 $1) -conditions ($0 $2) empty ($3 $1) opponent}\n\
        u {-square ($3 $2) -conditions ($0 $1) empty ($3 $2) opponent}";
    let mut position = royal_position(text, "1k2/t2u/R2S/1K2 w");
    for text in ["b1c1", "b4c4", "c1b1", "c4b4"] {
        assert_eq!(position.texts().len(), 1, "{position:?}");
        play(&mut position, &[text]);
    }
}

#[test]
fn a_repetition_loses_for_the_side_that_a_file_names() {
    let (white, black) = (Some(Color::White), Some(Color::Black));
    let circle = ["a1b1", "e5d5", "b1a1", "d5e5"];
    for (rule, winner) in [
        ("4 loss first", black),
        ("4 loss second", white),
        ("4 win second", black),
        ("4 draw first", None),
        ("4 loss", black),
        ("4 loss mover", black),
    ] {
        let text = format!("@extends minishogi\n@repetition {rule}\n@fen 4k/5/5/5/K4[] w");
        let game = load(&text, None).unwrap().game;
        let mut position = Position::start(&game);
        (0..3).for_each(|_| play(&mut position, &circle));
        let end = position.outcome().map(|outcome| (outcome.reason, outcome.winner));
        assert_eq!(end, Some((Reason::Repetition, winner)), "{rule}");
        // The same with Black to move: only the side to move is another.
        let text = text.replace("[] w", "[] b");
        let mut position = Position::start(&load(&text, None).unwrap().game);
        (0..3).for_each(|_| play(&mut position, &["e5d5", "a1b1", "d5e5", "b1a1"]));
        let to_move = rule == "4 loss" || rule == "4 loss mover";
        let winner = if to_move { white } else { winner };
        assert_eq!(position.outcome().map(|outcome| outcome.winner), Some(winner), "{rule}");
    }
    let own = load("@extends minishogi\n@fen 4k/5/5/5/K4[] w", None).unwrap().game;
    let mut position = Position::start(&own);
    (0..3).for_each(|_| play(&mut position, &circle));
    assert_eq!(position.outcome().and_then(|outcome| outcome.winner), black);
}

#[test]
fn perpetual_check_loses_in_shogi() {
    for (name, fen, circle) in [
        ("shogi", "3k5/9/9/9/9/9/9/4R4/5K3[] w", ["e2d2", "d9e9", "d2e2", "e9d9"]),
        ("minishogi", "3k1/5/5/4R/K4[] w", ["e2d2", "d5e5", "d2e2", "e5d5"]),
    ] {
        let mut position = Position::from_fen(&builtin(name).unwrap(), fen).unwrap();
        for times in 2..=4 {
            assert_eq!(position.outcome(), None, "{name}");
            play(&mut position, &circle);
            assert_eq!(position.occurrences(), times, "{name}");
        }
        let end = position.outcome().map(|outcome| (outcome.reason, outcome.winner));
        assert_eq!(end, Some((Reason::PerpetualCheck, Some(Color::Black))), "{name}");
    }
}
