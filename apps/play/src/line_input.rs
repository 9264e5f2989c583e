//! Where the lines of a game come from that is played line by line.
//!
//! A thread of its own reads them, one at a time and only when one is asked for, so that the caller
//! waits can look at the clocks meanwhile.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, ExternalPrinter, Helper};

use tamarin_base::files::lines::{Line, next_line};
use tamarin_base::process::Writing;
use tamarin_base::process::shutdown;

/// What a wait for a line came to.
pub enum Waited {
    /// A line, or `None` at the end of the input.
    Line(Option<String>),
    /// The time is over; the line is still awaited.
    Nothing,
}

/// What the tab key makes of a text: where the word begins that is completed, in bytes, and what it
/// may become.
pub type Complete = Box<dyn Fn(&str) -> (usize, Vec<String>) + Send>;

/// A line that somebody is asked for.
struct Request {
    prompt: String,
    complete: Complete,
}

/// What prints above a line that is being edited.
type Printer = Box<dyn FnMut(String) -> io::Result<()>>;

/// The input and, where it is a terminal, what goes with it.
pub struct LineInput {
    requests: Sender<Request>,
    lines: Receiver<io::Result<Option<String>>>,
    /// Only in a terminal.
    printer: Option<Printer>,
    is_terminal: bool,
    /// Whether a line was asked for and has not come.
    is_reading: bool,
    writing: Arc<Writing>,
}

impl LineInput {
    /// Standard input: edited lines where input and output are terminals, else plain ones.
    ///
    /// Without a terminal the process ends if its client ends the input and reads nothing either.
    pub fn open() -> io::Result<Self> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let (requests, wanted) = bounded(1);
        let (sender, lines) = bounded(1);
        let reader = thread::Builder::new().name("input".to_owned());
        let printer = if is_terminal {
            let mut editor = Editor::new().map_err(io_error)?;
            editor.set_helper(Some(Completion {
                complete: Box::new(|typed| (typed.len(), Vec::new())),
            }));
            let printer = editor.create_external_printer().ok().map(printer);
            reader.spawn(move || serve(&wanted, &sender, |request| read(&mut editor, request)))?;
            printer
        } else {
            reader.spawn(move || {
                let mut stdin = io::stdin().lock();
                serve(&wanted, &sender, |_| plain_line(&mut stdin));
            })?;
            None
        };
        let writing = Arc::new(Writing::default());
        if !is_terminal {
            shutdown::exit_when_left(Arc::clone(&writing));
        }
        Ok(Self { requests, lines, printer, is_terminal, is_reading: false, writing })
    }

    pub const fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Asks for the next line, unless one is awaited already.
    pub fn ask(&mut self, prompt: String, complete: Complete) {
        if !self.is_reading {
            // If the reader is gone the wait says so.
            let _ = self.requests.send(Request { prompt, complete });
            self.is_reading = true;
        }
    }

    /// Waits for the line that was asked for, for at most `limit` if there is one.
    pub fn wait(&mut self, limit: Option<Duration>) -> io::Result<Waited> {
        let line = match limit {
            Some(limit) => match self.lines.recv_timeout(limit) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Ok(Waited::Nothing),
                Err(RecvTimeoutError::Disconnected) => Ok(None),
            },
            None => self.lines.recv().unwrap_or(Ok(None)),
        };
        self.is_reading = false;
        line.map(Waited::Line)
    }

    /// Writes to standard output; above the line that is being edited, if one is.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        match &mut self.printer {
            Some(print) if self.is_reading => print(text.to_owned()),
            _ => {
                let mut out = io::stdout().lock();
                self.writing.turn();
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                self.writing.turn();
                written
            }
        }
    }
}

/// Reads a line for each request until nobody asks any more.
fn serve(
    wanted: &Receiver<Request>,
    lines: &Sender<io::Result<Option<String>>>,
    mut read: impl FnMut(Request) -> io::Result<Option<String>>,
) {
    while let Ok(request) = wanted.recv() {
        if lines.send(read(request)).is_err() {
            break;
        }
    }
}

fn plain_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    Ok(next_line(input)?.map(|line| match line {
        Line::Text(text) => text,
        Line::TooLong => "an overlong line".to_owned(),
    }))
}

fn printer(mut printer: impl ExternalPrinter + 'static) -> Printer {
    Box::new(move |text| printer.print(text).map_err(io_error))
}

fn read(
    editor: &mut Editor<Completion, DefaultHistory>,
    request: Request,
) -> io::Result<Option<String>> {
    if let Some(helper) = editor.helper_mut() {
        helper.complete = request.complete;
    }
    match editor.readline(&request.prompt) {
        Ok(line) => {
            // The history is there for convenience.
            let _ = editor.add_history_entry(line.as_str());
            Ok(Some(line))
        }
        Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
        Err(error) => Err(io_error(error)),
    }
}

fn io_error(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Completes moves and commands with the tab key.
struct Completion {
    complete: Complete,
}

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}

impl Hinter for Completion {
    type Hint = String;
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((self.complete)(&line[..pos]))
    }
}
