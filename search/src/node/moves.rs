//! The moves of a node: tried in order, extended or reduced, each by principal variation search.

use tamarin_base::Bound;
use tamarin_base::formula::{self, LateMove, PLY, weighted};
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
                singularity => self.extension::<N>(node, mv, singularity),
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

/// What a search without the table's move says of that move.
#[derive(Clone, Copy, Debug)]
enum Singularity {
    /// It was not tested.
    Untested,
    /// All others are worse than its score by the margin and so much more.
    Singular { gap: i32 },
    /// Others fail high too: the node does, with this score.
    MultiCut(Score),
    /// Others are good too. The score is the table's.
    OneOfSeveral { tt_score: Score },
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
        let Some(tt_score) = self.score_to_test::<N>(node, mv) else {
            return Ok(Singularity::Untested);
        };
        let facts = node.facts;
        let margin = formula::singular(&self.params, node.depth, facts.tt_pv);
        let singular_beta = tt_score - margin;
        let score = self.search_others(node, mv, Window::zero_below(singular_beta))?;
        Ok(if score < singular_beta {
            Singularity::Singular { gap: singular_beta.units() - score.units() }
        } else if score >= facts.window.beta && !score.is_decisive() && !N::PV {
            Singularity::MultiCut(score)
        } else {
            Singularity::OneOfSeveral { tt_score }
        })
    }

    /// By how many plies a move is extended; negative if it is reduced.
    fn extension<N: Node>(
        &self,
        node: &MovesContext<'_>,
        mv: Move,
        singularity: Singularity,
    ) -> i32 {
        match singularity {
            Singularity::Untested | Singularity::MultiCut(_) => 0,
            Singularity::Singular { gap } => {
                let correction = node.facts.evaluation.correction.abs();
                let uncertainty = correction * self.params.singular_correction() / 1024;
                self.singular_extension::<N>(mv, gap + uncertainty)
            }
            Singularity::OneOfSeveral { tt_score } => self.negative_extension::<N>(node, tt_score),
        }
    }

    /// The table's score of the node, if that is reliable enough to test its move by.
    fn score_to_test<N: Node>(&self, node: &MovesContext<'_>, mv: Move) -> Option<Score> {
        let facts = node.facts;
        let hit = facts.probe.hit?;
        let (score, bound) = hit.result?;
        let reliable = !N::ROOT
            && facts.probe.tt_move == Some(mv)
            && facts.excluded.is_none()
            && node.depth >= formula::singular_depth(&self.params, facts.tt_pv)
            && hit.depth >= node.depth - self.params.singular_tt_depth()
            && bound.is_lower()
            && !score.is_decisive()
            && (self.ply as i32) < self.params.singular_ply_limit() * self.root_depth;
        reliable.then_some(score)
    }

    /// The score of the node without the move, by a search of about half the depth.
    fn search_others(
        &mut self,
        node: &MovesContext<'_>,
        mv: Move,
        window: Window,
    ) -> Result<Score, Aborted> {
        let depth = formula::singular_search_depth(&self.params, node.depth);
        self.stack.at_mut(self.ply).excluded_move = Some(mv);
        let score = self.search::<NonPv>(window, depth, node.facts.expected)?;
        self.stack.at_mut(self.ply).excluded_move = None;
        Ok(score)
    }

    /// One ply; off the PV two if the others are worse by a margin, and three for a quiet move
    /// if by a greater one, unless the line has had many of those.
    fn singular_extension<N: Node>(&self, mv: Move, gap: i32) -> i32 {
        let so_far = self.stack.before(self.ply, 1).double_extensions;
        if N::PV
            || gap <= self.params.double_extension_margin()
            || so_far as i32 >= self.params.double_extension_limit()
        {
            return 1;
        }
        if !mv.is_noisy() && gap > self.params.triple_extension_margin() { 3 } else { 2 }
    }

    /// Keeps how many double and triple extensions the line has had, that of the move tried now
    /// included.
    #[inline]
    fn count_double_extensions(&mut self, extension: i32) {
        let so_far = self.stack.before(self.ply, 1).double_extensions;
        self.stack.at_mut(self.ply).double_extensions = so_far + u32::from(extension >= 2);
    }

    /// Several moves are good, so the table's is searched with less depth.
    fn negative_extension<N: Node>(&self, node: &MovesContext<'_>, tt_score: Score) -> i32 {
        let params = &self.params;
        if tt_score >= node.facts.window.beta {
            let more = if N::PV { 0 } else { params.negative_extension_non_pv() };
            return -params.negative_extension() - more;
        }
        match node.facts.expected {
            Expected::CutNode => -params.negative_extension_cut_node(),
            Expected::AllNode => 0,
        }
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
        let mut reduction = candidate.reduction;
        if facts.expected == Expected::CutNode {
            reduction += params.reduction_cut_node();
            if facts.probe.tt_move.is_none() {
                reduction += params.reduction_no_tt_move();
            }
        }
        if facts.tt_pv {
            reduction -= params.reduction_tt_pv();
        }
        if N::PV {
            let width = facts.window.beta.units() - searched.alpha.units();
            let share = width.min(self.root_width);
            reduction -= params.reduction_window() * share / self.root_width.max(1);
        }
        let correction = facts.evaluation.correction.abs().min(params.reduction_correction_limit());
        reduction -= params.reduction_correction() * correction;
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
