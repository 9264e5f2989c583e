//! Continuation history: how good a quiet move was after a certain earlier move, one, two or four
//! plies before it.

use tamarin_base::params::CONTINUATION_HISTORY_LIMIT;
use tamarin_variant::Game;

use super::entry::{PieceTo, gravitate};

/// More counters do not fit the caches. Rows of larger games share their place.
const MOST_COUNTERS: usize = 1 << 22;

/// The row of an earlier move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContinuationKey(u32);

impl ContinuationKey {
    /// No move: before the start of the search, or a pass.
    pub const NONE: Self = Self(u32::MAX);

    /// A key of two moves in a row.
    #[inline]
    pub fn mixed_with(self, other: Self) -> u64 {
        spread(u64::from(self.0) << 32 | u64::from(other.0))
    }
}

/// Multiplies by 2^64 divided by the golden ratio and takes high bits (Fibonacci hashing).
#[inline]
fn spread(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

/// The moves one, two and four plies before a node, in this order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context(pub [ContinuationKey; 3]);

impl Default for Context {
    fn default() -> Self {
        Self([ContinuationKey::NONE; 3])
    }
}

/// `[answer or own][earlier move: noisy, piece, to][kind, to]`. After a move of the opponent and
/// after one of its own a side has tables of their own, so that the column needs no color.
pub(crate) struct Continuation {
    counters: Vec<i16>,
    squares: usize,
    kinds: usize,
    /// Kinds times squares; twice as many where pieces come from the hand.
    columns: usize,
    rows: usize,
}

impl Continuation {
    pub fn new(game: &Game) -> Self {
        let (squares, kinds) = (game.squares(), game.piece_count());
        let columns = kinds * squares * if game.has_hands() { 2 } else { 1 };
        let rows = (4 * columns).min(MOST_COUNTERS / 2 / columns).max(1);
        Self { counters: vec![0; 2 * rows * columns], squares, kinds, columns, rows }
    }

    pub fn clear(&mut self) {
        self.counters.fill(0);
    }

    #[inline]
    fn column(&self, moved: PieceTo) -> usize {
        let kind = usize::from(moved.piece.kind) + if moved.dropped { self.kinds } else { 0 };
        kind * self.squares + usize::from(moved.to)
    }

    /// The row of the moves after this one.
    #[inline]
    pub fn key(&self, moved: PieceTo, noisy: bool) -> ContinuationKey {
        let kind = moved.piece.color.index() * 2 + usize::from(noisy);
        let row = kind * self.columns + self.column(moved);
        // Rows that share their place are far from each other.
        ContinuationKey((row % self.rows) as u32)
    }

    #[inline]
    fn place(&self, context: &Context, at: usize, moved: PieceTo) -> Option<usize> {
        let key = context.0[at];
        let own = usize::from(at > 0);
        let row = own * self.rows + key.0 as usize;
        (key != ContinuationKey::NONE).then(|| row * self.columns + self.column(moved))
    }

    /// How good a move was after the moves one, two and four plies before.
    #[inline]
    pub fn values(&self, context: &Context, moved: PieceTo) -> [i32; 3] {
        let value = |at| self.place(context, at, moved).map_or(0, |at| self.counters[at].into());
        [value(0), value(1), value(2)]
    }

    /// Adds a bonus, or a malus if it is negative, to the move after each of the earlier moves.
    pub fn update(&mut self, context: &Context, moved: PieceTo, bonus: i32) {
        for at in 0..context.0.len() {
            if let Some(place) = self.place(context, at, moved) {
                gravitate::<CONTINUATION_HISTORY_LIMIT>(&mut self.counters[place], bonus);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tamarin_variant::{BUILTINS, Color, Piece, builtin};

    use super::*;

    #[test]
    fn every_game_has_a_table_that_fits() {
        for entry in BUILTINS {
            let game = builtin(entry.name).unwrap();
            let mut table = Continuation::new(&game);
            assert!(table.counters.len() <= MOST_COUNTERS, "{}", entry.name);
            // Most earlier moves have a row of their own, and nearly so where they are hashed.
            let moves = (0..game.piece_count() as u8)
                .flat_map(|kind| (0..game.squares() as u8).map(move |to| (kind, to)));
            let moved =
                |color, (kind, to)| PieceTo { piece: Piece { color, kind }, to, dropped: false };
            let keys: std::collections::BTreeSet<u32> =
                moves.clone().map(|m| table.key(moved(Color::Black, m), true).0).collect();
            let count = moves.clone().count();
            assert!(keys.len() * 10 >= count * 8, "{}: {} of {count}", entry.name, keys.len());
            let last = moved(Color::Black, moves.last().unwrap());
            let key = table.key(last, false);
            let context = Context([key, ContinuationKey::NONE, key]);
            table.update(&context, PieceTo { piece: last.piece, to: 0, dropped: false }, 300);
            let values = table.values(&context, PieceTo { to: 0, ..last });
            assert!(values[0] > 0 && values[1] == 0 && values[2] > 0, "{} {values:?}", entry.name);
        }
    }
}
