//! Finds the reversible move between two positions from the difference of their keys.
//!
//! Source: M. N. J. van Kervinck, "The design and implementation of the Rookie 2.0 chess
//! playing program", 2013: a cuckoo hash of the 3,668 moves that can be taken back.

use once_cell::sync::Lazy;

use crate::zobrist::{Key, piece_key, side_key};
use crate::{Bitboard, Piece, PieceKind, Square, between, piece_attacks};

/// A reversible move, its direction unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    key: Key,
    pub(crate) a: Square,
    pub(crate) b: Square,
    /// The squares in between, which must be empty.
    pub(crate) path: Bitboard,
}

const SIZE: usize = 8192;

static TABLE: Lazy<Box<[Option<Step>; SIZE]>> = Lazy::new(build);

fn slots(key: Key) -> [usize; 2] {
    [key as usize % SIZE, (key >> 16) as usize % SIZE]
}

fn build() -> Box<[Option<Step>; SIZE]> {
    let mut table = Box::new([None; SIZE]);
    for piece in Piece::ALL {
        if piece.kind() == PieceKind::Pawn {
            continue;
        }
        for a in Square::ALL {
            for b in piece_attacks(piece.kind(), a, Bitboard::EMPTY) {
                if a < b {
                    let key = piece_key(piece, a) ^ piece_key(piece, b) ^ side_key();
                    insert(&mut table, Step { key, a, b, path: between(a, b) });
                }
            }
        }
    }
    table
}

/// Each entry has two places; one that is pushed out goes to its other place.
fn insert(table: &mut [Option<Step>; SIZE], step: Step) {
    let mut slot = slots(step.key)[0];
    let mut homeless = step;
    loop {
        match table[slot].replace(homeless) {
            None => return,
            Some(evicted) => {
                homeless = evicted;
                let [first, second] = slots(homeless.key);
                slot = if slot == first { second } else { first };
            }
        }
    }
}

/// The reversible move with this key, if there is one.
pub(crate) fn find(key: Key) -> Option<Step> {
    slots(key).into_iter().find_map(|slot| TABLE[slot].filter(|step| step.key == key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_found() {
        assert_eq!(TABLE.iter().flatten().count(), 3668);
        for step in TABLE.iter().flatten() {
            let found = find(step.key).expect("inserted");
            assert_eq!((found.a, found.b), (step.a, step.b));
        }
    }
}
