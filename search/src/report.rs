//! What a search reports while it runs and when it ends.

use core::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use tamarin_base::{Bound, Millis};
use tamarin_eval::Score;
use tamarin_movegen::{Move, Position};

/// A line of analysis.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The iteration, in plies.
    pub depth: u32,
    /// The selective depth (seldepth): the deepest ply reached, in plies.
    pub selective_depth: u32,
    /// Which of the best lines it is, from 1.
    pub line: usize,
    /// How many best lines this search reports.
    pub lines: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Millis,
    /// How full the table is with entries of this search, in permille.
    pub hash_full: u32,
    /// Positions found in the endgame tablebases.
    pub tablebase_hits: u64,
    /// Whether the score of the line is that of the tablebases, which know the root.
    pub is_from_tablebases: bool,
    /// The line, legal from the root on. Empty only if the root has no legal move.
    pub pv: &'a [Move],
    /// The root.
    pub position: &'a Position,
}

impl Report<'_> {
    /// Nodes a second; a search shorter than a millisecond counts as one.
    pub fn nodes_per_second(&self) -> u64 {
        Millis::new(self.nodes).scaled(1000, self.time.get().max(1)).get()
    }
}

/// The root move being searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CurrentMove {
    /// The iteration, in plies.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Its place in the order of the root moves, from 1.
    pub number: usize,
}

/// Something a user should know. Its `Display` is a sentence for an `info string`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Note {
    /// A thread of the search failed; the others go on and a legal move will be given.
    WorkerPanicked {
        /// The number of the thread, from 0.
        thread: usize,
        /// The message of the panic.
        message: String,
    },
    /// None of the wanted root moves is legal; all moves are searched.
    NoWantedMoveIsLegal,
    /// Tablebase files turned out to be damaged; they are not used any more.
    TablebasesDamaged(Vec<PathBuf>),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WorkerPanicked { thread, message } => {
                write!(f, "internal error in search thread {thread}: {message}")
            }
            Self::NoWantedMoveIsLegal => f.write_str("no legal searchmoves, searching all moves"),
            Self::TablebasesDamaged(paths) => {
                f.write_str("damaged tablebases left out:")?;
                paths.iter().try_for_each(|path| write!(f, " {}", path.display()))
            }
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestMove {
    /// The move to play; `None` if the root has no legal move.
    pub mv: Option<Move>,
    /// The answer expected; legal after `mv`.
    pub ponder: Option<Move>,
    /// The score of `mv` for the side to move.
    pub score: Score,
    /// The last finished iteration, in plies; 1 if none was, 0 if the root has no legal move.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time from the beginning to now.
    pub time: Millis,
}

/// Receives what a search reports.
///
/// Called from a thread of the search, one call at a time and in the order of events.
/// A slow observer slows the search down.
pub trait Observer: Send {
    /// There is a new line of analysis.
    fn iteration(&mut self, report: &Report<'_>);

    /// The search of a root move begins. Called only once a search has run for
    /// [`report_delay`](crate::SearchOptions::report_delay).
    fn current_move(&mut self, _current: &CurrentMove) {}

    /// There is something to tell the user.
    fn note(&mut self, _note: &Note) {}

    /// The search is over. Called once, after everything else.
    fn finished(&mut self, best: &BestMove);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn iteration(&mut self, _report: &Report<'_>) {}

    fn finished(&mut self, _best: &BestMove) {}
}

/// A [`Report`] with its own line, without the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnedReport {
    /// The iteration, in plies.
    pub depth: u32,
    /// The selective depth (seldepth): the deepest ply reached, in plies.
    pub selective_depth: u32,
    /// Which of the best lines it is, from 1.
    pub line: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Millis,
    /// Positions found in the endgame tablebases.
    pub tablebase_hits: u64,
    /// The line, legal from the root on.
    pub pv: Vec<Move>,
}

impl From<&Report<'_>> for OwnedReport {
    fn from(report: &Report<'_>) -> Self {
        Self {
            depth: report.depth,
            selective_depth: report.selective_depth,
            line: report.line,
            score: report.score,
            bound: report.bound,
            nodes: report.nodes,
            time: report.time,
            tablebase_hits: report.tablebase_hits,
            pv: report.pv.to_vec(),
        }
    }
}

#[derive(Default)]
struct Collected {
    reports: Vec<OwnedReport>,
    notes: Vec<Note>,
    best: Option<BestMove>,
}

/// Keeps everything that a search reports, for tests, benchmarks and tools.
///
/// Clones share what they keep: give [`Self::observer`] to the search, ask the rest here.
#[derive(Clone, Default)]
pub struct Collector(Arc<Mutex<Collected>>);

impl Collector {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// An observer that fills this collector.
    pub fn observer(&self) -> Box<dyn Observer> {
        Box::new(self.clone())
    }

    /// How the search ended; `None` while it runs.
    pub fn best(&self) -> Option<BestMove> {
        self.0.lock().best
    }

    /// All lines of analysis so far.
    pub fn reports(&self) -> Vec<OwnedReport> {
        self.0.lock().reports.clone()
    }

    /// All notes so far.
    pub fn notes(&self) -> Vec<Note> {
        self.0.lock().notes.clone()
    }
}

impl Observer for Collector {
    fn iteration(&mut self, report: &Report<'_>) {
        self.0.lock().reports.push(report.into());
    }

    fn note(&mut self, note: &Note) {
        self.0.lock().notes.push(note.clone());
    }

    fn finished(&mut self, best: &BestMove) {
        self.0.lock().best = Some(*best);
    }
}
