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
