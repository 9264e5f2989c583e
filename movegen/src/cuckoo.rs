//! The cuckoo table of reversible moves, to detect upcoming repetitions: it finds the move
//! between two positions by the difference of their keys.
//!
//! Source: M. N. J. van Kervinck, "The design and implementation of the Rookie 2.0 chess
//! playing program", 2013: cuckoo hashing of the 3,668 reversible moves.

use once_cell::sync::Lazy;

use crate::zobrist::{Key, piece_key, side_key};
use crate::{Bitboard, Piece, PieceKind, Square, between, piece_attacks};

/// A reversible move, in either direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReversibleMove {
    key: Key,
    pub(crate) a: Square,
    pub(crate) b: Square,
    /// The squares between the two, which must be empty.
    pub(crate) path: Bitboard,
}

const SIZE: usize = 8192;

static TABLE: Lazy<Box<[Option<ReversibleMove>; SIZE]>> = Lazy::new(build);

fn slots(key: Key) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

fn build() -> Box<[Option<ReversibleMove>; SIZE]> {
    let mut table = Box::new([None; SIZE]);
    for piece in Piece::ALL {
        if piece.kind() == PieceKind::Pawn {
            continue;
        }
        for a in Square::ALL {
            for b in piece_attacks(piece.kind(), a, Bitboard::EMPTY) {
                if a < b {
                    let key = piece_key(piece, a) ^ piece_key(piece, b) ^ side_key();
                    insert(&mut table, ReversibleMove { key, a, b, path: between(a, b) });
                }
            }
        }
    }
    table
}

/// Cuckoo hashing: a move evicts what is in its first slot, which goes to its other slot.
fn insert(table: &mut [Option<ReversibleMove>; SIZE], mv: ReversibleMove) {
    let mut slot = slots(mv.key)[0];
    let mut inserted = mv;
    while let Some(evicted) = table[slot].replace(inserted) {
        let [first, second] = slots(evicted.key);
        slot = if slot == first { second } else { first };
        inserted = evicted;
    }
}

/// The reversible move with this key, if there is one.
pub(crate) fn find(key: Key) -> Option<ReversibleMove> {
    slots(key).into_iter().find_map(|slot| TABLE[slot].filter(|mv| mv.key == key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_found() {
        assert_eq!(TABLE.iter().flatten().count(), 3668);
        for mv in TABLE.iter().flatten() {
            let found = find(mv.key).expect("inserted");
            assert_eq!((found.a, found.b), (mv.a, mv.b));
        }
    }
}
