//! One thread's view of one search.

use tamarin_eval::{PawnTable, Score};
use tamarin_movegen::{Move, Position};

use crate::history::{ContinuationKey, Histories};
use crate::job::{Control, Job};
use crate::limits::Millis;
use crate::memory::Memory;
use crate::params::Params;
use crate::pool::Call;
use crate::pv::PvTable;
use crate::report::Observer;
use crate::root::RootMoves;
use crate::stack::SearchStack;
use crate::tt::{Place, Table};
use crate::types::{Exit, Step};

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;

/// Nodes a search without any result may go on after it was told to stop.
const GRACE: u64 = 4096;

/// What the leading thread has to do besides searching.
pub(crate) struct Lead<'j> {
    /// Whom to tell.
    pub observer: &'j mut (dyn Observer + 'static),
    /// Wakes the helpers when it is dropped.
    pub call: Option<Call<'j>>,
}

/// What a thread works with during one search. Thrown away at its end.
///
/// After a search was stopped midway, position, ply and stack are wherever it stood.
pub(crate) struct Worker<'j> {
    pub job: &'j Job,
    pub table: &'j Table,
    pub control: &'j Control,
    pub params: Params,
    pub histories: Histories<'j>,
    pub pawn_table: &'j mut PawnTable,
    pub stack: &'j mut SearchStack,
    pub pv: &'j mut PvTable,
    /// Only the leading thread has it.
    pub lead: Option<Lead<'j>>,
    pub position: Position,
    pub root: RootMoves,
    pub thread: usize,
    /// Plies from the root to the current position.
    pub ply: usize,
    pub nodes: u64,
    next_check: u64,
    /// Nodes at which this thread ends the search, if it is alone; else never.
    node_limit: u64,
    /// The depth of the running iteration.
    pub root_depth: i32,
    /// The deepest ply of the line being searched.
    pub selective_depth: usize,
    /// The first ply at which a null move may be tried: greater than zero only while one
    /// is being verified.
    pub null_move_from: usize,
    /// Whether there is a result to fall back on.
    pub settled: bool,
    /// Whether the soft limit was reached while the opponent's clock was running.
    pub would_stop: bool,
    /// What [`Self::optimism`] is with all pieces on the board, for the side to move at
    /// the root, in score units.
    pub full_optimism: i32,
}

impl<'j> Worker<'j> {
    pub fn new(job: &'j Job, memory: &'j mut Memory, lead: Option<Lead<'j>>) -> Self {
        *memory.stack = SearchStack::new();
        let alone = job.threads() == 1;
        let limit = job.limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1));
        let mut worker = Self {
            job,
            table: &job.table,
            control: &job.control,
            params: job.params,
            histories: Histories::new(&memory.own, &memory.shared),
            pawn_table: &mut memory.pawn_table,
            stack: &mut memory.stack,
            pv: &mut memory.pv,
            lead,
            position: job.position.clone(),
            root: RootMoves::new(&job.moves, &job.limits.search_moves),
            thread: memory.thread,
            ply: 0,
            nodes: 0,
            next_check: 0,
            node_limit: if alone { limit } else { u64::MAX },
            root_depth: 0,
            selective_depth: 0,
            null_move_from: 0,
            settled: false,
            would_stop: false,
            full_optimism: 0,
        };
        worker.schedule_check();
        worker
    }

    /// Whether this is the thread that watches the limits and talks.
    pub fn leads(&self) -> bool {
        self.thread == 0
    }

    /// Where the current node is, as the table wants to know it.
    #[inline]
    pub fn place(&self) -> Place {
        Place { ply: self.ply, halfmove_clock: self.position.halfmove_clock() }
    }

    /// What is added to the evaluation here: whoever is better at the root plays on with
    /// many pieces on the board, whoever is worse seeks the draw. In score units, for the
    /// side to move; half of it goes with the pieces.
    ///
    /// Source: the dynamic contempt of Stockfish 9 to 13 and the trend of Weiss.
    #[inline]
    pub fn optimism(&self) -> i32 {
        const ALL_PIECES: i32 = 32;
        let pieces = self.position.occupied().len() as i32;
        let ours = if self.ply.is_multiple_of(2) { 1 } else { -1 };
        ours * self.full_optimism * (ALL_PIECES + pieces) / (2 * ALL_PIECES)
    }

    /// Nearly a draw: a little better or worse by turns, so that the search does not take
    /// all drawn lines for the same. Depends on nothing but the nodes so far.
    #[inline]
    pub fn draw_score(&self) -> Score {
        Score::DRAW + (1 - (self.nodes & 2) as i32)
    }

    /// Makes a legal move and goes one ply deeper.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        let piece = self.position.moved_piece(mv);
        let entry = self.stack.at_mut(self.ply);
        entry.key = ContinuationKey::new(piece, mv.to(), mv.is_noisy());
        entry.current = Some(mv);
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

    /// Passes and goes one ply deeper.
    pub fn make_null(&mut self) {
        let entry = self.stack.at_mut(self.ply);
        entry.key = ContinuationKey::NONE;
        entry.current = None;
        self.position.make_null();
        self.ply += 1;
        self.nodes += 1;
    }

    /// Takes the pass back.
    pub fn unmake_null(&mut self) {
        self.position.unmake_null();
        self.ply -= 1;
    }

    /// Ends the search from within a node if it is time. Called at every node.
    #[inline(always)]
    pub fn check_limits(&mut self) -> Step<()> {
        if self.nodes >= self.next_check || self.control.halted() {
            self.look_at_limits()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn look_at_limits(&mut self) -> Step<()> {
        if self.nodes >= self.next_check {
            self.publish_nodes();
        }
        let must_stop = self.control.halted() && (self.settled || self.nodes >= GRACE);
        if must_stop || self.nodes >= self.node_limit { Err(Exit::Abort) } else { Ok(()) }
    }

    /// Publishes the nodes and halts all threads if a limit is reached.
    fn publish_nodes(&mut self) {
        self.job.counters(self.thread).publish(self.nodes);
        self.schedule_check();
        #[cfg(feature = "inject-panic")]
        assert!(self.job.options.panic_at_nodes.is_none_or(|at| self.nodes < at), "injected");
        // Among very many threads the leading one may not see the clock for a long time.
        if self.time_used_up() || (self.leads() && self.nodes_used_up()) {
            self.control.halt();
        }
    }

    fn schedule_check(&mut self) {
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.node_limit);
        #[cfg(feature = "inject-panic")]
        if let Some(nodes) = self.job.options.panic_at_nodes.filter(|&at| at > self.nodes) {
            self.next_check = self.next_check.min(nodes);
        }
    }

    fn nodes_used_up(&self) -> bool {
        self.job.limits.nodes.is_some_and(|limit| self.job.nodes() >= limit)
    }

    fn time_used_up(&self) -> bool {
        let Some(start) = self.control.clock_start() else { return false };
        if self.would_stop {
            return true;
        }
        let by_nodes = self.job.options.node_time > 0;
        (self.leads() || !by_nodes)
            && self.job.budget.hard.is_some_and(|hard| self.time_used() >= start.plus(hard))
    }

    /// Time since the search began, or what stands for it if nodes are the measure.
    pub fn time_used(&self) -> Millis {
        match self.job.options.node_time {
            0 => self.control.elapsed(),
            rate => Millis::new(self.job.nodes() / rate),
        }
    }
}
