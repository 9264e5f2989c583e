//! The variants of lichess, beside shakmaty; rules that end games while pieces can move.

use crate::common::{play, texts, walk};
use crate::long::long_or;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shakmaty::fen::Fen;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Position as _};
use tamarin_variant::{Color, Position, Reason, builtin, load, picture};

/// Our name of a game and shakmaty's.
const GAMES: [(&str, Variant); 6] = [
    ("kingofthehill", Variant::KingOfTheHill),
    ("3check", Variant::ThreeCheck),
    ("antichess", Variant::Antichess),
    ("atomic", Variant::Atomic),
    ("horde", Variant::Horde),
    ("racingkings", Variant::RacingKings),
];

/// Moves and the winner of a position by shakmaty; who has no move.
fn theirs(variant: Variant, fen: &str) -> (Vec<String>, Option<Option<Color>>) {
    let setup: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let read = VariantPosition::from_setup(variant, setup.into(), CastlingMode::Standard);
    let position = read.unwrap_or_else(|error| panic!("{fen}: {error}"));
    let moves = position.legal_moves();
    let text = |m: &shakmaty::Move| m.to_uci(CastlingMode::Standard).to_string();
    let mut texts: Vec<String> = moves.iter().map(text).collect();
    texts.sort_unstable();
    let color = |color: shakmaty::Color| match color {
        shakmaty::Color::White => Color::White,
        shakmaty::Color::Black => Color::Black,
    };
    let over = position.is_checkmate() || position.is_stalemate() || position.is_variant_end();
    let winner = over.then(|| position.outcome().winner().map(color));
    (texts, winner)
}

#[test]
fn moves_and_ends_are_those_of_shakmaty() {
    for (name, variant) in GAMES {
        let game = builtin(name).unwrap();
        let mut ends = 0;
        for seed in 0..long_or(300, 15) {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            walk(&game, &mut random, 150, |position| {
                let fen = position.fen();
                let mut ours: Vec<String> =
                    position.texts().into_iter().map(|(text, _)| text).collect();
                ours.sort_unstable();
                assert_eq!(position.count_legal_moves(), ours.len() as u64, "{name} {fen}");
                let ended = ours.is_empty().then(|| position.outcome().unwrap().winner);
                assert_eq!((ours, ended), theirs(variant, &fen), "{name} {fen}");
                ends += u32::from(ended.is_some());
            });
        }
        assert!(ends > 0, "{name}: no game came to an end");
    }
}

/// Rules of a game beside those of janggi, a position, moves, and how the game has ended by them.
#[test]
fn passes_end_games() {
    use Reason::{Facing, Passes};
    let (white, black, draw) = (Some(Color::White), Some(Color::Black), None);
    let apart = "3k5/9/9/9/9/9/9/9/9/4K3R w - -";
    let faced = "4k4/9/9/9/9/9/9/9/9/4K3R b - -";
    let cases = [
        ("", apart, "e1e1 d10d10", Some((Passes, white))),
        ("", "3k5/9/9/9/9/9/9/9/9/4K4 w - -", "e1e1 d10d10", Some((Passes, black))),
        ("@points r 1 second 1", apart, "e1e1 d10d10", Some((Passes, draw))),
        ("@passes 2 loss", apart, "e1e1 d10d10", Some((Passes, black))),
        ("@passes none", apart, "e1e1 d10d10", None),
        ("", apart, "e1e1 d10d9", None),
        ("", faced, "e10e10", Some((Facing, white))),
        ("@facing draw", faced, "e10e10", Some((Facing, draw))),
        ("@facing none", faced, "e10e10", None),
        ("", faced, "e10d10", None),
        // Passing is legal even in check then.
        ("", "4k3R/9/9/9/9/9/9/9/9/4K4 b - -", "e10e10", Some((Facing, white))),
        ("", "4k4/9/9/9/9/9/9/9/9/4K2r1 w - -", "e1e1", Some((Facing, black))),
    ];
    for (rules, fen, line, expected) in cases {
        let game = load(&format!("@extends janggi\n{rules}"), None).unwrap().game;
        let mut position = Position::from_fen(&game, fen).unwrap();
        play(&mut position, &line.split(' ').collect::<Vec<_>>());
        let end = position.decided().map(|outcome| (outcome.reason, outcome.winner));
        assert_eq!(end, expected, "{rules} {fen} {line}");
        assert_eq!(position.legal_moves().is_empty(), end.is_some(), "{rules} {fen} {line}");
    }
    // Who is faced may not leave it so.
    let position = Position::from_fen(&builtin("janggi").unwrap(), faced).unwrap();
    assert_eq!(texts(&position), ["e10d10", "e10e10", "e10f10"]);
}

/// Rules of a game, a position, a move, and how the game ends by it: chess from a file with one line
/// more. Where nothing is said it goes on.
#[test]
fn lines_of_rules_end_games() {
    use Reason::{Checks, Extinction, Goal};
    let (white, black, draw) = (Some(Color::White), Some(Color::Black), None);
    let race = "@symmetry none\n@goal k [ROW = 7] last";
    let cases = [
        ("@goal q n [ROW = 7]", "8/Q7/8/8/7k/8/8/K7 w", "a7a8", Some((Goal, white))),
        ("@goal q n [ROW = 7]", "8/R7/8/8/7k/8/8/K7 w", "a7a8", None),
        ("@goal k [ROW = 7]", "7K/8/8/8/8/8/1k6/8 b", "b2b1", Some((Goal, white))),
        ("@goal k [ROW = 7]", "8/K7/8/8/8/8/1k6/8 b", "b2b1", Some((Goal, black))),
        (race, "8/K6k/8/8/8/8/8/8 w", "a7a8", None),
        (race, "8/K7/7k/8/8/8/8/8 w", "a7a8", Some((Goal, white))),
        (race, "K7/7k/8/8/8/8/8/8 b", "h7h8", Some((Goal, draw))),
        (race, "8/K6k/8/8/8/8/8/8 b", "h7h8", Some((Goal, black))),
        ("@checks 1", "7k/8/8/8/8/8/8/K5Q1 w", "g1g7", Some((Checks, white))),
        ("@checks 2", "7k/8/8/8/8/8/8/K5Q1 w", "g1g5", None),
        ("@extinction loss", "7k/8/8/8/8/8/8/K5nr b", "h8g8", None),
        ("@extinction loss q", "q5k1/8/8/8/8/8/8/1K5Q w", "h1a8", Some((Extinction, white))),
        ("@extinction win n q", "n6k/8/8/8/8/8/8/KN4Q1 w", "g1g2", Some((Extinction, black))),
        ("@extinction draw q", "q5k1/8/8/8/8/8/8/1K5Q w", "h1a8", Some((Extinction, draw))),
    ];
    for (rules, fen, text, expected) in cases {
        let game = load(&format!("@extends fide\n{rules}"), None).unwrap().game;
        let mut position = Position::from_fen(&game, fen).unwrap();
        let m = position.legal_moves().into_iter().find(|&m| position.text(m) == text);
        // An end that is there already leaves no move.
        let Some(m) = m else {
            let end = position.outcome().map(|outcome| (outcome.reason, outcome.winner));
            assert_eq!(end, expected, "{rules} {fen}");
            continue;
        };
        position.make(m);
        let end = position.decided().map(|outcome| (outcome.reason, outcome.winner));
        assert_eq!(end, expected, "{rules} {fen} {text}");
        assert_eq!(position.legal_moves().is_empty(), end.is_some(), "{rules} {fen}");
    }
}

#[test]
fn explosions_reach_what_the_file_does_not_spare() {
    let left = |rule: &str| {
        let game = load(&format!("@extends fide\n@explosion {rule}"), None).unwrap().game;
        let fen = "4k3/8/8/2npr3/2RnR3/1BN5/8/4K2Q w - - 0 1";
        let mut position = Position::from_fen(&game, fen).unwrap();
        let m = position.parse_move("c4d4").unwrap();
        let mut gone = Vec::new();
        position.for_each_exploded(m, |square, _| gone.push(game.square_name(square)));
        gone.sort_unstable();
        position.make(m);
        let fen = position.fen();
        position.unmake();
        assert_eq!(position.fen().split(' ').next(), Some("4k3/8/8/2npr3/2RnR3/1BN5/8/4K2Q"));
        (fen.split(' ').next().unwrap().to_owned(), gone.join(" "))
    };
    let expected = |board: &str, gone: &str| (board.to_owned(), gone.to_owned());
    assert_eq!(left("none"), expected("4k3/8/8/2npr3/3RR3/1BN5/8/4K2Q", ""));
    assert_eq!(left("all"), expected("4k3/8/8/8/8/1B6/8/4K2Q", "c3 c5 d4 d5 e4 e5"));
    let spared = expected("4k3/8/8/2np4/8/1BN5/8/4K2Q", "d4 e4 e5");
    assert_eq!(left("spares p n"), spared);
}

#[test]
fn checks_are_counted_in_fens_of_both_kinds() {
    let game = builtin("3check").unwrap();
    let read = |fen: &str| Position::from_fen(&game, fen);
    let bare = "7k/8/8/8/8/8/8/K5Q1 w - -";
    for fields in ["3+1 4 9", "4 9 +0+2"] {
        let position = read(&format!("{bare} {fields}")).unwrap();
        assert_eq!(Color::ALL.map(|color| position.checks(color)), [0, 2]);
        assert_eq!(position.fen(), format!("{bare} 3+1 4 9"));
        let text = picture(&position, Color::White);
        assert!(text.starts_with("Checks to win: 1\n") && text.ends_with("Checks to win: 3\n"));
    }
    for fields in ["4+1 4 9", "3+ 4 9", "4 9 +0+4", "4 9 +0", "3+1 4 9 3+1"] {
        assert!(read(&format!("{bare} {fields}")).is_err(), "{fields}");
    }
    let keys: Vec<u64> =
        ["3+3", "3+2", "2+3"].map(|left| read(&format!("{bare} {left}")).unwrap().key()).into();
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
}
