//! The session: one loop that carries commands out in the order in which they came.
//!
//! During a search every request but `isready` waits in the inbox, so nothing can change the
//! table or the threads while a search uses them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::Sender;
use tamarin_movegen::Position;
use tamarin_search::{StartError, TablebaseReport};
use tamarin_uci::{
    BestMove, Command, Go, Note, ParseError, PositionText, Reply, SetOption, Switch,
};

use super::position;
use super::printer::{Answer, Printer};
use super::reader::{Request, ending};
use super::translate::{self, Printing};
use crate::about::{AUTHOR, VERSION};
use crate::book::Hit;
use crate::console::{self, Context};
use crate::engine::Engine;
use crate::inbox::{Event, Inbox};
use crate::options::{self, Change};
use crate::output::Output;
use crate::search_queue::{Ending, GoId, SearchQueue};
use crate::session_end::{Next, SessionEnd};

/// A conversation with a client.
pub struct Session<'a> {
    pub(super) output: Arc<Output>,
    pub(super) queue: Arc<SearchQueue>,
    pub(super) inbox: &'a mut Inbox<Request>,
    /// For the searches, which report their end to the inbox.
    sender: Sender<Event<Request>>,
    pub(super) engine: &'a mut Engine,
    /// `debug on`.
    debug: bool,
    pub(super) end: &'a mut SessionEnd,
}

impl<'a> Session<'a> {
    /// A session with this engine; `sender` leads to the inbox.
    pub fn new(
        engine: &'a mut Engine,
        output: Arc<Output>,
        queue: Arc<SearchQueue>,
        inbox: &'a mut Inbox<Request>,
        sender: Sender<Event<Request>>,
        end: &'a mut SessionEnd,
    ) -> Self {
        Self { output, queue, inbox, sender, engine, debug: false, end }
    }

    /// Serves requests until the input ends or the other protocol is wanted.
    ///
    /// # Errors
    /// If no search thread can be started again after an internal error.
    pub fn run(mut self) -> Result<Next, StartError> {
        while let Some(request) = self.inbox.receive() {
            match request {
                Request::End => break,
                Request::OtherProtocol => return Ok(Next::OtherProtocol),
                _ => {}
            }
            // A panic in one command must not end the game.
            if catch_unwind(AssertUnwindSafe(|| self.handle(request))).is_err() {
                self.recover()?;
            }
        }
        Ok(Next::End)
    }

    /// After a panic the table and the threads are in an unknown state, and are replaced; the
    /// tablebases go with them.
    fn recover(&mut self) -> Result<(), StartError> {
        *self.end = SessionEnd::AfterInternalError;
        self.info(
            "internal error: the command was not carried out; Hash, Threads and SyzygyPath are reset",
        );
        self.engine.restart_search()
    }

    fn handle(&mut self, request: Request) {
        match request {
            Request::Go { go, notes, line, id } if self.engine.player.is_some() => {
                self.print_variant_notes(&notes);
                self.go_variant(&go, &line, id);
            }
            Request::Go { go, notes, id, .. } => {
                self.print_notes(&notes);
                self.go(&go, id);
            }
            Request::Command { command: Command::Position(_), line, .. }
            | Request::Invalid { error: ParseError::Position(_), line }
                if self.engine.player.is_some() =>
            {
                self.set_variant_position(&line);
            }
            Request::Command { command, notes, .. } => {
                self.print_notes(&notes);
                self.command(command);
            }
            Request::Invalid { error, .. } => self.refuse(&error),
            Request::TooLong => self.error("a line of more than 1 MiB was ignored"),
            Request::End | Request::OtherProtocol => {}
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => {
                self.prepare();
                self.output.line(&Reply::ReadyOk);
            }
            Command::Debug(switch) => self.debug = switch == Switch::On,
            Command::SetOption(text) => self.set_option(&text),
            Command::NewGame => self.engine.new_game(),
            Command::Position(text) => self.set_position(&text),
            Command::Console(command) if self.is_about_variant(&command) => {
                self.variant_console(&command);
            }
            Command::Console(command) => {
                let context = Context {
                    notation: self.engine.notation(),
                    position: &mut self.engine.position,
                    evaluator: &self.engine.evaluator,
                    output: &self.output,
                };
                if let Err(error) = console::run(command, context) {
                    self.error(&error.to_string());
                }
            }
            // The reader has carried these out, or there is nothing to do.
            Command::Ignore
            | Command::XBoard
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Go(_) => {}
        }
    }

    /// The answer to `uci`, written at once so that no other line can come between its lines.
    fn identify(&self) {
        let mut text = vec![
            Reply::IdName(&format!("Tamarin {VERSION}")).to_string(),
            Reply::IdAuthor(AUTHOR).to_string(),
        ];
        text.extend(options::specs().map(|spec| self.option_line(&spec)));
        text.push(Reply::UciOk.to_string());
        self.output.line(&text.join("\n"));
    }

    fn set_option(&mut self, text: &SetOption) {
        match options::set(self.engine, &self.output, text) {
            Ok(Change::InForce) => {}
            Ok(Change::Told(text)) => self.info(&text),
            Ok(Change::Tablebases(report)) => self.tell_tablebases(&report),
            Ok(Change::Variant) => self.announce_variant(),
            Ok(Change::Variants { warnings, begins }) => {
                warnings.iter().for_each(|warning| self.info(warning));
                if begins {
                    self.announce_variant();
                }
            }
            Err(error) => {
                self.note_error();
                error.to_string().lines().for_each(|line| self.info(line));
            }
        }
    }

    /// Says which tablebases were found and what was left out; nothing if there is neither.
    fn tell_tablebases(&self, report: &TablebaseReport) {
        if report.wdl + report.dtz + report.left_out.len() == 0 {
            return;
        }
        self.info(&report.to_string());
        if let Some(left_out) = report.left_out_text() {
            self.info(&left_out);
        }
    }

    fn set_position(&mut self, text: &PositionText) {
        match position::set_up(text) {
            Ok(set_up) => {
                if !set_up.repairs.is_empty() {
                    let repairs: Vec<_> = set_up.repairs.iter().map(ToString::to_string).collect();
                    self.info(&format!("position repaired: {}", repairs.join("; ")));
                }
                self.engine.position = Some(set_up.position);
            }
            Err(error) => {
                self.engine.position = None;
                self.error(&format!("position rejected: {error}; {NO_POSITION}"));
            }
        }
    }

    /// Searches, and returns when the search has ended.
    fn go(&mut self, go: &Go, id: GoId) {
        let Some(position) = self.engine.position.clone() else {
            self.queue.answered(id);
            self.error(NO_POSITION);
            self.output.line(&Reply::BestMove(BestMove::Null));
            return;
        };
        let (limits, illegal) = translate::limits(go, &position);
        for text in illegal {
            self.info(&format!("searchmoves: {text} is not legal here, ignored"));
        }
        if asks_for_a_move(go)
            && let Some(hit) = self.engine.book_move(&position)
        {
            self.play_from_book(&position, hit, id);
            return;
        }
        if self.debug {
            self.info(&format!("searching {position} with {limits:?}"));
        }
        let printer = Printer {
            answer: self.answer(id),
            root: position.clone(),
            printing: Printing {
                notation: self.engine.notation(),
                wdl: self.engine.settings.show_wdl,
            },
        };
        let meanwhile = |controls| {
            self.queue.started(id, controls);
            wait_for_search(self.inbox, &self.output);
        };
        self.engine.search(&position, limits, Box::new(printer), meanwhile);
    }

    /// The answer to a `go`.
    pub(super) fn answer(&self, id: GoId) -> Answer {
        Answer {
            output: Arc::clone(&self.output),
            queue: Arc::clone(&self.queue),
            session: self.sender.clone(),
            unanswered: Some(id),
        }
    }

    /// Answers `go` with a move of the opening book. Nothing was searched, so there is no score,
    /// and no move to ponder on, which would take the client away from the book.
    fn play_from_book(&self, position: &Position, hit: Hit, id: GoId) {
        let best = position.uci(hit.mv.mv, self.engine.notation());
        self.queue.answered(id);
        let Hit { mv, weights, moves } = hit;
        self.info(&format!("book: {best}, weight {} of {weights} in {moves} moves", mv.weight));
        self.output.line(&Reply::BestMove(BestMove::Move { best, ponder: None }));
    }

    /// Says what is wrong with a line. A `position` that cannot be read leaves no position, as
    /// one that is illegal does.
    fn refuse(&mut self, error: &ParseError) {
        if matches!(error, ParseError::Position(_)) {
            self.engine.position = None;
            self.error(&format!("position rejected: {error}; {NO_POSITION}"));
        } else {
            self.error(&error.to_string());
        }
    }

    pub(super) fn print_notes(&self, notes: &[Note]) {
        for note in notes {
            self.info(&note.to_string());
        }
    }

    /// Prints why a command was not carried out.
    pub(super) fn error(&mut self, text: &str) {
        self.note_error();
        self.info(&format!("error: {text}"));
    }

    const fn note_error(&mut self) {
        if matches!(self.end, SessionEnd::Success) {
            *self.end = SessionEnd::AfterError;
        }
    }

    /// Prints an `info string` line.
    pub(super) fn info(&self, text: &str) {
        self.output.line(&Reply::Text(text));
    }
}

/// Waits for the end of the running search; all requests but `isready` wait too.
pub(super) fn wait_for_search(inbox: &mut Inbox<Request>, output: &Output) {
    inbox.wait_for_search(|request| match request {
        // Read before the search began; later ones are answered by the reader.
        Request::Command { command: Command::IsReady, .. } => {
            output.line(&Reply::ReadyOk);
            None
        }
        other => Some(other),
    });
}

/// Does this `go` ask for a move in a game? Analysis, pondering, the proof of a mate and a choice
/// among given moves ask for a search.
fn asks_for_a_move(go: &Go) -> bool {
    ending(go) == Ending::ByItself && go.mate.is_none() && go.search_moves.is_empty()
}

/// What a rejected `position` command leads to.
pub(super) const NO_POSITION: &str = "there is no position until a valid position command";
