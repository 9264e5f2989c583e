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

use crate::threads::worker::Worker;
use crate::tt::Hit;
use crate::types::{Aborted, Exit, Expected, Node, Step, Window};

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// The key of the position in the table.
    pub key: u64,
    pub window: Window,
    pub depth: i32,
    pub expected: Expected,
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
        expected: Expected,
    ) -> Result<Score, Aborted> {
        if depth <= 0 {
            return self.quiesce::<N>(window);
        }
        match self.visit::<N>(window, depth, expected) {
            Ok(score) | Err(Exit::Return(score)) => Ok(score),
            Err(Exit::Abort) => Err(Aborted),
        }
    }

    fn visit<N: Node>(&mut self, window: Window, depth: i32, expected: Expected) -> Step<Score> {
        let window = self.bound_window::<N>(window)?;
        let mut facts = self.gather::<N>(window, depth, expected)?;
        self.prune_node::<N>(&mut facts)?;
        facts.threats = self.position.attacked_by(!self.position.side_to_move());
        let mut best = Best::new(facts.window.alpha);
        self.try_moves::<N>(&facts, &mut best)?;
        Ok(self.learn::<N>(&facts, &best))
    }
}
