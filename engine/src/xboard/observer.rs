//! What a running search reports: lines of thinking, and how far it is.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;
use tamarin_uci::xboard::{Statistics, Thinking};
use tamarin_uci::{Bound, CurrentMove, InfoLine, Millis};

use crate::inbox::Inbox;
use crate::output::Output;
use crate::report::{Answer, SearchOutput};

/// How far a search is, for the session and the observer.
pub struct Progress {
    /// Whether lines of thinking are printed.
    pub post: bool,
    /// The best move so far, as printed; `None` before the first line.
    pub best: Option<String>,
    /// The answer; `None` while it searches, and if it panicked.
    pub answer: Option<Answer>,
    begun: Instant,
    statistics: Statistics,
}

impl Progress {
    /// A search of `moves` root moves that is about to begin.
    pub fn new(post: bool, moves: usize) -> Self {
        let statistics = Statistics {
            time: Millis::ZERO,
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
        let time = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Statistics { time: Millis::new(time), ..self.statistics.clone() }
    }

    fn searching(&mut self, depth: u32, number: u32, current: String) {
        let statistics = &mut self.statistics;
        statistics.depth = depth;
        statistics.moves_left = statistics.moves.saturating_sub(number as usize);
        statistics.current = current;
    }
}

/// The output of one search. Its end is reported to the session even if the search panics.
pub struct Printer {
    /// Where lines go.
    pub output: Arc<Output>,
    /// What the end of the search is reported to.
    pub inbox: Arc<Inbox>,
    /// What the session may ask for.
    pub progress: Arc<Mutex<Progress>>,
    /// Whether only the lines of the last iteration are printed.
    pub minimal: bool,
    /// Those lines.
    pub last: Vec<Thinking>,
}

impl SearchOutput for Printer {
    fn info(&mut self, info: InfoLine<String>) {
        let mut progress = self.progress.lock();
        progress.statistics.nodes = info.nodes.unwrap_or_default();
        if let Some(best) = info.pv.first().filter(|_| info.multipv == Some(1)) {
            progress.searching(info.depth.unwrap_or_default(), 1, best.clone());
            progress.best = Some(best.clone());
        }
        let is_first = info.multipv == Some(1);
        let Some(line) = thinking(info) else { return };
        if !self.minimal {
            if progress.post {
                self.output.line(&line);
            }
        } else if line.bound == Bound::Exact {
            if is_first {
                self.last.clear();
            }
            self.last.push(line);
        }
    }

    fn current_move(&mut self, current: CurrentMove<String>) {
        self.progress.lock().searching(current.depth, current.number, current.mv);
    }

    fn note(&mut self, text: &str) {
        self.output.note(text);
    }

    fn answer(&mut self, answer: Answer) {
        let mut progress = self.progress.lock();
        if progress.post {
            self.last.drain(..).for_each(|line| self.output.line(&line));
        }
        progress.answer = Some(answer);
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        self.inbox.search_ended();
    }
}

fn thinking(info: InfoLine<String>) -> Option<Thinking> {
    let score = info.score?;
    Some(Thinking {
        depth: info.depth?,
        score: score.value,
        bound: score.bound,
        time: info.time?,
        nodes: info.nodes?,
        variation: info.pv,
    })
}
