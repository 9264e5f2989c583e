//! The reader: the thread that gives lines of the command line and of standard input to the
//! protocol in use. It never waits for a search.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tamarin_base::files::lines::{Line, next_line};
use tamarin_base::process::shutdown::{self, Interrupts};
use tamarin_base::{Entrance, Urgency};

use crate::faults::{self, Site};
use crate::output::Output;
use crate::{uci, xboard};

/// The protocol in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Protocol {
    /// UCI, until the client says which it wants.
    Undecided,
    Uci,
    XBoard,
}

/// Reads lines, and knows which protocol they are in.
pub struct Input {
    uci: uci::Reader,
    xboard: Entrance<xboard::Request>,
    output: Arc<Output>,
    interrupts: Arc<Interrupts>,
    protocol: Protocol,
}

impl Input {
    /// An input whose protocol is not known yet.
    pub const fn new(
        uci: uci::Reader,
        xboard: Entrance<xboard::Request>,
        output: Arc<Output>,
        interrupts: Arc<Interrupts>,
    ) -> Self {
        Self { uci, xboard, output, interrupts, protocol: Protocol::Undecided }
    }

    /// Carries out commands given as arguments. A `quit` among them ends the list, but stops no
    /// search: nobody writes `go depth 20` and `quit` to cut the search short. A search that does
    /// not end by itself goes on until it is answered, or standard input says `stop` or ends.
    pub fn perform(&mut self, commands: &[String]) {
        for command in commands.iter().take_while(|command| command.trim() != "quit") {
            // Only `quit` gives `Break`.
            let _ = self.accept_safely(Line::Text(command.clone()));
        }
        if self.uci.has_unbounded() {
            self.uci.end_when_bounded();
            self.read_stdin(|input| input.uci.has_unbounded());
        } else {
            self.end();
        }
    }

    /// Carries out commands given as arguments, then every line of standard input.
    pub fn serve(&mut self, commands: &[String]) {
        for command in commands {
            if self.accept_safely(Line::Text(command.clone())).is_break() {
                return;
            }
        }
        self.read_stdin(|_| true);
    }

    /// Handles lines of standard input as long as `goes_on` says so. From their end on a client that
    /// reads nothing cannot keep the process from ending.
    fn read_stdin(&mut self, goes_on: impl Fn(&Self) -> bool) {
        self.read_while(io::stdin().lock(), goes_on);
        shutdown::exit_when_unread(self.output.writing());
    }

    /// Handles every line of `stream`, to its end or `quit`.
    pub fn read(&mut self, stream: impl BufRead) {
        self.read_while(stream, |_| true);
    }

    /// Handles lines of `stream` as long as `goes_on` says so, to its end or `quit`.
    fn read_while(&mut self, mut stream: impl BufRead, goes_on: impl Fn(&Self) -> bool) {
        // A read error, such as a terminal that is gone, counts as the end of the input.
        while goes_on(self)
            && let Ok(Some(line)) = next_line(&mut stream)
        {
            if self.accept_safely(line).is_break() {
                return;
            }
        }
        self.end();
    }

    /// Handles one line; after a panic in it the next lines are still read.
    fn accept_safely(&mut self, line: Line) -> ControlFlow<()> {
        let first = |text: &str| text.split_ascii_whitespace().next().map(str::to_owned);
        let word = if let Line::Text(text) = &line { first(text) } else { None };
        let accept = AssertUnwindSafe(|| self.accept(line));
        catch_unwind(accept).unwrap_or_else(|_| self.lose(&word.unwrap_or_default()))
    }

    /// A line that begins with this word was lost by a panic.
    fn lose(&self, word: &str) -> ControlFlow<()> {
        match self.protocol {
            Protocol::XBoard => self.to_xboard(xboard::Request::Lost(word.to_owned()), 0),
            Protocol::Undecided | Protocol::Uci => self.uci.lose(word),
        }
        if word == "quit" {
            self.end();
            shutdown::exit_after(shutdown::QUIT_GRACE);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Handles one line; `Break` after `quit`.
    fn accept(&mut self, line: Line) -> ControlFlow<()> {
        if let Line::Text(text) = &line {
            self.output.received(text.trim_end());
            self.choose_protocol(text);
        }
        faults::pass(Site::Reader);
        match self.protocol {
            Protocol::Undecided | Protocol::Uci => self.uci.accept(line),
            Protocol::XBoard => self.accept_xboard(line),
        }
    }

    /// `xboard` or `protover` chooses the XBoard protocol as long as nothing was chosen; `uci`
    /// always chooses UCI: there are clients that try the one and then the other.
    fn choose_protocol(&mut self, text: &str) {
        match (text.split_ascii_whitespace().next(), self.protocol) {
            (Some("uci"), protocol) => {
                self.protocol = Protocol::Uci;
                self.interrupts.obey();
                self.output.set_xboard(false);
                if protocol == Protocol::XBoard {
                    self.end_xboard(xboard::Request::OtherProtocol);
                }
            }
            (Some("xboard" | "protover"), Protocol::Undecided) => {
                self.protocol = Protocol::XBoard;
                self.interrupts.ignore();
                self.output.set_xboard(true);
                self.uci.leave();
            }
            _ => {}
        }
    }

    fn accept_xboard(&self, line: Line) -> ControlFlow<()> {
        match line {
            Line::TooLong => self.to_xboard(xboard::Request::TooLong, 0),
            Line::Text(text) if text.split_ascii_whitespace().next() == Some("quit") => {
                self.end_xboard(xboard::Request::Quit);
                shutdown::exit_after(shutdown::QUIT_GRACE);
                return ControlFlow::Break(());
            }
            Line::Text(text) => {
                let length = text.len();
                self.to_xboard(xboard::Request::Line(text), length);
            }
        }
        ControlFlow::Continue(())
    }

    /// The input has ended: searches that only a command could end are stopped, the rest is
    /// answered, then the session ends.
    fn end(&self) {
        match self.protocol {
            Protocol::XBoard => self.end_xboard(xboard::Request::End),
            Protocol::Undecided | Protocol::Uci => self.uci.end(),
        }
    }

    /// A request of a line of `length` bytes. Without room it is skipped, which the session
    /// reports.
    fn to_xboard(&self, request: xboard::Request, length: usize) {
        let urgency = request.urgency();
        self.xboard.send(request, length, urgency);
    }

    fn end_xboard(&self, request: xboard::Request) {
        self.xboard.send(request, 0, Urgency::Final);
    }
}
