//! How wrong the static evaluation was in positions that look alike.

use bytemuck::Zeroable;
use tamarin_movegen::{Color, Position};

use super::Bounded;
use crate::hints::prefetch;

/// Entries a table and color, a power of two.
const SIZE: usize = 16384;
const LIMIT: i32 = 1024;

type Counter = Bounded<LIMIT>;
type Table = [[Counter; SIZE]; 2];

/// The places of a position in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionKeys {
    color: Color,
    pawn: u16,
    minor: u16,
    white: u16,
    black: u16,
}

impl CorrectionKeys {
    /// Looks the places of `position` up.
    #[inline]
    pub fn new(position: &Position) -> Self {
        let place = |key: u64| (key as usize & (SIZE - 1)) as u16;
        Self {
            color: position.side_to_move(),
            pawn: place(position.pawn_key()),
            minor: place(position.minor_key()),
            white: place(position.non_pawn_key(Color::White)),
            black: place(position.non_pawn_key(Color::Black)),
        }
    }
}

/// Four tables, `[color][key]`: by pawns, by minor pieces and kings, and by the pieces of each side.
///
/// Source: the idea is Caissa's and Stockfish's (2024), the keys those of Weiss.
#[derive(Zeroable)]
pub(crate) struct CorrectionHistory {
    pawn: Table,
    minor: Table,
    white: Table,
    black: Table,
}

impl CorrectionHistory {
    /// Fetches what [`Self::value`] will look at ahead of time.
    #[inline]
    pub fn prefetch(&self, keys: &CorrectionKeys) {
        let color = keys.color.index();
        let ahead =
            |table: &Table, key: u16| prefetch(&table[color][usize::from(key) & (SIZE - 1)]);
        ahead(&self.pawn, keys.pawn);
        ahead(&self.minor, keys.minor);
        ahead(&self.white, keys.white);
        ahead(&self.black, keys.black);
    }

    /// What to add to the static evaluation, in 1/128 units.
    #[inline]
    pub fn value(&self, keys: &CorrectionKeys) -> i32 {
        let color = keys.color.index();
        let at = |table: &Table, key: u16| table[color][usize::from(key) & (SIZE - 1)].value();
        at(&self.pawn, keys.pawn) * 10
            + at(&self.minor, keys.minor) * 7
            + (at(&self.white, keys.white) + at(&self.black, keys.black)) * 8
    }

    /// Learns that the evaluation should have been higher, or with a negative bonus lower.
    #[inline]
    pub fn nudge(&self, keys: &CorrectionKeys, bonus: i32) {
        let color = keys.color.index();
        let bonus = bonus.clamp(-LIMIT / 4, LIMIT / 4);
        for (table, key) in [
            (&self.pawn, keys.pawn),
            (&self.minor, keys.minor),
            (&self.white, keys.white),
            (&self.black, keys.black),
        ] {
            table[color][usize::from(key) & (SIZE - 1)].nudge(bonus);
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for table in [&self.pawn, &self.minor, &self.white, &self.black] {
            table.as_flattened().iter().for_each(Counter::clear);
        }
    }
}
