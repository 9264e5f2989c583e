//! The positions of the benchmark.

use tamarin_movegen::Position;

/// Classic positions that everybody knows, then positions from games of the engine against
/// itself after random openings: opening, middlegame and endgame in equal parts.
///
/// The node count of `bench` is a function of this list: changing it changes the signature.
const FENS: [&str; 12] = [
    // The start, and the positions that perft made famous.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // Studies: Lasker and Reichhelm, Réti, Saavedra, Lucena, Philidor.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "4k3/R7/7r/3KP3/8/8/8/8 w - - 0 1",
    // Bishop and knight against the bare king.
    "8/8/4k3/8/8/2BNK3/8/8 w - - 0 1",
];

/// All of them, in order.
pub fn all() -> Vec<Position> {
    let position = |fen: &&str| Position::from_fen(fen).expect("invariant: checked by a test");
    FENS.iter().map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::{FENS, all};
    use std::collections::HashSet;
    use tamarin_movegen::Position;

    #[test]
    fn every_position_is_legal_has_moves_and_comes_once() {
        let positions = all();
        assert_eq!(positions.len(), FENS.len());
        assert!(positions.iter().all(Position::has_legal_move));
        let keys: HashSet<_> = positions.iter().map(Position::key).collect();
        assert_eq!(keys.len(), FENS.len());
    }
}
