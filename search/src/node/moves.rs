//! The moves of a node: tried in order, each by principal variation search.

use tamarin_base::Bound;
use tamarin_eval::Score;
use tamarin_movegen::Move;

use super::facts::{Candidate, MovesContext, Searched};
use crate::options::Reports;
use crate::order::{Mode, Picker};
use crate::report::CurrentMove;
use crate::threads::worker::Worker;
use tamarin_base::formula::{self, PLY};
use tamarin_base::types::{Aborted, Expected, Node, NonPv, Pv, Step, Window};

impl Worker<'_> {
    /// Searches the moves one after the other until one fails high or none is left.
    pub(super) fn search_moves<N: Node>(
        &mut self,
        node: &MovesContext<'_>,
        searched: &mut Searched,
    ) -> Step<()> {
        let facts = node.facts;
        let killer = self.stack.at(self.ply).killer;
        let mut picker = Picker::new(Mode::All, facts.probe.tt_move, killer);
        let mut checks = None;
        loop {
            if self.prunes_late_moves::<N>(node, searched) {
                picker.skip_quiets();
            }
            let next = self.next_move(&mut picker, &node.continuation, &node.threats);
            let Some(mv) = next else { return Ok(()) };
            if facts.excluded == Some(mv) || (N::ROOT && !self.root.allows(mv)) {
                continue;
            }
            searched.tried += 1;
            let mut candidate = Candidate::first(mv);
            if searched.count > 0 {
                let checks = checks.get_or_insert_with(|| self.position.check_info());
                candidate = self.candidate(node, mv, searched.tried, checks);
                if self.prunes_move::<N>(node, searched, &candidate) {
                    continue;
                }
            }
            candidate.extension = self.extension::<N>(node, mv)?;
            searched.count += 1;
            self.stack.at_mut(self.ply).move_count = searched.count;
            if N::ROOT {
                self.report_current_move(mv, searched.count as usize);
            }
            let nodes = self.nodes;
            self.make(mv);
            let score = self.search_move::<N>(node, searched, &candidate)?;
            self.unmake();
            if N::ROOT {
                self.update_root_move(mv, score, searched, facts.window, self.nodes - nodes);
            }
            if self.note_score::<N>(searched, mv, score) {
                if score >= facts.window.beta {
                    return Ok(());
                }
                if !score.is_decisive() {
                    searched.depth_cut = formula::alpha_raised(&self.params, node.depth);
                }
            }
        }
    }

    /// Principal variation search of the move just made: the first move with the open window;
    /// the others with a zero window, late ones with reduced depth first; and again whenever
    /// the score is above alpha.
    fn search_move<N: Node>(
        &mut self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
    ) -> Result<Score, Aborted> {
        let alpha = searched.alpha;
        let zero_window = Window::zero_above(alpha).negated();
        let expected = if N::PV { Expected::CutNode } else { node.facts.expected.opposite() };
        let mut depth = node.depth - 1 - searched.depth_cut + candidate.extension;
        let mut score = alpha;
        let is_late = node.depth >= self.params.lmr_depth()
            && searched.count as i32 > formula::full_moves::<N>(&self.params);
        if is_late {
            let reduction = self.full_reduction::<N>(node, searched, candidate);
            // A negative reduction extends, by a ply at most.
            let longest = depth + i32::from(N::PV || node.facts.tt_pv);
            let reduced = (depth - reduction / PLY).clamp(1, longest.max(1));
            self.stack.before_mut(self.ply, 1).reduction = reduction;
            score = -self.search::<NonPv>(zero_window, reduced, Expected::CutNode)?;
            self.stack.before_mut(self.ply, 1).reduction = 0;
            if score > alpha && reduced < depth {
                let best = searched.best_score;
                depth += i32::from(score > best + self.params.deeper_margin());
                depth -= i32::from(score < best + self.params.shallower_margin());
                if reduced < depth {
                    score = -self.search::<NonPv>(zero_window, depth, expected)?;
                }
                self.update_after_reduction(node, candidate.mv, score);
            }
        } else if !N::PV || searched.count > 1 {
            score = -self.search::<NonPv>(zero_window, depth, expected)?;
        }
        if N::PV && (searched.count == 1 || score > alpha) {
            let window = Window { alpha, beta: node.facts.window.beta }.negated();
            score = -self.search::<Pv>(window, depth, Expected::AllNode)?;
        }
        Ok(score)
    }

    /// Adds a move and its score to those searched; says whether it raised alpha.
    #[inline]
    fn note_score<N: Node>(&mut self, searched: &mut Searched, mv: Move, score: Score) -> bool {
        searched.best_score = searched.best_score.max(score);
        if score <= searched.alpha {
            searched.add_other(mv);
            return false;
        }
        searched.best_move = Some(mv);
        searched.alpha = score;
        if N::PV && !N::ROOT {
            self.pv.extend(self.ply, mv);
        }
        true
    }

    /// Keeps what the search of a root move cost and found.
    fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        searched: &Searched,
        window: Window,
        nodes: u64,
    ) {
        let line = self.pv.line(1);
        let selective_depth = self.selective_depth;
        let Some(root_move) = self.root.find_mut(mv) else { return };
        root_move.nodes += nodes;
        if searched.count > 1 && score <= searched.alpha {
            return;
        }
        let weight = self.params.root_average_weight();
        let mean = |old: Score| Score::new((old.units() * weight + score.units()) / (weight + 1));
        root_move.average = Some(root_move.average.map_or(score, mean));
        root_move.score = Some(score);
        root_move.is_current = true;
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
        self.has_result = true;
    }

    /// Reports the root move that is searched next, once the search has taken a while.
    fn report_current_move(&mut self, mv: Move, number: usize) {
        let options = &self.shared.request.options;
        // The clock is read for those who want to know only: a search of 500 nodes comes here a
        // few hundred times.
        let unwanted = self.main.is_none() || options.reports != Reports::All;
        if unwanted || self.signals.elapsed() < options.report_delay {
            return;
        }
        let depth = self.root_depth as u32;
        let number = number + self.root.line();
        if let Some(main) = &mut self.main {
            main.observer.current_move(&CurrentMove { depth, mv, number });
        }
    }
}
