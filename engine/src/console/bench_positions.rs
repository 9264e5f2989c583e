//! The positions of the benchmark.

use tamarin_movegen::Position;

/// Classic positions that everybody knows, the ends of well-known openings, and positions from
/// games of the engine against itself after eight random plies, from opening to endgame.
///
/// The node count of `bench` is a function of this list: changing it changes the signature.
const FENS: [&str; 50] = [
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
    // Chess960.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    // Ruy Lopez, Najdorf, King's Indian, Queen's Gambit, French, Caro-Kann, Nimzo-Indian, English.
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    "rnb1kb1r/1p3ppp/pq1ppn2/6B1/3NPP2/2N5/PPP3PP/R2QKB1R w KQkq - 1 8",
    "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
    "r1bqr1k1/pppnbppp/5n2/3p2B1/3P4/2NBP3/PPQ2PPP/R3K1NR w KQ - 5 9",
    "rnbqk2r/pp2nppp/4p3/2ppP3/3P2Q1/P1P5/2P2PPP/R1B1KBNR b KQkq - 2 7",
    "rn1qkbnr/pp3ppp/4p3/2ppPb2/3P4/4BN2/PPP1BPPP/RN1QK2R b KQkq - 1 6",
    "rnbq1rk1/p1pp1ppp/1p2pn2/6B1/2PP4/P1Q5/1P2PPPP/R3KBNR b KQ - 1 7",
    "r1bqkb1r/ppp2ppp/1nn5/4p3/8/2N2NP1/PP1PPPBP/R1BQK2R w KQkq - 2 7",
    // Games of the engine against itself: openings, middlegames, endgames.
    "rn1qkbnr/p2b2pp/1p1p1p2/2pN4/8/5PP1/PPP1P2P/R1BQKBNR b KQkq - 0 8",
    "rnbqk1nr/ppp1b1pp/3p4/5p2/2PQ3P/P4PP1/1P2P3/RNB1KBNR b KQkq - 0 8",
    "rnb1kb1r/p2p1ppp/1pp2n2/4p3/4P3/P1N3P1/1PPP1PBP/R1BK2NR b kq - 2 8",
    "rnbqkb1r/1pp4p/5p1n/pP1Pp3/6p1/N2N4/P1PP1PPP/R1BQKB1R b KQkq - 0 8",
    "rn1qkbn1/ppp1pp1r/8/3p2p1/1P1P2b1/7N/P1P1PPB1/RNBQK2R b KQq - 0 8",
    "2bq1rk1/rp3ppp/pp1p3n/4n3/1P2P2P/P5P1/2P2P2/R2QKBNR w KQ - 0 12",
    "r1b1kb1r/5npp/ppnq1p2/2p1p3/5PP1/2NPP2N/PP5P/R1BQKBR1 w kq - 1 12",
    "2k1rbnr/1pp4p/n3bpp1/8/p2P3P/2P3P1/PP3P2/RNB1KBNR w KQ - 1 12",
    "1nbqkb1r/1pp1p2p/5pp1/6P1/1n1B1P2/4PN2/2PP3P/1N1QKB1R w Kk - 0 12",
    "1r1q1bnr/pb2k1pp/p4p2/2p1p3/2B5/2N2Q2/P1PP2PP/R1B1K1NR w KQ - 2 12",
    "2r1k2r/1pPn2pp/4p3/3pP3/1p6/7P/P1NP3P/R3KBR1 b Qk - 2 20",
    "2kr1r2/p1pp4/b1n1p1p1/2P5/3PB1pP/1N2P3/P7/R3K1R1 b Q - 2 20",
    "r4b2/pp1b1k1B/3p1p2/8/1pPN2rP/1P2B3/1P3P2/5K1R b - - 4 20",
    "2rq1k1r/1Q3ppp/3bpn2/3n4/1p2B3/3P1N2/PP1B3P/2R2KR1 b - - 1 20",
    "7k/4r1p1/1p1q1n1p/pB1p1b2/Pb6/2N1BP2/1P1Q1P1P/3R3K w - - 4 27",
    "3r3r/p3Rnk1/1p3pp1/1P5p/1R3PP1/3P3P/8/2BK4 w - - 2 27",
    "1r6/5k1p/2B1pbp1/8/3P1P2/2P1P3/4b1RP/1N4K1 w - - 2 27",
    "3B1b1r/pk6/2p1R1P1/3n4/3P4/6P1/PP2PP1p/2R1K3 w - - 0 27",
    "8/p6r/1p1k1R2/2pP3q/8/7r/PPQ4P/5R1K b - - 3 35",
    "5rk1/1p2N2p/6p1/8/1p6/7P/PnKP3r/4R1R1 b - - 1 35",
    "8/7p/1Q1p2p1/1P3pP1/1Pk2P2/3q4/7K/8 w - - 1 42",
    "7r/2k4p/6p1/1b1rP3/1R6/3NPp2/1P5P/R4K2 w - - 6 42",
    "8/1pp5/1k4b1/1P1R4/2P3p1/2N1P1P1/5K2/2r5 w - - 1 42",
    "R7/5k2/1K2np2/1P3r2/2RP4/B7/4r3/8 w - - 1 42",
    "8/2k5/2n4r/pr1p1p2/p2P1N1P/P5PK/1P1R4/4R3 w - - 12 42",
    "7k/3r4/1P1P3p/2pR2p1/p7/5P2/5PKP/8 w - - 0 42",
    "8/2k4p/8/r6P/6K1/8/P1R5/8 b - - 4 50",
    "8/p6r/1p6/P1p3kP/7R/6K1/1P6/8 b - - 0 50",
    "8/2R5/8/8/1k2b3/4P1P1/r3NK2/8 w - - 5 60",
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
