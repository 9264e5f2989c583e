//! Play line by line: in a pipe, or in a terminal on request.

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::{Duration, Instant};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use tamarin_movegen::{Color, Position};

use super::arguments::{Arguments, ColorChoice};
use super::begin::Failure;
use super::completion;
use super::picture::Picture;
use super::session::{Message, Session};
use super::text_board::{self, Colors, Style};
use crate::lines::{Line, next_line};

/// How often a search is looked at.
const POLL: Duration = Duration::from_millis(4);

/// Plays until the player leaves or the input ends.
///
/// # Errors
/// If the engine cannot be started, or the input or output fails. A reader that has gone away is
/// no failure.
pub fn run(session: Session, arguments: &Arguments) -> Result<(), Failure> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let input: Box<dyn Input> =
        if is_terminal { Box::new(Terminal::new()?) } else { Box::new(Pipe(io::stdin().lock())) };
    let colors = colors(arguments.color, io::stdout().is_terminal());
    let mut table =
        Table { session, input, colors, board_is_due: true, is_over: false, has_quit: false };
    match table.run() {
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

/// Where lines come from.
trait Input {
    /// The next line; `None` at the end.
    fn read(&mut self, prompt: &str, position: &Position) -> io::Result<Option<String>>;

    /// Does somebody look on?
    fn is_terminal(&self) -> bool;
}

/// A pipe or file.
struct Pipe<R>(R);

impl<R: BufRead> Input for Pipe<R> {
    fn read(&mut self, _: &str, _: &Position) -> io::Result<Option<String>> {
        Ok(next_line(&mut self.0)?.map(|line| match line {
            Line::Text(text) => text,
            Line::TooLong => "an overlong line".to_owned(),
        }))
    }

    fn is_terminal(&self) -> bool {
        false
    }
}

/// A terminal with line editing, history and completion.
struct Terminal(Editor<Completion, DefaultHistory>);

/// Completes moves and commands with the tab key.
struct Completion {
    position: Position,
}

impl Terminal {
    fn new() -> io::Result<Self> {
        let mut editor = Editor::new().map_err(io_error)?;
        editor.set_helper(Some(Completion { position: Position::startpos() }));
        Ok(Self(editor))
    }
}

fn io_error(error: ReadlineError) -> io::Error {
    match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    }
}

impl Input for Terminal {
    fn read(&mut self, prompt: &str, position: &Position) -> io::Result<Option<String>> {
        if let Some(helper) = self.0.helper_mut() {
            helper.position = position.clone();
        }
        match self.0.readline(prompt) {
            Ok(line) => {
                // The history is there for convenience.
                let _ = self.0.add_history_entry(line.as_str());
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(io_error(error)),
        }
    }

    fn is_terminal(&self) -> bool {
        true
    }
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
        Ok(completion::complete(&self.position, &line[..pos]))
    }
}

/// A session with its input and output.
struct Table {
    session: Session,
    input: Box<dyn Input>,
    colors: Colors,
    board_is_due: bool,
    is_over: bool,
    has_quit: bool,
}

impl Table {
    fn run(&mut self) -> Result<(), Failure> {
        self.greet()?;
        loop {
            self.settle()?;
            if self.is_over && !self.has_human() {
                break;
            }
            let game = &self.session.game;
            let mover = game.mover();
            let prompt = format!("{}. {mover:?}> ", game.position().fullmove_number());
            let position = game.position().clone();
            let Some(line) = self.input.read(&prompt, &position)? else { break };
            let messages = self.session.perform(&line, Instant::now())?;
            self.show(messages)?;
            if self.has_quit {
                break;
            }
        }
        self.leave()
    }

    /// Does a person play or solve puzzles?
    fn has_human(&self) -> bool {
        let players = &self.session.players;
        self.session.course().is_some() || Color::ALL.iter().any(|color| !players.is_engine(*color))
    }

    fn greet(&mut self) -> Result<(), Failure> {
        match self.session.task() {
            Some(task) => self.line(&task)?,
            None => {
                let names = self.session.names();
                let (white, black) = (&names[Color::White], &names[Color::Black]);
                self.line(&format!("White: {white}. Black: {black}. Say help for the commands."))?;
            }
        }
        if let Some(ending) = self.session.game.ending() {
            self.show(vec![Message::Ended(ending)])?;
        }
        Ok(())
    }

    /// Waits until it is up to a person; then draws the board if it has changed.
    fn settle(&mut self) -> Result<(), Failure> {
        loop {
            let messages = self.session.advance(Instant::now())?;
            let was_quiet = messages.is_empty();
            self.show(messages)?;
            if self.has_quit || self.session.waits_for_human() {
                break;
            }
            if was_quiet {
                std::thread::sleep(POLL);
            }
        }
        if std::mem::take(&mut self.board_is_due) && !self.has_quit {
            self.draw()?;
        }
        Ok(())
    }

    fn show(&mut self, messages: Vec<Message>) -> Result<(), Failure> {
        for message in messages {
            match message {
                Message::Text(text) => self.line(&text)?,
                Message::Refused(text) => self.line(&format!("! {text}"))?,
                Message::Played { color, text } => {
                    // People know their own moves.
                    if self.session.players.is_engine(color) || self.session.course().is_some() {
                        self.line(&format!("{}: {text}", self.session.names()[color]))?;
                    }
                    // Whoever watches a terminal sees the engines play.
                    if !self.has_human() && self.input.is_terminal() {
                        self.draw()?;
                    }
                }
                Message::Board => {
                    self.board_is_due = true;
                    self.is_over = self.session.game.ending().is_some();
                }
                Message::Ended(ending) => {
                    self.is_over = true;
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
        let mut beside = vec![String::new(); 8];
        if session.course().is_none() {
            beside[0] = session.player_line(!bottom, now);
            beside[1] = session.captured_line(!bottom);
            beside[6] = session.captured_line(bottom);
            beside[7] = session.player_line(bottom, now);
        }
        if position.in_check() {
            beside[3] = "  Check!".to_owned();
        }
        if let Some(ply) = view.look {
            beside[4] = format!("  after {ply} plies of {}", session.game.turns().len());
        }
        let style = Style { pieces: view.pieces, colors: self.colors, theme: view.theme };
        let mut text = text_board::draw(&Picture::new(&position, last, bottom), &style, &beside);
        if let Some(bar) = session.bar_line() {
            text.push_str(&format!("    {bar}\n"));
        }
        self.write(&format!("\n{text}\n"))
    }

    /// Says how to go on with an unfinished game.
    fn leave(&mut self) -> Result<(), Failure> {
        if self.session.is_kept() {
            self.line("The game is kept: tamarin play --resume goes on with it.")?;
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.write(&format!("{text}\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }
}
