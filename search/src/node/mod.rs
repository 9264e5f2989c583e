//! One node of the tree: a phase a file, driven from here.

mod bound;
mod extend;
mod gather;
mod late;
mod learn;
mod loop_moves;
mod prune;

use tamarin_eval::Score;
use tamarin_movegen::{Bitboard, Move};

use loop_moves::Best;

use crate::tt::Hit;
use crate::worker::Worker;

/// What a node is to the principal variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The position that is being searched.
    Root,
    /// A node that may become part of the best line: its exact score is wanted.
    Principal,
    /// A node of which only is asked whether it is better than a bound.
    Scout,
}

/// A [`Kind`] as a type, so that each kind has code of its own.
pub(crate) trait Node {
    const KIND: Kind;
    /// Whether the exact score is wanted.
    const PRINCIPAL: bool = !matches!(Self::KIND, Kind::Scout);
    /// Whether it is the root.
    const ROOT: bool = matches!(Self::KIND, Kind::Root);
}

/// See [`Kind::Root`].
pub(crate) struct Root;
/// See [`Kind::Principal`].
pub(crate) struct Principal;
/// See [`Kind::Scout`].
pub(crate) struct Scout;

impl Node for Root {
    const KIND: Kind = Kind::Root;
}

impl Node for Principal {
    const KIND: Kind = Kind::Principal;
}

impl Node for Scout {
    const KIND: Kind = Kind::Scout;
}

/// The scores of interest: above `alpha` and below `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// All scores.
    pub const FULL: Self =
        Self { alpha: Score::new(-Score::INFINITE.units()), beta: Score::INFINITE };

    /// Only the question whether a score is at least `beta`.
    #[inline]
    pub fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// Only the question whether a score is greater than `alpha`.
    #[inline]
    pub fn above(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window as the other side sees it.
    #[inline]
    pub fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// How a scout node is expected to come out, from how its parent did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expect {
    /// Some move will be at least `beta`.
    Cut,
    /// No move will be better than `alpha`, or nothing is expected.
    All,
}

impl Expect {
    /// What is expected of a child if this is expected of the parent.
    #[inline]
    pub fn other(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}

/// Why the phases of a node end early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// The node is decided.
    Cut(Score),
    /// The search is over; nothing of this node counts.
    Abort,
}

/// The result of a phase; `?` ends the node.
pub(crate) type Step<T> = Result<T, Exit>;

/// The search was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Aborted;

impl From<Aborted> for Exit {
    #[inline]
    fn from(_: Aborted) -> Self {
        Self::Abort
    }
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// The key of the position in the table.
    pub key: u64,
    pub window: Window,
    pub depth: i32,
    pub expect: Expect,
    /// What the table knew.
    pub hit: Option<Hit>,
    /// The table's move, checked to be legal.
    pub table_move: Option<Move>,
    /// The move to leave out.
    pub excluded: Option<Move>,
    /// The static evaluation before correction; `None` in check.
    pub raw_eval: Option<Score>,
    /// The corrected static evaluation; [`Score::DRAW`] in check, where nobody asks for it.
    pub static_eval: Score,
    /// The best guess at the score: the static evaluation or a bound from the table.
    pub eval: Score,
    pub in_check: bool,
    /// What the enemy attacks; found when the moves are about to be tried.
    pub threats: Bitboard,
    /// Whether the side to move stands better than at its last move.
    pub improving: bool,
    /// Whether the node is or was on a principal variation.
    pub principal: bool,
}

impl Worker<'_> {
    /// The score of the current position: fail-soft, for the side to move.
    ///
    /// # Errors
    /// If the search was stopped; then the position is not restored.
    pub fn search<N: Node>(
        &mut self,
        window: Window,
        depth: i32,
        expect: Expect,
    ) -> Result<Score, Aborted> {
        if depth <= 0 {
            return self.quiesce::<N>(window);
        }
        match self.visit::<N>(window, depth, expect) {
            Ok(score) | Err(Exit::Cut(score)) => Ok(score),
            Err(Exit::Abort) => Err(Aborted),
        }
    }

    fn visit<N: Node>(&mut self, window: Window, depth: i32, expect: Expect) -> Step<Score> {
        let window = self.bound_window::<N>(window)?;
        let mut facts = self.gather::<N>(window, depth, expect)?;
        self.prune_node::<N>(&mut facts)?;
        facts.threats = self.position.attacked_by(!self.position.side_to_move());
        let mut best = Best::new(facts.window.alpha);
        self.try_moves::<N>(&facts, &mut best)?;
        Ok(self.learn::<N>(&facts, &best))
    }
}
