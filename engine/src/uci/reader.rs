//! The reader: turns lines into requests, in the thread that reads the input.
//!
//! It never waits for a search. It carries out `stop`, `ponderhit` and `quit` itself, and
//! `isready` while a search runs; everything else goes to the session in order.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use tamarin_base::files::lines::Line;
use tamarin_base::process::shutdown;
use tamarin_base::{Entrance, Urgency, Waiting};
use tamarin_uci::{Command, Go, Note, ParseError, Reply};

use crate::output::Output;
use crate::search_queue::{Ending, GoId, SearchQueue};

/// What the session carries out in turn.
pub enum Request {
    /// A command other than `go`.
    Command {
        command: Command,
        /// What was ignored in its line.
        notes: Vec<Note>,
    },
    /// A `go`.
    Go {
        go: Go,
        /// What was ignored in its line.
        notes: Vec<Note>,
        /// Its place in the search queue.
        id: GoId,
    },
    /// A line that is no command, and what is wrong with it.
    Invalid(ParseError),
    /// A line longer than [`MAX_LINE`](tamarin_base::files::lines::MAX_LINE).
    TooLong,
    /// There was no room for the lines that stood here.
    Skipped { is_reported: bool },
    /// The other protocol is wanted: the session ends, the process goes on.
    OtherProtocol,
    /// `quit` or the end of the input: the session ends when it comes to this.
    End,
}

impl Waiting for Request {
    const SKIPPED: Self = Self::Skipped { is_reported: false };
}

/// The longest line that is urgent, in bytes. A `go` may name all moves of a position.
const MAX_URGENT: usize = 2048;

/// Reads commands, and decides which are carried out at once and which wait their turn.
pub struct Reader {
    queue: Arc<SearchQueue>,
    output: Arc<Output>,
    session: Entrance<Request>,
}

impl Reader {
    /// A reader for the session at the other end of the channel.
    pub const fn new(
        queue: Arc<SearchQueue>,
        output: Arc<Output>,
        session: Entrance<Request>,
    ) -> Self {
        Self { queue, output, session }
    }

    /// Returns `true` if there is a search that does not end by itself.
    pub fn has_unbounded(&self) -> bool {
        self.queue.has_unbounded()
    }

    /// A line that begins with this word was lost by an error in reading it, which is reported. A
    /// `go` has to be answered all the same: by a search of one ply.
    pub fn lose(&self, word: &str) {
        self.output.answer(&Reply::Text("internal error: a line was not understood"));
        if word == "go" {
            self.push(Go { depth: Some(1), ..Go::default() }, Vec::new(), 0);
        }
    }

    /// The client wants the other protocol: the session ends.
    pub fn leave(&self) {
        self.queue.stop_all();
        self.session.send(Request::OtherProtocol, 0, Urgency::Final);
    }

    /// Handles one line; `Break` after `quit`.
    pub fn accept(&self, line: Line) -> ControlFlow<()> {
        let Line::Text(text) = line else {
            self.send(Request::TooLong, 0);
            return ControlFlow::Continue(());
        };
        match tamarin_uci::parse(&text) {
            Ok(parsed) => self.dispatch(parsed.command, parsed.notes, text.len()),
            Err(error) => {
                self.send(Request::Invalid(error), text.len());
                ControlFlow::Continue(())
            }
        }
    }

    /// The input has ended: searches that only `stop` could end are stopped, the rest is
    /// answered, then the session ends.
    pub fn end(&self) {
        self.queue.stop_unbounded();
        self.session.send(Request::End, 0, Urgency::Final);
    }

    /// Ends the session as soon as every search left ends by itself, even while the input is waited
    /// for: a search without a limit may end before any `stop`, as that of a mated position does.
    pub fn end_when_bounded(&self) {
        let (queue, session) = (Arc::clone(&self.queue), self.session.clone());
        let wait = move || {
            queue.wait_until_bounded();
            session.send(Request::End, 0, Urgency::Final);
        };
        // Without a thread the session ends with the next line of the input.
        let _ = thread::Builder::new().name("end".into()).spawn(wait);
    }

    /// Carries out a command of a line of `length` bytes, or hands it on.
    fn dispatch(&self, command: Command, notes: Vec<Note>, length: usize) -> ControlFlow<()> {
        match command {
            Command::Ignore => {}
            Command::Stop => self.queue.stop(),
            Command::PonderHit => self.queue.ponder_hit(),
            Command::Quit => {
                self.queue.stop_all();
                self.session.send(Request::End, 0, Urgency::Final);
                shutdown::exit_after(shutdown::QUIT_GRACE);
                return ControlFlow::Break(());
            }
            Command::IsReady if self.queue.is_running() => self.output.answer(&Reply::ReadyOk),
            Command::Go(go) => self.push(go, notes, length),
            command => {
                self.send(Request::Command { command, notes }, length);
            }
        }
        ControlFlow::Continue(())
    }

    fn push(&self, go: Go, notes: Vec<Note>, length: usize) {
        let id = self.queue.push(ending(&go));
        if !self.send(Request::Go { go, notes, id }, length) {
            self.queue.withdraw(id);
        }
    }

    /// `false` if there is no room for a request of a line of `length` bytes: the session reports
    /// it.
    fn send(&self, request: Request, length: usize) -> bool {
        let urgency = match &request {
            Request::Go { .. } | Request::Command { command: Command::IsReady, .. }
                if length <= MAX_URGENT =>
            {
                Urgency::Urgent
            }
            _ => Urgency::Ordinary,
        };
        self.session.send(request, length, urgency)
    }
}

/// How the search of this `go` can end.
pub(super) fn ending(go: &Go) -> Ending {
    match (go.has_limit(), go.ponder) {
        _ if go.infinite => Ending::ByStop,
        (false, true) => Ending::ByStopAfterPonderHit,
        (false, false) => Ending::ByStop,
        (true, true) => Ending::AfterPonderHit,
        (true, false) => Ending::ByItself,
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
        for line in [
            "go depth 3",
            "go nodes 1",
            "go movetime 5",
            "go movetime 569.9999999999999",
            "go movetime x",
            "go btime 9",
            "go mate 2",
        ] {
            assert_eq!(of(line), Ending::ByItself, "{line}");
        }
        for line in ["go", "go infinite", "go infinite depth 3", "go searchmoves e2e4", "go mate 0"]
        {
            assert_eq!(of(line), Ending::ByStop, "{line}");
        }
        for line in ["go ponder wtime 5", "go ponder wtime x"] {
            assert_eq!(of(line), Ending::AfterPonderHit, "{line}");
        }
        for line in ["go ponder", "go ponder mate 0", "go ponder searchmoves e2e4"] {
            assert_eq!(of(line), Ending::ByStopAfterPonderHit, "{line}");
        }
        assert_eq!(of("go ponder infinite wtime 5"), Ending::ByStop);
    }
}
