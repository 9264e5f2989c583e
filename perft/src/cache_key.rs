//! The key of the cache: a hash of a board and a depth.

use tamarin_movegen::{Board, Color, PieceKind};

/// A 128-bit hash of a board and a depth.
///
/// A 64-bit Zobrist key is not enough here. In a table of 2^24 entries the index already
/// fixes 24 of its bits, so that of 10^10 probes an occasional one matches a wrong entry
/// (a hash collision), and a single one makes the count wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CacheKey {
    /// Gives the index of the bucket.
    pub(crate) index: u64,
    /// Stored with the entry and compared.
    pub(crate) tag: u64,
}

/// Eight numbers without structure: the output of SplitMix64 for the seed 0.
const KEYS: [u64; 8] = {
    let mut keys = [0; 8];
    let mut state = 0u64;
    let mut i = 0;
    while i < keys.len() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        keys[i] = z ^ z >> 31;
        i += 1;
    }
    keys
};

impl CacheKey {
    /// The key of `board` with `depth` plies to go.
    ///
    /// The eight words that describe a board go through the hash NH: for keys drawn
    /// at random two different messages meet with a chance of at most 2^-64, and
    /// NH costs four multiplications.
    ///
    /// Source: J. Black, S. Halevi, H. Krawczyk, T. Krovetz, P. Rogaway, "UMAC: fast
    /// and secure message authentication", CRYPTO 1999.
    #[inline]
    pub(crate) fn new(board: &Board, depth: u8) -> Self {
        // Rights stand on the first and last rank; the ranks between are free.
        let state = board.castling().0
            | u64::from(board.side_to_move() == Color::Black) << 8
            | board.en_passant().map_or(0, |square| square as u64 + 1) << 16
            | u64::from(depth) << 24;
        let pieces = |kind: PieceKind| board.pieces(kind).0;
        let sum = product(0, pieces(PieceKind::Pawn), pieces(PieceKind::Knight))
            .wrapping_add(product(2, pieces(PieceKind::Bishop), pieces(PieceKind::Rook)))
            .wrapping_add(product(4, pieces(PieceKind::Queen), pieces(PieceKind::King)))
            .wrapping_add(product(6, board.color(Color::White).0, state));
        // NH mixes the middle bits of the sum well, the outermost badly. Two Feistel rounds
        // spread every bit over both halves, and as a bijection add no collisions.
        let (low, high) = (sum as u64, (sum >> 64) as u64);
        let index = high ^ fold(low);
        Self { index, tag: low ^ fold(index) }
    }
}

fn product(i: usize, a: u64, b: u64) -> u128 {
    u128::from(a.wrapping_add(KEYS[i])) * u128::from(b.wrapping_add(KEYS[i + 1]))
}

#[inline]
fn fold(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ x >> 29
}
