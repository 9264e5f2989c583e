//! Fourth phase: trying the moves.

use arrayvec::ArrayVec;
use tamarin_eval::Score;
use tamarin_movegen::Move;

use super::Facts;
use super::late::{Candidate, MoveVerdict};
use crate::order::{Mode, Picker, Scorer};
use crate::params::MALUS_MOVES;
use crate::report::CurrentMove;
use crate::threads::worker::Worker;
use crate::tt::Bound;
use crate::types::{Node, Step, Window};

/// What came of trying the moves.
pub(super) struct Best {
    pub score: Score,
    /// The move that raised alpha, if one did.
    pub mv: Option<Move>,
    pub alpha: Score,
    /// How many moves were tried.
    pub count: u32,
    /// Quiet moves tried before the best one.
    pub quiets: ArrayVec<Move, MALUS_MOVES>,
    /// Captures and promotions tried before the best one.
    pub noisies: ArrayVec<Move, MALUS_MOVES>,
}

impl Best {
    /// Nothing yet; only scores above `alpha` are of interest.
    pub fn new(alpha: Score) -> Self {
        Self {
            score: -Score::INFINITE,
            mv: None,
            alpha,
            count: 0,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
        }
    }

    /// Notes a move that was not good enough.
    fn reject(&mut self, mv: Move) {
        let list = if mv.is_noisy() { &mut self.noisies } else { &mut self.quiets };
        // A node with more failures than fit has taught enough.
        let _ = list.try_push(mv);
    }
}

impl Worker<'_> {
    /// Searches the moves one after the other until one is too good or none is left.
    pub(super) fn try_moves<N: Node>(&mut self, facts: &Facts, best: &mut Best) -> Step<()> {
        let killer = self.stack.at(self.ply).killer;
        let past = self.stack.continuation_context(self.ply);
        let mut picker = Picker::new(Mode::All, facts.table_move, killer);
        let mut checks = None;
        loop {
            if self.enough_quiets::<N>(facts, best) {
                picker.skip_quiets();
            }
            let scorer = Scorer {
                params: &self.params,
                position: &self.position,
                histories: &self.histories,
                past: &past,
                threats: facts.threats,
                table: self.table,
            };
            let Some(mv) = picker.next(&scorer) else { break };
            if facts.excluded == Some(mv) || (N::ROOT && !self.root.allows(mv)) {
                continue;
            }
            let mut candidate = Candidate::first(mv);
            if best.count > 0 {
                let checks = checks.get_or_insert_with(|| self.position.check_info());
                candidate = self.candidate(facts, mv, best.count + 1, (&past, checks));
                if self.judge::<N>(facts, best, &candidate) == MoveVerdict::Skip {
                    continue;
                }
            }
            candidate.extension = self.extension::<N>(facts, mv)?;
            best.count += 1;
            self.stack.at_mut(self.ply).count = best.count;
            if N::ROOT {
                self.tell_current_move(mv, best.count as usize);
            }
            let nodes = self.nodes;
            self.make(mv);
            let score = self.search_move::<N>(facts, best, &candidate)?;
            self.unmake();
            if N::ROOT {
                self.settle_root_move(mv, score, best, facts.window, self.nodes - nodes);
            }
            if score > best.score {
                best.score = score;
                if score > best.alpha {
                    best.mv = Some(mv);
                    if N::PV && !N::ROOT {
                        self.pv.extend(self.ply, mv);
                    }
                    if score >= facts.window.beta {
                        break;
                    }
                    best.alpha = score;
                }
            }
            if best.mv != Some(mv) {
                best.reject(mv);
            }
        }
        Ok(())
    }

    /// Keeps the books of the root: what a move cost and what came of it.
    fn settle_root_move(
        &mut self,
        mv: Move,
        score: Score,
        best: &Best,
        window: Window,
        nodes: u64,
    ) {
        let line = self.pv.line(1);
        let selective_depth = self.selective_depth;
        let Some(root_move) = self.root.find_mut(mv) else { return };
        root_move.nodes += nodes;
        if best.count > 1 && score <= best.alpha {
            return;
        }
        let weight = self.params.root_average_weight();
        let mean = |old: Score| Score::new((old.units() * weight + score.units()) / (weight + 1));
        root_move.average = Some(root_move.average.map_or(score, mean));
        root_move.score = Some(score);
        root_move.fresh = true;
        root_move.bound = if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root_move.selective_depth = selective_depth;
        root_move.line.clear();
        root_move.line.push(mv);
        for &mv in line.iter().take(root_move.line.remaining_capacity()) {
            root_move.line.push(mv);
        }
        self.settled = true;
    }

    fn tell_current_move(&mut self, mv: Move, number: usize) {
        const PATIENCE: u64 = 3000;
        let depth = self.root_depth as u32;
        let number = number + self.root.line();
        if self.signals.elapsed().get() < PATIENCE {
            return;
        }
        if let Some(main) = &mut self.main {
            main.observer.current_move(&CurrentMove { depth, mv, number });
        }
    }
}
