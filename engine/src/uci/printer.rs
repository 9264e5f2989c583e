//! Prints what a search reports as `info` and `bestmove` lines.

use std::fmt::Display;
use std::sync::Arc;

use crossbeam::channel::Sender;
use tamarin_movegen::Position;
use tamarin_search::{BestMove, CurrentMove, Note, Observer, Report};
use tamarin_uci::{BestMoveLine, Reply};

use super::reader::Request;
use super::translate::{self, Printing};
use crate::inbox::Event;
use crate::output::Output;
use crate::search_queue::{GoId, SearchQueue};

/// The answer to one `go`, whatever game it is about: given exactly once.
pub struct Answer {
    /// Where lines go.
    pub output: Arc<Output>,
    /// Where the `go` is pending.
    pub queue: Arc<SearchQueue>,
    /// The inbox that hears of the end of the search.
    pub session: Sender<Event<Request>>,
    /// The `go` it answers; `None` once answered.
    pub unanswered: Option<GoId>,
}

impl Answer {
    /// Prints the `bestmove` line, once.
    ///
    /// The queue and the session are told before it is printed: a client may send its next
    /// command as soon as it has the move, and for that command the search must have ended.
    pub fn give<M: Display>(&mut self, best: &BestMoveLine<M>) {
        let Some(id) = self.unanswered.take() else { return };
        self.queue.answered(id);
        // The session only goes away when the process ends.
        let _ = self.session.send(Event::SearchFinished);
        self.output.line(best);
    }

    /// Whether the search ended without an answer, which is told.
    pub fn is_missing(&self) -> bool {
        if self.unanswered.is_some() {
            self.output.line(&Reply::Text("internal error: the search ended without a move"));
        }
        self.unanswered.is_some()
    }
}

/// The observer of one search.
///
/// It answers its `go` exactly once: with the move that the search found, or, if the search
/// panics before it has one, with the first legal move when the printer is dropped.
pub struct Printer {
    /// The answer.
    pub answer: Answer,
    /// The position searched.
    pub root: Position,
    /// How moves and scores are printed.
    pub printing: Printing,
}

impl Observer for Printer {
    fn iteration(&mut self, report: &Report<'_>) {
        self.answer.output.line(&Reply::Info(&translate::info(report, self.printing)));
    }

    fn current_move(&mut self, current: &CurrentMove) {
        self.answer.output.line(&Reply::CurrentMove(tamarin_uci::CurrentMove {
            depth: current.depth,
            mv: self.root.uci(current.mv, self.printing.notation),
            number: u32::try_from(current.number).unwrap_or(u32::MAX),
        }));
    }

    fn note(&mut self, note: &Note) {
        self.answer.output.line(&Reply::Text(&note.to_string()));
    }

    fn finished(&mut self, best: &BestMove) {
        let Some(mv) = best.best else {
            self.answer.give(&tamarin_uci::BestMove::None);
            return;
        };
        let notation = self.printing.notation;
        let text = self.root.uci(mv, notation);
        let ponder = best.ponder.map(|reply| {
            let mut next = self.root.clone();
            next.make(mv);
            next.uci(reply, notation)
        });
        self.answer.give(&tamarin_uci::BestMove::Move { best: text, ponder });
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        if !self.answer.is_missing() {
            return;
        }
        let best = match self.root.legal_moves().first() {
            Some(mv) => tamarin_uci::BestMove::Move {
                best: self.root.uci(*mv, self.printing.notation),
                ponder: None,
            },
            None => tamarin_uci::BestMove::None,
        };
        self.answer.give(&best);
    }
}
