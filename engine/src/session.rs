//! One loop over commands.
//!
//! Between searches the session owns an [`Idle`]; `go` turns it into a `Running`, and until that
//! ends every request waits in a queue. So nothing can change the table or the threads under a
//! search: it would not compile.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender};
use tamarin_movegen::{CastlingNotation, Position};
use tamarin_search::{Idle, StartError};
use tamarin_uci::{Command, Go, Note, ParseError, PositionText, Reply, SetOption, Switch};

use crate::console::{self, Context};
use crate::input::{Event, Request};
use crate::options::{self, Levers, Settings};
use crate::output::Output;
use crate::position;
use crate::printer::Printer;
use crate::search_queue::{GoId, SearchQueue};
use crate::translate::{self, Printing};
use crate::version::VERSION;

/// Everything a conversation with a client needs to know.
pub struct Session {
    output: Arc<Output>,
    queue: Arc<SearchQueue>,
    events: Receiver<Event>,
    /// For the searches, which report their end.
    sender: Sender<Event>,
    /// What came while a search ran, in order.
    waiting: VecDeque<Request>,
    settings: Settings,
    /// `None` after a rejected `position` command.
    position: Option<Position>,
    debug: bool,
    failed: bool,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As it should.
    Sound,
    /// Some command was not carried out because of an error of ours.
    Failed,
}

impl Session {
    /// A session at the start position.
    pub fn new(
        output: Arc<Output>,
        queue: Arc<SearchQueue>,
        (sender, events): (Sender<Event>, Receiver<Event>),
    ) -> Self {
        Self {
            output,
            queue,
            events,
            sender,
            waiting: VecDeque::new(),
            settings: Settings::default(),
            position: Some(Position::startpos()),
            debug: false,
            failed: false,
        }
    }

    /// Serves requests until the input ends.
    ///
    /// # Errors
    /// If not even one search thread can be started.
    pub fn run(mut self) -> Result<Verdict, StartError> {
        let mut idle = Idle::new()?;
        while let Some(request) = self.next_request() {
            let ended = matches!(request, Request::End);
            if ended {
                break;
            }
            // A fault of ours in one command must not end the game.
            let outcome = catch_unwind(AssertUnwindSafe(|| self.handle(idle, request)));
            idle = match outcome {
                Ok(idle) => idle,
                Err(_) => self.recover()?,
            };
        }
        Ok(if self.failed { Verdict::Failed } else { Verdict::Sound })
    }

    /// The oldest request; `None` when none can come any more.
    fn next_request(&mut self) -> Option<Request> {
        loop {
            if let Some(request) = self.waiting.pop_front() {
                return Some(request);
            }
            match self.events.recv() {
                Ok(Event::Request(request)) => return Some(request),
                // Of a search that died and was answered for.
                Ok(Event::Finished) => {}
                Err(_) => return None,
            }
        }
    }

    /// A fresh pool after a panic, with the table and the threads at their defaults.
    fn recover(&mut self) -> Result<Idle, StartError> {
        self.failed = true;
        self.say("internal error: the command was not carried out; Hash and Threads are reset");
        Idle::new()
    }

    fn handle(&mut self, mut idle: Idle, request: Request) -> Idle {
        match request {
            Request::Go(go, notes, id) => {
                self.print_notes(&notes);
                return self.go(idle, &go, id);
            }
            Request::Command(command, notes) => {
                self.print_notes(&notes);
                self.command(&mut idle, command);
            }
            Request::Invalid(error) => self.complain(&error),
            Request::TooLong => self.say("error: a line of more than 1 MiB was ignored"),
            Request::End => {}
        }
        idle
    }

    fn command(&mut self, idle: &mut Idle, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                idle.prepare();
                self.output.line(&Reply::ReadyOk);
            }
            Command::Debug(switch) => self.debug = switch == Switch::On,
            Command::SetOption(text) => self.set_option(idle, &text),
            Command::NewGame => idle.new_game(),
            Command::Position(text) => self.place(&text),
            Command::Console(console) => console::run(
                console,
                Context {
                    notation: self.notation(),
                    position: &mut self.position,
                    output: &self.output,
                },
            ),
            // The reader of the input has acted on these, or there is nothing to do.
            Command::Ignore
            | Command::XBoard
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Go(_) => {}
        }
    }

    /// The answer to `uci`, in one piece so that nothing can come between its lines.
    fn introduce(&self) {
        let mut text = vec![
            Reply::IdName(&format!("Tamarin {VERSION}")).to_string(),
            Reply::IdAuthor("the Tamarin developers").to_string(),
        ];
        text.extend(options::specs().map(|spec| Reply::Option(&spec).to_string()));
        text.push(Reply::UciOk.to_string());
        self.output.line(&text.join("\n"));
    }

    fn set_option(&mut self, idle: &mut Idle, text: &SetOption) {
        let mut levers = Levers { idle, settings: &mut self.settings, output: &self.output };
        match options::set(&mut levers, text) {
            Ok(None) => {}
            Ok(Some(remark)) => self.say(&remark),
            Err(reason) => self.say(&reason),
        }
    }

    fn place(&mut self, text: &PositionText) {
        match position::place(text) {
            Ok(placed) => {
                if !placed.repairs.is_empty() {
                    let repairs: Vec<_> = placed.repairs.iter().map(ToString::to_string).collect();
                    self.say(&format!("position repaired: {}", repairs.join("; ")));
                }
                self.position = Some(placed.position);
            }
            Err(error) => {
                self.position = None;
                self.say(&format!("error: position rejected: {error}; {NO_POSITION}"));
            }
        }
    }

    /// Starts a search and serves what may be served until it has ended.
    fn go(&mut self, idle: Idle, go: &Go, id: GoId) -> Idle {
        let Some(position) = self.position.clone() else {
            self.queue.answered(id);
            self.say(&format!("error: {NO_POSITION}"));
            self.output.line(&Reply::BestMove(tamarin_uci::BestMove::Null));
            return idle;
        };
        let printer = Printer {
            output: Arc::clone(&self.output),
            queue: Arc::clone(&self.queue),
            session: self.sender.clone(),
            id: Some(id),
            root: position.clone(),
            printing: Printing { notation: self.notation(), wdl: self.settings.show_wdl },
        };
        let (limits, illegal) = translate::limits(go, &position);
        for text in illegal {
            self.say(&format!("searchmoves: {text} is not legal here, ignored"));
        }
        if self.debug {
            self.say(&format!("searching {position} with {limits:?}"));
        }
        let options = self.settings.search_options();
        let running = idle.go(&position, limits, &options, Box::new(printer));
        self.queue.started(id, running.controls());
        self.attend();
        running.wait()
    }

    /// Queues requests until the search under way has its move. Only `isready` is answered: it
    /// may have been read before the search began, when the reader of the input had to pass it on.
    fn attend(&mut self) {
        loop {
            match self.events.recv() {
                Ok(Event::Finished) | Err(_) => return,
                Ok(Event::Request(Request::Command(Command::IsReady, _))) => {
                    self.output.line(&Reply::ReadyOk);
                }
                Ok(Event::Request(request)) => self.waiting.push_back(request),
            }
        }
    }

    const fn notation(&self) -> CastlingNotation {
        if self.settings.chess960 {
            CastlingNotation::KingTakesRook
        } else {
            CastlingNotation::Classic
        }
    }

    fn complain(&mut self, error: &ParseError) {
        if matches!(error, ParseError::Position(_)) {
            self.position = None;
            self.say(&format!("error: position rejected: {error}; {NO_POSITION}"));
        } else {
            self.say(&format!("error: {error}"));
        }
    }

    fn print_notes(&self, notes: &[Note]) {
        for note in notes {
            self.say(&note.to_string());
        }
    }

    fn say(&self, text: &str) {
        self.output.line(&Reply::Text(text));
    }
}

/// What a rejected `position` command leaves behind.
const NO_POSITION: &str = "there is no position until a valid position command";
