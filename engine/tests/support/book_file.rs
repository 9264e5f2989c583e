//! Files of opening books, by another hand.

use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// A move of a book as its file has it: FEN, origin and target such as `e1h1`, promotion (0 none,
/// 1 knight to 4 queen), weight.
pub type BookLine<'a> = (&'a str, &'a str, u16, u16);

/// The key of a position by another hand.
fn key(fen: &str) -> u64 {
    let setup: Fen = fen.parse().expect("a FEN");
    let mode = CastlingMode::detect(setup.as_setup());
    let position: Chess = setup.into_position(mode).expect("a position");
    let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
    key.0
}

/// The bytes of a book with these moves.
pub fn book(lines: &[BookLine<'_>]) -> Vec<u8> {
    let mut entries: Vec<[u8; 16]> = lines.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry[..8].to_vec());
    entries.concat()
}

fn entry(&(fen, mv, promotion, weight): &BookLine<'_>) -> [u8; 16] {
    let square = |at: usize| {
        let bytes = mv.as_bytes();
        u16::from(bytes[at] - b'a') + 8 * u16::from(bytes[at + 1] - b'1')
    };
    let code = promotion << 12 | square(0) << 6 | square(2);
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&key(fen).to_be_bytes());
    bytes[8..10].copy_from_slice(&code.to_be_bytes());
    bytes[10..12].copy_from_slice(&weight.to_be_bytes());
    bytes
}
