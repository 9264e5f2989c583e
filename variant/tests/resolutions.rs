//! What variant/README.md makes clear where the thesis is not: tests of its entries about rules, by
//! their number, that no other test of notation or counts makes.

use crate::common::{codes, moves, play, position, royal_position, targets, texts};
use tamarin_variant::{Code, Color, Position, Reason, builtin, load, perft};

fn position_of(text: &str, fen: &str) -> Position {
    position(text, fen)
}

#[test]
fn r05_transient_flags_have_a_mark_at_either_end() {
    for mark in ["_hot", "hot_", "_hot_"] {
        let text = format!(
            "a {{-square (1 0) -effects (1 0) +hot}} {mark}
b {{-square (0 1) -conditions (0 1) *hot}}"
        );
        let mut game = position(&text, "4/4/4/A3 w");
        play(&mut game, &["a1a2"]);
        assert_eq!(game.flags(4), ["hot"], "{mark}");
        let mut game = position(&text, "3a/4/4/A3 w");
        play(&mut game, &["a1a2", "d4d3"]);
        assert_eq!(game.flags(4), [""; 0], "{mark}");
    }
}

#[test]
fn r06_variables_of_conditions_are_quantified() {
    let rook = "a {-vars a in <1,7> b in <1,a) -square (a 0) -conditions (b 0) empty (a 0) empty|opposite}\nb";
    let lone = moves(rook, "8/8/8/8/8/8/8/A7 w");
    assert_eq!(lone, ["a1a2", "a1a3", "a1a4", "a1a5", "a1a6", "a1a7", "a1a8"]);
    assert_eq!(moves(rook, "8/8/8/b7/8/8/8/A7 w"), ["a1a2", "a1a3", "a1a4", "a1a5"]);
    // United within a block, never across blocks.
    let both = format!("{rook}\na2");
    assert!(!both.is_empty());
    let leap = "a fW {-square (2 0)}\nb";
    assert_eq!(moves(leap, "8/8/8/8/8/8/b7/A7 w"), ["a1a2", "a1a3"]);
}

#[test]
fn r09_effects_come_after_the_move_from_left_to_right() {
    let text = "a {-square (1 0) -effects b -> (0 0) (0 0) -> (0 1) c -> (1 0)}\nb +hot\nc";
    let mut game = position(text, "4/4/4/A3 w");
    play(&mut game, &["a1a2c"]);
    assert_eq!(game.fen(), "4/4/C3/1B2 b - - 0 1 {b1:}");
    assert_eq!(game.flags(1), [""; 0], "created pieces have no flags");
    // An effect that empties a square captures the royal piece there.
    let gun = "@royal k\nk W1\na {-square (0 1) -conditions (2 0) occupied -effects . -> (2 0)}";
    let game = royal_position(gun, "k3/4/A3/3K b");
    assert!(game.in_check());
    // One that moves a piece on does not capture it.
    let push = "-square (0 0) -conditions (1 0) opponent (2 0) empty -effects (1 0) -> (2 0)";
    let pusher = format!("@royal k\nk W1\na {{{push} (0 0) -> (1 0)}}");
    let mut game = royal_position(&pusher, "4/k3/A3/3K w");
    assert_eq!(texts(&game), ["a2a2", "d1c1", "d1d2"]);
    let m = game.parse_move("a2a2").expect("it is legal");
    assert!(!game.is_capture(m));
    assert_eq!(game.san(m), "Aa2");
    game.make(m);
    assert!(game.fen().starts_with("k3/A3/4/3K b"), "{}", game.fen());
    assert!(!royal_position(&pusher, "4/k3/A3/3K b").in_check());
    // Nobody may destroy the last royal piece of his own.
    let own = "@royal k\nk W1\na {-square (0 1) -effects . -> (1 0)}";
    let game = royal_position(own, "3k/4/K3/A3 w");
    assert!(!texts(&game).contains(&"a1b1".to_owned()));
}

#[test]
fn r10_friends_and_edges() {
    assert_eq!(moves("a {-square (1 0)}", "4/4/A3/A3 w"), ["a2a3"]);
    assert_eq!(moves("a {-square (1 0) -conditions (1 0) occupied}", "4/4/A3/A3 w"), ["a1a2"]);
    assert_eq!(moves("a {-square (1 0) -conditions (1 0) friend}", "4/4/A3/A3 w"), ["a1a2"]);
    assert_eq!(moves("a Q", "4/4/4/A3 w"), ["a1a1"]);
    assert_eq!(moves("a {-square (0 1) -effects . -> (-1 0)}", "4/4/4/A3 w"), [""; 0]);
    assert_eq!(
        moves("a {-square (0 1) -conditions (-1 0) empty|(0 1) empty}", "4/4/4/A3 w"),
        ["a1b1"]
    );
}

#[test]
fn r13_shogi_promotes_when_it_enters_the_zone() {
    let fen = "4k4/9/9/P8/9/9/9/9/4K4 w";
    let game = Position::from_fen(&builtin("shogi_nodrop").unwrap(), fen).unwrap();
    assert!(texts(&game).contains(&"a6a7+".to_owned()));
    let thesis = fen.replace('P', "<w:歩>").replace('k', "<b:玉>").replace('K', "<w:玉>");
    let game = Position::from_fen(&builtin("shogi_thesis").unwrap(), &thesis).unwrap();
    assert!(!texts(&game).iter().any(|text| text.starts_with("a6a7=")));
    // A pawn on the last row: only the rule of the file forbids it.
    let last = "4k4/P8/9/9/9/9/9/9/4K4 w";
    for (rule, may_stay) in [("legal", true), ("illegal", false)] {
        let text = format!("@extends shogi_nodrop\n@immobile {rule}");
        let loaded = load(&text, None).unwrap();
        let game = Position::from_fen(&loaded.game, last).unwrap();
        assert_eq!(texts(&game).contains(&"a8a9".to_owned()), may_stay);
        assert!(texts(&game).contains(&"a8a9+".to_owned()));
    }
}

#[test]
fn each_promotion_is_of_the_moves_without_one() {
    let promoting = |parts: &str, fen: &str| moves(&format!("p fW1 {parts}\nq W\nn F"), fen);
    let same_zone = "promotion t[ROW > 2] -> q promotion t[ROW > 2] -> n";
    assert_eq!(promoting(same_zone, "4/P3/4/4 w"), ["a3a4n", "a3a4q"]);
    let at_last = "opromotion t[ROW > 1] -> q promotion t[ROW > 2] -> q only [ROW < 3]";
    assert_eq!(promoting(at_last, "4/4/P3/4 w"), ["a2a3", "a2a3q"]);
    assert_eq!(promoting(at_last, "4/P3/4/4 w"), ["a3a4q"]);
}

#[test]
fn r14_locusts_in_both_readings() {
    let fen = "8/1l2k1e1/8/3L4/2E1l3/8/3K1L2/8 w";
    for (name, count) in [("locusts", 29), ("locusts_thesis", 12)] {
        let mut game = Position::from_fen(&builtin(name).unwrap(), fen).unwrap();
        assert_eq!(perft(&mut game, 1), count, "{name}");
    }
    // Every square that the king could go to is taken, and no locust has anybody to jump over:
    // who cannot move has lost.
    let full = format!("k7/{}7K w", "1LLLLLL1/".repeat(6));
    for name in ["locusts", "locusts_thesis"] {
        let game = builtin(name).unwrap();
        let outcome = Position::from_fen(&game, &full).unwrap().outcome().unwrap();
        assert_eq!((outcome.reason, outcome.winner), (Reason::Stalemate, Some(Color::Black)));
        let hole = full.replacen("1LLLLLL1", "1LL1LLL1", 1);
        let free = Position::from_fen(&game, &hole).unwrap();
        assert_eq!((free.outcome(), texts(&free)), (None, vec!["h1d7".to_owned()]), "{name}");
    }
}

#[test]
fn r16_attacked_means_that_a_piece_there_could_be_captured() {
    let game = builtin("fide").unwrap();
    let position = Position::from_fen(&game, "4k3/8/8/8/8/8/3P4/4K3 w").unwrap();
    // A pawn attacks empty squares beside it, and not the one before it.
    let square = |name: &str| (name.as_bytes()[1] - b'1') * 8 + name.as_bytes()[0] - b'a';
    assert!(position.is_attacked(square("c3"), Color::White));
    assert!(!position.is_attacked(square("d3"), Color::White));
    // Two pieces that ask about each other: inside an attack such questions fail.
    let paradox = "a {-square (1 0) -conditions (0 -1) unattacked}";
    assert_eq!(moves(paradox, "1a/A1 w"), [""; 0]);
    assert_eq!(moves(paradox, "a1/1A w"), ["b1b2"]);
    // Emptying a square attacks what stands there.
    let gun = position_of("a {-square (0 1) -effects . -> (2 0)}\nb", "4/4/A3/4 w");
    assert!(gun.is_attacked(12, Color::White));
}

#[test]
fn r18_repetition_and_move_limit_are_rules_of_the_file() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for (rule, times) in [("2 draw", 1), ("3 draw", 2), ("none", 9)] {
        let text = format!("@extends fide\n@repetition {rule}");
        let mut game = Position::start(&load(&text, None).unwrap().game);
        let mut rounds = 0;
        while rounds < 9 && game.outcome().is_none() {
            play(&mut game, &shuffle);
            rounds += 1;
        }
        assert_eq!(rounds, times, "{rule}");
    }
    let text = "@extends fide\n@nmove 1 loss";
    let mut game = Position::start(&load(text, None).unwrap().game);
    play(&mut game, &["g1f3", "g8f6"]);
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.reason, outcome.winner), (Reason::MoveLimit, Some(Color::Black)));
    // A pawn never comes back, so its move counts as progress.
    play(&mut game, &["e2e4"]);
    assert_eq!(game.halfmoves(), 0);
}

#[test]
fn the_right_to_castle_repeats_not_the_flag_of_a_rook() {
    // How often a position was there when moves that lead back to it were played twice.
    let occurrences = |game: &Position, opening: &str, round: &str| {
        let mut position = game.clone();
        let moves = format!("{opening} {round} {round}");
        play(&mut position, &moves.split_whitespace().collect::<Vec<_>>());
        position.occurrences()
    };
    let start = |name: &str| Position::start(&builtin(name).unwrap());
    let castled = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 e8g8 b1c3 d7d6";
    assert_eq!(occurrences(&start("crazyhouse"), castled, "a1b1 a8b8 b1a1 b8a8"), 3);
    let fide = start("fide");
    assert_eq!(occurrences(&fide, "e2e4 e7e5 e1e2 e8e7 g1f3 g8f6", "h1g1 h8g8 g1h1 g8h8"), 3);
    // Here every piece begins with the flag, and nobody asks for that of a knight.
    assert_eq!(occurrences(&start("fide_thesis"), "", "g1f3 g8f6 f3g1 f6g8"), 3);
    // The first time the rook, or the king, still had the right to castle.
    assert_eq!(occurrences(&fide, "g1f3 g8f6", "h1g1 h8g8 g1h1 g8h8"), 2);
    assert_eq!(occurrences(&fide, "e2e4 e7e5", "e1e2 e8e7 e2e1 e7e8"), 2);
    // Here a piece alone has a move only while it is unmoved.
    let alone = "a W1 {-square (2 0) -conditions (0 0) *unmoved}\nb W1";
    let alone = position(alone, "b3/4/4/A3 w");
    assert_eq!(occurrences(&alone, "", "a1b1 a4b4 b1a1 b4a4"), 2);
}

#[test]
fn a_double_step_repeats_as_another_position_only_if_en_passant_is_legal() {
    let occurrences = |fen: &str| {
        let mut position = Position::from_fen(&builtin("fide").unwrap(), fen).unwrap();
        play(&mut position, &["d7d5"]);
        for _ in 0..2 {
            play(&mut position, &["e1f1", "g8f8", "f1e1", "f8g8"]);
        }
        position.occurrences()
    };
    assert_eq!(occurrences("6k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), 2);
    assert_eq!(occurrences("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), 3, "the pawn is pinned");
    assert_eq!(occurrences("6k1/3p4/8/8/4P3/8/8/4K3 b - - 0 1"), 3, "no pawn is there");
}

#[test]
fn perpetual_check_loses_where_a_file_says_so() {
    // White's queen checks for ever, or White's knight and Black's rook go to and fro.
    let checks = ["h5e8", "g8h7", "e8h5", "h7g8"];
    let quiet = ["g1f3", "a8b8", "f3g1", "b8a8"];
    let end = |perpetual: &str, moves: &[&str]| {
        let text = format!("@extends fide\n@perpetual {perpetual}");
        let fen = "r5k1/6p1/5p2/7Q/8/8/6PP/6NK w - - 0 1";
        let mut game = Position::from_fen(&load(&text, None).unwrap().game, fen).unwrap();
        for text in moves {
            assert_eq!(game.outcome(), None);
            play(&mut game, &[text]);
        }
        game.outcome().map(|outcome| (outcome.reason, outcome.winner))
    };
    let lost = Some((Reason::PerpetualCheck, Some(Color::Black)));
    let drawn = Some((Reason::Repetition, None));
    assert_eq!(end("loss", &[checks, checks].concat()), lost);
    assert_eq!(end("draw", &[checks, checks].concat()), drawn);
    assert_eq!(end("loss", &[quiet, quiet].concat()), drawn);
    // Every move since the first time has to be a check.
    assert_eq!(end("loss", &[quiet, checks].concat()), drawn);
    assert_eq!(end("loss", &[checks, quiet].concat()), drawn);
    // The position that repeats may be one with the checked side to move.
    let answers = ["g8h7", "e8h5", "h7g8", "h5e8"];
    assert_eq!(end("loss", &[&["h5e2", "a8b8", "e2e8"][..], &answers, &answers].concat()), lost);
}

#[test]
fn r23_dialects() {
    assert_eq!(targets("W").len(), 14);
    assert_eq!(targets("x\"W\"").len(), 4);
    assert_eq!(targets("x\"R\"").len(), 14);
    assert_eq!(targets("x\"Q\"").len(), 27);
    assert_eq!(targets("x\"NN\"").len(), 12);
    assert_eq!(targets("x\"W3\"").len(), 12);
    assert_eq!(targets("Q"), ["d4"]);
    let whole = "@betza xbetza\na RbK";
    assert_eq!(moves(whole, "8/8/8/8/3A4/8/8/8 w").len(), 16);
    assert_eq!(codes("@royal none\na K\n@fen A"), [Code::UnknownAtom]);
}

/// A variable that only the domain of another one uses makes moves, or is quantified, with it.
#[test]
fn r06_domains_take_their_variables_along() {
    let made = "a {-vars a in [1,2] b in [a] -square (b 0)}";
    assert_eq!(moves(made, "8/8/8/8/8/8/8/A7 w"), ["a1a2", "a1a3"]);
    let quantified = "a {-vars a in [1,2] b in [a] -square (0 1) -conditions (b 0) empty}\nb";
    assert_eq!(moves(quantified, "8/8/8/8/8/8/8/A7 w"), ["a1b1"]);
    assert_eq!(moves(quantified, "8/8/8/8/8/b7/8/A7 w"), [""; 0]);
}
