//! What the parts of the search speak of to each other: windows, kinds of nodes, and how a
//! step of a node may end.

use crate::score::Score;

/// The greatest distance from the root, in plies: the longest line there can be.
pub const MAX_PLY: usize = 246;

/// The last iteration there is.
pub const MAX_DEPTH: u32 = 245;

const _: () = assert!(MAX_DEPTH < MAX_PLY as u32);

/// What a node is to the principal variation (PV), as a type, so that each kind of node is compiled
/// by itself.
pub trait Node {
    /// Whether the exact score is wanted, at the root or below.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
}

/// The position that is being searched.
pub struct Root;
/// A node that may become part of the principal variation: its window is open.
pub struct Pv;
/// A node with a zero window: all that is asked is whether it is better than a bound.
pub struct NonPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl Node for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node with a zero window is expected to be, judged by what its parent is
/// expected to be. PV nodes count as all-nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// A cut node: some move will score at least `beta`.
    CutNode,
    /// An all-node: all moves will have to be searched, and none will score above `alpha`.
    AllNode,
}

impl Expected {
    /// What the children of such a node are expected to be.
    #[inline]
    pub fn opposite(self) -> Self {
        match self {
            Self::CutNode => Self::AllNode,
            Self::AllNode => Self::CutNode,
        }
    }
}

/// The window of alpha-beta search: the scores of interest are above `alpha` and below
/// `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Scores up to this one are of no interest: the side to move has better.
    pub alpha: Score,
    /// Scores from this one on end the node: the opponent will not allow it.
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Self =
        Self { alpha: Score::new(-Score::INFINITE.units()), beta: Score::INFINITE };

    /// The zero window that asks whether a score is at least `beta`.
    pub fn zero_below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// The zero window that asks whether a score is greater than `alpha`.
    pub fn zero_above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The same window as the opponent sees it.
    pub fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The static evaluation of a node.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// As the evaluator gives it; `None` in check, or if it is only a rough one.
    pub raw: Option<Score>,
    /// With what the search adds, such as correction history; [`Score::DRAW`] in check, where nothing
    /// reads it.
    pub corrected: Score,
    /// The table's score instead, if that is a bound on the right side.
    pub refined: Score,
    /// What correction history adds, in score units; zero in check.
    pub correction: i32,
}

/// Why a node ends before all of its steps were taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Its score is known.
    Return(Score),
    /// The search was stopped; nothing of this node counts.
    Abort,
}

/// The result of one step of a node; `?` ends the node.
pub type Step<T> = Result<T, Exit>;

/// The search was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aborted;

impl From<Aborted> for Exit {
    fn from(_: Aborted) -> Self {
        Self::Abort
    }
}

/// How many plies a node may look back, beyond the root too; what is there is empty.
const LOOK_BACK: usize = 4;

/// How many plies ahead a node resets.
const LOOK_AHEAD: usize = 2;

/// A power of two: the remainder is a mask, and no index needs a check of bounds.
const STACK_SIZE: usize = 256;

const _: () = assert!(LOOK_BACK + MAX_PLY + 1 + LOOK_AHEAD <= STACK_SIZE);
const _: () = assert!(STACK_SIZE.is_power_of_two());

/// The search stack: what the nodes of the current line read of each other, an entry `E` for each ply,
/// with room to look back from the root and ahead from the last ply.
pub struct SearchStack<E>([E; STACK_SIZE]);

impl<E: Clone> SearchStack<E> {
    /// Empty entries.
    pub fn new(empty: &E) -> Self {
        Self(core::array::from_fn(|_| empty.clone()))
    }

    /// The entry of the node at `ply`.
    #[inline]
    pub fn at(&self, ply: usize) -> &E {
        &self.0[(ply + LOOK_BACK) % STACK_SIZE]
    }

    /// The entry of the node at `ply`, to write to.
    #[inline]
    pub fn at_mut(&mut self, ply: usize) -> &mut E {
        &mut self.0[(ply + LOOK_BACK) % STACK_SIZE]
    }

    /// The entry `back` plies before `ply`, at most four.
    #[inline]
    pub fn before(&self, ply: usize, back: usize) -> &E {
        &self.0[(ply + LOOK_BACK - back) % STACK_SIZE]
    }

    /// The entry `back` plies before `ply`, to write to.
    #[inline]
    pub fn before_mut(&mut self, ply: usize, back: usize) -> &mut E {
        &mut self.0[(ply + LOOK_BACK - back) % STACK_SIZE]
    }
}
