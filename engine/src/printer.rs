//! Prints what a search reports.

use std::sync::Arc;

use crossbeam::channel::Sender;
use tamarin_movegen::Position;
use tamarin_search::{BestMove, CurrentMove, Note, Observer, Report};
use tamarin_uci::Reply;

use crate::input::Event;
use crate::output::Output;
use crate::search_queue::{GoId, SearchQueue};
use crate::translate::{self, Printing};

/// The observer of one search.
///
/// It answers its `go` exactly once: with the move that the search found, or, if the search dies
/// without one, with any legal move when the printer is dropped.
pub struct Printer {
    /// Where lines go.
    pub output: Arc<Output>,
    /// Where the `go` is struck off.
    pub queue: Arc<SearchQueue>,
    /// Whom to tell that the search is over.
    pub session: Sender<Event>,
    /// Which `go` it answers; `None` once answered.
    pub id: Option<GoId>,
    /// The position searched.
    pub root: Position,
    /// How moves and scores look.
    pub printing: Printing,
}

impl Printer {
    /// Prints the `bestmove` unless that is done.
    ///
    /// The queue and the session hear of it first: a client may send its next command as soon as
    /// it has the move, and that command must find the search over.
    fn answer(&mut self, best: tamarin_uci::BestMove) {
        let Some(id) = self.id.take() else { return };
        self.queue.answered(id);
        // The session only goes away when the process ends.
        let _ = self.session.send(Event::Finished);
        self.output.line(&Reply::BestMove(best));
    }
}

impl Observer for Printer {
    fn iteration(&mut self, report: &Report<'_>) {
        self.output.line(&Reply::Info(&translate::info(report, self.printing)));
    }

    fn current_move(&mut self, current: &CurrentMove) {
        self.output.line(&Reply::CurrentMove(tamarin_uci::CurrentMove {
            depth: current.depth,
            mv: self.root.uci(current.mv, self.printing.notation),
            number: u32::try_from(current.number).unwrap_or(u32::MAX),
        }));
    }

    fn note(&mut self, note: &Note) {
        self.output.line(&Reply::Text(&note.to_string()));
    }

    fn finished(&mut self, best: &BestMove) {
        let Some(mv) = best.best else {
            self.answer(tamarin_uci::BestMove::None);
            return;
        };
        let notation = self.printing.notation;
        let text = self.root.uci(mv, notation);
        let ponder = best.ponder.map(|reply| {
            let mut next = self.root.clone();
            next.make(mv);
            next.uci(reply, notation)
        });
        self.answer(tamarin_uci::BestMove::Move { best: text, ponder });
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        if self.id.is_none() {
            return;
        }
        self.output.line(&Reply::Text("internal error: the search ended without a move"));
        let best = match self.root.legal_moves().first() {
            Some(mv) => tamarin_uci::BestMove::Move {
                best: self.root.uci(*mv, self.printing.notation),
                ponder: None,
            },
            None => tamarin_uci::BestMove::None,
        };
        self.answer(best);
    }
}
