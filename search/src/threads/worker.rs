//! The state of one thread during one search.

use tamarin_base::formula;
use tamarin_base::params::Params;
use tamarin_base::types::{Exit, Step};
use tamarin_base::{Millis, Signals};
use tamarin_eval::{Evaluator, Score};
use tamarin_movegen::{Color, Move, Position};

use crate::history::{ContinuationKey, Histories};
use crate::pv::PvTable;
use crate::report::Observer;
use crate::root::RootMoves;
use crate::stack::{SearchStack, StackEntry};
use crate::strength::Skill;
use crate::tablebases::Tablebases;
use crate::threads::data::ThreadData;
use crate::threads::shared::SharedState;
use crate::threads::wake::Children;
use crate::tt::{ScoreContext, TranspositionTable, score_context};

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;

/// Nodes that a stopped search may go on for if it has no result at all.
const NODES_TO_FIRST_RESULT: u64 = 4096;

/// What the main thread has to do besides searching.
pub(crate) struct MainThread<'s> {
    /// Hears what the search finds.
    pub observer: &'s mut (dyn Observer + 'static),
    /// Woken after the first report.
    pub helpers: &'s Children<'s>,
}

/// What a thread works with during one search. Thrown away at its end.
///
/// After a search was stopped midway, position, ply and search stack are wherever it stood.
pub(crate) struct Worker<'s> {
    pub shared: &'s SharedState,
    pub table: &'s TranspositionTable,
    pub tablebases: &'s Tablebases,
    pub signals: &'s Signals,
    pub params: Params,
    pub histories: Histories<'s>,
    pub evaluator: &'s mut Evaluator,
    pub stack: &'s mut SearchStack,
    pub pv: &'s mut PvTable,
    /// `None` in a helper thread.
    pub main: Option<MainThread<'s>>,
    pub position: Position,
    pub root: RootMoves,
    /// The number of the thread, from 0.
    pub thread: usize,
    /// Plies from the root to the current position.
    pub ply: usize,
    pub nodes: u64,
    /// Positions found in the tablebases.
    pub tablebase_hits: u64,
    /// Nodes with more pieces are not looked up in the tablebases; 0 without them.
    pub probe_limit: u32,
    /// Nodes at which the limits are looked at next.
    next_check: u64,
    /// Nodes at which this thread ends the search, if it is alone or plays below full strength;
    /// else never.
    node_limit: u64,
    /// The depth of the running iteration.
    pub root_depth: i32,
    /// The width of the window at the root, in score units.
    pub root_width: i32,
    /// The deepest ply of the line being searched.
    pub selective_depth: usize,
    /// The first ply at which a null move may be tried: greater than zero only while one
    /// is being verified.
    pub null_move_from: usize,
    /// Whether a root move has a score: until then a stop has to wait for one.
    pub has_result: bool,
    /// The score of the last search of the same game, and the side to move, whose it is; `None`
    /// before the first.
    pub last_score: &'s mut Option<(Color, Score)>,
    /// Whether the soft limit was reached while pondering: the ponder hit ends the search.
    pub stop_on_ponder_hit: bool,
    /// What [`Self::optimism`] is with all pieces on the board, for the side to move at
    /// the root, in score units.
    pub full_optimism: i32,
}

impl<'s> Worker<'s> {
    /// The worker of a search that begins.
    pub fn new(
        shared: &'s SharedState,
        data: &'s mut ThreadData,
        main: Option<MainThread<'s>>,
    ) -> Self {
        *data.stack = SearchStack::new(&StackEntry::EMPTY);
        // Below full strength the other threads do not search.
        let alone = shared.threads() == 1 || shared.skill.is_some();
        let limit = shared.request.limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1));
        let skilled = shared.skill.as_ref().map(Skill::nodes);
        let mut worker = Self {
            shared,
            table: &shared.request.table,
            tablebases: &shared.request.tablebases,
            signals: &shared.signals,
            params: shared.request.params,
            histories: Histories::new(&data.histories, &data.shared_histories),
            evaluator: &mut data.evaluator,
            stack: &mut data.stack,
            pv: &mut data.pv,
            main,
            position: shared.request.position.clone(),
            root: shared.root_moves(),
            thread: data.thread,
            ply: 0,
            nodes: 0,
            tablebase_hits: 0,
            probe_limit: shared.probe_limit(),
            next_check: 0,
            node_limit: if alone { limit } else { u64::MAX }.min(skilled.unwrap_or(u64::MAX)),
            root_depth: 0,
            root_width: 1,
            selective_depth: 0,
            null_move_from: 0,
            has_result: false,
            last_score: &mut data.last_score,
            stop_on_ponder_hit: false,
            full_optimism: 0,
        };
        worker.schedule_check();
        worker
    }

    /// Returns `true` if this is the main thread, which watches the limits and reports.
    pub fn is_main(&self) -> bool {
        self.thread == 0
    }

    /// What the scores of the table have to be adjusted to at the current node.
    pub fn score_context(&self) -> ScoreContext {
        score_context(self.ply, &self.position)
    }

    /// What is added to the evaluation, in score units for the side to move: the side that is
    /// ahead at the root prefers many pieces on the board, the other one simplification.
    ///
    /// Source: the dynamic contempt of Stockfish 9 to 13 and the trend of Weiss.
    #[inline]
    pub fn optimism(&self) -> i32 {
        let pieces = self.position.occupied().len() as i32;
        let ours = if self.ply.is_multiple_of(2) { 1 } else { -1 };
        formula::faded_optimism(&self.params, ours * self.full_optimism, pieces)
    }

    /// The score of a draw, with noise that depends on the node count: with equal scores the
    /// search would keep to the first drawn line (3-fold blindness).
    pub fn draw_score(&self) -> Score {
        Score::DRAW + self.params.draw_noise() * (1 - (self.nodes & 2) as i32)
    }

    /// Makes a legal move and goes one ply deeper.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        let piece = self.position.moved_piece(mv);
        let entry = self.stack.at_mut(self.ply);
        entry.continuation_key = ContinuationKey::new(piece, mv.to(), mv.is_noisy());
        entry.current_move = Some(mv);
        self.position.make(mv);
        self.ply += 1;
        self.nodes += 1;
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.position.unmake();
        self.ply -= 1;
    }

    /// Makes a null move and goes one ply deeper.
    pub fn make_null(&mut self) {
        debug_assert!(
            self.position.has_non_pawn_material(self.position.side_to_move()),
            "a side with pawns alone may be in zugzwang"
        );
        let entry = self.stack.at_mut(self.ply);
        entry.continuation_key = ContinuationKey::NONE;
        entry.current_move = None;
        self.position.make_null();
        self.ply += 1;
        self.nodes += 1;
    }

    /// Takes the null move back.
    pub fn unmake_null(&mut self) {
        self.position.unmake_null();
        self.ply -= 1;
    }

    /// Ends the search if a limit is reached. Called at every node.
    #[inline(always)]
    pub fn check_limits(&mut self) -> Step<()> {
        if self.nodes >= self.next_check || self.signals.stopped() {
            self.check_limits_now()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn check_limits_now(&mut self) -> Step<()> {
        if self.nodes >= self.next_check {
            self.publish_nodes();
        }
        let must_stop =
            self.signals.stopped() && (self.has_result || self.nodes >= NODES_TO_FIRST_RESULT);
        if must_stop || self.nodes >= self.node_limit { Err(Exit::Abort) } else { Ok(()) }
    }

    /// Publishes the nodes and stops all threads if a limit is reached.
    fn publish_nodes(&mut self) {
        self.publish_counts();
        if self.is_main() {
            self.signals.publish_nodes(self.shared.nodes());
        }
        self.schedule_check();
        #[cfg(feature = "inject-panic")]
        assert!(
            self.shared.request.options.panic_at_nodes.is_none_or(|at| self.nodes < at),
            "injected"
        );
        // Any thread may find the time used up: among very many threads the main one may not
        // be given a processor for long.
        if self.time_used_up() || (self.is_main() && self.nodes_used_up()) {
            self.signals.stop_threads();
        }
    }

    /// Publishes nodes and tablebase hits so far.
    pub fn publish_counts(&self) {
        self.shared.node_counter(self.thread).publish(self.nodes, self.tablebase_hits);
    }

    fn schedule_check(&mut self) {
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.node_limit);
        #[cfg(feature = "inject-panic")]
        if let Some(nodes) =
            self.shared.request.options.panic_at_nodes.filter(|&at| at > self.nodes)
        {
            self.next_check = self.next_check.min(nodes);
        }
    }

    /// Nodes to the limit of this thread.
    pub fn nodes_left(&self) -> u64 {
        self.node_limit.saturating_sub(self.nodes)
    }

    /// Looks at the clock at the next node, because this one may have taken as long as many.
    pub fn check_clock_next(&mut self) {
        self.next_check = self.next_check.min(self.nodes);
    }

    fn nodes_used_up(&self) -> bool {
        self.shared.request.limits.nodes.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    fn time_used_up(&self) -> bool {
        let Some(start) = self.shared.clock_start() else { return false };
        if self.stop_on_ponder_hit {
            return true;
        }
        let by_nodes = self.shared.request.options.node_time > 0;
        (self.is_main() || !by_nodes)
            && self.shared.time.hard.is_some_and(|hard| self.time_used() >= start.plus(hard))
    }

    /// Time since the search began, counted in nodes if there is a node time.
    pub fn time_used(&self) -> Millis {
        match self.shared.request.options.node_time {
            0 => self.signals.elapsed(),
            rate => Millis::new(self.shared.nodes() / rate),
        }
    }
}

#[cfg(test)]
mod tests;
