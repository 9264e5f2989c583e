//! What is known of a node, what its moves have shown so far, and what follows from both for pruning,
//! extensions and reductions: the same in chess and in variants. Scores and margins are in score
//! units, depths in plies. `docs/search.md` describes each technique and what it is worth.
//!
//! `M` is a move as the table has it, `X` one as the position has it.

use arrayvec::ArrayVec;

use crate::formula;
use crate::params::{MALUS_MOVES, Params};
use crate::score::{Bound, Score};
use crate::tt::TableEntry;
use crate::types::{Evaluation, Expected, Node, Window};

/// What the transposition table (TT) knows of a node.
#[derive(Clone, Copy, Debug)]
pub struct Probe<M> {
    /// The key of the position in the table.
    pub key: u64,
    /// The entry of the position, if there is one.
    pub hit: Option<TableEntry<M>>,
    /// The table's move; at the root the best move so far.
    pub tt_move: Option<M>,
}

impl<M: Copy> Probe<M> {
    /// Whether the table has an upper bound of the score below this one.
    #[inline]
    pub fn says_below(&self, score: Score) -> bool {
        let result = self.hit.and_then(|hit| hit.result);
        result.is_some_and(|(bounded, bound)| bound.is_upper() && bounded < score)
    }
}

/// The evaluation of a node: the table's score instead of the corrected evaluation, if it is a bound on
/// the right side.
#[inline]
pub fn refined<M>(hit: Option<&TableEntry<M>>, corrected: Score) -> Score {
    let Some((score, bound)) = hit.and_then(|hit| hit.result) else { return corrected };
    let tightens = if score > corrected { bound.is_lower() } else { bound.is_upper() };
    if tightens && !score.is_decisive() { score } else { corrected }
}

/// What is known of a node before any of its moves is tried. It does not change after that.
#[derive(Clone, Copy, Debug)]
pub struct Facts<M, X> {
    /// The window of the node.
    pub window: Window,
    /// What the node is expected to be.
    pub expected: Expected,
    /// What the table knows.
    pub probe: Probe<M>,
    /// The static evaluation.
    pub evaluation: Evaluation,
    /// The move that a singular search leaves out.
    pub excluded: Option<X>,
    /// Whether it is a check that counts as one.
    pub in_check: bool,
    /// Whether the side to move stands better than at its last move.
    pub improving: bool,
    /// Whether the node is on the principal variation or, by the table, once was.
    pub tt_pv: bool,
}

/// What a search without the table's move says of that move.
#[derive(Clone, Copy, Debug)]
pub enum Singularity {
    /// It was not tested.
    Untested,
    /// All others are worse than its score by the margin and so much more.
    Singular {
        /// How much more, in score units.
        gap: i32,
    },
    /// Others fail high too: the node does, with this score.
    MultiCut(Score),
    /// Others are good too. The score is the table's.
    OneOfSeveral {
        /// The table's score.
        tt_score: Score,
    },
}

/// Pruning of the whole node, and its depth.
impl<M: Copy, X> Facts<M, X> {
    /// Hindsight: a ply more if the parent reduced this node by much (in 1/1024 ply) and the evaluation
    /// has not turned against the parent since, a ply less if it reduced the node and it clearly has.
    /// `before` is the static evaluation of the parent.
    #[inline]
    pub fn hindsight<N: Node>(
        &self,
        params: &Params,
        depth: i32,
        before: Option<Score>,
        reduction: i32,
    ) -> i32 {
        let Some(before) = before.filter(|_| !N::ROOT && !self.in_check) else { return 0 };
        let change = before.units() + self.evaluation.corrected.units();
        formula::hindsight(params, depth, reduction, change)
    }

    /// Reverse futility pruning: the score of the node if the evaluation is so far above beta that the
    /// depth left will not bring it down. The margin is smaller if the last move made the opponent's
    /// evaluation worse, which was `before`.
    #[inline]
    pub fn reverse_futility(
        &self,
        params: &Params,
        depth: i32,
        before: Option<Score>,
    ) -> Option<Score> {
        let (eval, beta) = (self.evaluation.refined, self.window.beta);
        if self.tt_pv || depth > params.reverse_futility_depth() || eval.is_decisive() {
            return None;
        }
        let correction = self.evaluation.correction;
        let margin = formula::reverse_futility(params, depth, self.improving, correction);
        let worsening = before.is_some_and(|before| self.evaluation.corrected > -before);
        let less = if worsening { params.reverse_futility_worsening() } else { 0 };
        let prunes = eval - (margin - less) >= beta;
        prunes.then(|| formula::reverse_futility_score(params, eval, beta))
    }

    /// Null-move pruning: whether evaluation and table say that passing may be good enough.
    #[inline]
    pub fn may_fail_high_by_passing(&self, params: &Params, depth: i32) -> bool {
        let beta = self.window.beta;
        self.expected == Expected::CutNode
            && self.evaluation.refined >= beta
            && self.evaluation.corrected + formula::null_move(params, depth) >= beta
            && !self.probe.says_below(beta)
    }

    /// Internal iterative reduction (IIR): without a move from the table the node was not important
    /// before, and its moves will be tried in a bad order.
    #[inline]
    pub fn internal_iterative_reduction<N: Node>(&self, params: &Params, depth: i32) -> i32 {
        let applies = depth >= params.iir_depth()
            && (N::PV || self.expected == Expected::CutNode)
            && self.probe.tt_move.is_none();
        if applies { params.iir_reduction() } else { 0 }
    }
}

/// Singular extensions and multi-cut.
impl<M: Copy, X> Facts<M, X> {
    /// The table's score of the node, if that is reliable enough to test its move by.
    #[inline]
    pub fn score_to_test<N: Node>(
        &self,
        params: &Params,
        depth: i32,
        ply: usize,
        root_depth: i32,
    ) -> Option<Score> {
        let hit = self.probe.hit?;
        let (score, bound) = hit.result?;
        let reliable = !N::ROOT
            && self.excluded.is_none()
            && depth >= formula::singular_depth(params, self.tt_pv)
            && hit.depth >= depth - params.singular_tt_depth()
            && bound.is_lower()
            && !score.is_decisive()
            && (ply as i32) < params.singular_ply_limit() * root_depth;
        reliable.then_some(score)
    }

    /// What the score of all other moves, searched against `singular_beta`, says of the table's move:
    /// singular, if it fails low; multi-cut, if it fails high against beta.
    #[inline]
    pub fn singularity<N: Node>(
        &self,
        tt_score: Score,
        singular_beta: Score,
        score: Score,
    ) -> Singularity {
        if score < singular_beta {
            Singularity::Singular { gap: singular_beta.units() - score.units() }
        } else if score >= self.window.beta && !score.is_decisive() && !N::PV {
            Singularity::MultiCut(score)
        } else {
            Singularity::OneOfSeveral { tt_score }
        }
    }

    /// By how many plies a move is extended; negative if it is reduced. `so_far` counts the double and
    /// triple extensions of the line.
    ///
    /// A singular move gets one ply; off the PV two if the others are worse by a margin, and three for
    /// a quiet move if by a greater one, unless the line has had many of those. Where several moves are
    /// good, the table's is searched with less depth.
    #[inline]
    pub fn extension<N: Node>(
        &self,
        params: &Params,
        singularity: Singularity,
        is_noisy: bool,
        so_far: u32,
    ) -> i32 {
        match singularity {
            Singularity::Untested | Singularity::MultiCut(_) => 0,
            Singularity::Singular { gap } => {
                let correction = self.evaluation.correction.abs();
                let gap = gap + correction * params.singular_correction() / 1024;
                if N::PV
                    || gap <= params.double_extension_margin()
                    || so_far as i32 >= params.double_extension_limit()
                {
                    return 1;
                }
                if !is_noisy && gap > params.triple_extension_margin() { 3 } else { 2 }
            }
            Singularity::OneOfSeveral { tt_score } if tt_score >= self.window.beta => {
                let more = if N::PV { 0 } else { params.negative_extension_non_pv() };
                -params.negative_extension() - more
            }
            Singularity::OneOfSeveral { .. } => match self.expected {
                Expected::CutNode => -params.negative_extension_cut_node(),
                Expected::AllNode => 0,
            },
        }
    }

    /// Late-move reductions (LMR): how much less the moves of this node are reduced, in 1/1024 ply, by
    /// what is known of it. `root_width` is the width of the root's window.
    #[inline]
    pub fn less_reduction<N: Node>(&self, params: &Params, alpha: Score, root_width: i32) -> i32 {
        let mut less = if self.tt_pv { params.reduction_tt_pv() } else { 0 };
        if N::PV {
            let width = self.window.beta.units() - alpha.units();
            less += params.reduction_window() * width.min(root_width) / root_width.max(1);
        }
        let correction = self.evaluation.correction.abs();
        less + params.reduction_correction() * correction.min(params.reduction_correction_limit())
    }
}

/// The moves `X` of a node searched so far.
pub struct Searched<X> {
    /// The best score so far.
    pub best_score: Score,
    /// The move that raised alpha, if one did.
    pub best_move: Option<X>,
    /// Alpha of the window, or the best score if that is greater.
    pub alpha: Score,
    /// How many moves were tried: those searched and those pruned by themselves.
    pub tried: u32,
    /// How many moves were searched.
    pub count: u32,
    /// By how many plies the moves to come are searched less deep, since alpha was raised.
    pub depth_cut: i32,
    /// Quiet moves that did not raise alpha.
    pub other_quiets: ArrayVec<X, MALUS_MOVES>,
    /// Captures and promotions that did not.
    pub other_noisies: ArrayVec<X, MALUS_MOVES>,
}

impl<X> Searched<X> {
    /// No move yet.
    #[inline]
    pub fn new(alpha: Score) -> Self {
        Self {
            best_score: -Score::INFINITE,
            best_move: None,
            alpha,
            tried: 0,
            count: 0,
            depth_cut: 0,
            other_quiets: ArrayVec::new(),
            other_noisies: ArrayVec::new(),
        }
    }

    /// Adds a move and its score; says whether it raised alpha. One that did not is kept, unless there
    /// are [`MALUS_MOVES`] of its kind already.
    #[inline]
    pub fn add(&mut self, mv: X, score: Score, is_noisy: bool) -> bool {
        self.best_score = self.best_score.max(score);
        if score > self.alpha {
            self.best_move = Some(mv);
            self.alpha = score;
            return true;
        }
        let moves = if is_noisy { &mut self.other_noisies } else { &mut self.other_quiets };
        let _ = moves.try_push(mv);
        false
    }

    /// What the best score is at the end of a node with this beta.
    #[inline]
    pub fn bound<N: Node>(&self, beta: Score) -> Bound {
        match self.best_move {
            Some(_) if self.best_score >= beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        }
    }
}
