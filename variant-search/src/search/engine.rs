//! The engine: everything that lasts from one search to the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tamarin_base::memory::has_reserve;
use tamarin_base::tt::TranspositionTable;
use tamarin_base::{Score, Signals};
use tamarin_variant::{Game, Move, Position};

use super::history::Histories;
use super::iterate::{Goal, Iteration};
use super::worker::{Shared, Worker};
use crate::any_evaluator::{AnyEvaluator, Unit};
use crate::evaluate::{Evaluator, Spec};
use crate::limits::{BestMove, Info, Limits};

/// What can be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How positions are evaluated; `None` is [`AnyEvaluator::standard`].
    pub evaluator: Option<Spec>,
    /// Memory of the transposition table in MiB; 0 for no table.
    pub hash_mib: usize,
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { evaluator: None, hash_mib: 16, threads: 1 }
    }
}

/// Why there is no engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    #[error("no memory for a hash table of {0} MiB")]
    Memory(usize),
    #[error("no memory for the histories of {0} threads")]
    Histories(usize),
    #[error("{0} threads are out of range, it must be from 1 to 1024")]
    Threads(usize),
}

/// An engine for one game.
pub struct Engine {
    evaluator: AnyEvaluator,
    table: Option<TranspositionTable>,
    histories: Vec<Histories>,
    unit: Unit,
    piece_values: Vec<i32>,
    exchange_values: Vec<i32>,
    promotes: Vec<bool>,
    forcing: Forcing,
    /// As of [`Shared`].
    full_width: bool,
}

impl Engine {
    /// An engine for a game.
    ///
    /// # Errors
    /// If there is no memory for the table, or the number of threads is out of range.
    pub fn new(game: &Arc<Game>, options: &Options) -> Result<Self, EngineError> {
        let evaluator = match &options.evaluator {
            Some(spec) => AnyEvaluator::from(Arc::new(Evaluator::new(game, spec))),
            None => AnyEvaluator::standard(game),
        };
        Self::with_evaluator(evaluator, options)
    }

    /// An engine for the game of an evaluator, which many engines may share; that of the options
    /// is not looked at.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_evaluator(evaluator: AnyEvaluator, options: &Options) -> Result<Self, EngineError> {
        if !(1..=1024).contains(&options.threads) {
            return Err(EngineError::Threads(options.threads));
        }
        let table = match options.hash_mib {
            0 => None,
            mib => {
                let table = TranspositionTable::new(mib, 0).ok().filter(|_| has_reserve());
                Some(table.ok_or(EngineError::Memory(mib))?)
            }
        };
        let game = evaluator.game();
        let refused = EngineError::Histories(options.threads);
        let histories: Option<_> = (0..options.threads).map(|_| Histories::new(game)).collect();
        let histories = histories.filter(|_| has_reserve()).ok_or(refused)?;
        let unit = evaluator.unit();
        // Where who loses all pieces wins, no exchange is good or bad by what it costs.
        let unit_value = |value| if game.is_won_without_pieces() { 0 } else { unit.of(value) };
        let piece_values: Vec<i32> = evaluator.piece_values().into_iter().map(unit_value).collect();
        let kinds = 0..game.piece_count() as u8;
        let value = |kind: u8| piece_values[usize::from(kind)];
        // A royal piece is never captured.
        let exchange_value = |kind| match game.is_royal(kind) {
            true => 0,
            false => value(kind) + game.in_hand(kind, 0).map_or(0, value),
        };
        Ok(Self {
            unit,
            exchange_values: kinds.clone().map(exchange_value).collect(),
            promotes: kinds.map(|kind| !game.promotions(kind).is_empty()).collect(),
            piece_values,
            histories,
            forcing: Forcing::of(evaluator.game()),
            evaluator,
            table,
            full_width: false,
        })
    }

    /// The game that it plays.
    pub fn game(&self) -> &Arc<Game> {
        self.evaluator.game()
    }

    /// How it evaluates.
    pub fn evaluator(&self) -> &AnyEvaluator {
        &self.evaluator
    }

    /// Forgets everything about earlier positions.
    pub fn new_game(&mut self) {
        if let Some(table) = &self.table {
            table.clear(0, 1);
        }
        self.histories.iter_mut().for_each(Histories::clear);
    }

    /// Searches a position of its game until a limit is reached or `signals` says so, and calls
    /// `report` on this thread with the lines of every iteration, best first. With one thread and without limits of time
    /// the result depends on nothing but the position and what this engine has searched before.
    /// Threads that the system refuses are done without.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        mut report: impl FnMut(&[Info]),
    ) -> BestMove {
        let root_moves = root_moves(position, limits);
        let shared = Shared {
            evaluator: &self.evaluator,
            table: self.table.as_ref(),
            signals,
            time: limits.time(position.fullmoves()),
            node_limit: limits.nodes.map(|nodes| nodes.max(1)),
            done: AtomicBool::new(false),
            nodes: self.histories.iter().map(|_| AtomicU64::new(0)).collect(),
            unit: self.unit,
            piece_values: self.piece_values.clone(),
            exchange_values: self.exchange_values.clone(),
            promotes: self.promotes.clone(),
            forcing: self.forcing,
            full_width: self.full_width,
            variety: limits.variety.map(|seed| seed ^ position.key()),
        };
        if let Some(table) = shared.table {
            table.begin_search();
        }
        if root_moves.is_empty() {
            return BestMove::without_moves(position);
        }
        let (main, helpers) = self.histories.split_at_mut(1);
        let goal = Goal { limits, soft: shared.time.soft };
        let (best, branching) = thread::scope(|scope| {
            // The scope waits for the helpers, which go on until they are stopped: also by a panic.
            let stop_helpers = StopHelpers(&shared.done);
            let helper = |(i, histories)| {
                let (shared, moves, goal) = (&shared, &root_moves, &goal);
                let work = move || {
                    let mut worker = Worker::new(shared, i + 1, position, moves, histories);
                    worker.iterate(goal, |_, _| ())
                };
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            let threads: Vec<_> = helpers.iter_mut().enumerate().map_while(helper).collect();
            let mut worker = Worker::new(&shared, 0, position, &root_moves, &mut main[0]);
            let own = worker.iterate(&goal, |worker, lines| {
                report(&lines.iter().map(|line| info(worker, line)).collect::<Vec<_>>());
            });
            shared.nodes[0].store(worker.nodes, Ordering::Relaxed);
            let branching = worker.children as f64 / worker.expanded.max(1) as f64;
            drop(stop_helpers);
            let mut best = own;
            for thread in threads {
                let theirs = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                best = better(best, theirs);
            }
            (best, branching)
        });
        finished(root_moves[0], best, branching, &shared)
    }
}

/// Stops the threads of a search when it is dropped.
struct StopHelpers<'a>(&'a AtomicBool);

impl Drop for StopHelpers<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A helper's line if its iteration is deeper and its score at least as good as the first thread's;
/// otherwise the first thread's.
fn better(own: Option<Iteration>, theirs: Option<Iteration>) -> Option<Iteration> {
    match (own, theirs) {
        (Some(own), Some(theirs)) if theirs.depth > own.depth && theirs.score >= own.score => {
            Some(theirs)
        }
        (own, theirs) => own.or(theirs),
    }
}

fn root_moves(position: &Position, limits: &Limits) -> Vec<Move> {
    let moves = position.legal_moves();
    let wanted: Vec<Move> =
        moves.iter().copied().filter(|m| limits.search_moves.contains(m)).collect();
    if wanted.is_empty() { moves } else { wanted }
}

fn info(worker: &Worker<'_>, iteration: &Iteration) -> Info {
    let shared = worker.shared;
    shared.nodes[0].store(worker.nodes, Ordering::Relaxed);
    Info {
        depth: iteration.depth,
        selective_depth: iteration.selective_depth,
        value: shared.shown(iteration),
        nodes: shared.nodes(),
        time: shared.signals.elapsed(),
        hash_full: shared.table.map_or(0, TranspositionTable::permille_full),
        pv: iteration.pv.clone(),
    }
}

fn finished(first: Move, best: Option<Iteration>, branching: f64, shared: &Shared<'_>) -> BestMove {
    // Told to stop before anything was searched: the first root move.
    let unsearched =
        || Iteration { depth: 0, selective_depth: 0, score: Score::DRAW, pv: vec![first] };
    let best = best.unwrap_or_else(unsearched);
    BestMove {
        mv: best.pv.first().copied(),
        ponder: best.pv.get(1).copied(),
        value: shared.shown(&best),
        depth: best.depth,
        selective_depth: best.selective_depth,
        nodes: shared.nodes(),
        branching,
        pv: best.pv,
    }
}

/// A royal piece with more moves than there are squares within two steps roams the board.
const ROAMS: usize = 24;

/// How far checks and captures are followed. Royal pieces that go anywhere, as in Locusts, are in
/// check all the time: there extensions and captures without end would take up most of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Forcing {
    /// A check counts as one if it leaves at most this number of moves; `None` if every check does.
    pub most_evasions: Option<usize>,
    /// So many plies of quiescence search are enough: where captures create pieces, they might go on
    /// for ever.
    pub quiescence_plies: usize,
    /// In this number of plies of it all moves out of check are tried.
    pub evasion_plies: usize,
}

impl Forcing {
    pub fn of(game: &Game) -> Self {
        let mut kinds = 0..game.piece_count() as u8;
        if kinds.any(|kind| game.is_royal(kind) && game.most_moves(kind) > ROAMS) {
            Self { most_evasions: Some(4), quiescence_plies: 4, evasion_plies: 2 }
        } else {
            Self { most_evasions: None, quiescence_plies: 16, evasion_plies: 12 }
        }
    }
}

#[cfg(test)]
mod tests {
    use tamarin_base::tt::ScoreContext;

    use super::*;
    use crate::evaluate::learned::Learned;
    use crate::score::{WIN, score_value};
    use crate::table::TableEntry;
    use tamarin_base::ScoreValue;
    use tamarin_variant::{Color, builtin};

    /// The score of plain minimax: all moves to the same depth, then the evaluation.
    fn minimax(evaluator: &AnyEvaluator, position: &mut Position, depth: u32, ply: i32) -> i32 {
        let side = position.side_to_move();
        let moves = position.legal_moves();
        let outcome = match moves.is_empty() {
            true => Some(position.outcome_without_moves()),
            false if ply > 0 => position.rule_outcome(),
            false => None,
        };
        if let Some(outcome) = outcome {
            return outcome.winner.map_or(0, |won| if won == side { WIN - ply } else { ply - WIN });
        }
        if depth == 0 {
            let score = evaluator.evaluate(position);
            return if side == Color::White { score } else { -score };
        }
        let mut best = -WIN;
        for m in moves {
            position.make(m);
            best = best.max(-minimax(evaluator, position, depth - 1, ply + 1));
            position.unmake();
        }
        best
    }

    #[test]
    fn long_full_width_search_is_minimax() {
        for name in ["fide", "nuttyknights", "clobberers", "shogi_nodrop", "locusts"] {
            let game = builtin(name).unwrap();
            // Its centipawns are score units, so that no score is rounded.
            let learned = Learned::embedded(&game).unwrap();
            let evaluator = AnyEvaluator::from(Arc::new(learned));
            // The table changes nothing.
            let mut engines = [1, 0].map(|hash_mib| {
                let options = Options { hash_mib, ..Options::default() };
                let engine = Engine::with_evaluator(evaluator.clone(), &options).unwrap();
                Engine { full_width: true, ..engine }
            });
            let mut position = Position::start(&game);
            for turn in 0..90 {
                let moves = position.legal_moves();
                let Some(&next) = moves.get(turn * 7 % moves.len().max(1)) else { break };
                for depth in (1..=3).filter(|_| turn % 40 == 0) {
                    let expected = minimax(&evaluator, &mut position, depth, 0);
                    for engine in &mut engines {
                        engine.new_game();
                        let limits = Limits::depth(depth);
                        let found = engine.search(&position, &limits, &Signals::default(), |_| ());
                        assert_eq!(found.value, score_value(expected), "{name} {}", position.fen());
                    }
                }
                position.make(next);
            }
        }
    }

    #[test]
    fn a_score_of_some_root_moves_is_no_score_of_the_position() {
        let game = builtin("fide").unwrap();
        let position = Position::from_fen(&game, "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1").unwrap();
        let mut engine = Engine::new(&game, &Options::default()).unwrap();
        let loses_the_queen = position.parse_move("d1d7").unwrap();
        let limits = Limits { search_moves: vec![loses_the_queen], ..Limits::depth(4) };
        let known = |engine: &Engine| -> Option<TableEntry> {
            engine.table.as_ref()?.probe(position.key(), ScoreContext::at(0))
        };
        let worst = engine.search(&position, &limits, &Signals::default(), |_| ());
        assert!(matches!(worst.value, ScoreValue::Centipawns(..-300)), "{worst:?}");
        assert_eq!(known(&engine).and_then(|entry| entry.result), None);
        engine.search(&position, &Limits::depth(4), &Signals::default(), |_| ());
        let (score, _) = known(&engine).unwrap().result.unwrap();
        assert!(score > Score::new(-100), "{score:?}");
    }
}
