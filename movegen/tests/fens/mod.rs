//! Positions that several tests, benches, examples and fuzz targets share.
#![allow(dead_code, reason = "each user takes what it needs")]

/// The start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// P. McKenzie's test position, rich in every kind of move.
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A rook endgame with en-passant captures along a pinned rank.
pub const ROOK_ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// A symmetrical middlegame.
pub const MIDDLEGAME: &str =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// The positions of the Chess Programming Wiki's page "Perft Results".
pub const CLASSICS: [&str; 6] = [
    START,
    KIWIPETE,
    ROOK_ENDGAME,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    MIDDLEGAME,
];

/// Positions that random play from a starting position rarely reaches: castling, en passant,
/// promotion, pins, and many pieces of a kind that can go to the same square.
pub const RICH: [&str; 13] = [
    START,
    KIWIPETE,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1",
    "6nk/6pp/Q2Q4/8/1Q3Q2/8/Q2Q2K1/8 w - - 0 1",
    "r1k2r2/8/8/8/8/8/8/RK1R4 b DAfa - 0 1",
    "4k3/4r3/8/8/7b/8/4N1P1/4K3 w - - 0 1",
    "3k4/8/8/8/8/8/8/5K1R w H - 0 1",
    ROOK_ENDGAME,
    "6rk/6pp/N2N4/8/N2N2N1/8/N2N4/6K1 w - - 0 1",
    "1r1r1r1k/8/r7/8/r3r3/8/6PP/6NK b - - 0 1",
    "k7/1b3b2/8/3b1b2/8/1b3b2/8/6K1 b - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
];
