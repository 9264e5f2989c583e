//! What a thread of the search owns.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tamarin_base::params::Params;
use tamarin_base::tt::TranspositionTable;
use tamarin_base::types::{Aborted, Window};
use tamarin_base::{Score, ScoreValue, Signals, TimeLimits, formula};
use tamarin_variant::{Color, Move, Position};

use super::engine::Forcing;
use super::history::{ContinuationKey, Histories, Structure};
use super::iterate::Iteration;
use super::order::ScoredMove;
use super::stack::{Played, SearchStack, StackEntry};
use crate::any_evaluator::{AnyEvaluator, Unit};
use crate::score::{MAX_PLY, of_outcome, score_value};

/// Every number of the search that changes play. Scores are in the unit of [`Params`] in every game.
pub(crate) const PARAMS: Params = Params::new();

/// What the threads of a search share.
pub(crate) struct Shared<'a> {
    pub evaluator: &'a AnyEvaluator,
    pub table: Option<&'a TranspositionTable>,
    pub signals: &'a Signals,
    pub time: TimeLimits,
    pub node_limit: Option<u64>,
    /// The first thread has an answer.
    pub done: AtomicBool,
    /// Nodes of each thread, as of its last report.
    pub nodes: Vec<AtomicU64>,
    /// What evaluations are multiplied by.
    pub unit: Unit,
    /// The value of each piece in score units, by its number.
    pub piece_values: Vec<i32>,
    /// What each piece costs if it is captured, with what it is worth in the capturer's hand.
    pub exchange_values: Vec<i32>,
    /// By number of the piece: whether moves make another one of it.
    pub promotes: Vec<bool>,
    pub forcing: Forcing,
    /// Where play varies, its seed with the key of the root.
    pub variety: Option<u64>,
    /// Whether nothing is left out: all moves are searched to the same depth, then evaluated, so that
    /// the score is that of plain minimax. Only a test asks for that.
    pub full_width: bool,
}

impl Shared<'_> {
    /// The score of a line as it is shown, without the bonus.
    pub fn shown(&self, line: &Iteration) -> ScoreValue {
        let bonus = line.pv.first().map_or(0, |m| self.bonus(*m));
        match score_value(formula::with_variety(line.score, -bonus).units()) {
            ScoreValue::Centipawns(units) => ScoreValue::Centipawns(self.unit.centipawns(units)),
            mate => mate,
        }
    }

    /// What a root move has on top of its score where play varies.
    pub fn bonus(&self, m: Move) -> i32 {
        self.variety.map_or(0, |seed| formula::variety(seed, m.bits()))
    }

    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// How often nodes ask for the time.
const CHECK_INTERVAL: u64 = 512;

/// How much, in score units, the terms that are not pieces on squares may bring together.
const LAZY_MARGIN: i32 = 500;

/// Limits do not end the search of the first root move before this number of nodes.
const FIRST_MOVE_NODES: u64 = 10_000;

/// A thread of the search.
pub(crate) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub number: usize,
    pub position: Position,
    pub histories: &'a mut Histories,
    pub stack: Box<SearchStack>,
    /// The distance of the position from the root.
    pub ply: usize,
    pub root_moves: &'a [Move],
    /// The nodes spent on each of them in the first line.
    pub root_nodes: Vec<u64>,
    /// The first moves of the lines before in this iteration (MultiPV), which are left out.
    pub taken: Vec<Move>,
    /// Whether there are more legal moves than the root moves, or they have a bonus.
    pub is_restricted: bool,
    /// The best line of the iteration so far, and its score.
    pub best: Option<(Score, Vec<Move>)>,
    pub nodes: u64,
    /// Nodes of which a move was searched, and the moves searched in them.
    pub expanded: u64,
    pub children: u64,
    pub selective_depth: usize,
    pub root_depth: i32,
    /// The width of the root's window.
    pub root_width: i32,
    /// No null move is tried before this ply.
    pub null_move_from: usize,
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
        let mut stack = Box::new(SearchStack::new(&StackEntry::EMPTY));
        let root = stack.at_mut(0);
        root.sum = shared.evaluator.sum(position);
        root.structure = Structure::of(position, &shared.promotes);
        root.in_check = position.is_pressed();
        Self {
            shared,
            number,
            position: position.clone(),
            histories,
            stack,
            ply: 0,
            root_moves,
            root_nodes: vec![0; root_moves.len()],
            taken: Vec::new(),
            is_restricted: shared.variety.is_some()
                || position.count_legal_moves() != root_moves.len() as u64,
            best: None,
            nodes: 0,
            expanded: 0,
            children: 0,
            selective_depth: 0,
            root_depth: 0,
            root_width: 0,
            null_move_from: 0,
            scratch: Vec::new(),
        }
    }

    /// [`Shared::full_width`]; no check of it is left in a release.
    #[inline]
    pub fn full_width(&self) -> bool {
        cfg!(test) && self.shared.full_width
    }

    /// Counts a node and looks for a reason to stop. Something has to be played, so limits give the
    /// first root move of the first iteration some more nodes.
    #[inline]
    pub fn check_limits(&mut self) -> Result<(), Aborted> {
        self.nodes += 1;
        let exact = self.shared.nodes.len() == 1 && self.shared.node_limit.is_some();
        if exact || self.nodes.is_multiple_of(CHECK_INTERVAL) {
            self.shared.nodes[self.number].store(self.nodes, Ordering::Relaxed);
            if self.must_stop() {
                return Err(Aborted);
            }
        }
        Ok(())
    }

    fn must_stop(&self) -> bool {
        let signals = self.shared.signals;
        if signals.stopped() || self.shared.done.load(Ordering::Relaxed) {
            return true;
        }
        let is_first = self.best.is_none() && self.taken.is_empty();
        if self.number != 0 || (is_first && self.nodes < FIRST_MOVE_NODES) {
            return false;
        }
        let nodes = self.shared.nodes();
        signals.publish_nodes(nodes);
        self.shared.node_limit.is_some_and(|limit| nodes >= limit)
            || self.shared.time.hard.is_some_and(|hard| signals.clock() >= hard)
    }

    /// Plays a move; the next entry of the stack knows whether it gives check.
    #[inline]
    pub fn make(&mut self, it: &ScoredMove) {
        let moved = self.piece_to(it.m);
        let key = self.histories.continuation.key(moved, it.is_noisy());
        let entry = self.stack.at_mut(self.ply);
        entry.current = Some(Played { m: it.m, moved, noisy: it.is_noisy() });
        entry.continuation_key = key;
        self.position.make(it.m);
        self.enter_child();
    }

    /// Passes.
    pub fn make_null(&mut self) {
        let entry = self.stack.at_mut(self.ply);
        entry.current = None;
        entry.continuation_key = ContinuationKey::NONE;
        self.position.make_null();
        self.enter_child();
    }

    #[inline]
    fn enter_child(&mut self) {
        let entry = self.stack.at(self.ply);
        let sum = self.shared.evaluator.sum_after(entry.sum, &self.position);
        let structure = entry.structure.after(&self.position, &self.shared.promotes);
        self.ply += 1;
        let next = self.stack.at_mut(self.ply);
        next.sum = sum;
        next.structure = structure;
        next.in_check = self.position.is_pressed();
        next.forcing_check = None;
    }

    /// Takes the last move or pass back.
    #[inline]
    pub fn unmake(&mut self) {
        self.position.unmake();
        self.ply -= 1;
    }

    /// Whether the side to move is in a check that counts as one ([`Forcing`]). Where nothing may be
    /// left out, every position is searched as if it did.
    pub fn is_check(&mut self) -> bool {
        if self.full_width() {
            return true;
        }
        let entry = self.stack.at(self.ply);
        let Some(most) = self.shared.forcing.most_evasions.filter(|_| entry.in_check) else {
            return entry.in_check;
        };
        if let Some(known) = entry.forcing_check {
            return known;
        }
        self.position.pseudo_legal_moves_into(self.position.side_to_move(), &mut self.scratch);
        let danger = self.position.danger();
        let legal = self.scratch.iter().filter(|&&m| self.position.is_legal(m, &danger));
        let forcing = legal.take(most + 1).count() <= most;
        self.stack.at_mut(self.ply).forcing_check = Some(forcing);
        forcing
    }

    /// The evaluation for the side to move, in score units.
    pub fn evaluate(&mut self) -> Score {
        let evaluator = self.shared.evaluator;
        let sum = self.stack.at(self.ply).sum;
        let score = evaluator.score(&self.position, sum, &mut self.scratch);
        self.for_side_to_move(score)
    }

    /// A rough evaluation, if it is so far outside the window that the rest of the terms would not
    /// bring it back.
    pub fn evaluate_roughly(&self, window: Window) -> Option<Score> {
        let rough = self.shared.evaluator.rough_score(self.stack.at(self.ply).sum)?;
        let rough = self.for_side_to_move(rough);
        let outside = rough - LAZY_MARGIN >= window.beta || rough + LAZY_MARGIN <= window.alpha;
        outside.then_some(rough)
    }

    fn for_side_to_move(&self, score: i32) -> Score {
        let score = self.shared.unit.of(score);
        let own = if self.position.side_to_move() == Color::White { score } else { -score };
        Score::new(own).clamp_to_evaluation()
    }

    /// The score of a game that ends here by repetition or by moves without progress. Moves
    /// without progress do not undo a checkmate. A repetition within the search counts as one of
    /// the game where that draws: who can repeat once can do it again.
    #[inline]
    pub fn rule_score(&self) -> Option<Score> {
        let within = if self.full_width() { 0 } else { self.ply };
        let outcome = self.position.rule_outcome_within(within)?;
        let side = self.position.side_to_move();
        let can_move = self.position.has_legal_move();
        can_move.then(|| Score::new(of_outcome(outcome, side, self.ply)))
    }

    /// The score without a legal move.
    pub fn no_move_score(&self) -> Score {
        let outcome = self.position.outcome_without_moves();
        Score::new(of_outcome(outcome, self.position.side_to_move(), self.ply))
    }

    /// The evaluation, unless the game is over.
    pub fn leaf(&mut self) -> Score {
        if self.position.has_legal_move() { self.evaluate() } else { self.no_move_score() }
    }
}

const _: () = assert!(MAX_PLY < tamarin_base::types::MAX_PLY);
