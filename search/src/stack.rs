//! What the nodes on the current line have to tell each other.

use tamarin_eval::Score;
use tamarin_movegen::Move;

use crate::MAX_PLY;
use crate::history::{ContinuationContext, ContinuationKey};

/// The part of a node that its neighbors on the line may look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackEntry {
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// The move made here, as the histories know it.
    pub key: ContinuationKey,
    /// The move made here; `None` for a null move.
    pub current: Option<Move>,
    /// The move a singular search leaves out.
    pub excluded: Option<Move>,
    /// A quiet move that refuted a sibling of this node.
    pub killer: Option<Move>,
    /// By how much the child was reduced, in 1/1024 ply, while it is being searched.
    pub reduction: i32,
    /// How many children of this node failed high lately.
    pub cutoffs: u32,
    /// How many moves have been tried.
    pub count: u32,
    /// How many double extensions the line has had.
    pub double_extensions: u32,
    /// Whether the node is or was on a principal variation.
    pub principal: bool,
}

impl StackEntry {
    const EMPTY: Self = Self {
        static_eval: None,
        key: ContinuationKey::NONE,
        current: None,
        excluded: None,
        killer: None,
        reduction: 0,
        cutoffs: 0,
        count: 0,
        double_extensions: 0,
        principal: false,
    };
}

/// How many plies before the root a node may look back at; what is there is empty.
const LOOK_BACK: usize = 6;

/// How many plies after the last one a node may reset.
const LOOK_AHEAD: usize = 2;

/// A power of two, so that a mask keeps every index within.
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
    #[inline]
    pub fn at(&self, ply: usize) -> &StackEntry {
        &self.0[(ply + LOOK_BACK) % COUNT]
    }

    /// The entry of the node at `ply`, to write to.
    #[inline]
    pub fn at_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[(ply + LOOK_BACK) % COUNT]
    }

    /// The entry `back` plies before `ply`, at most six.
    #[inline]
    pub fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.0[(ply + LOOK_BACK - back) % COUNT]
    }

    /// The entry `back` plies before `ply`, to write to.
    #[inline]
    pub fn before_mut(&mut self, ply: usize, back: usize) -> &mut StackEntry {
        &mut self.0[(ply + LOOK_BACK - back) % COUNT]
    }

    /// The moves one, two and four plies before the node at `ply`.
    #[inline]
    pub fn continuation_context(&self, ply: usize) -> ContinuationContext {
        [self.before(ply, 1).key, self.before(ply, 2).key, self.before(ply, 4).key]
    }
}
