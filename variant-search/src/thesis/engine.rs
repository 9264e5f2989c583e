//! Alpha-beta with a table.

use std::collections::HashMap;
use std::sync::Arc;

use tamarin_base::{Bound, Millis, Signals};
use tamarin_variant::{Color, Game, Move, Position};

use super::move_order::MoveOrder;
use crate::answer::{BestMove, Info};
use crate::evaluate::{Evaluator, Spec};
use crate::limits::Limits;
use crate::score::{MAX_EVALUATION, MAX_PLY, WIN, of_outcome, score_value};

/// The score of a move that lets the opponent capture a royal piece. It is no score of a game: the
/// move was illegal.
const KING_LOST: i32 = -100_000;
/// More than any score.
const INFINITE: i32 = 200_000;
/// The depth of a search without limits.
const DEFAULT_DEPTH: u32 = 5;
/// With this number of positions in the table, those of the lowest depth are removed until half are
/// left.
const MOST_ENTRIES: usize = 1 << 20;
const CHECK_INTERVAL: u64 = 256;

#[derive(Clone, Copy)]
struct Entry {
    score: i32,
    bound: Bound,
    depth: u32,
    /// The best move, which of an upper bound is the one that came nearest; none at depth zero.
    best: Option<Move>,
}

/// The search was stopped or has reached a limit.
struct Stopped;

/// The engine of the thesis.
pub struct Thesis {
    evaluator: Arc<Evaluator>,
    order: MoveOrder,
    table: HashMap<u64, Entry>,
    branching: f64,
}

/// One search.
struct Run<'a> {
    evaluator: &'a Evaluator,
    order: MoveOrder,
    table: &'a mut HashMap<u64, Entry>,
    position: Position,
    signals: &'a Signals,
    nodes: u64,
    node_limit: Option<u64>,
    deadline: Option<Millis>,
    /// Nodes that were expanded, and the children searched from them: those that the table, which
    /// knows evaluated positions too, does not answer. Illegal positions count, as the thesis
    /// expands them until a king is captured.
    expanded: (u64, u64),
    scratch: Vec<Move>,
}

impl Thesis {
    /// An engine for a game with an evaluator and an order of moves.
    pub fn new(game: &Arc<Game>, spec: &Spec, order: MoveOrder) -> Self {
        Self::with_evaluator(Arc::new(Evaluator::new(game, spec)), order)
    }

    /// An engine for the game of an evaluator, which many engines may share.
    pub fn with_evaluator(evaluator: Arc<Evaluator>, order: MoveOrder) -> Self {
        Self { evaluator, order, table: HashMap::new(), branching: 0.0 }
    }

    /// The game that it plays.
    pub fn game(&self) -> &Arc<Game> {
        self.evaluator.game()
    }

    /// How it evaluates.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Children searched for each expanded node in the last search, in the mean: the branching
    /// factor.
    pub fn branching(&self) -> f64 {
        self.branching
    }

    /// Forgets everything about earlier positions.
    pub fn new_game(&mut self) {
        self.table.clear();
    }

    /// Searches to the depth that is asked for, or to depth 5. With a limit of time or nodes it
    /// searches depth after depth until the limit, which the thesis's engine did not: the last
    /// finished one counts. Of the limits it knows depth, nodes and the hard limit of the time: the
    /// soft one, `search_moves` and `mate` are ignored.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        mut report: impl FnMut(&Info),
    ) -> BestMove {
        let mut run = Run {
            evaluator: &self.evaluator,
            order: self.order,
            table: &mut self.table,
            position: position.clone(),
            signals,
            nodes: 0,
            node_limit: limits.nodes,
            deadline: limits.time(position.fullmoves()).hard,
            expanded: (0, 0),
            scratch: Vec::new(),
        };
        let bounded = run.node_limit.is_some() || run.deadline.is_some();
        let last = limits.depth.unwrap_or(if bounded { MAX_PLY as u32 } else { DEFAULT_DEPTH });
        let last = last.clamp(1, MAX_PLY as u32);
        let moves = position.legal_moves();
        let mut best = match moves.first() {
            Some(&first) => (0, first, 0),
            None => {
                self.branching = 0.0;
                return BestMove::without_moves(position);
            }
        };
        for depth in if bounded { 1 } else { last }..=last {
            let Ok((score, m)) = run.root(&moves, depth) else { break };
            best = (depth, m, score);
            report(&run.info(best));
        }
        let (depth, m, score) = best;
        let (nodes, (expanded, children)) = (run.nodes, run.expanded);
        self.branching = children as f64 / expanded.max(1) as f64;
        BestMove {
            mv: Some(m),
            ponder: None,
            value: score_value(score),
            depth,
            selective_depth: depth,
            nodes,
            pv: vec![m],
        }
    }
}

impl Run<'_> {
    fn info(&self, (depth, m, score): (u32, Move, i32)) -> Info {
        Info {
            depth,
            selective_depth: depth,
            value: score_value(score),
            nodes: self.nodes,
            time: self.signals.elapsed(),
            hash_full: 0,
            pv: vec![m],
        }
    }

    /// The best legal move and its score.
    fn root(&mut self, legal: &[Move], depth: u32) -> Result<(i32, Move), Stopped> {
        let sum = self.evaluator.sum(&self.position);
        let mut moves = legal.to_vec();
        self.order.sort(self.evaluator, &mut self.position, sum, &mut moves);
        self.expanded.0 += 1;
        let mut best = (-INFINITE, moves[0]);
        for m in moves {
            let score = self.child(m, sum, (-INFINITE, -best.0), depth, 0)?;
            if score > best.0 {
                best = (score, m);
            }
        }
        Ok(best)
    }

    /// The score of a move for the side that plays it. `window` is the opponent's.
    fn child(
        &mut self,
        m: Move,
        sum: i64,
        window: (i32, i32),
        depth: u32,
        ply: usize,
    ) -> Result<i32, Stopped> {
        self.position.make(m);
        let sum = self.evaluator.sum_after(sum, &self.position);
        let score = self.node(window, depth - 1, ply + 1, sum);
        self.position.unmake();
        score.map(|score| -score)
    }

    fn node(
        &mut self,
        (mut alpha, beta): (i32, i32),
        depth: u32,
        ply: usize,
        sum: i64,
    ) -> Result<i32, Stopped> {
        self.count()?;
        let side = self.position.side_to_move();
        if let Some(score) = self.rule_score(ply) {
            return Ok(score);
        }
        let key = self.position.key();
        let entry = self.table.get(&key).copied();
        if let Some(score) = entry.and_then(|entry| entry.decides(depth, (alpha, beta), ply)) {
            return Ok(score);
        }
        self.expanded.1 += 1;
        if depth == 0 {
            let score = self.evaluate(sum);
            self.keep(key, Entry::new(score, (-INFINITE, INFINITE), depth, ply, None));
            return Ok(score);
        }
        self.expanded.0 += 1;
        let mut moves = Vec::new();
        self.position.pseudo_legal_moves_into(side, &mut moves);
        if self.captures_king(&moves) {
            self.expanded.1 += self.moves_to_king(sum, &mut moves);
            return Ok(-KING_LOST);
        }
        self.order.sort(self.evaluator, &mut self.position, sum, &mut moves);
        if let Some(known) = entry.and_then(|entry| entry.best)
            && let Some(index) = moves.iter().position(|&m| m == known)
        {
            moves[..=index].rotate_right(1);
        }
        let first_alpha = alpha;
        let (mut best, mut best_move) = (KING_LOST, None);
        for m in moves {
            let score = self.child(m, sum, (-beta, -alpha), depth, ply)?;
            if score > best {
                (best, best_move) = (score, Some(m));
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if best == KING_LOST {
            // All moves lose the king at once, or no move is left.
            best = of_outcome(self.position.outcome_without_moves(), side, ply);
        }
        self.keep(key, Entry::new(best, (first_alpha, beta), depth, ply, best_move));
        Ok(best)
    }

    /// The score of a game that ends here by repetition or by moves without progress: only if the
    /// last move was legal, and the side to move has a legal one.
    fn rule_score(&mut self, ply: usize) -> Option<i32> {
        let outcome = self.position.rule_outcome()?;
        let side = self.position.side_to_move();
        let mut moves = std::mem::take(&mut self.scratch);
        self.position.pseudo_legal_moves_into(side, &mut moves);
        let captures_king = self.captures_king(&moves);
        self.position.legal_moves_into(&mut moves);
        let has_moves = !moves.is_empty();
        self.scratch = moves;
        match captures_king {
            true => Some(-KING_LOST),
            false => has_moves.then(|| of_outcome(outcome, side, ply)),
        }
    }

    /// Whether a pseudo-legal move captures a royal piece, so that the last move was illegal.
    fn captures_king(&self, moves: &[Move]) -> bool {
        let game = self.evaluator.game();
        let mut found = false;
        for &m in moves {
            self.position.for_each_captured(m, |_, piece| found |= game.is_royal(piece.kind));
        }
        found
    }

    /// How many of the moves, in their order, come up to the first that captures a royal piece. By
    /// evaluation that is the best move, so it comes first.
    fn moves_to_king(&mut self, sum: i64, moves: &mut [Move]) -> u64 {
        if matches!(self.order, MoveOrder::Monotonous | MoveOrder::FasterMonotonous) {
            return 1;
        }
        self.order.sort(self.evaluator, &mut self.position, sum, moves);
        1 + moves.iter().take_while(|&&m| !self.captures_king(&[m])).count() as u64
    }

    fn evaluate(&mut self, sum: i64) -> i32 {
        let value = self.evaluator.evaluate(&self.position, sum, &mut self.scratch);
        let score = self.evaluator.centipawns(value).clamp(-MAX_EVALUATION, MAX_EVALUATION);
        if self.position.side_to_move() == Color::White { score } else { -score }
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.node_limit.is_some_and(|limit| self.nodes > limit) {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(CHECK_INTERVAL) {
            let late = self.deadline.is_some_and(|deadline| self.signals.clock() >= deadline);
            if late || self.signals.stopped() {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Puts an entry into the table.
    fn keep(&mut self, key: u64, entry: Entry) {
        let most = if self.table.len() >= MOST_ENTRIES { MOST_ENTRIES / 2 } else { MOST_ENTRIES };
        while self.table.len() > most {
            let lowest = self.table.values().map(|entry| entry.depth).min();
            self.table.retain(|_, entry| Some(entry.depth) != lowest);
        }
        self.table.insert(key, entry);
    }
}

impl Entry {
    fn new(score: i32, window: (i32, i32), depth: u32, ply: usize, best: Option<Move>) -> Self {
        let bound = match score {
            score if score >= window.1 => Bound::Lower,
            score if score > window.0 => Bound::Exact,
            _ => Bound::Upper,
        };
        Self { score: to_node(score, ply), bound, depth, best }
    }

    /// The score, if it decides within the window: exact, an upper bound that is not above alpha,
    /// or a lower bound that is not below beta, from a search as deep.
    fn decides(self, depth: u32, window: (i32, i32), ply: usize) -> Option<i32> {
        let score = from_node(self.score, ply);
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Upper => score <= window.0,
            Bound::Lower => score >= window.1,
        };
        (decides && self.depth == depth).then_some(score)
    }
}

/// Games won or lost by force begin here.
const DECISIVE: i32 = WIN - 2 * MAX_PLY as i32;

/// A score as it counts from the node.
fn to_node(score: i32, ply: usize) -> i32 {
    match score {
        score if score >= DECISIVE => score + ply as i32,
        score if score <= -DECISIVE => score - ply as i32,
        score => score,
    }
}

/// A score of a node as it counts from the root.
fn from_node(score: i32, ply: usize) -> i32 {
    match score {
        score if score >= DECISIVE => score - ply as i32,
        score if score <= -DECISIVE => score + ply as i32,
        score => score,
    }
}
