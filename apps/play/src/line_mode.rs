//! Play line by line: in a pipe, or in a terminal on request.
//!
//! A thread of its own reads the lines, one at a time and only when one is asked for, so that the
//! clocks can be looked at meanwhile.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, ExternalPrinter, Helper};
use tamarin_base::counted;
use tamarin_base::files::lines::{Line, next_line};
use tamarin_base::process::Writing;
use tamarin_base::process::shutdown;
use tamarin_movegen::Color;

use super::arguments::{Arguments, ColorChoice};
use super::begin::Failure;
use super::picture::Picture;
use super::session::command::complete;
use super::session::{Message, Session};
use super::text_board::{self, Colors, Style};
use super::variant::Variant;

/// How often a search is looked at.
const POLL: Duration = Duration::from_millis(4);

/// Plays until the player leaves or the input ends.
///
/// # Errors
/// If the engine cannot be started, or the input or output fails. A reader that has gone away is
/// no failure.
pub fn run(session: Session, arguments: &Arguments) -> Result<(), Failure> {
    let input = LineInput::open()?;
    let colors = colors(arguments.color, io::stdout().is_terminal());
    let mut player = Player {
        session,
        input,
        colors,
        waiting: None,
        board_is_due: true,
        ended_among_engines: false,
        has_quit: false,
    };
    match player.run() {
        Err(Failure::Terminal(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The colors of the full-screen mode; `None` where the game is played line by line.
pub fn screen_colors(arguments: &Arguments) -> Option<Colors> {
    let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let has_screen = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb;
    (has_screen && !arguments.line).then(|| colors(arguments.color, true))
}

/// How many colors the output has.
fn colors(choice: ColorChoice, is_terminal: bool) -> Colors {
    let set = |name: &str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let term = std::env::var("TERM").unwrap_or_default();
    let is_plain = !is_terminal || set("NO_COLOR") || matches!(term.as_str(), "dumb" | "");
    match choice {
        ColorChoice::Never => return Colors::None,
        ColorChoice::Auto if is_plain => return Colors::None,
        _ => {}
    }
    let depth = std::env::var("COLORTERM").unwrap_or_default();
    if matches!(depth.as_str(), "truecolor" | "24bit") { Colors::True } else { Colors::Indexed }
}

/// A session with its input and output.
struct Player {
    session: Session,
    input: LineInput,
    colors: Colors,
    /// A line, or the end of the input, that came while the engine was to move.
    waiting: Option<Option<String>>,
    board_is_due: bool,
    /// The game ended while no person played.
    ended_among_engines: bool,
    has_quit: bool,
}

impl Player {
    fn run(&mut self) -> Result<(), Failure> {
        self.greet()?;
        loop {
            self.wait_for_person()?;
            if self.ended_among_engines {
                break;
            }
            let Some(line) = self.next_line()? else { break };
            let messages = self.session.perform(&line, Instant::now())?;
            self.show(messages)?;
            if self.has_quit {
                break;
            }
        }
        self.leave()
    }

    /// The next line of input. A flag that falls meanwhile is reported at once.
    fn next_line(&mut self) -> Result<Option<String>, Failure> {
        if let Some(line) = self.waiting.take() {
            return Ok(line);
        }
        let position = self.session.game.position().clone();
        let prompt = format!("{}. {:?}> ", position.number(), position.turn());
        self.input.ask(prompt, Box::new(move |typed| complete(&position, typed)));
        loop {
            let left = self.session.time_left(Instant::now());
            match self.input.wait(left)? {
                Waited::Line(line) => return Ok(line),
                Waited::Nothing => {
                    let messages = self.session.advance(Instant::now())?;
                    self.show(messages)?;
                }
            }
        }
    }

    /// Does a person play or solve puzzles?
    fn has_human(&self) -> bool {
        let players = &self.session.players;
        self.session.course().is_some() || Color::ALL.iter().any(|color| !players.is_engine(*color))
    }

    fn greet(&mut self) -> Result<(), Failure> {
        if self.session.course().is_none() {
            let names = self.session.names();
            let (white, black) = (&names[Color::White], &names[Color::Black]);
            let title = self.session.players.resources.variant.as_ref().map(Variant::title);
            let title = title.map_or_else(String::new, |title| format!("{title}. "));
            self.line(&format!(
                "{title}White: {white}. Black: {black}. Say help for the commands."
            ))?;
        }
        self.show(self.session.greeting())
    }

    /// Waits until it is up to a person; then draws the board if it has changed.
    fn wait_for_person(&mut self) -> Result<(), Failure> {
        loop {
            let messages = self.session.advance(Instant::now())?;
            let was_quiet = messages.is_empty();
            self.show(messages)?;
            if self.has_quit || self.session.waits_for_human() {
                break;
            }
            if was_quiet {
                self.listen()?;
                thread::sleep(POLL);
            }
        }
        if std::mem::take(&mut self.board_is_due) && !self.has_quit {
            self.draw()?;
        }
        Ok(())
    }

    /// Reads a line while the engine is to move: `now` ends its thought, everything else waits for
    /// its move.
    fn listen(&mut self) -> Result<(), Failure> {
        if self.waiting.is_some() || !self.has_human() {
            return Ok(());
        }
        match self.input.ready()? {
            Waited::Line(Some(line)) if matches!(line.trim(), "now" | "stop") => {
                let messages = self.session.perform(&line, Instant::now())?;
                self.show(messages)?;
            }
            Waited::Line(line) => self.waiting = Some(line),
            Waited::Nothing => {}
        }
        Ok(())
    }

    fn show(&mut self, messages: Vec<Message>) -> Result<(), Failure> {
        for message in messages {
            match message {
                Message::Text(text) => self.line(&text)?,
                Message::Refused(text) => self.line(&format!("! {text}"))?,
                Message::Played(said) => {
                    if let Some(line) = said {
                        self.line(&line)?;
                    }
                    // Whoever watches a terminal sees the engines play.
                    if !self.has_human() && self.input.is_terminal() {
                        self.draw()?;
                    }
                }
                Message::Board => {
                    self.board_is_due = true;
                    self.ended_among_engines &= self.session.game.ending().is_some();
                }
                Message::Ended(ending) => {
                    self.ended_among_engines = !self.has_human();
                    self.board_is_due = false;
                    self.draw()?;
                    self.line(&format!("{ending}. {}", ending.outcome()))?;
                }
                Message::Quit => self.has_quit = true,
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let session = &self.session;
        let view = &session.view;
        let (position, last) = session.shown();
        let bottom = session.bottom();
        let now = Instant::now();
        let ranks = usize::from(position.size().1);
        let mut beside = vec![String::new(); ranks];
        if session.course().is_none() && ranks > 3 {
            beside[0] = session.player_line(!bottom, now);
            beside[1] = session.captured_line(!bottom);
            beside[ranks - 2] = session.captured_line(bottom);
            beside[ranks - 1] = session.player_line(bottom, now);
        }
        if position.in_check() {
            beside[ranks.div_ceil(2) - 1] = "  Check!".to_owned();
        }
        if let Some(ply) = view.look {
            let plies = counted(session.game.turns().len(), "ply", "plies");
            beside[ranks / 2] = format!("  after {ply} of {plies}");
        }
        let style = Style { pieces: view.pieces, colors: self.colors, theme: view.theme };
        let mut text = text_board::draw(&Picture::new(&position, last, bottom), &style, &beside);
        if let Some(bar) = session.bar_line() {
            text.push_str(&format!("    {bar}\n"));
        }
        self.write(&format!("\n{text}\n"))
    }

    /// How the puzzles went, and how to go on with an unfinished game.
    fn leave(&mut self) -> Result<(), Failure> {
        // After quit and after the last puzzle it has been written.
        if let Some(course) = self.session.course().filter(|_| !self.has_quit) {
            let summary = course.summary();
            self.line(&summary)?;
        }
        if self.session.is_kept() {
            self.line("The game is kept: tamarin play --resume goes on with it.")?;
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.write(&format!("{text}\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.input.write(text)?)
    }
}

/// What a wait for a line came to.
enum Waited {
    /// A line, or `None` at the end of the input.
    Line(Option<String>),
    /// The time is over; the line is still awaited.
    Nothing,
}

/// What the tab key makes of a text: where the word begins that is completed, in bytes, and what it
/// may become.
type Complete = Box<dyn Fn(&str) -> (usize, Vec<String>) + Send>;

/// A line that somebody is asked for.
struct Request {
    prompt: String,
    complete: Complete,
}

/// What prints above a line that is being edited.
type Printer = Box<dyn FnMut(String) -> io::Result<()>>;

/// The input and, where it is a terminal, what goes with it.
struct LineInput {
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

    /// A line that is there already, without waiting for one. In a terminal nothing is edited then:
    /// the system has the lines.
    pub fn ready(&mut self) -> io::Result<Waited> {
        if self.is_terminal {
            return match shutdown::has_input() {
                true => plain_line(&mut io::stdin().lock()).map(Waited::Line),
                false => Ok(Waited::Nothing),
            };
        }
        self.ask(String::new(), Box::new(|typed| (typed.len(), Vec::new())));
        self.wait(Some(Duration::ZERO))
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
