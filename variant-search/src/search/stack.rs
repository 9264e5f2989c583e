//! The search stack: what the nodes of the current line read of each other.

use tamarin_base::Score;
use tamarin_variant::Move;

use super::history::{Context, ContinuationKey, PieceTo, Structure};
use super::order::ScoredMove;
use crate::score::MAX_PLY;

/// A move that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Played {
    pub m: Move,
    pub moved: PieceTo,
    pub noisy: bool,
}

/// One ply of the search stack.
#[derive(Clone)]
pub(crate) struct StackEntry {
    /// The cumulative part of the evaluation.
    pub sum: i64,
    /// The keys of correction history.
    pub structure: Structure,
    /// Whether the side to move is in check, or as pressed ([`Position::is_pressed`]).
    ///
    /// [`Position::is_pressed`]: tamarin_variant::Position::is_pressed
    pub in_check: bool,
    /// Whether it is a check that counts as one, once that is known.
    pub forcing_check: Option<bool>,
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// The move made here; `None` for a pass.
    pub current: Option<Played>,
    /// Its key in the continuation history.
    pub continuation_key: ContinuationKey,
    /// How many moves were searched here, the current one included.
    pub move_count: u32,
    /// The late-move reduction of the child that is being searched, in 1/1024 ply.
    pub reduction: i32,
    /// The move that a singular search leaves out.
    pub excluded_move: Option<Move>,
    /// The last quiet move that failed high at this ply below the same parent.
    pub killer: Option<Move>,
    /// How many nodes at this ply failed high below the same grandparent.
    pub cutoff_count: u32,
    /// How many double extensions the line to here and the move tried now have had.
    pub double_extensions: u32,
    /// Whether the node is on the principal variation or, by the table, once was.
    pub tt_pv: bool,
    /// The line from here on.
    pub pv: Vec<Move>,
    /// Memory for the moves of the node.
    pub moves: Vec<ScoredMove>,
}

impl StackEntry {
    const EMPTY: Self = Self {
        sum: 0,
        structure: Structure::NONE,
        in_check: false,
        forcing_check: None,
        static_eval: None,
        current: None,
        continuation_key: ContinuationKey::NONE,
        move_count: 0,
        reduction: 0,
        excluded_move: None,
        killer: None,
        cutoff_count: 0,
        double_extensions: 0,
        tt_pv: false,
        pv: Vec::new(),
        moves: Vec::new(),
    };
}

/// How many plies a node may look back, beyond the root too; what is there is empty.
const LOOK_BACK: usize = 4;

/// How many plies ahead a node resets.
const LOOK_AHEAD: usize = 2;

/// One entry a ply, with room to look back from the root and ahead from the last ply.
pub(crate) struct SearchStack(Vec<StackEntry>);

impl SearchStack {
    /// Empty entries.
    pub fn new() -> Self {
        Self(vec![StackEntry::EMPTY; LOOK_BACK + MAX_PLY + 1 + LOOK_AHEAD])
    }

    /// The entry of the node at `ply`.
    #[inline]
    pub fn at(&self, ply: usize) -> &StackEntry {
        &self.0[ply + LOOK_BACK]
    }

    /// The entry of the node at `ply`, to write to.
    #[inline]
    pub fn at_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + LOOK_BACK]
    }

    /// The entry `back` plies before `ply`, at most [`LOOK_BACK`].
    #[inline]
    pub fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.0[ply + LOOK_BACK - back]
    }

    /// The entry `back` plies before `ply`, to write to.
    #[inline]
    pub fn before_mut(&mut self, ply: usize, back: usize) -> &mut StackEntry {
        &mut self.0[ply + LOOK_BACK - back]
    }

    /// The moves one, two and four plies before the node at `ply`.
    #[inline]
    pub fn context(&self, ply: usize) -> Context {
        let key = |back| self.before(ply, back).continuation_key;
        Context([key(1), key(2), key(4)])
    }

    /// The line from `ply` on is this move and then the line of the next ply.
    pub fn extend_pv(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.0.split_at_mut(ply + LOOK_BACK + 1);
        let pv = &mut head[ply + LOOK_BACK].pv;
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&tail[0].pv);
    }
}
