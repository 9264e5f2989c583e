//! What becomes of the requests that come while a search runs.
//!
//! A command that changes the position or the players ends the search without its move. One that
//! changes how the engine thinks has to wait for the move, but ends pondering and analysis, which
//! then begin anew. Whatever follows a command that waits has to wait as well, so that the order
//! of all effects and answers is that of the commands.

use std::sync::Arc;

use parking_lot::Mutex;
use tamarin_game::played::Played;
use tamarin_game::spelling::Spelling;
use tamarin_search::{Controls, Millis};
use tamarin_uci::xboard::{Command, Reply, Statistics};

use super::SKIPPED;
use super::observer::Progress;
use super::time_control::{TimeControl, Turn};
use crate::inbox::Request;
use crate::output::Output;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The engine is to move.
    Move(Turn),
    /// It is the opponent's turn.
    Ponder {
        /// The move that the opponent is expected to make.
        expected: String,
        /// The least that the engine's clock may be after it for this search to go on.
        least: Millis,
    },
    Analysis,
}

/// A running search and what it may touch.
pub struct DuringSearch<'s> {
    /// What it is for; a ponder hit changes it.
    pub purpose: &'s mut Purpose,
    /// The game; a ponder hit plays a move in it.
    pub game: &'s mut Played,
    pub time: &'s mut TimeControl,
    /// Whether the opponent offers a draw.
    pub draw_offered: &'s mut bool,
    /// Whether the engine accepts a draw as it sees the game so far.
    pub accepts_draw: bool,
    /// Whether lines of thinking are printed.
    pub post: &'s mut bool,
    /// How moves are written.
    pub spelling: Spelling,
    /// How far the search is.
    pub progress: Arc<Mutex<Progress>>,
    pub controls: Controls,
    /// Where answers go.
    pub output: &'s Output,
    /// Whether anything waits: all that follows waits too.
    pub waiting: bool,
    /// Whether the search was ended by a command: its move is not wanted.
    pub interrupted: &'s mut bool,
}

impl DuringSearch<'_> {
    /// Answers the request, and returns `true`; or it has to wait for the end of the search.
    pub fn attend(&mut self, request: &mut Request) -> bool {
        if *self.interrupted {
            return false;
        }
        let line = match request {
            Request::XBoard(line) => line,
            // The end of the input leaves a search for a move its time.
            Request::End if matches!(self.purpose, Purpose::Move(_)) => return self.wait(),
            Request::End | Request::Quit | Request::Protocol(_) => return self.interrupt(),
            Request::Skipped { is_reported } => {
                *is_reported = true;
                self.output.line(&SKIPPED);
                return self.defer();
            }
            Request::TooLong | Request::Lost(_) | Request::Uci(_) => return self.defer(),
        };
        let Ok(command) = Command::parse(line) else { return self.defer() };
        if changes_game(&command) {
            return self.interrupt();
        }
        match &*self.purpose {
            // Not even what waits for the move keeps the engine from making it.
            Purpose::Move(_) if command == Command::MoveNow => self.controls.stop(),
            _ if self.waiting => return false,
            Purpose::Move(_) if is_ping_or_clock(&command) => return self.wait(),
            Purpose::Ponder { expected, least } if matches!(command, Command::Move(_)) => {
                let hit = self.hits(&command, expected, *least);
                if !hit || self.game.play(expected, self.spelling).is_err() {
                    return self.interrupt();
                }
                let pondered = self.statistics().nodes;
                *self.purpose = Purpose::Move(Turn { pondered, ..Turn::begin() });
                self.controls.ponder_hit();
            }
            _ => return self.answer(command) || self.defer(),
        }
        true
    }

    /// Answers a command at once; `false` if that cannot be done while this search runs.
    fn answer(&mut self, command: Command) -> bool {
        match command {
            Command::Ignore | Command::XBoard | Command::MoveNow => {}
            Command::Ping(text) => self.output.line(&Reply::Pong(&text)),
            Command::Time(left) => self.time.set_own(left),
            Command::OpponentTime(left) => self.time.set_opponent(left),
            Command::Statistics => self.output.line(&self.statistics()),
            Command::Hint => match self.hint() {
                Some(text) => self.output.line(&Reply::Hint(&text)),
                None => return false,
            },
            Command::Post => self.set_post(true),
            Command::NoPost => self.set_post(false),
            Command::Draw if matches!(self.purpose, Purpose::Ponder { .. }) => {
                if self.accepts_draw {
                    self.output.line(&Reply::OfferDraw);
                }
                *self.draw_offered = !self.accepts_draw;
            }
            Command::Draw => *self.draw_offered = matches!(self.purpose, Purpose::Move(_)),
            _ => return false,
        }
        true
    }

    /// How far the search is now: it may have visited many nodes since its last line.
    fn statistics(&self) -> Statistics {
        let last = self.progress.lock().statistics();
        Statistics { nodes: last.nodes.max(self.controls.nodes()), ..last }
    }

    /// A good move for the side to move in the game: the expected one, or the best so far, which
    /// there is after the first iteration.
    fn hint(&self) -> Option<String> {
        match &*self.purpose {
            Purpose::Ponder { expected, .. } => Some(expected.clone()),
            _ => self.progress.lock().best.clone(),
        }
    }

    /// Returns `true` if the opponent's move makes this the right search, with the right clock.
    fn hits(&self, command: &Command, expected: &str, least: Millis) -> bool {
        let Command::Move(text) = command else { return false };
        let clock = self.time.left().is_none_or(|left| left >= least);
        let position = self.game.position();
        let read = |text: &str| position.read(text, self.spelling).ok();
        clock && read(text).is_some_and(|mv| read(expected) == Some(mv))
    }

    fn set_post(&mut self, post: bool) {
        *self.post = post;
        self.progress.lock().post = post;
    }

    /// The request waits for the move; pondering and analysis do not outlast it.
    fn defer(&mut self) -> bool {
        match self.purpose {
            Purpose::Move(_) => self.wait(),
            _ => self.interrupt(),
        }
    }

    fn wait(&mut self) -> bool {
        self.waiting = true;
        false
    }

    fn interrupt(&mut self) -> bool {
        *self.interrupted = true;
        self.controls.stop();
        false
    }
}

/// Commands after which the move that is being looked for is not wanted.
const fn changes_game(command: &Command) -> bool {
    matches!(
        command,
        Command::Uci
            | Command::New
            | Command::Variant(_)
            | Command::Quit
            | Command::Force
            | Command::Go
            | Command::PlayOther
            | Command::White
            | Command::Black
            | Command::SetBoard(_)
            | Command::Edit
            | Command::Undo
            | Command::Remove
            | Command::Result
            | Command::Analyze
            | Command::Exit
    )
}

/// What is answered at once while pondering, but while thinking belongs after the move.
const fn is_ping_or_clock(command: &Command) -> bool {
    matches!(command, Command::Ping(_) | Command::Time(_) | Command::OpponentTime(_))
}
