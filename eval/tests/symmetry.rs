//! The evaluation treats both colors alike, the cache never changes it, and it adds up.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_eval::{Breakdown, PawnTable, Score, evaluate};
use tamarin_movegen::{Color, Position, Setup, Square};

/// Openings, middlegames and endgames to walk from.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/5pk1/6p1/2b1p3/1pP1P1P1/1P1B1K2/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "q3k3/pp3n2/8/3Q4/8/5N2/PP6/4K2R w K - 0 1",
    "8/8/8/3k4/8/8/2B5/K6N w - - 0 1",
];

/// Calls `visit` with every quiet enough position of seeded random games.
fn walk(games: usize, mut visit: impl FnMut(&Position)) -> usize {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x7a3a_51e5);
    let mut visited = 0;
    for game in 0..games {
        let mut position = Position::from_fen(STARTS[game % STARTS.len()]).unwrap();
        for _ in 0..80 {
            if !position.in_check() {
                visit(&position);
                visited += 1;
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[(random.next_u64() % moves.len() as u64) as usize]);
        }
    }
    visited
}

/// The same position with the colors and the ranks exchanged.
fn mirrored(position: &Position) -> Position {
    let mut setup = Setup::from(position);
    for square in Square::ALL {
        setup.pieces[square] = position
            .piece_at(square.flip_rank())
            .map(|piece| tamarin_movegen::Piece::new(!piece.color(), piece.kind()));
    }
    setup.side_to_move = !position.side_to_move();
    setup.castling = position.castling().flip_ranks();
    setup.en_passant = position.en_passant().map(Square::flip_rank);
    Position::from_setup(&setup).unwrap()
}

#[test]
fn mirrored_positions_are_worth_the_same() {
    let mut cache = PawnTable::new();
    let visited = walk(400, |position| {
        let mirror = mirrored(position);
        assert_eq!(evaluate(position, &mut cache), evaluate(&mirror, &mut cache), "{position}");
    });
    assert!(visited > 10_000, "{visited}");
}

#[test]
fn playing_agrees_with_counting() {
    let mut cache = PawnTable::new();
    let mut distinct = std::collections::HashSet::new();
    let mut compared = 0;
    walk(600, |position| {
        let played = evaluate(position, &mut cache);
        // Far enough apart, playing leaves terms out.
        if played.units().abs() >= 1_000 {
            return;
        }
        let counted = Breakdown::new(position).white_score();
        let counted = if position.side_to_move() == Color::White { counted } else { -counted };
        assert_eq!(played, counted, "{position}");
        distinct.insert(played);
        compared += 1;
    });
    assert!(compared > 10_000 && distinct.len() > 500, "{compared}, {}", distinct.len());
}

#[test]
fn cache_never_changes_a_score() {
    let mut kept = PawnTable::new();
    let mut fresh = PawnTable::new();
    walk(80, |position| {
        fresh.clear();
        assert_eq!(evaluate(position, &mut kept), evaluate(position, &mut fresh), "{position}");
    });
}

#[test]
fn scores_stay_in_their_band() {
    let mut cache = PawnTable::new();
    let nine_queens = "4k3/pppppppp/8/8/8/8/QQQQQQQQ/RNBQKBNR b - - 0 1";
    let score = evaluate(&Position::from_fen(nine_queens).unwrap(), &mut cache);
    assert!(!score.is_decisive() && score < Score::new(-5_000), "{score:?}");
}
