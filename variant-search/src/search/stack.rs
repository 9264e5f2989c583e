//! The search stack: what the nodes of the current line read of each other.

use tamarin_base::{Score, types};
use tamarin_variant::Move;

use super::history::{Context, ContinuationKey, PieceTo, Structure};
use super::order::ScoredMove;

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
    pub const EMPTY: Self = Self {
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

pub(crate) type SearchStack = types::SearchStack<StackEntry>;

/// The moves one, two and four plies before the node at `ply`.
#[inline]
pub(crate) fn context(stack: &SearchStack, ply: usize) -> Context {
    let key = |back| stack.before(ply, back).continuation_key;
    Context([key(1), key(2), key(4)])
}

/// The line from `ply` on is this move and then the line of the next ply.
pub(crate) fn extend_pv(stack: &mut SearchStack, ply: usize, m: Move) {
    let mut pv = core::mem::take(&mut stack.at_mut(ply).pv);
    pv.clear();
    pv.push(m);
    pv.extend_from_slice(&stack.at(ply + 1).pv);
    stack.at_mut(ply).pv = pv;
}
