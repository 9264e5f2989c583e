//! The moves of a node: tried in order, extended or reduced, each by principal variation search.

use tamarin_base::Bound;
use tamarin_base::formula::{self, LateMove, PLY, weighted};
use tamarin_base::node::Singularity;
use tamarin_base::types::{Aborted, Exit, Expected, Node, NonPv, Pv, Step, Window};
use tamarin_eval::Score;
use tamarin_movegen::{CheckInfo, Move};

use super::{Candidate, MovesContext, Searched};
use crate::history::ContinuationRow;
use crate::options::Reports;
use crate::order::{Mode, Picker};
use crate::report::CurrentMove;
use crate::root::RootResult;
use crate::threads::worker::Worker;

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
            // The first move is neither pruned nor reduced; not looking up what decides about
            // that saves 1.2 % of all instructions.
            let mut late = None;
            if searched.count > 0 {
                let checks = checks.get_or_insert_with(|| self.position.check_info());
                let candidate = self.candidate(node, mv, searched.tried, checks);
                if let Some(bound) = self.pruned_move::<N>(node, searched, &candidate) {
                    searched.best_score = searched.best_score.max(bound);
                    continue;
                }
                late = Some(candidate);
            }
            let extension = match self.test_singularity::<N>(node, mv)? {
                Singularity::MultiCut(score) => return Err(Exit::Return(score)),
                singularity => {
                    let so_far = self.stack.before(self.ply, 1).double_extensions;
                    facts.extension::<N>(&self.params, singularity, mv.is_noisy(), so_far)
                }
            };
            self.count_double_extensions(extension);
            searched.count += 1;
            self.stack.at_mut(self.ply).move_count = searched.count;
            if N::ROOT {
                self.report_current_move(mv, searched.count as usize);
            }
            let nodes = self.nodes;
            self.make(mv);
            let score = self.search_move::<N>(node, searched, mv, extension, late.as_ref())?;
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
        mv: Move,
        extension: i32,
        late: Option<&Candidate>,
    ) -> Result<Score, Aborted> {
        let alpha = searched.alpha;
        let bonus = if N::ROOT { self.root.bonus(mv) } else { 0 };
        let zero_window = Window::zero_above(alpha);
        let expected = if N::PV { Expected::CutNode } else { node.facts.expected.opposite() };
        let mut depth = node.depth - 1 - searched.depth_cut + extension;
        let mut score = alpha;
        let is_late = node.depth >= self.params.lmr_depth()
            && searched.count as i32 > formula::full_moves::<N>(&self.params);
        if let Some(candidate) = late.filter(|_| is_late) {
            let reduction = self.full_reduction::<N>(node, searched, candidate);
            // A negative reduction extends, by a ply at most.
            let longest = depth + i32::from(N::PV || node.facts.tt_pv);
            let reduced = (depth - reduction / PLY).clamp(1, longest.max(1));
            self.stack.before_mut(self.ply, 1).reduction = reduction;
            score = self.search_child::<NonPv>(zero_window, reduced, Expected::CutNode, bonus)?;
            self.stack.before_mut(self.ply, 1).reduction = 0;
            if score > alpha && reduced < depth {
                let best = searched.best_score;
                depth += i32::from(score > best + self.params.deeper_margin());
                depth -= i32::from(score < best + self.params.shallower_margin());
                if reduced < depth {
                    score = self.search_child::<NonPv>(zero_window, depth, expected, bonus)?;
                }
                self.update_after_reduction(node, alpha, mv, score);
            }
        } else if !N::PV || searched.count > 1 {
            score = self.search_child::<NonPv>(zero_window, depth, expected, bonus)?;
        }
        if N::PV && (searched.count == 1 || score > alpha) {
            let window = Window { alpha, beta: node.facts.window.beta };
            score = self.search_child::<Pv>(window, depth, Expected::AllNode, bonus)?;
        }
        Ok(score)
    }

    /// The score of the move just made by a search of its position. At the root, where play varies,
    /// it has a bonus.
    #[inline]
    fn search_child<N: Node>(
        &mut self,
        window: Window,
        depth: i32,
        expected: Expected,
        bonus: i32,
    ) -> Result<Score, Aborted> {
        let window = formula::window_without_variety(window, bonus).negated();
        Ok(formula::with_variety(-self.search::<N>(window, depth, expected)?, bonus))
    }

    /// Adds a move and its score to those searched; says whether it raised alpha.
    #[inline]
    fn note_score<N: Node>(&mut self, searched: &mut Searched, mv: Move, score: Score) -> bool {
        let raised = searched.add(mv, score, mv.is_noisy());
        if raised && N::PV && !N::ROOT {
            self.pv.extend(self.ply, mv);
        }
        raised
    }

    /// Keeps what the search of a root move cost and, if it is the best so far, found.
    fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        searched: &Searched,
        window: Window,
        nodes: u64,
    ) {
        let bound = if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let (selective_depth, answers) = (self.selective_depth, self.pv.line(1));
        let result = RootResult { score, bound, selective_depth, answers };
        let is_best = searched.count == 1 || score > searched.alpha;
        self.root.update(mv, nodes, is_best.then_some(&result), &self.params);
        self.has_result |= is_best;
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

/// Singular extensions and multi-cut.
impl Worker<'_> {
    /// Tests the table's move: singular extension, if a search of all other moves fails low against
    /// a bound somewhat below the table's score, for then it is the only good one and deserves more
    /// depth; multi-cut, if that search fails high against beta, for then so would the node.
    fn test_singularity<N: Node>(
        &mut self,
        node: &MovesContext<'_>,
        mv: Move,
    ) -> Result<Singularity, Aborted> {
        let facts = node.facts;
        if facts.probe.tt_move != Some(mv) {
            return Ok(Singularity::Untested);
        }
        let params = &self.params;
        let tested = facts.score_to_test::<N>(params, node.depth, self.ply, self.root_depth);
        let Some(tt_score) = tested else { return Ok(Singularity::Untested) };
        let singular_beta = tt_score - formula::singular(params, node.depth, facts.tt_pv);
        let depth = formula::singular_search_depth(params, node.depth);
        self.stack.at_mut(self.ply).excluded_move = Some(mv);
        let window = Window::zero_below(singular_beta);
        let score = self.search::<NonPv>(window, depth, facts.expected)?;
        self.stack.at_mut(self.ply).excluded_move = None;
        Ok(facts.singularity::<N>(tt_score, singular_beta, score))
    }

    /// Keeps how many double and triple extensions the line has had, that of the move tried now
    /// included.
    #[inline]
    fn count_double_extensions(&mut self, extension: i32) {
        let so_far = self.stack.before(self.ply, 1).double_extensions;
        self.stack.at_mut(self.ply).double_extensions = so_far + u32::from(extension >= 2);
    }
}

/// Late-move reductions (LMR): how much less deep late moves are searched at first.
impl Worker<'_> {
    /// Looks up what pruning and reductions need to know of a move: its histories and the
    /// reduction that follows from them, with it as the `count`-th move tried.
    ///
    /// In line, for otherwise the result goes through memory: 1.1 % of all instructions.
    #[inline(always)]
    fn candidate(
        &self,
        node: &MovesContext<'_>,
        mv: Move,
        count: u32,
        checks: &CheckInfo,
    ) -> Candidate {
        let piece = self.position.moved_piece(mv);
        let history = if mv.is_noisy() {
            let captured = self.position.captured_by(mv);
            self.histories.capture.value(piece, mv.to(), captured)
        } else {
            let [last, own, _] = node.continuation;
            let continuation = &self.histories.continuation;
            let index = ContinuationRow::index(piece, mv.to());
            let quiet = self.histories.quiet.of(piece.color()).value(node.threats.all, mv);
            weighted(self.params.move_quiet_history(), quiet)
                + continuation.after(last).at(index)
                + continuation.after(own).at(index)
        };
        let late_move = LateMove {
            depth: node.depth,
            count,
            noisy: mv.is_noisy(),
            improving: node.facts.improving,
            history,
        };
        Candidate {
            mv,
            history,
            reduction: formula::late_move(&self.params, &late_move),
            killer: self.stack.at(self.ply).killer == Some(mv),
            gives_check: self.position.gives_check_with(mv, checks),
        }
    }

    /// The whole reduction of a move that was just made, in 1/1024 ply: that of the candidate,
    /// adjusted by what is known of node, move and children.
    fn full_reduction<N: Node>(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
    ) -> i32 {
        let (params, facts) = (&self.params, node.facts);
        let less = facts.less_reduction::<N>(params, searched.alpha, self.root_width);
        let mut reduction = candidate.reduction - less;
        if facts.expected == Expected::CutNode {
            reduction += params.reduction_cut_node();
            if facts.probe.tt_move.is_none() {
                reduction += params.reduction_no_tt_move();
            }
        }
        if candidate.gives_check {
            reduction -= params.reduction_check();
        }
        if candidate.killer {
            reduction -= params.reduction_killer();
        }
        if facts.probe.tt_move.is_some_and(Move::is_noisy) {
            reduction += params.reduction_tt_capture();
        }
        // The move is made, so this is the stack entry of the child.
        if self.stack.at(self.ply).cutoff_count as i32 > params.reduction_cutoff_count() {
            reduction += params.reduction_cutoffs();
        }
        reduction
    }
}
