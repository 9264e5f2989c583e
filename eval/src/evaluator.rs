//! The evaluator of one thread: by the hand-crafted terms, or by a network.

use tamarin_base::Score;
use tamarin_movegen::Position;

use crate::endgame;
use crate::eval_cache::EvalCache;
use crate::evaluate::evaluate;
use crate::network::AccumulatorStack;

/// Evaluates positions, and keeps what makes the next evaluations faster.
///
/// Without a network the hand-crafted terms evaluate. What it keeps never changes a result.
#[derive(Default)]
pub struct Evaluator {
    cache: EvalCache,
    /// `None` without a network.
    accumulators: Option<AccumulatorStack>,
}

impl Evaluator {
    /// An evaluator by the hand-crafted terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// Evaluates by the network of these accumulators from now on, or by the hand-crafted terms
    /// without them.
    pub fn set_network(&mut self, accumulators: Option<AccumulatorStack>) {
        self.accumulators = accumulators;
    }

    /// Forgets what it keeps of earlier positions. Takes no memory.
    pub fn clear(&mut self) {
        self.cache.clear();
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.clear();
        }
    }

    /// What `position` is worth to the side to move, in engine units: less than
    /// [`Score::KNOWN_WIN`] for either side but in known endgames. `ply` is its distance from the
    /// root of a search; only the speed depends on it.
    ///
    /// Meaningless in check, where the side to move may have no choice: debug builds panic.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        match &mut self.accumulators {
            None => evaluate(position, &mut self.cache),
            Some(accumulators) => evaluate_by_network(position, accumulators, ply),
        }
    }
}

/// The evaluation by a network, in the same terms as [`evaluate`].
#[inline(never)]
fn evaluate_by_network(
    position: &Position,
    accumulators: &mut AccumulatorStack,
    ply: usize,
) -> Score {
    debug_assert!(!position.in_check(), "no evaluation in check");
    let board = position.board();
    endgame::known(board).unwrap_or_else(|| Score::estimate(accumulators.evaluate(board, ply)))
}
