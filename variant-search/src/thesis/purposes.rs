//! What the experiments of the thesis ask of Tamarin's own search.

use tamarin_base::Signals;
use tamarin_variant::Position;

use crate::answer::BestMove;
use crate::limits::Limits;
use crate::search::{Engine, Purpose};

/// Counts expanded nodes and their children.
#[derive(Default)]
struct Branching {
    expanded: u64,
    children: u64,
}

impl Purpose for Branching {
    #[inline]
    fn note_child(&mut self, is_first: bool) {
        self.expanded += u64::from(is_first);
        self.children += 1;
    }

    fn add(&mut self, other: &Self) {
        self.expanded += other.expanded;
        self.children += other.children;
    }
}

/// Searches as [`Engine::search`] does. Gives the answer, and the branching factor: the children
/// searched for each expanded node, in the mean.
pub fn search_with_branching(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
    signals: &Signals,
) -> (BestMove, f64) {
    let (answer, noted) = engine.search_for::<Branching>(position, limits, signals, |_| ());
    (answer, noted.children as f64 / noted.expanded.max(1) as f64)
}

/// Leaves nothing out.
#[derive(Default)]
struct FullWidth;

impl Purpose for FullWidth {
    const FULL_WIDTH: bool = true;
}

/// Searches all moves to the same depth, as the engine of the thesis did, without pruning,
/// reductions, extensions or quiescence search: the score is that of plain minimax, rounded where
/// centipawns are not score units.
pub fn search_full_width(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
    signals: &Signals,
) -> BestMove {
    engine.search_for::<FullWidth>(position, limits, signals, |_| ()).0
}
