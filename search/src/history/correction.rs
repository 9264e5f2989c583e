//! Correction history: how far the static evaluation was from the scores of searches, in
//! positions that share a key.

use core::sync::atomic::AtomicI16;

use bytemuck::TransparentWrapper;
use tamarin_base::memory::prefetch;
use tamarin_base::params::{CORRECTION_HISTORY_LIMIT, CORRECTION_HISTORY_SIZE as SIZE, Params};
use tamarin_movegen::{Color, Position};

use super::continuation::ContinuationKey;
use super::counter::Bounded;

type Counter = Bounded<CORRECTION_HISTORY_LIMIT>;
type Table = [[Counter; SIZE]; 2];

const TABLES: usize = 5;

/// The indices of a position in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionKeys {
    color: Color,
    pawn: u16,
    minor: u16,
    white: u16,
    black: u16,
    moves: u16,
}

impl CorrectionKeys {
    /// The indices of `position`, reached by the `last` move after the side to move's `own`.
    #[inline]
    pub fn new(position: &Position, last: ContinuationKey, own: ContinuationKey) -> Self {
        let index = |key: u64| (key as usize & (SIZE - 1)) as u16;
        Self {
            color: position.side_to_move(),
            pawn: index(position.pawn_key()),
            minor: index(position.minor_key()),
            white: index(position.non_pawn_key(Color::White)),
            black: index(position.non_pawn_key(Color::Black)),
            moves: index(last.mixed_with(own)),
        }
    }
}

/// Five tables, `[color][key]`: by pawns, by minor pieces, by the pieces of each side, and by
/// the last two moves.
///
/// Source: the idea is Caissa's and Stockfish's (2024), the keys those of Weiss.
#[derive(TransparentWrapper)]
#[repr(transparent)]
pub(crate) struct CorrectionHistory([Table; TABLES]);

impl CorrectionHistory {
    /// How many counters it is made of.
    pub const COUNTERS: usize = TABLES * 2 * SIZE;

    /// The tables that consist of these counters.
    ///
    /// # Panics
    /// If they are not [`Self::COUNTERS`].
    pub fn view(counters: &[AtomicI16]) -> &Self {
        let (colors, _) = Counter::wrap_slice(counters).as_chunks();
        let (tables, _) = colors.as_chunks();
        Self::wrap_ref(tables.try_into().expect("invariant: the counters of all tables"))
    }

    /// All counters, always in the same order.
    pub fn all(&self) -> impl Iterator<Item = &Counter> {
        self.0.as_flattened().as_flattened().iter()
    }

    /// Prefetches what [`Self::value`] reads (1.03 times the nodes a second: V6).
    pub fn prefetch(&self, keys: &CorrectionKeys) {
        self.counters(keys).into_iter().for_each(prefetch);
    }

    /// What to add to the static evaluation, in 1/128 units.
    #[inline]
    pub fn value(&self, params: &Params, keys: &CorrectionKeys) -> i32 {
        let [pawn, minor, white, black, moves] = self.counters(keys).map(Counter::value);
        params.correction_pawn() * pawn
            + params.correction_minor() * minor
            + params.correction_non_pawn() * (white + black)
            + params.correction_moves() * moves
    }

    /// Adds a bonus: positive if the evaluation should have been higher, negative if lower.
    pub fn update(&self, keys: &CorrectionKeys, bonus: i32) {
        self.counters(keys).into_iter().for_each(|counter| counter.update(bonus));
    }

    /// The counters of a position: by pawns, minor pieces, White's and Black's pieces,
    /// last moves.
    #[inline]
    fn counters(&self, keys: &CorrectionKeys) -> [&Counter; TABLES] {
        let color = keys.color.index();
        let at = |table: usize, key: u16| &self.0[table][color][usize::from(key) & (SIZE - 1)];
        let minor = at(1, keys.minor);
        [at(0, keys.pawn), minor, at(2, keys.white), at(3, keys.black), at(4, keys.moves)]
    }
}
