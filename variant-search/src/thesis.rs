//! The engine of the thesis, made again: plain alpha-beta to a fixed depth without quiescence, king
//! safety by the capture of kings, and its orders of moves.
//!
//! Source: chapters 5 and 6 of the thesis. Where its text is wrong (the cuts of the transposition
//! table) or silent, variant/README.md says what was done.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use tamarin_base::{Bound, Millis, Signals};
use tamarin_variant::{Color, Move, Position};

use crate::evaluate::Evaluator;
use crate::limits::{BestMove, Limits};
use crate::score::{MAX_EVALUATION, MAX_PLY, is_decisive, of_outcome, score_value};

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
    /// As it counts from the node.
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
    /// An engine for the game of an evaluator, which many engines may share.
    pub fn new(evaluator: Arc<Evaluator>, order: MoveOrder) -> Self {
        Self { evaluator, order, table: HashMap::new() }
    }

    /// Forgets everything about earlier positions.
    pub fn new_game(&mut self) {
        self.table.clear();
    }

    /// Searches to the depth that is asked for, or to depth 5. With a limit of time or nodes it
    /// searches depth after depth until the limit, which the thesis's engine did not: the last
    /// finished one counts. Of the limits it knows depth, nodes and the hard limit of the time: the
    /// soft one, `search_moves` and `mate` are ignored.
    pub fn search(&mut self, position: &Position, limits: &Limits, signals: &Signals) -> BestMove {
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
            None => return BestMove::without_moves(position),
        };
        for depth in if bounded { 1 } else { last }..=last {
            let Ok((score, m)) = run.root(&moves, depth) else { break };
            best = (depth, m, score);
        }
        let (depth, m, score) = best;
        let (nodes, (expanded, children)) = (run.nodes, run.expanded);
        BestMove {
            mv: Some(m),
            ponder: None,
            value: score_value(score),
            depth,
            selective_depth: depth,
            nodes,
            branching: children as f64 / expanded.max(1) as f64,
            pv: vec![m],
        }
    }
}

impl Run<'_> {
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
        let window = match self.order {
            MoveOrder::Minimax => (-INFINITE, INFINITE),
            _ => window,
        };
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

    /// Puts an entry into the table, unless all positions are to be searched.
    fn keep(&mut self, key: u64, entry: Entry) {
        if self.order == MoveOrder::Minimax {
            return;
        }
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
        Self { score: nearer(score, ply as i32), bound, depth, best }
    }

    /// The score, if it decides within the window: exact, an upper bound that is not above alpha,
    /// or a lower bound that is not below beta, from a search as deep.
    fn decides(self, depth: u32, window: (i32, i32), ply: usize) -> Option<i32> {
        let score = nearer(self.score, -(ply as i32));
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Upper => score <= window.0,
            Bound::Lower => score >= window.1,
        };
        (decides && self.depth == depth).then_some(score)
    }
}

/// A score with the end of the game nearer by so many plies.
fn nearer(score: i32, plies: i32) -> i32 {
    if is_decisive(score) { score + plies * score.signum() } else { score }
}

/// An order in which moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MoveOrder {
    /// As they are generated.
    Base,
    /// By the evaluation of the position after the move.
    Monotonous,
    /// By its cumulative part alone.
    FasterMonotonous,
    /// By the value of the piece that moves.
    StrongestPiece,
    /// Captures first.
    #[default]
    CapturesFirst,
    /// As they are generated, all of them: minimax without cuts and without a table.
    Minimax,
}

/// The name of no iterator.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no iterator {0:?}; there are base, mono, faster, strong, captures, \
     minimax"
)]
pub struct UnknownMoveOrder(String);

impl MoveOrder {
    /// All of them: first those of the thesis's table, in its order.
    pub const ALL: [Self; 6] = [
        Self::Base,
        Self::Monotonous,
        Self::FasterMonotonous,
        Self::StrongestPiece,
        Self::CapturesFirst,
        Self::Minimax,
    ];

    /// What commands call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Monotonous => "mono",
            Self::FasterMonotonous => "faster",
            Self::StrongestPiece => "strong",
            Self::CapturesFirst => "captures",
            Self::Minimax => "minimax",
        }
    }

    /// Puts pseudo-legal moves of the side to move in order. Moves that it does not tell apart are
    /// sorted by the row of their origin as that side sees the board, its own end first, then as
    /// they are generated. `sum` is the cumulative part of the evaluation.
    pub fn sort(
        self,
        evaluator: &Evaluator,
        position: &mut Position,
        sum: i64,
        moves: &mut [Move],
    ) {
        let side = position.side_to_move();
        let own = |value: i64| if side == Color::White { value } else { -value };
        let game = evaluator.game();
        let relative_row = |m: Move| {
            // What comes from the hand has no origin: its target counts.
            let from = m.origin().unwrap_or(m.to);
            let square = if side == Color::White { from } else { game.flip(from) };
            square / game.columns()
        };
        let mut scratch = Vec::new();
        match self {
            Self::Base | Self::Minimax => {}
            Self::Monotonous | Self::FasterMonotonous => moves.sort_by_cached_key(|&m| {
                position.make(m);
                let sum = evaluator.sum_after(sum, position);
                let value = match self {
                    Self::Monotonous => evaluator.evaluate(position, sum, &mut scratch),
                    _ => sum,
                };
                position.unmake();
                (Reverse(own(value)), relative_row(m))
            }),
            Self::StrongestPiece => moves.sort_by_cached_key(|&m| {
                let piece = position.mover(m);
                (Reverse(piece.map(|piece| evaluator.values().mean(piece))), relative_row(m))
            }),
            Self::CapturesFirst => {
                moves.sort_by_cached_key(|&m| (!position.is_capture(m), relative_row(m)));
            }
        }
    }
}

impl FromStr for MoveOrder {
    type Err = UnknownMoveOrder;

    fn from_str(text: &str) -> Result<Self, UnknownMoveOrder> {
        let found = Self::ALL.into_iter().find(|order| order.name() == text);
        found.ok_or_else(|| UnknownMoveOrder(text.chars().take(20).collect()))
    }
}
