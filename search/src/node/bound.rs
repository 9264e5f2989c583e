//! What ends a node before anything is looked up: limits, draws, and the bounds that a
//! possible repetition and the distance to mate set.

use tamarin_eval::Score;

use crate::threads::worker::Worker;
use tamarin_base::types::MAX_PLY;
use tamarin_base::types::{Exit, Node, Step, Window};

impl Worker<'_> {
    /// Stops the search if it is time, recognizes draws, and narrows the window to the
    /// scores that are possible at this ply.
    pub(super) fn bound_window<N: Node>(&mut self, window: Window) -> Step<Window> {
        self.check_limits()?;
        if N::PV {
            self.pv.clear(self.ply);
            self.selective_depth = self.selective_depth.max(self.ply);
        }
        if N::ROOT {
            return Ok(window);
        }
        self.cut_draws()?;
        let window = self.bound_by_repetition(window)?;
        self.bound_by_mate(window)
    }

    /// Draws by the rules, and the end of the line at [`MAX_PLY`].
    pub(crate) fn cut_draws(&mut self) -> Step<()> {
        let position = &self.position;
        if position.is_repetition(self.ply)
            || position.is_fifty_move_draw()
            || position.is_insufficient_material()
        {
            return Err(Exit::Return(self.draw_score()));
        }
        if self.ply >= MAX_PLY {
            return Err(Exit::Return(self.score_at_max_ply()));
        }
        Ok(())
    }

    #[cold]
    fn score_at_max_ply(&mut self) -> Score {
        if self.position.in_check() {
            return self.draw_score();
        }
        self.evaluator.evaluate(&self.position, self.ply)
    }

    /// Upcoming repetition: a side that can repeat a position with its next move has at least a
    /// draw.
    pub(crate) fn bound_by_repetition(&mut self, mut window: Window) -> Step<Window> {
        if window.alpha < Score::DRAW && self.position.has_upcoming_repetition(self.ply) {
            let draw = self.draw_score();
            window.alpha = window.alpha.max(draw);
            if window.alpha >= window.beta {
                return Err(Exit::Return(window.alpha));
            }
        }
        Ok(window)
    }

    /// Mate-distance pruning: from here no score is worse than being mated now or better
    /// than giving mate with the next move.
    fn bound_by_mate(&mut self, window: Window) -> Step<Window> {
        let alpha = window.alpha.max(Score::mated_in(self.ply));
        let beta = window.beta.min(Score::mate_in(self.ply + 1));
        if alpha >= beta { Err(Exit::Return(alpha)) } else { Ok(Window { alpha, beta }) }
    }
}
