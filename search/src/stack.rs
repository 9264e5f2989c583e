//! The search stack: what the nodes of the current line read of each other.

use tamarin_base::types;
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
    pub const EMPTY: Self = Self {
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

pub(crate) type SearchStack = types::SearchStack<StackEntry>;

/// The moves one, two and four plies before the node at `ply`.
#[inline]
pub(crate) fn continuation_context(stack: &SearchStack, ply: usize) -> ContinuationContext {
    let key = |back| stack.before(ply, back).continuation_key;
    [key(1), key(2), key(4)]
}
