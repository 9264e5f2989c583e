//! Play line by line: in a pipe, or in a terminal on request.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use tamarin_base::counted;
use tamarin_movegen::Color;

use super::arguments::{Arguments, ColorChoice};
use super::begin::Failure;
use super::completion;
use super::line_input::{LineInput, Waited};
use super::picture::Picture;
use super::puzzles::Course;
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
        let position = self.session.game.position().clone();
        let prompt = format!("{}. {:?}> ", position.number(), position.turn());
        self.input.ask(prompt, Box::new(move |typed| completion::complete(&position, typed)));
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
        match self.session.task() {
            Some(task) => {
                if let Some(welcome) = self.session.course().and_then(Course::welcome) {
                    self.line(&welcome)?;
                }
                self.line(&task)?;
            }
            None => {
                let names = self.session.names();
                let (white, black) = (&names[Color::White], &names[Color::Black]);
                let title = self.session.players.variant().map(Variant::title);
                let title = title.map_or_else(String::new, |title| format!("{title}. "));
                self.line(&format!(
                    "{title}White: {white}. Black: {black}. Say help for the commands."
                ))?;
            }
        }
        if let Some(ending) = self.session.game.ending() {
            self.show(vec![Message::Ended(ending)])?;
        }
        Ok(())
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
                    if let Some(line) = self.session.move_text(color, &text) {
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
