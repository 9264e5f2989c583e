//! What a running search tells: lines of thinking, and how far it is.

use std::sync::Arc;
use std::time::Instant;

use crossbeam::channel::Sender;
use parking_lot::Mutex;
use tamarin_movegen::{CastlingNotation, Position};
use tamarin_search::{BestMove, CurrentMove, Note, Observer, Report};
use tamarin_uci::Millis;
use tamarin_uci::xboard::{Reply, Statistics, Thinking};

use super::Request;
use super::game::move_text;
use crate::inbox::Event;
use crate::output::Output;
use crate::report_text;

/// How far a search is, for the session and the observer.
pub struct Progress {
    /// Whether lines of thinking are printed.
    pub post: bool,
    /// The best move so far, as printed; `None` before the first line.
    pub best: Option<String>,
    /// The answer; `None` while it searches, and if it panicked.
    pub answer: Option<BestMove>,
    begun: Instant,
    statistics: Statistics,
}

impl Progress {
    /// A search of so many root moves that is about to begin.
    pub fn new(post: bool, moves: usize) -> Self {
        let statistics = Statistics {
            time: Millis(0),
            nodes: 0,
            depth: 1,
            moves_left: moves,
            moves,
            current: String::new(),
        };
        Self { post, best: None, answer: None, begun: Instant::now(), statistics }
    }

    /// The answer to `.`
    pub fn statistics(&self) -> Statistics {
        let time = i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        Statistics { time: Millis(time), ..self.statistics.clone() }
    }

    /// An iteration has ended; its best move, if it is the first line's.
    pub fn found(&mut self, nodes: u64, depth: u32, best: Option<String>) {
        self.statistics.nodes = nodes;
        if let Some(best) = best {
            self.searching(depth, 1, best.clone());
            self.best = Some(best);
        }
    }

    fn searching(&mut self, depth: u32, number: usize, current: String) {
        let statistics = &mut self.statistics;
        statistics.depth = depth;
        statistics.moves_left = statistics.moves.saturating_sub(number);
        statistics.current = current;
    }
}

/// The observer of one search. The session hears of its end even if the search panics.
pub struct Printer {
    /// Where lines go.
    pub output: Arc<Output>,
    /// The inbox that hears of the end of the search.
    pub session: Sender<Event<Request>>,
    /// What the session may ask for.
    pub progress: Arc<Mutex<Progress>>,
    /// The position searched.
    pub root: Position,
    /// How castling is printed.
    pub notation: CastlingNotation,
}

impl Observer for Printer {
    fn iteration(&mut self, report: &Report<'_>) {
        let line = thinking(report, self.notation);
        let mut progress = self.progress.lock();
        let best = line.variation.first().filter(|_| report.line == 1);
        progress.found(report.nodes, report.depth, best.cloned());
        if progress.post {
            self.output.line(&line);
        }
    }

    fn current_move(&mut self, current: &CurrentMove) {
        let text = move_text(&self.root, current.mv, self.notation);
        self.progress.lock().searching(current.depth, current.number, text);
    }

    fn note(&mut self, note: &Note) {
        self.output.line(&Reply::Debug(&note.to_string()));
    }

    fn finished(&mut self, best: &BestMove) {
        self.progress.lock().answer = Some(*best);
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        // The session only goes away when the process ends.
        let _ = self.session.send(Event::SearchFinished);
    }
}

fn thinking(report: &Report<'_>, notation: CastlingNotation) -> Thinking {
    let mut position = report.position.clone();
    let mut variation = Vec::with_capacity(report.pv.len());
    for mv in report.pv {
        variation.push(move_text(&position, *mv, notation));
        position.make(*mv);
    }
    Thinking {
        depth: report.depth,
        score: report_text::score(report.score),
        bound: report_text::bound(report.bound),
        time: Millis(i64::try_from(report.time.get()).unwrap_or(i64::MAX)),
        nodes: report.nodes,
        variation,
    }
}
