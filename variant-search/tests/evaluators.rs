//! The evaluators of the thesis.

use std::sync::Arc;

use crate::common::{GAMES, flipped, game, random_game};
use crate::long::long_or;

use tamarin_variant::{Color, Game, Piece, Position, load};
use tamarin_variant_search::evaluate::{Evaluator, MAGNITUDE, Spec, empty_board_mobility};

const BASES: [&str; 3] = ["sme", "spe(sme)", "sce"];

/// Games in which `spe` is built: it plays all sequences of moves out, which takes long in tests.
/// The moves of one have effects, those of the others have none.
const PLAYED_OUT: [&str; 2] = ["nuttyknights", "locusts"];

/// `spe` plays all sequences of moves out, which takes long in chess.
fn bases_in_chess() -> &'static [&'static str] {
    long_or(&BASES, &["sme", "sce"])
}

fn evaluator(game: &Arc<Game>, spec: &str) -> Evaluator {
    Evaluator::new(game, &spec.parse().unwrap())
}

fn value(evaluator: &Evaluator, position: &Position) -> i64 {
    evaluator.evaluate(position, evaluator.sum(position), &mut Vec::new())
}

fn at(name: &str, spec: &str, fen: &str) -> i64 {
    let game = game(name);
    value(&evaluator(&game, spec), &Position::from_fen(&game, fen).unwrap())
}

fn piece(game: &Game, name: &str, color: Color) -> Piece {
    let kind = game.piece_names().position(|other| other == name).unwrap() as u8;
    Piece { color, kind }
}

#[test]
fn long_the_cumulative_part_follows_all_moves() {
    let wanted = long_or(10_000, 2_000);
    for name in GAMES {
        let game = game(name);
        let evaluator = evaluator(&game, "sme+loc");
        let (mut made, mut seed) = (0, 6);
        while made < wanted {
            let positions = random_game(&game, seed, 120);
            let mut sum = evaluator.sum(&positions[0]);
            for position in &positions[1..] {
                sum = evaluator.sum_after(sum, position);
                assert_eq!(sum, evaluator.sum(position), "{name} {}", position.fen());
            }
            made += positions.len();
            seed += 1;
        }
    }
}

#[test]
fn different_armies_have_different_values() {
    let text = "@extends fide\n\nh x\"WA\"\n\nboard:\nr h b q k b h r\np p p p p p p p\n\
        . . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\nP P P P P P P P\n\
        R N B Q K B N R\n";
    let mixed = load(text, None).unwrap().game;
    let values = |game: &Arc<Game>, name: &str| {
        let evaluator = evaluator(game, "sme");
        Color::ALL.map(|color| evaluator.values().mean(piece(game, name, color)))
    };
    let [white, black] = values(&mixed, "q");
    assert_ne!(white, black);
    let [white, black] = values(&game("fide"), "q");
    assert_eq!(white, black);
}

#[test]
fn evaluators_are_scaled_and_combined() {
    let game = game("fide");
    let single = |spec: &str| {
        let evaluator = evaluator(&game, spec);
        let positions = random_game(&game, 8, 60);
        positions.iter().map(|position| value(&evaluator, position)).collect::<Vec<_>>()
    };
    let (sme, king, imm) = (single("sme"), single("king(sme)"), single("imm"));
    let all = single("sme+1/100*king(sme)-2*imm");
    for i in 0..sme.len() {
        assert_eq!(all[i], sme[i] + king[i] / 100 - 2 * imm[i]);
    }
    assert!(sme.iter().any(|&v| v != 0) && king.iter().any(|&v| v != 0));
}

#[test]
fn long_values_are_normalized() {
    let played_out = long_or(&PLAYED_OUT[..], &["nuttyknights"]);
    for name in GAMES.into_iter().step_by(long_or(1, 2)) {
        let game = game(name);
        for spec in ["sme", "loc(sme)", "spe(sme)", "sce"] {
            if spec == "spe(sme)" && !played_out.contains(&name) {
                continue;
            }
            let evaluator = evaluator(&game, spec);
            let values = evaluator.values();
            let mean = |kind| {
                Color::ALL.map(|color| values.mean(Piece { color, kind })).iter().sum::<i64>()
                    as f64
                    / 2.0
            };
            let kinds = 0..game.piece_count() as u8;
            let norm = kinds.map(|kind| mean(kind).powi(2)).sum::<f64>().sqrt();
            // Without anything to capture or to become, all values may be zero.
            let none = norm == 0.0 && name == "locusts";
            assert!(none || (norm - MAGNITUDE).abs() < 10.0, "{name} {spec}: {norm}");
        }
        for spec in ["imm", "immc", "sound", "sking"] {
            let evaluator = evaluator(&game, spec);
            let limit = (MAGNITUDE / (game.piece_count() as f64).sqrt()) as i64;
            assert_eq!(evaluator.range(), limit);
            for seed in 0..long_or(5, 1) {
                for position in random_game(&game, seed, 80) {
                    assert!(value(&evaluator, &position).abs() <= limit, "{name} {spec}");
                }
            }
        }
    }
}

/// What `game` prints for its pieces, in thousandths.
fn empty_board(name: &str) -> Vec<(String, i64)> {
    let game = game(name);
    let mobility = |kind| {
        let piece = Piece { color: Color::White, kind };
        let squares = 0..game.squares() as u8;
        let sum: f64 = squares.map(|square| empty_board_mobility(&game, piece, square)).sum();
        (sum * 1000.0 / game.squares() as f64).round() as i64
    };
    (0..game.piece_count() as u8)
        .map(|kind| (game.piece_name(kind).to_owned(), mobility(kind)))
        .collect()
}

#[test]
fn mobility_on_the_empty_board() {
    let expected: [(&str, &str, &[i64]); 4] = [
        // In the thesis's chess the double step needs a flag, which a piece of a table has not.
        ("fide_thesis", "pnbrqk", &[1406, 21500, 32688, 62000, 70750, 23156]),
        ("nuttyknights", "nbrq", &[19625, 28195, 49109, 53266]),
        ("clobberers", "nbrq", &[25094, 26453, 35750, 59750]),
        ("shogi_nodrop", "rbgsnlp", &[76750, 40400, 18290, 12880, 2350, 6140, 1440]),
    ];
    for (name, pieces, values) in expected {
        let found = empty_board(name);
        for (letter, &value) in pieces.chars().zip(values) {
            let (_, mobility) = found.iter().find(|(n, _)| *n == letter.to_string()).unwrap();
            assert!((mobility - value).abs() <= 5, "{name} {letter}: {mobility}, not {value}");
        }
    }
}

#[test]
fn long_the_mean_over_the_squares_is_the_static_value() {
    for (name, bases) in [("fide", bases_in_chess()), ("locusts", &BASES)] {
        let game = game(name);
        for base in bases {
            let fixed = evaluator(&game, base);
            let located = evaluator(&game, &format!("loc({base})"));
            for kind in 0..game.piece_count() as u8 {
                let piece = Piece { color: Color::White, kind };
                let (a, b) = (fixed.values().mean(piece), located.values().mean(piece));
                assert!((a - b).abs() <= 1, "{name} {base} {kind}: {a} {b}");
            }
        }
    }
    // A knight has more moves in the middle.
    let game = game("fide");
    let located = evaluator(&game, "loc(sme)");
    let knight = piece(&game, "n", Color::White);
    let on = |square| located.values().piece(knight, game.parse_square(square).unwrap());
    assert!(on("e4") > on("a1"));
}

#[test]
fn immediate_mobility() {
    for name in ["fide", "nuttyknights", "clobberers", "shogi_nodrop"] {
        let game = game(name);
        assert_eq!(value(&evaluator(&game, "imm"), &Position::start(&game)), 0, "{name}");
    }
    let open = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert!(at("fide", "imm", open) > 0);
    // Ten moves of the rook more than Black has, of 146 that the start army has at most.
    let game = game("fide");
    let evaluator = evaluator(&game, "imm");
    let one_more =
        value(&evaluator, &Position::from_fen(&game, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap());
    assert!(one_more > 0 && one_more < evaluator.range() / 20, "{one_more}");
}

#[test]
fn long_values_are_symmetric() {
    for name in GAMES.into_iter().step_by(long_or(1, 2)) {
        let game = game(name);
        for spec in ["sme+loc", "spe(sme)", "sce", "imm", "immc", "sound", "king", "sking"] {
            if spec == "spe(sme)" && !PLAYED_OUT.contains(&name) {
                continue;
            }
            let evaluator = evaluator(&game, spec);
            for position in random_game(&game, 33, 70).iter().step_by(long_or(3, 14)) {
                // Without rights and flags, which a FEN of the other side does not keep.
                let bare = flipped(&flipped(position));
                let (a, b) = (value(&evaluator, &bare), value(&evaluator, &flipped(&bare)));
                assert_eq!(a, -b, "{name} {spec} {}", bare.fen());
            }
        }
    }
}

#[test]
fn capturing_ability() {
    let game = game("fide");
    let sce = evaluator(&game, "sce");
    let mean = |name: &str| sce.values().mean(piece(&game, name, Color::White));
    let order = ["p", "n", "r", "q"].map(mean);
    assert!(order.is_sorted() && order[0] > 0, "{order:?}");
    // A piece that never captures is worth nothing.
    let text = "@royal none\na mW1\nc W1\n\nboard:\n. . a c\n. . . .\n. . . .\nC A . .\n";
    let peaceful = load(text, None).unwrap().game;
    for spec in ["sce", "loc(sce)"] {
        let evaluator = evaluator(&peaceful, spec);
        assert_eq!(evaluator.values().mean(piece(&peaceful, "a", Color::White)), 0);
        assert!(evaluator.values().mean(piece(&peaceful, "c", Color::White)) > 0);
    }
}

#[test]
fn potential_sees_promotion() {
    let game = game("fide");
    let located = evaluator(&game, "loc(spe(sme))");
    let pawn = piece(&game, "p", Color::White);
    let on = |square| located.values().piece(pawn, game.parse_square(square).unwrap());
    assert!(on("e7") > on("e6") && on("e6") > on("e5") && on("e5") > on("e2"));
    let fixed = evaluator(&game, "spe(sme)");
    assert!(fixed.values().mean(pawn) > 0);
}

#[test]
fn position_soundness() {
    // White's pawns b3 and c4 are defended by a2 and b3; Black's a7 and c7 by nobody.
    let game = game("fide");
    let evaluator = evaluator(&game, "sound");
    let of = |fen: &str| value(&evaluator, &Position::from_fen(&game, fen).unwrap());
    let chain = of("7k/p1p5/8/8/2P5/1P6/P7/7K w - - 0 1");
    let pair = of("7k/8/8/8/2P5/1P6/8/7K w - - 0 1");
    assert!(pair > 0 && (chain - 2 * pair).abs() <= 2, "{chain} {pair}");
    // A king defends, but is not defended.
    assert_eq!(of("7k/8/8/8/8/8/6P1/7K w - - 0 1"), pair);
    assert_eq!(of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
}

#[test]
fn king_safety() {
    let game = game("fide");
    let king = evaluator(&game, "king(sme)");
    let sme = evaluator(&game, "sme");
    let rook = sme.values().mean(piece(&game, "r", Color::White));
    // The rook needs two moves to h8, one next to it, one to a1 and one next to it.
    let position = Position::from_fen(&game, "7k/8/8/8/8/8/8/K5R1 w - - 0 1").unwrap();
    let closeness = |moves: [i64; 4]| {
        let [to_theirs, near_theirs, to_own, near_own] = moves.map(|m| 5040 / (m + 1));
        2 * to_theirs + near_theirs + 2 * to_own + near_own
    };
    assert_eq!(value(&king, &position), rook * closeness([2, 1, 1, 1]) / 5040);
    // No way: a bishop on the other color gets next to the king only.
    let bishop = sme.values().mean(piece(&game, "b", Color::White));
    let position = Position::from_fen(&game, "7k/8/8/8/8/8/8/K4B2 w - - 0 1").unwrap();
    let expected = bishop * (5040 / 3 + 5040 / 3) / 5040;
    assert_eq!(value(&king, &position), expected);
}

#[test]
fn simple_king_safety() {
    let center = "7k/8/8/8/3K4/8/8/8 w - - 0 1";
    let corner = "7k/8/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!(at("fide", "sking", corner), 0);
    let range = evaluator(&game("fide"), "sking").range();
    let value = at("fide", "sking", center);
    // (7 * 9 - 15) / 64: the middle against the corner.
    assert_eq!(value, -(range * (63 - 15) / 64));
}

#[test]
fn mobility_counts_where_the_board_begins_with_pieces() {
    for (name, standard) in [("fide", "sme+imm"), ("xiangqi", "sme+imm"), ("locusts", "sme")] {
        let game = game(name);
        assert_eq!(Spec::standard(&game).to_string(), standard, "{name}");
    }
}
