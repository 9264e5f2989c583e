use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_variant::{Color, Game, Piece, Position, SetupBoard, Square, SquareSet, builtin, load};

#[path = "../../../tests/common/mod.rs"]
mod common;

use self::common::{flipped, random_game};
use super::visit::{Shape, Sink};
use super::{EvalError, Family, Learned, Weight};

const GAMES: [&str; 6] = ["fide", "nuttyknights", "xiangqi", "minishogi", "grasshopper", "locusts"];

/// The terms of a game, with values that differ.
fn shape(game: &Game) -> Shape {
    let kinds = 0..game.piece_count() as i32;
    Shape::new(game, &kinds.map(|kind| 100 + 170 * (kind % 5)).collect::<Vec<_>>())
}

/// An evaluator in which every weight is another one.
fn scattered(game: &Arc<Game>, seed: u64) -> Learned {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let shape = shape(game);
    let mut weight = || (random.next_u64() % 401) as i32 - 200;
    let weights =
        (0..shape.layout.len).map(|_| Weight { middlegame: weight(), endgame: weight() }).collect();
    Learned::new(game, shape, weights, "scattered".to_owned())
}

#[test]
fn sums_that_follow_moves_are_those_from_scratch() {
    for name in GAMES {
        let game = builtin(name).unwrap();
        let learned = scattered(&game, 3);
        let mut sum = None;
        for position in random_game(&game, 5, 80) {
            let from_scratch = learned.sum(&position);
            let followed = sum.map_or(from_scratch, |before| learned.sum_after(before, &position));
            assert_eq!(followed, from_scratch, "{name} {}", position.fen());
            sum = Some(followed);
        }
    }
}

#[test]
fn exchanging_the_colors_turns_the_score() {
    for name in ["nuttyknights", "xiangqi", "shatranj", "grasshopper"] {
        let game = builtin(name).unwrap();
        let learned = scattered(&game, 7);
        for position in random_game(&game, 11, 60) {
            // Without flags: what the texts of positions do not say.
            let plain = flipped(&flipped(&position));
            let score = learned.evaluate(&plain);
            assert_eq!(learned.evaluate(&flipped(&plain)), -score, "{name} {}", plain.fen());
        }
    }
}

/// How often each side has each term.
struct Counts(Vec<[i32; 2]>);

impl Sink for Counts {
    fn add(&mut self, term: usize, color: Color, count: i32) {
        self.0[term][color.index()] += count;
    }
}

fn counts(shape: &Shape, position: &Position) -> Vec<[i32; 2]> {
    let mut counts = Counts(vec![[0; 2]; shape.layout.len]);
    shape.visit(position, &mut counts);
    counts.0
}

/// The squares on which a piece could capture an opponent, by trying it.
fn attacks(position: &Position, from: Square) -> SquareSet {
    let game = position.game();
    let piece = position.piece_at(from).unwrap();
    let mut moves = Vec::new();
    (0..game.squares() as Square)
        .filter(|&target| {
            let mut board = SetupBoard::of(position);
            board.put_obstacle(target, piece.color.other());
            board.moves_from(from, &mut moves);
            target != from && moves.iter().any(|m| m.to == target)
        })
        .collect()
}

/// The terms of one side that are counted square by square, made again in the plainest way.
fn slow_counts(shape: &Shape, position: &Position) -> Vec<[i32; 2]> {
    let game = position.game();
    let mut counts = vec![[0; 2]; shape.layout.len];
    let all = || {
        Color::ALL
            .into_iter()
            .flat_map(|color| position.side(color).iter().collect::<Vec<_>>())
            .map(|square| (position.piece_at(square).unwrap(), square))
    };
    let attacked = |square: Square, by: &dyn Fn(Piece) -> bool| {
        all().any(|(piece, from)| by(piece) && attacks(position, from).has(square))
    };
    let class = |kind: u8| shape.class(kind);
    for (piece, square) in all() {
        let Piece { kind, color } = piece;
        let terms = shape.layout.kinds[usize::from(kind)];
        let cheaper = |other: Piece| other.color != color && class(other.kind) < class(kind);
        let mut moves = Vec::new();
        SetupBoard::of(position).moves_from(square, &mut moves);
        let targets: SquareSet = moves.iter().map(|m| m.to).collect();
        let safe = targets.iter().filter(|&target| !attacked(target, &cheaper)).count();
        counts[terms.mobility + terms.bucket(safe)][color.index()] += 1;
        if game.is_royal(kind) {
            continue;
        }
        let turn = usize::from(position.side_to_move() != color);
        let theirs = attacked(square, &|other| other.color != color);
        let own = attacked(square, &|other| other.color == color);
        counts[terms.hanging + turn][color.index()] += i32::from(theirs && !own);
        counts[terms.harried + turn][color.index()] += i32::from(attacked(square, &cheaper));
        let weakest = |other: Piece| other.color == color && class(other.kind) == 0;
        counts[terms.guarded][color.index()] += i32::from(attacked(square, &weakest));
        for royal in position.royals(color.other()).iter() {
            let king = position.piece_at(royal).unwrap();
            let zone = shape.geometry.zones[king.slot() * game.squares() + usize::from(royal)];
            counts[terms.zone][color.index()] += attacks(position, square).and(zone).len() as i32;
        }
    }
    counts
}

#[test]
fn terms_are_those_of_a_plain_count() {
    let families =
        [Family::Mobility, Family::Hanging, Family::Harried, Family::Guarded, Family::Zone];
    for name in ["nuttyknights", "fide", "minishogi"] {
        let game = builtin(name).unwrap();
        let shape = shape(&game);
        for position in random_game(&game, 13, 60).iter().skip(14).step_by(15) {
            let (found, expected) = (counts(&shape, position), slow_counts(&shape, position));
            for block in shape.layout.blocks.iter().filter(|b| families.contains(&b.family)) {
                for term in block.first..block.first + block.len {
                    let what = (name, block.family, block.kind, term - block.first);
                    assert_eq!(found[term], expected[term], "{what:?} {}", position.fen());
                }
            }
        }
    }
}

#[test]
fn passed_pawns_of_chess_are_passed() {
    let game = builtin("fide").unwrap();
    let shape = shape(&game);
    let pawn = shape.layout.kinds[0];
    let passed = |fen: &str| {
        let counts = counts(&shape, &Position::from_fen(&game, fen).unwrap());
        let runs = &counts[pawn.passed..pawn.passed + 21];
        let all = runs.iter().enumerate();
        let all = all.flat_map(|(i, n)| [(i, 0), (i, 1)].map(|(i, side)| (i, side, n[side])));
        all.filter(|&(.., n)| n > 0)
            .map(|(i, side, _)| (i / 3 + 1, i % 3, side))
            .collect::<Vec<_>>()
    };
    // Distance, way (0 free, 1 attacked, 2 blocked) and side.
    assert_eq!(passed("4k3/8/8/8/P7/8/8/4K3 w - - 0 1"), [(4, 0, 0)]);
    // One on a file beside it stops it from the front, not from behind.
    assert_eq!(passed("4k3/1p6/8/8/P7/8/8/4K3 w - - 0 1"), []);
    assert_eq!(passed("4k3/8/8/8/P7/1p6/8/4K3 w - - 0 1"), [(2, 0, 1), (4, 0, 0)]);
    // Blocked and attacked.
    assert_eq!(passed("4k3/8/8/n7/P7/8/8/4K3 w - - 0 1"), [(4, 2, 0)]);
    assert_eq!(passed("4k3/8/8/8/P7/8/6b1/4K3 w - - 0 1"), [(4, 1, 0)]);
}

#[test]
fn texts_come_back() {
    for name in GAMES {
        let game = builtin(name).unwrap();
        for learned in [scattered(&game, 17), scattered(&game, 18)] {
            let text = learned.text();
            let again = Learned::parse(&game, &text).unwrap();
            assert_eq!(again.weights, learned.weights, "{name}");
            assert_eq!(again.shape.exchange, learned.shape.exchange);
            let marked = Learned::parse(&game, &format!("\u{feff}{text}")).unwrap();
            assert_eq!(marked.weights, learned.weights, "after a byte order mark");
            assert_eq!((again.recipe(), again.text()), (learned.recipe(), text));
        }
    }
}

#[test]
fn what_is_wrong_with_a_text_is_told() {
    let game = builtin("nuttyknights").unwrap();
    let text = Learned::seed(&game).text();
    let refused = |text: &str| Learned::parse(&game, text).unwrap_err().to_string();
    assert_eq!(
        refused("tamarin"),
        "line 1: \"tamarin\" is not `tamarin-eval 1`: no learned evaluator"
    );
    let last = text.lines().count();
    assert_eq!(
        refused(text.strip_suffix("end\n").unwrap()),
        format!("line {}: the file ends here, without its last line `end`", last - 1)
    );
    assert!(refused(&format!("{text}more\n")).ends_with("nothing may follow the line `end`"));
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        refused(&text.replacen(from, to, 1))
    };
    assert!(changed("p value", "z value").contains("there is no term \"z value\""));
    assert!(changed("n value 412/412", "n value 412").contains("\"412\" is no weight"));
    assert!(changed("n value 412/412", "n value 1/99999").contains("up to 30000"));
    assert!(changed("n value 412/412", "n value 1/-2147483648").contains("up to 30000"));
    assert!(changed("n value 412/412", "n value 1/1 2/2").contains("2 weights where 1 are"));
    assert!(changed("n value", "p value").ends_with("\"p value\" is there a second time"));
    assert!(changed("p exchange 100", "p exchange x").contains("\"x\" is no value from 0"));
    // Another game, with the same pieces.
    let other = builtin("fide").unwrap();
    let error = Learned::parse(&other, &text).unwrap_err();
    let (found, expected) = (game.fingerprint(), other.fingerprint());
    assert_eq!(error, EvalError::Stale { line: 5, found, expected });
}

#[test]
fn long_embedded_evaluators_fit_their_games() {
    for (name, text) in super::text::EMBEDDED {
        let game = builtin(name).unwrap();
        assert_eq!(Learned::parse(&game, text).unwrap().text(), *text, "{name}");
    }
    let has_none = |name: &&str| Learned::embedded(&builtin(name).unwrap()).is_none();
    let names = tamarin_variant::BUILTINS.iter().map(|entry| entry.name);
    let unlearned = [
        "rookies",
        "janggi",
        "kingofthehill",
        "3check",
        "antichess",
        "atomic",
        "horde",
        "racingkings",
        "seirawan",
    ];
    assert_eq!(names.filter(has_none).collect::<Vec<_>>(), unlearned);
    let other = load("@royal k\nk W1\nr W\n\nk . r\n. . .\nR . K\n", None).unwrap().game;
    assert!(Learned::embedded(&other).is_none());
}
