//! Where commands come from: the command line, then standard input.
//!
//! The reader never waits for a search. It acts itself on `stop`, `ponderhit` and `quit`, and
//! on `isready` while a search is under way; everything else goes to the session in order.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::Sender;
use tamarin_uci::{Command, Go, Note, ParseError, Reply};

use crate::lines::{Line, next_line};
use crate::output::Output;
use crate::search_queue::{Ending, GoId, SearchQueue};
use crate::shutdown;

/// What the session is told.
pub enum Event {
    /// The input asks for something.
    Request(Request),
    /// The search under way has its move and is about to print it.
    Finished,
}

/// Something that waits its turn.
pub enum Request {
    /// A command other than `go`, and remarks about its text.
    Command(Command, Vec<Note>),
    /// A `go`, and remarks about its text.
    Go(Go, Vec<Note>, GoId),
    /// A line that is no command.
    Invalid(ParseError),
    /// A line above the cap.
    TooLong,
    /// `quit` or the end of the input: the session ends when it comes to this.
    End,
}

/// Sorts lines into what is done at once and what waits.
#[derive(Clone)]
pub struct Dispatcher {
    queue: Arc<SearchQueue>,
    output: Arc<Output>,
    session: Sender<Event>,
}

impl Dispatcher {
    /// A dispatcher for the session at the other end of the channel.
    pub const fn new(queue: Arc<SearchQueue>, output: Arc<Output>, session: Sender<Event>) -> Self {
        Self { queue, output, session }
    }

    /// Carries out a script given as arguments, `quit` in it meaning its end: nobody types
    /// `quit` behind a search to cut it short. A search in it that has no end is left running
    /// until standard input says `stop` or ends.
    pub fn perform(&self, script: &[String]) {
        let lines = script.iter().take_while(|line| line.trim() != "quit");
        for line in lines {
            // `Break` only ever comes of `quit`.
            let _ = self.accept_safely(Line::Text(line.clone()));
        }
        if self.queue.has_unbounded() {
            self.read(io::stdin().lock());
        } else {
            self.end();
        }
    }

    /// Carries out a script, then every line of standard input.
    pub fn serve(&self, script: &[String]) {
        for line in script {
            if self.accept_safely(Line::Text(line.clone())).is_break() {
                return;
            }
        }
        self.read(io::stdin().lock());
    }

    /// Handles every line of `stream`, to its end or `quit`.
    fn read(&self, mut stream: impl BufRead) {
        // An error (of a terminal gone, say) is the end of the input.
        while let Ok(Some(line)) = next_line(&mut stream) {
            if self.accept_safely(line).is_break() {
                return;
            }
        }
        self.end();
    }

    /// Handles one line; a fault of ours in it must not leave the client without a reader.
    fn accept_safely(&self, line: Line) -> ControlFlow<()> {
        let accept = AssertUnwindSafe(|| self.accept(line));
        catch_unwind(accept).unwrap_or_else(|_| {
            self.output.line(&Reply::Text("internal error: a line was not understood"));
            ControlFlow::Continue(())
        })
    }

    /// Handles one line; `Break` after `quit`.
    fn accept(&self, line: Line) -> ControlFlow<()> {
        let Line::Text(text) = line else {
            self.send(Request::TooLong);
            return ControlFlow::Continue(());
        };
        self.output.received(text.trim_end());
        match tamarin_uci::parse(&text) {
            Ok(parsed) => self.sort(parsed.command, parsed.notes),
            Err(error) => {
                self.send(Request::Invalid(error));
                ControlFlow::Continue(())
            }
        }
    }

    /// The input has ended: searches that only `stop` could end are stopped, the rest is
    /// answered, then the session ends.
    fn end(&self) {
        self.queue.stop_unbounded();
        self.send(Request::End);
    }

    fn sort(&self, command: Command, notes: Vec<Note>) -> ControlFlow<()> {
        match command {
            Command::Ignore => {}
            Command::Stop => self.queue.stop(),
            Command::PonderHit => self.queue.ponder_hit(),
            Command::Quit => {
                self.queue.stop_all();
                self.send(Request::End);
                shutdown::give_up_after(shutdown::QUIT_GRACE);
                return ControlFlow::Break(());
            }
            Command::IsReady if self.queue.is_running() => self.output.line(&Reply::ReadyOk),
            Command::Go(go) => {
                let id = self.queue.push(ending(&go));
                self.send(Request::Go(go, notes, id));
            }
            other => self.send(Request::Command(other, notes)),
        }
        ControlFlow::Continue(())
    }

    fn send(&self, request: Request) {
        // The session only goes away when the process ends.
        let _ = self.session.send(Event::Request(request));
    }
}

/// How the search of this `go` can end.
fn ending(go: &Go) -> Ending {
    let timed = go.clock.0.iter().any(|clock| clock.time.is_some() || clock.increment.is_some());
    let counted = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    let bounded = timed || counted || go.move_time.is_some();
    match (go.infinite || !bounded, go.ponder) {
        (true, _) => Ending::ByStop,
        (false, true) => Ending::AfterPonderHit,
        (false, false) => Ending::ByItself,
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, Ending, ending};

    #[test]
    fn a_search_ends_by_itself_when_anything_bounds_it() {
        let of = |line: &str| match line.parse() {
            Ok(Command::Go(go)) => ending(&go),
            other => panic!("{line:?} gives {other:?}"),
        };
        for line in ["go depth 3", "go nodes 1", "go movetime 5", "go btime 9", "go mate 2"] {
            assert_eq!(of(line), Ending::ByItself, "{line}");
        }
        for line in ["go", "go infinite", "go infinite depth 3", "go searchmoves e2e4"] {
            assert_eq!(of(line), Ending::ByStop, "{line}");
        }
        assert_eq!(of("go ponder wtime 5"), Ending::AfterPonderHit);
        assert_eq!(of("go ponder"), Ending::ByStop);
        assert_eq!(of("go ponder infinite wtime 5"), Ending::ByStop);
    }
}
