//! The moves of a node: tried in order, extended or reduced, each by principal variation search.

use tamarin_base::Score;
use tamarin_base::formula::{self, LateMove, PLY, weighted};
use tamarin_base::node::Singularity;
use tamarin_base::types::{Aborted, Exit, Expected, Node, NonPv, Pv, Step, Window};

use super::{Candidate, MovesContext, Searched};
use crate::search::order::{Mode, ScoredMove};
use crate::search::stack::extend_pv;
use crate::search::worker::{PARAMS, Worker};
use crate::table::move_code;

impl Worker<'_> {
    /// Searches the moves one after the other until one fails high or none is left.
    pub(super) fn search_moves<N: Node>(
        &mut self,
        node: &MovesContext<'_>,
        searched: &mut Searched,
    ) -> Step<()> {
        let facts = node.facts;
        let killer = self.stack.at(self.ply).killer;
        // A singular search of this node uses the memory of its moves too.
        let mut picker = self.picker(Mode::All, facts.probe.tt_move, killer);
        let danger = self.position.danger();
        while let Some(it) = picker.next(self) {
            let is_taken = N::ROOT && self.taken.contains(&it.m);
            if is_taken || facts.excluded == Some(it.m) || !self.position.is_legal(it.m, &danger) {
                continue;
            }
            searched.tried += 1;
            // The first move is neither pruned nor reduced.
            let late = (searched.count > 0).then(|| self.candidate(node, it, searched.tried));
            let pruned = late.is_some_and(|late| self.prunes_move::<N>(node, searched, &late));
            let extension = match self.test_singularity::<N>(node, &it)? {
                Singularity::MultiCut(score) => return Err(Exit::Return(score)),
                singularity => {
                    let so_far = self.stack.before(self.ply, 1).double_extensions;
                    facts.extension::<N>(&PARAMS, singularity, it.is_noisy(), so_far)
                }
            };
            let nodes = self.nodes;
            self.make(&it);
            // What ends the game counts as a check.
            let gives_check = self.is_check() || self.position.decided().is_some();
            if pruned && !gives_check {
                self.unmake();
                continue;
            }
            let extension = self.check_extension(extension, gives_check);
            self.count_double_extensions(extension);
            searched.count += 1;
            self.stack.before_mut(self.ply, 1).move_count = searched.count;
            self.expanded += u64::from(searched.count == 1);
            self.children += 1;
            let score = self.search_move::<N>(node, searched, extension, late, gives_check)?;
            self.unmake();
            if N::ROOT {
                self.update_root_move(&it, score, searched, self.nodes - nodes);
            }
            if self.note_score::<N>(searched, it, score) {
                if score >= facts.window.beta {
                    break;
                }
                if !N::ROOT && !score.is_decisive() && !self.full_width() {
                    searched.depth_cut = formula::alpha_raised(&PARAMS, node.depth);
                }
            }
        }
        self.recycle(picker);
        Ok(())
    }

    /// A check deserves a ply more, unless the line is long already.
    fn check_extension(&self, extension: i32, gives_check: bool) -> i32 {
        let applies = gives_check
            && extension == 0
            && (self.ply as i32) < 2 * self.root_depth
            && !self.full_width();
        if applies { 1 } else { extension }
    }

    /// Principal variation search of the move just made: the first move with the open window; the
    /// others with a zero window, late ones with reduced depth first; and again whenever the score is
    /// above alpha.
    fn search_move<N: Node>(
        &mut self,
        node: &MovesContext<'_>,
        searched: &Searched,
        extension: i32,
        late: Option<Candidate>,
        gives_check: bool,
    ) -> Result<Score, Aborted> {
        let alpha = searched.alpha;
        let played = self.stack.before(self.ply, 1).current.filter(|_| N::ROOT);
        let bonus = played.map_or(0, |played| self.shared.bonus(played.m));
        let zero_window = Window::zero_above(alpha);
        let expected = if N::PV { Expected::CutNode } else { node.facts.expected.opposite() };
        let mut depth = node.depth - 1 - searched.depth_cut + extension;
        let mut score = alpha;
        let is_late = !self.full_width()
            && node.depth >= if N::ROOT { ROOT_LMR_DEPTH } else { PARAMS.lmr_depth() }
            && searched.count as i32 > formula::full_moves::<N>(&PARAMS);
        if let Some(candidate) = late.filter(|_| is_late) {
            let reduction = self.full_reduction::<N>(node, searched, &candidate, gives_check);
            // A negative reduction extends, by a ply at most.
            let longest = depth + i32::from(N::PV || node.facts.tt_pv);
            let reduced = (depth - reduction / PLY).clamp(1, longest.max(1));
            self.stack.before_mut(self.ply, 1).reduction = reduction;
            score = self.search_child::<NonPv>(zero_window, reduced, Expected::CutNode, bonus)?;
            self.stack.before_mut(self.ply, 1).reduction = 0;
            if score > alpha && reduced < depth {
                let best = searched.best_score;
                depth += i32::from(score > best + PARAMS.deeper_margin());
                depth -= i32::from(score < best + PARAMS.shallower_margin());
                if reduced < depth {
                    score = self.search_child::<NonPv>(zero_window, depth, expected, bonus)?;
                }
                self.update_after_reduction(node, &candidate.it, score);
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
    fn note_score<N: Node>(
        &mut self,
        searched: &mut Searched,
        it: ScoredMove,
        score: Score,
    ) -> bool {
        let raised = searched.add(it, score, it.is_noisy());
        if raised && N::PV && !N::ROOT {
            extend_pv(&mut self.stack, self.ply, it.m);
        }
        raised
    }

    /// Keeps what the search of a root move cost and, if it is the best so far, found.
    fn update_root_move(&mut self, it: &ScoredMove, score: Score, searched: &Searched, nodes: u64) {
        if let Some(at) = self.root_moves.iter().position(|&m| m == it.m) {
            self.root_nodes[at] += if self.taken.is_empty() { nodes } else { 0 };
        }
        if searched.count == 1 || score > searched.alpha {
            extend_pv(&mut self.stack, 0, it.m);
            self.best = Some((score, self.stack.at(0).pv.clone()));
        }
    }
}

/// How much less root moves are reduced, in 1/1024 ply. By hand: iterations are few in games with many
/// moves, and a win that the first of them shows has to be seen.
const ROOT_REDUCTION: i32 = 1024;

/// The smallest depth at which they are reduced.
const ROOT_LMR_DEPTH: i32 = 4;

/// Singular extensions and multi-cut.
impl Worker<'_> {
    /// Tests the table's move: singular extension, if a search of all other moves fails low against a
    /// bound somewhat below the table's score; multi-cut, if that search fails high against beta.
    fn test_singularity<N: Node>(
        &mut self,
        node: &MovesContext<'_>,
        it: &ScoredMove,
    ) -> Result<Singularity, Aborted> {
        let facts = node.facts;
        let may_test = !self.full_width() && facts.probe.tt_move == Some(move_code(it.m));
        let tested = facts.score_to_test::<N>(&PARAMS, node.depth, self.ply, self.root_depth);
        let Some(tt_score) = tested.filter(|_| may_test) else { return Ok(Singularity::Untested) };
        let singular_beta = tt_score - formula::singular(&PARAMS, node.depth, facts.tt_pv);
        let depth = formula::singular_search_depth(&PARAMS, node.depth);
        self.stack.at_mut(self.ply).excluded_move = Some(it.m);
        let window = Window::zero_below(singular_beta);
        let score = self.search::<NonPv>(window, depth, facts.expected)?;
        self.stack.at_mut(self.ply).excluded_move = None;
        Ok(facts.singularity::<N>(tt_score, singular_beta, score))
    }

    /// Keeps how many double and triple extensions the line has had, that of the move just made
    /// included.
    #[inline]
    fn count_double_extensions(&mut self, extension: i32) {
        let so_far = self.stack.before(self.ply, 2).double_extensions;
        let entry = self.stack.before_mut(self.ply, 1);
        entry.double_extensions = so_far + u32::from(extension >= 2);
    }
}

/// Late-move reductions (LMR): how much less deep late moves are searched at first.
impl Worker<'_> {
    /// Looks up what pruning and reductions need to know of a move: its histories and the reduction
    /// that follows from them, with it as the `count`-th move tried.
    fn candidate(&self, node: &MovesContext<'_>, it: ScoredMove, count: u32) -> Candidate {
        let moved = self.piece_to(it.m);
        let history = match it.noise {
            Some(noise) => self.histories.capture(moved, noise.captured),
            None => {
                let quiet = self.histories.quiet(moved.piece.color, it.m);
                let [last, own, _] = self.histories.continuation.values(&node.context, moved);
                weighted(PARAMS.move_quiet_history(), quiet) + last + own
            }
        };
        let late_move = LateMove {
            depth: node.depth,
            count,
            noisy: it.is_noisy(),
            improving: node.facts.improving,
            history,
        };
        Candidate {
            it,
            history,
            reduction: formula::late_move(&PARAMS, &late_move),
            killer: self.stack.at(self.ply).killer == Some(it.m),
        }
    }

    /// The whole reduction of a move that was just made, in 1/1024 ply: that of the candidate,
    /// adjusted by what is known of node, move and children.
    fn full_reduction<N: Node>(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
        gives_check: bool,
    ) -> i32 {
        let less = node.facts.less_reduction::<N>(&PARAMS, searched.alpha, self.root_width);
        let mut reduction = candidate.reduction - less;
        if N::ROOT {
            reduction -= ROOT_REDUCTION;
        }
        if gives_check {
            reduction -= PARAMS.reduction_check();
        }
        if candidate.killer {
            reduction -= PARAMS.reduction_killer();
        }
        // The move is made, so this is the stack entry of the child.
        if self.stack.at(self.ply).cutoff_count as i32 > PARAMS.reduction_cutoff_count() {
            reduction += PARAMS.reduction_cutoffs();
        }
        reduction
    }
}
