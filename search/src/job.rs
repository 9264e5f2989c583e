//! What the threads of one search share.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

use crossbeam::utils::CachePadded;
use parking_lot::{Condvar, Mutex};
use tamarin_eval::Score;
use tamarin_movegen::{Move, Position};

use crate::clock::Budget;
use crate::limits::{Limits, Millis, Wait};
use crate::options::SearchOptions;
use crate::params::Params;
use crate::report::{Note, Observer, Report};
use crate::root::RootMove;
use crate::strength::Handicap;
use crate::tt::{Bound, Table};

/// The greatest number of best lines a search looks for.
const MAX_LINES: usize = 256;

/// The words that reach a running search from outside.
pub(crate) struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the ponder hit came, in milliseconds after the start.
    hit: AtomicU64,
    started: Instant,
    released: Mutex<bool>,
    release: Condvar,
    finished: AtomicBool,
}

impl Control {
    pub fn new(wait: Wait) -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(wait == Wait::Ponder),
            hit: AtomicU64::new(0),
            started: Instant::now(),
            released: Mutex::new(wait == Wait::No),
            release: Condvar::new(),
            finished: AtomicBool::new(false),
        }
    }

    /// The user wants the answer now.
    pub fn stop(&self) {
        self.halt();
        self.let_go();
    }

    /// The opponent played the expected move: the clock of this search starts.
    pub fn ponder_hit(&self) {
        if self.pondering.load(Ordering::Relaxed) {
            self.hit.store(self.elapsed().get(), Ordering::Relaxed);
            // Whoever sees that the pondering is over has to see when it was.
            self.pondering.store(false, Ordering::Release);
            self.let_go();
        }
    }

    fn let_go(&self) {
        *self.released.lock() = true;
        self.release.notify_all();
    }

    /// Ends the work of all threads, without a word from outside.
    pub fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the threads shall end their work.
    #[inline]
    pub fn halted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// When the clock of this search started, after the search itself; `None` while the
    /// opponent's is running.
    pub fn clock_start(&self) -> Option<Millis> {
        if self.pondering.load(Ordering::Acquire) {
            return None;
        }
        Some(Millis::new(self.hit.load(Ordering::Relaxed)))
    }

    /// Blocks until the search may answer.
    pub fn wait_until_released(&self) {
        let mut released = self.released.lock();
        while !*released {
            self.release.wait(&mut released);
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Millis {
        Millis::new(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }
}

/// What a thread publishes of its work while it works.
#[derive(Default)]
pub(crate) struct Counters {
    nodes: AtomicU64,
}

impl Counters {
    pub fn publish(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }
}

/// What a thread found.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// The best lines, best first; empty if the root has no legal move.
    pub lines: Vec<RootMove>,
    /// The last finished iteration.
    pub depth: u32,
    /// Whether the observer has heard of just these lines already.
    pub told: bool,
}

impl Outcome {
    /// The best move.
    pub fn mv(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }

    /// Its score.
    pub fn score(&self) -> Score {
        self.lines.first().and_then(|line| line.score).unwrap_or(-Score::INFINITE)
    }
}

/// The results of the threads that help the main one, in the order they came.
#[derive(Default)]
pub(crate) struct Helpers {
    pub outcomes: Vec<Outcome>,
    pub notes: Vec<Note>,
    returned: usize,
}

/// A score as users see it: the search's draws are a unit better or worse by turns.
pub(crate) fn shown(score: Score) -> Score {
    if score.units().abs() <= 1 { Score::DRAW } else { score }
}

/// One search, as all its threads see it.
pub(crate) struct Job {
    pub position: Position,
    /// The legal moves to choose from.
    pub moves: Vec<Move>,
    pub limits: Limits,
    pub options: SearchOptions,
    pub params: Params,
    pub budget: Budget,
    pub handicap: Option<Handicap>,
    pub table: Arc<Table>,
    pub control: Arc<Control>,
    counters: Box<[CachePadded<Counters>]>,
    helpers: Mutex<Helpers>,
    returned: Condvar,
    observer: Mutex<Option<Box<dyn Observer>>>,
}

/// What a [`Job`] is made of besides its limits.
pub(crate) struct Order {
    pub position: Position,
    pub limits: Limits,
    pub options: SearchOptions,
    pub params: Params,
    pub table: Arc<Table>,
    pub threads: usize,
}

impl Job {
    pub fn new(order: Order, observer: Box<dyn Observer>) -> Self {
        let Order { mut position, limits, options, params, table, threads } = order;
        position.forget_history();
        let moves = position.legal_moves().to_vec();
        let side = position.side_to_move();
        Self {
            budget: Budget::new(&limits, side, position.fullmove_number(), &options),
            handicap: Handicap::new(options.strength),
            control: Arc::new(Control::new(limits.wait)),
            counters: (0..threads).map(|_| CachePadded::default()).collect(),
            helpers: Mutex::default(),
            returned: Condvar::new(),
            observer: Mutex::new(Some(observer)),
            position,
            moves,
            limits,
            options,
            params,
            table,
        }
    }

    /// The observer, for the one thread that talks to it.
    pub fn take_observer(&self) -> Option<Box<dyn Observer>> {
        self.observer.lock().take()
    }

    /// What a draw is worth less than nothing, in score units.
    pub fn contempt(&self) -> i32 {
        match self.limits.clock(self.position.side_to_move()) {
            Some(_) => self.options.contempt_units(),
            None => 0,
        }
    }

    /// How many of the best lines the user wants to see.
    pub fn lines_to_show(&self) -> usize {
        self.options.multi_pv.clamp(1, MAX_LINES)
    }

    /// How many of the best lines have to be searched.
    pub fn lines_to_search(&self) -> usize {
        let shown = self.lines_to_show();
        self.handicap.map_or(shown, |handicap| handicap.lines(shown))
    }

    /// How many threads work on it.
    pub fn threads(&self) -> usize {
        self.counters.len()
    }

    /// What the given thread publishes.
    pub fn counters(&self, thread: usize) -> &Counters {
        &self.counters[thread]
    }

    /// Nodes of all threads, as far as published.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Ordering::Relaxed)).sum()
    }

    /// What to tell of a line, the `index`-th of `lines`, counted from 0.
    pub fn report<'a>(
        &'a self,
        depth: u32,
        (index, lines): (usize, usize),
        root_move: &'a RootMove,
    ) -> Report<'a> {
        Report {
            selective_depth: depth.max(root_move.selective_depth as u32),
            line: index + 1,
            lines,
            bound: root_move.bound,
            ..self.report_of(depth, root_move.score.unwrap_or(Score::DRAW), &root_move.line)
        }
    }

    /// What to tell of the only line.
    pub fn report_of<'a>(&'a self, depth: u32, score: Score, pv: &'a [Move]) -> Report<'a> {
        Report {
            depth,
            selective_depth: depth,
            line: 1,
            lines: 1,
            score: shown(score),
            bound: Bound::Exact,
            nodes: self.nodes(),
            time: self.control.elapsed(),
            hash_full: self.table.permille_full(),
            tablebase_hits: 0,
            pv,
            position: &self.position,
        }
    }

    /// A helper is done, well or badly.
    pub fn hand_in(&self, result: Result<Outcome, Note>) {
        let mut helpers = self.helpers.lock();
        match result {
            Ok(outcome) => helpers.outcomes.push(outcome),
            Err(note) => helpers.notes.push(note),
        }
        helpers.returned += 1;
        self.returned.notify_all();
    }

    /// So many helpers will not take part.
    pub fn excuse(&self, helpers: usize) {
        self.helpers.lock().returned += helpers;
        self.returned.notify_all();
    }

    /// Blocks until all helpers are done, then gives their results.
    pub fn collect_helpers(&self) -> Helpers {
        let mut helpers = self.helpers.lock();
        while helpers.returned + 1 < self.threads() {
            self.returned.wait(&mut helpers);
        }
        core::mem::take(&mut *helpers)
    }
}
