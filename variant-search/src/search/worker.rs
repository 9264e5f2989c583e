//! What a thread of the search owns.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tamarin_base::{Signals, TimeLimits};
use tamarin_variant::{Color, Move, Position};

use super::forcing::Forcing;
use super::history::{Histories, PieceTo};
use crate::judge::Judge;
use crate::score::{MAX_EVALUATION, MAX_PLY, of_outcome};
use crate::table::Table;

/// Whether the search may leave out what is unlikely to matter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Selectivity {
    /// Pruning, reductions, extensions and a quiescence search.
    #[default]
    Selective,
    /// All moves to the same depth, then the evaluation: the score is that of plain minimax.
    FullWidth,
}

/// The search was stopped or has reached a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// A score, or the end of the search.
pub(crate) type Step<T> = Result<T, Stopped>;

/// Alpha and beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// Just shows whether a score is at least `beta`.
    pub fn zero(beta: i32) -> Self {
        Self { alpha: beta - 1, beta }
    }

    pub fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// As the opponent sees it.
    pub fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What the threads of a search share.
pub(crate) struct Shared<'a> {
    pub judge: &'a Judge,
    pub table: Option<&'a Table>,
    pub signals: &'a Signals,
    pub time: TimeLimits,
    pub node_limit: Option<u64>,
    pub selectivity: Selectivity,
    /// The first thread has an answer.
    pub done: AtomicBool,
    /// Nodes of each thread, as of its last report.
    pub nodes: Vec<AtomicU64>,
    /// The value of each piece in centipawns, by its number.
    pub piece_values: Vec<i32>,
    pub forcing: Forcing,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// What is known of a ply of the line that is searched.
#[derive(Clone, Default)]
pub(crate) struct StackEntry {
    /// The cumulative part of the evaluation.
    pub sum: i64,
    pub in_check: bool,
    /// Whether it is a check with few evasions, once that is known.
    pub forced: Option<bool>,
    /// The evaluation for the side to move; `None` in a check with few evasions.
    pub eval: Option<i32>,
    /// The move that led to the next ply; `None` for a pass.
    pub played: Option<PieceTo>,
    pub killers: [Option<Move>; 2],
    /// The line from here on.
    pub pv: Vec<Move>,
    /// Memory for the moves of the node.
    pub moves: Vec<(i32, Move)>,
    pub quiets: Vec<PieceTo>,
}

/// How often nodes ask for the time.
const CHECK_INTERVAL: u64 = 512;

/// How much, in centipawns, the terms that are not pieces on squares may bring together.
const LAZY_MARGIN: i32 = 500;

/// Limits do not end the search of the first root move before this number of nodes.
const FIRST_MOVE_NODES: u64 = 10_000;

/// A thread of the search.
pub(crate) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub number: usize,
    pub position: Position,
    pub histories: &'a mut Histories,
    pub stack: Vec<StackEntry>,
    pub root_moves: &'a [Move],
    /// Whether there are more legal moves than the root moves.
    pub is_restricted: bool,
    /// The best line of the iteration so far, and its score.
    pub best: Option<(i32, Vec<Move>)>,
    pub nodes: u64,
    /// Nodes that were expanded, and the children searched from them.
    pub expanded: (u64, u64),
    pub selective_depth: usize,
    pub root_depth: i32,
    pub scratch: Vec<Move>,
}

impl<'a> Worker<'a> {
    pub fn new(
        shared: &'a Shared<'a>,
        number: usize,
        position: &Position,
        root_moves: &'a [Move],
        histories: &'a mut Histories,
    ) -> Self {
        let mut stack = vec![StackEntry::default(); MAX_PLY + 2];
        stack[0].sum = shared.judge.sum(position);
        stack[0].in_check = position.in_check();
        Self {
            shared,
            number,
            position: position.clone(),
            histories,
            stack,
            root_moves,
            is_restricted: position.count_legal_moves() != root_moves.len() as u64,
            best: None,
            nodes: 0,
            expanded: (0, 0),
            selective_depth: 0,
            root_depth: 0,
            scratch: Vec::new(),
        }
    }

    pub fn is_full_width(&self) -> bool {
        self.shared.selectivity == Selectivity::FullWidth
    }

    /// Counts a node and looks for a reason to stop. Something has to be played, so limits give the
    /// first root move of the first iteration some more nodes.
    #[inline]
    pub fn count_node(&mut self, ply: usize) -> Step<()> {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        let exact = self.shared.nodes.len() == 1 && self.shared.node_limit.is_some();
        if exact || self.nodes.is_multiple_of(CHECK_INTERVAL) {
            self.shared.nodes[self.number].store(self.nodes, Ordering::Relaxed);
            if self.must_stop() {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    fn must_stop(&self) -> bool {
        let signals = self.shared.signals;
        if signals.stopped() || self.shared.done.load(Ordering::Relaxed) {
            return true;
        }
        if self.number != 0 || (self.best.is_none() && self.nodes < FIRST_MOVE_NODES) {
            return false;
        }
        self.shared.node_limit.is_some_and(|limit| self.shared.nodes() >= limit)
            || self.shared.time.hard.is_some_and(|hard| signals.clock() >= hard)
    }

    /// Plays a move; the next entry of the stack knows whether it gives check.
    #[inline]
    pub fn make(&mut self, m: Move, ply: usize) {
        self.stack[ply].played = self.piece_to(m);
        self.position.make(m);
        let sum = self.shared.judge.sum_after(self.stack[ply].sum, &self.position);
        let next = &mut self.stack[ply + 1];
        next.sum = sum;
        next.in_check = self.position.in_check();
        next.forced = None;
    }

    /// Returns `true` if the side to move is in check and has few legal moves ([`Forcing`]); `ply`
    /// is that of the position.
    pub fn is_forced(&mut self, ply: usize) -> bool {
        if !self.stack[ply].in_check {
            return false;
        }
        if let Some(known) = self.stack[ply].forced {
            return known;
        }
        let side = self.position.side_to_move();
        self.position.pseudo_legal_moves_into(side, &mut self.scratch);
        let danger = self.position.danger();
        let legal = self.scratch.iter().filter(|&&m| self.position.is_legal(m, &danger));
        let few = self.shared.forcing.few_evasions;
        let forced = legal.take(few + 1).count() <= few;
        self.stack[ply].forced = Some(forced);
        forced
    }

    /// Passes.
    pub fn make_null(&mut self, ply: usize) {
        self.stack[ply].played = None;
        self.position.make_null();
        let sum = self.shared.judge.sum_after(self.stack[ply].sum, &self.position);
        let next = &mut self.stack[ply + 1];
        next.sum = sum;
        next.in_check = self.position.in_check();
        next.forced = None;
    }

    /// The move that led to this ply.
    pub fn before(&self, ply: usize) -> Option<PieceTo> {
        self.stack[ply.checked_sub(1)?].played
    }

    /// The evaluation for the side to move, in centipawns.
    pub fn evaluate(&mut self, ply: usize) -> i32 {
        let key = self.position.key();
        if let Some(known) = self.histories.evaluations.find(key) {
            return known;
        }
        let judge = self.shared.judge;
        let score = judge.score(&self.position, self.stack[ply].sum, &mut self.scratch);
        let score = if self.position.side_to_move() == Color::White { score } else { -score };
        let score = score.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        self.histories.evaluations.keep(key, score);
        score
    }

    /// The evaluation, or a rough one that is so far outside the window that the rest of the terms
    /// would not bring it back.
    pub fn evaluate_within(&mut self, window: Window, ply: usize) -> i32 {
        if let Some(rough) = self.shared.judge.rough_score(self.stack[ply].sum) {
            let side = self.position.side_to_move();
            let rough = if side == Color::White { rough } else { -rough };
            if rough - LAZY_MARGIN >= window.beta || rough + LAZY_MARGIN <= window.alpha {
                return rough.clamp(-MAX_EVALUATION, MAX_EVALUATION);
            }
        }
        self.evaluate(ply)
    }

    /// The score of a game that ends here by repetition or by moves without progress. Moves
    /// without progress do not undo a checkmate. A repetition within the search counts as one of
    /// the game where that draws: who can repeat once can do it again.
    pub fn rule_score(&mut self, ply: usize) -> Option<i32> {
        let side = self.position.side_to_move();
        if let Some(outcome) = self.position.rule_outcome() {
            self.position.legal_moves_into(&mut self.scratch);
            if !self.scratch.is_empty() {
                return Some(of_outcome(outcome, side, ply));
            }
        }
        let repeats = !self.is_full_width() && self.position.repeats_to_a_draw(ply);
        repeats.then_some(0)
    }

    /// The score without a legal move.
    pub fn no_move_score(&self, ply: usize) -> i32 {
        of_outcome(self.position.outcome_without_moves(), self.position.side_to_move(), ply)
    }

    /// Keeps the line that begins with a move and goes on as the next ply's.
    pub fn update_pv(&mut self, m: Move, ply: usize) {
        let (head, tail) = self.stack.split_at_mut(ply + 1);
        let pv = &mut head[ply].pv;
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&tail[0].pv);
    }
}
