//! The reader: the thread that gives lines of the command line and of standard input to the
//! session. It knows which protocol they are in, and never waits for a search or for the client.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tamarin_base::files::lines::{Line, next_line};
use tamarin_base::process::shutdown::{self, Interrupts};
use tamarin_uci::Command;

use crate::inbox::{Inbox, Protocol, Request};
use crate::output::Output;

/// Reads lines.
pub struct Input {
    inbox: Arc<Inbox>,
    output: Arc<Output>,
    interrupts: Arc<Interrupts>,
    /// `None` is UCI until the client says which protocol it wants.
    protocol: Option<Protocol>,
}

impl Input {
    /// An input whose protocol is not known yet.
    pub const fn new(inbox: Arc<Inbox>, output: Arc<Output>, interrupts: Arc<Interrupts>) -> Self {
        Self { inbox, output, interrupts, protocol: None }
    }

    /// Carries out commands given as arguments. A `quit` among them ends the list, but stops no
    /// search: `go depth 20` and `quit` are not given to cut the search short. A search that does
    /// not end by itself goes on until it is answered, or standard input says `stop` or ends.
    pub fn perform(&mut self, commands: &[String]) {
        for command in commands.iter().take_while(|command| command.trim() != "quit") {
            // Only `quit` gives `Break`.
            let _ = self.accept_safely(Line::Text(command.clone()));
        }
        if self.inbox.has_unbounded() {
            self.end_when_bounded();
            self.read_stdin(|input| input.inbox.has_unbounded());
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
        let word = match &line {
            Line::Text(text) => first_word(text).to_owned(),
            Line::TooLong => String::new(),
        };
        catch_unwind(AssertUnwindSafe(|| self.accept(line))).unwrap_or_else(|_| {
            self.inbox.push(Request::Lost(word.clone()), 0);
            if word == "quit" { self.quit() } else { ControlFlow::Continue(()) }
        })
    }

    /// Handles one line; `Break` after `quit`.
    fn accept(&mut self, line: Line) -> ControlFlow<()> {
        let Line::Text(text) = line else {
            self.inbox.push(Request::TooLong, 0);
            return ControlFlow::Continue(());
        };
        self.output.received(text.trim_end());
        self.choose_protocol(first_word(&text));
        match self.protocol {
            None | Some(Protocol::Uci) => self.accept_uci(&text),
            Some(Protocol::XBoard) if first_word(&text) == "quit" => self.quit(),
            Some(Protocol::XBoard) => {
                let length = text.len();
                self.inbox.push(Request::XBoard(text), length);
                ControlFlow::Continue(())
            }
        }
    }

    /// `xboard` or `protover` chooses the XBoard protocol as long as nothing was chosen; `uci`
    /// always chooses UCI: there are clients that try the one and then the other.
    fn choose_protocol(&mut self, word: &str) {
        let protocol = match (word, self.protocol) {
            ("uci", _) => Protocol::Uci,
            ("xboard" | "protover", None) => Protocol::XBoard,
            _ => return,
        };
        let before = self.protocol.replace(protocol).unwrap_or(Protocol::Uci);
        self.output.set_protocol(protocol);
        self.interrupts.set_ignored(protocol == Protocol::XBoard);
        if protocol != before {
            self.inbox.stop_all();
            self.inbox.push_last(Request::Protocol(protocol));
        }
    }

    /// Carries out what acts at once, and hands on the rest.
    fn accept_uci(&self, text: &str) -> ControlFlow<()> {
        let parsed = tamarin_uci::parse(text);
        match parsed.as_ref().map(|parsed| &parsed.command) {
            Ok(Command::Ignore) => {}
            Ok(Command::Stop) => self.inbox.stop(),
            Ok(Command::PonderHit) => self.inbox.ponder_hit(),
            Ok(Command::Quit) => return self.quit(),
            _ => self.inbox.push(Request::Uci(parsed), text.len()),
        }
        ControlFlow::Continue(())
    }

    fn quit(&self) -> ControlFlow<()> {
        self.inbox.stop_all();
        self.inbox.push_last(Request::Quit);
        let inbox = Arc::clone(&self.inbox);
        shutdown::exit_after_quit(move || inbox.is_long());
        ControlFlow::Break(())
    }

    /// The input has ended: searches that only a command could end are stopped, the rest is
    /// answered, then the session ends.
    fn end(&self) {
        self.inbox.stop_unbounded();
        self.inbox.push_last(Request::End);
    }

    /// Ends the session as soon as every search left ends by itself, even while the input is waited
    /// for: a search without a limit may end before any `stop`, as that of a mated position does.
    fn end_when_bounded(&self) {
        let inbox = Arc::clone(&self.inbox);
        let wait = move || {
            inbox.wait_until_bounded();
            inbox.push_last(Request::End);
        };
        // Without a thread the session ends with the next line of the input.
        let _ = thread::Builder::new().name("end".into()).spawn(wait);
    }
}

fn first_word(text: &str) -> &str {
    text.split_ascii_whitespace().next().unwrap_or_default()
}
