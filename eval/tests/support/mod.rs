//! Positions for tests.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_movegen::{Piece, Position, Setup, Square};

/// Openings, middlegames and endgames to walk from.
pub const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/5pk1/6p1/2b1p3/1pP1P1P1/1P1B1K2/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "q3k3/pp3n2/8/3Q4/8/5N2/PP6/4K2R w K - 0 1",
    "8/8/8/3k4/8/8/2B5/K6N w - - 0 1",
];

/// Calls `visit` with every position without check of seeded random games from [`STARTS`]; how many
/// there were.
pub fn walk(games: usize, visit: impl FnMut(&Position)) -> usize {
    walk_from(&STARTS, games, visit)
}

/// The same from other positions.
pub fn walk_from(starts: &[&str], games: usize, mut visit: impl FnMut(&Position)) -> usize {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x7a3a_51e5);
    let mut visited = 0;
    for game in 0..games {
        let mut position = Position::from_fen(starts[game % starts.len()]).unwrap();
        for _ in 0..80 {
            if !position.in_check() {
                visit(&position);
                visited += 1;
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.random_range(0..moves.len())]);
        }
    }
    visited
}

/// The same position with the colors and the ranks exchanged.
#[allow(dead_code, reason = "not every test file exchanges colors")]
pub fn colors_exchanged(position: &Position) -> Position {
    let mut setup = Setup::from(position);
    for square in Square::ALL {
        let piece = position.piece_at(square.flip_rank());
        setup.pieces[square] = piece.map(|piece| Piece::new(!piece.color(), piece.kind()));
    }
    setup.side_to_move = !position.side_to_move();
    setup.castling = position.castling().flip_ranks();
    setup.en_passant = position.en_passant().map(Square::flip_rank);
    Position::from_setup(&setup).unwrap()
}
