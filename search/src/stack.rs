//! The search stack: what the nodes of the current line read of each other.

use tamarin_base::types::MAX_PLY;
use tamarin_eval::Score;
use tamarin_movegen::{Bitboard, Move};

use crate::history::{ContinuationContext, ContinuationKey};

/// One ply of the search stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackEntry {
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// The key of the move made here in the continuation history.
    pub continuation_key: ContinuationKey,
    /// The move made here; `None` for a null move.
    pub current_move: Option<Move>,
    /// How many moves were searched here, the current one included.
    pub move_count: u32,
    /// What the opponent attacks, once moves are tried.
    pub threats: Bitboard,
    /// The late-move reduction of the child that is being searched, in 1/1024 ply.
    pub reduction: i32,
    /// The move that a singular search leaves out.
    pub excluded_move: Option<Move>,
    /// The killer: the last quiet move that failed high at this ply below the same parent.
    pub killer: Option<Move>,
    /// How many nodes at this ply failed high below the same grandparent.
    pub cutoff_count: u32,
    /// How many double extensions the line to here and the move tried now have had.
    pub double_extensions: u32,
    /// Whether the node is on the principal variation or, by the table, once was.
    pub tt_pv: bool,
}

impl StackEntry {
    const EMPTY: Self = Self {
        static_eval: None,
        continuation_key: ContinuationKey::NONE,
        current_move: None,
        move_count: 0,
        reduction: 0,
        threats: Bitboard::EMPTY,
        excluded_move: None,
        killer: None,
        cutoff_count: 0,
        double_extensions: 0,
        tt_pv: false,
    };
}

/// How many plies a node may look back, beyond the root too; what is there is empty.
const LOOK_BACK: usize = 4;

/// How many plies ahead a node resets.
const LOOK_AHEAD: usize = 2;

/// A power of two: the remainder is a mask, and no index needs a check of bounds.
const COUNT: usize = 256;

const _: () = assert!(LOOK_BACK + MAX_PLY + 1 + LOOK_AHEAD <= COUNT && COUNT.is_power_of_two());

/// One entry a ply, with room to look back from the root and ahead from the last ply.
pub(crate) struct SearchStack([StackEntry; COUNT]);

impl SearchStack {
    /// Empty entries.
    pub fn new() -> Self {
        Self([StackEntry::EMPTY; COUNT])
    }

    /// The entry of the node at `ply`.
    pub fn at(&self, ply: usize) -> &StackEntry {
        &self.0[(ply + LOOK_BACK) % COUNT]
    }

    /// The entry of the node at `ply`, to write to.
    pub fn at_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[(ply + LOOK_BACK) % COUNT]
    }

    /// The entry `back` plies before `ply`, at most [`LOOK_BACK`].
    pub fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.0[(ply + LOOK_BACK - back) % COUNT]
    }

    /// The entry `back` plies before `ply`, to write to.
    pub fn before_mut(&mut self, ply: usize, back: usize) -> &mut StackEntry {
        &mut self.0[(ply + LOOK_BACK - back) % COUNT]
    }

    /// The moves one, two and four plies before the node at `ply`.
    #[inline]
    pub fn continuation_context(&self, ply: usize) -> ContinuationContext {
        let key = |back| self.before(ply, back).continuation_key;
        [key(1), key(2), key(4)]
    }
}
