//! The engine: everything that lasts from one search to the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tamarin_base::{Score, Signals};
use tamarin_variant::{Game, Move, Position};

use super::forcing::Forcing;
use super::history::Histories;
use super::iterate::{Goal, Iteration};
use super::purpose::{Play, Purpose};
use super::worker::{Shared, Worker};
use crate::answer::{BestMove, Info};
use crate::any_evaluator::{AnyEvaluator, Unit};
use crate::evaluate::{Evaluator, Spec};
use crate::limits::Limits;
use crate::table::Table;

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
    #[error("{0} threads are out of range, it must be from 1 to 1024")]
    Threads(usize),
}

/// An engine for one game.
pub struct Engine {
    evaluator: AnyEvaluator,
    table: Option<Table>,
    histories: Vec<Histories>,
    unit: Unit,
    piece_values: Vec<i32>,
    exchange_values: Vec<i32>,
    promotes: Vec<bool>,
    forcing: Forcing,
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
            mib => Some(Table::new(mib).ok_or(EngineError::Memory(mib))?),
        };
        let game = evaluator.game();
        let unit = evaluator.unit();
        let piece_values: Vec<i32> =
            evaluator.piece_values().into_iter().map(|value| unit.of(value)).collect();
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
            histories: (0..options.threads).map(|_| Histories::new(evaluator.game())).collect(),
            forcing: Forcing::of(evaluator.game()),
            evaluator,
            table,
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
            table.clear();
        }
        self.histories.iter_mut().for_each(Histories::clear);
    }

    /// Searches a position of its game until a limit is reached or `signals` says so, and calls
    /// `report` on this thread after every iteration. With one thread and without limits of time
    /// the result depends on nothing but the position and what this engine has searched before.
    /// Threads that the system refuses are done without.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        report: impl FnMut(&Info),
    ) -> BestMove {
        self.search_for::<Play>(position, limits, signals, report).0
    }

    /// The same for another purpose than to play, with what was noted for it.
    pub(crate) fn search_for<P: Purpose>(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Signals,
        mut report: impl FnMut(&Info),
    ) -> (BestMove, P) {
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
        };
        if let Some(table) = shared.table {
            table.begin_search();
        }
        if root_moves.is_empty() {
            return (BestMove::without_moves(position), P::default());
        }
        let (main, helpers) = self.histories.split_at_mut(1);
        let goal = Goal { limits, soft: shared.time.soft };
        let (best, purpose) = thread::scope(|scope| {
            // The scope waits for the helpers, which go on until they are stopped: also by a panic.
            let stop_helpers = StopHelpers(&shared.done);
            let helper = |(i, histories)| {
                let (shared, moves, goal) = (&shared, &root_moves, &goal);
                let work = move || {
                    let mut worker = Worker::<P>::new(shared, i + 1, position, moves, histories);
                    (worker.iterate(goal, |_, _| ()), worker.purpose)
                };
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            let threads: Vec<_> = helpers.iter_mut().enumerate().map_while(helper).collect();
            let mut worker = Worker::<P>::new(&shared, 0, position, &root_moves, &mut main[0]);
            let own = worker.iterate(&goal, |worker, iteration| {
                report(&info(worker, iteration));
            });
            shared.nodes[0].store(worker.nodes, Ordering::Relaxed);
            let mut purpose = worker.purpose;
            drop(stop_helpers);
            let mut best = own;
            for thread in threads {
                let (theirs, noted) =
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                purpose.add(&noted);
                best = better(best, theirs);
            }
            (best, purpose)
        });
        (finished(root_moves[0], best, &shared), purpose)
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

fn info<P: Purpose>(worker: &Worker<'_, P>, iteration: &Iteration) -> Info {
    let shared = worker.shared;
    shared.nodes[0].store(worker.nodes, Ordering::Relaxed);
    Info {
        depth: iteration.depth,
        selective_depth: iteration.selective_depth,
        value: shared.shown(iteration.score),
        nodes: shared.nodes(),
        time: shared.signals.elapsed(),
        hash_full: shared.table.map_or(0, Table::permille_full),
        pv: iteration.pv.clone(),
    }
}

fn finished(first: Move, best: Option<Iteration>, shared: &Shared<'_>) -> BestMove {
    // Told to stop before anything was searched: the first root move.
    let unsearched =
        || Iteration { depth: 0, selective_depth: 0, score: Score::DRAW, pv: vec![first] };
    let best = best.unwrap_or_else(unsearched);
    BestMove {
        mv: best.pv.first().copied(),
        ponder: best.pv.get(1).copied(),
        value: shared.shown(best.score),
        depth: best.depth,
        selective_depth: best.selective_depth,
        nodes: shared.nodes(),
        pv: best.pv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_base::ScoreValue;

    #[test]
    fn a_score_of_some_root_moves_is_no_score_of_the_position() {
        let game = tamarin_variant::builtin("fide").unwrap();
        let position = Position::from_fen(&game, "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1").unwrap();
        let mut engine = Engine::new(&game, &Options::default()).unwrap();
        let loses_the_queen = position.parse_move("d1d7").unwrap();
        let limits = Limits { search_moves: vec![loses_the_queen], ..Limits::depth(4) };
        let known = |engine: &Engine| engine.table.as_ref().unwrap().probe(position.key(), 0);
        let worst = engine.search(&position, &limits, &Signals::default(), |_| ());
        assert!(matches!(worst.value, ScoreValue::Centipawns(..-300)), "{worst:?}");
        assert_eq!(known(&engine).and_then(|entry| entry.result), None);
        engine.search(&position, &Limits::depth(4), &Signals::default(), |_| ());
        let (score, _) = known(&engine).unwrap().result.unwrap();
        assert!(score > Score::new(-100), "{score:?}");
    }
}
