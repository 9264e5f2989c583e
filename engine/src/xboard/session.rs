//! The session: one loop that carries commands out in the order in which they came.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam::channel::Sender;
use tamarin_eval::Score;
use tamarin_movegen::{Color, Move, Position, Setup};
use tamarin_search::{Millis, StartError};
use tamarin_uci::xboard::{Command, EditCommand, Reply};

use super::Request;
use super::edit::{Edit, with_side_to_move};
use super::features;
use super::game::{Game, find_move};
use super::time_control::TimeControl;
use super::variant_state::VariantState;
use crate::engine::Engine;
use crate::inbox::{Event, Inbox};
use crate::output::Output;
use crate::session_end::{Next, SessionEnd};

/// Which sides the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// None.
    Force,
    /// This one.
    Playing(Color),
    /// None: it analyzes.
    Analysis,
}

/// What the last search for a move of this game found.
#[derive(Clone, Copy, Debug)]
pub struct LastSearch {
    /// The score for the engine.
    pub score: Score,
    /// The answer that it expects.
    pub reply: Option<Move>,
}

/// A conversation with a client.
pub struct Session<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) output: Arc<Output>,
    pub(super) inbox: &'a mut Inbox<Request>,
    /// For the searches, which report their end to the inbox.
    pub(super) sender: Sender<Event<Request>>,
    pub(super) end: &'a mut SessionEnd,
    pub(super) game: Game,
    /// The game of a variant; that of chess does not count then.
    pub(super) variant: Option<VariantState>,
    /// The last `setboard` or `edit` gave no legal position: moves are refused until a good one.
    rejected: bool,
    pub(super) mode: Mode,
    edit: Option<Edit>,
    pub(super) time: TimeControl,
    /// Whether lines of thinking are printed.
    pub(super) post: bool,
    pub(super) draw_offered: bool,
    /// Root moves that are not analyzed.
    pub(super) excluded: Vec<Move>,
    pub(super) last: Option<LastSearch>,
    /// Whether the engine may resign.
    pub(super) resigns: bool,
    /// Searches in a row whose score was lost.
    pub(super) lost_scores: u32,
    /// Nothing is to be searched in the opponent's time or in analysis until a command comes.
    pub(super) settled: bool,
    /// What all tables may take, in MiB, if the client said so.
    pub(super) memory: Option<u64>,
}

impl<'a> Session<'a> {
    /// A session at the start position; the engine plays Black, as after `new`.
    pub fn new(
        engine: &'a mut Engine,
        output: Arc<Output>,
        inbox: &'a mut Inbox<Request>,
        sender: Sender<Event<Request>>,
        end: &'a mut SessionEnd,
    ) -> Self {
        engine.player = None;
        Self {
            engine,
            output,
            inbox,
            sender,
            end,
            game: Game::from(Position::startpos()),
            variant: None,
            rejected: false,
            mode: Mode::Playing(Color::Black),
            edit: None,
            time: TimeControl::new(),
            post: false,
            draw_offered: false,
            excluded: Vec::new(),
            last: None,
            resigns: false,
            lost_scores: 0,
            settled: false,
            memory: None,
        }
    }

    /// Serves requests until the input ends or the other protocol is wanted.
    ///
    /// # Errors
    /// If no search thread can be started again after an internal error.
    pub fn run(mut self) -> Result<Next, StartError> {
        loop {
            // A panic in one command must not end the game.
            match catch_unwind(AssertUnwindSafe(|| self.step())) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(next)) => {
                    self.engine.position = Some(self.game.position().clone());
                    self.engine.player = None;
                    return Ok(next);
                }
                Err(_) => {
                    *self.end = SessionEnd::AfterInternalError;
                    self.settled = true;
                    self.error("internal error", "the command was not carried out");
                    self.engine.restart_search()?;
                }
            }
        }
    }

    /// Carries out the next request, or thinks until one comes.
    fn step(&mut self) -> ControlFlow<Next> {
        let request = match self.inbox.receive_now() {
            Some(request) => Some(request),
            None if self.thinks_meanwhile() => return ControlFlow::Continue(()),
            None => self.inbox.receive(),
        };
        self.settled = false;
        match request {
            Some(Request::Line(line)) => self.line(&line),
            Some(Request::TooLong) => self.error("line too long", "more than 1 MiB was ignored"),
            Some(Request::OtherProtocol) => return ControlFlow::Break(Next::OtherProtocol),
            Some(Request::Quit | Request::End) | None => return ControlFlow::Break(Next::End),
        }
        ControlFlow::Continue(())
    }

    /// Ponders or analyzes, if that is wanted now; returns when something else is.
    fn thinks_meanwhile(&mut self) -> bool {
        if self.settled || self.rejected || self.edit.is_some() {
            return false;
        }
        match self.mode {
            Mode::Force => false,
            Mode::Analysis if self.variant.is_some() => self.analyze_variant(),
            Mode::Playing(_) if self.variant.is_some() => false,
            Mode::Analysis => self.analyze(),
            Mode::Playing(color) => {
                let waits = self.game.position().side_to_move() != color;
                waits && self.engine.settings.ponder && self.ponder()
            }
        }
    }

    fn line(&mut self, line: &str) {
        if self.edit.is_some() {
            return self.edit_line(line);
        }
        match Command::parse(line) {
            Ok(command) => self.command(command),
            Err(error) => {
                self.output.line(&error.about(line));
                self.note_error();
            }
        }
    }

    fn command(&mut self, command: Command) {
        let Some(command) = self.variant_command(command) else { return };
        match command {
            Command::Protocol(version) if version >= 2 => {
                self.output.line(&features::announcement(&self.engine.library));
            }
            Command::New => self.new_game(),
            Command::Variant(name) => self.set_variant(&name),
            Command::Force | Command::Result => self.mode = Mode::Force,
            Command::Go => self.go(),
            Command::PlayOther => {
                self.mode = Mode::Playing(!self.game.position().side_to_move());
            }
            Command::White => self.set_side_to_move(Color::White),
            Command::Black => self.set_side_to_move(Color::Black),
            Command::Move(text) => self.opponent_moves(&text),
            Command::Ping(text) => self.output.line(&Reply::Pong(&text)),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.edit = Some(Edit::of(self.game.position())),
            Command::Undo => self.take_back(1, "undo"),
            Command::Remove => self.take_back(2, "remove"),
            Command::Draw => self.answer_draw_offer(),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            Command::Hard => self.engine.settings.ponder = true,
            Command::Easy => self.engine.settings.ponder = false,
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Analyze => self.mode = Mode::Analysis,
            Command::Exit if self.mode == Mode::Analysis => self.mode = Mode::Force,
            Command::Exclude(moves) => self.exclude(&moves),
            Command::Include(moves) => self.include(&moves),
            Command::Memory(mebibytes) => {
                self.memory = Some(mebibytes);
                self.share_memory();
            }
            Command::Cores(threads) => {
                self.set_number("Threads", threads);
                self.share_memory();
            }
            Command::TablebasePath { kind, path } => self.set_tablebases(&kind, &path),
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
            command => self.set_time(&command),
        }
    }

    /// What is about time; the rest needs nothing done while no search runs.
    fn set_time(&mut self, command: &Command) {
        let millis = |time: tamarin_uci::Millis| Millis::from_signed(time.0);
        match *command {
            Command::Level(level) => self.time.set_level(level),
            Command::MoveTime(time) => self.time.set_move_time(millis(time)),
            Command::Depth(depth) => self.time.depth = Some(depth).filter(|depth| *depth > 0),
            Command::NodesPerSecond(rate) => self.time.nodes_per_second = rate,
            Command::Time(left) => self.time.set_own(millis(left)),
            Command::OpponentTime(left) => self.time.set_opponent(millis(left)),
            _ => {}
        }
    }

    fn new_game(&mut self) {
        self.leave_variant();
        self.engine.new_game();
        self.engine.settings.chess960 = false;
        self.time.new_game();
        self.set_up(Position::startpos());
        if self.mode != Mode::Analysis {
            self.mode = Mode::Playing(Color::Black);
        }
    }

    /// A new position: what belonged to the game before is forgotten.
    fn set_up(&mut self, position: Position) {
        self.game = Game::from(position);
        self.rejected = false;
        self.forget_game();
    }

    /// What belonged to the game before is forgotten.
    pub(super) fn forget_game(&mut self) {
        self.excluded.clear();
        self.last = None;
        self.draw_offered = false;
        self.lost_scores = 0;
    }

    fn set_variant(&mut self, name: &str) {
        match name {
            "normal" | "fischerandom" => {
                self.leave_variant();
                self.engine.settings.chess960 = name == "fischerandom";
            }
            _ => self.begin_variant(name),
        }
    }

    fn set_board(&mut self, fen: &str) {
        let setup = Setup::parse(fen).map_err(|error| error.to_string());
        let position = setup
            .and_then(|(setup, _)| Position::from_setup(&setup).map_err(|error| error.to_string()));
        match position {
            Ok(position) => self.set_up(position),
            Err(reason) => self.reject(&reason),
        }
    }

    fn edit_line(&mut self, line: &str) {
        match EditCommand::parse(line) {
            Ok(EditCommand::Done) => {
                let Some(edit) = self.edit.take() else { return };
                match edit.finish() {
                    Ok(position) => self.set_up(position),
                    Err(reason) => self.reject(&reason.to_string()),
                }
            }
            Ok(command) => {
                if let Some(edit) = &mut self.edit {
                    edit.apply(command);
                }
            }
            Err(error) => self.error(&error.to_string(), line),
        }
    }

    /// There is no position until a legal one comes.
    fn reject(&mut self, reason: &str) {
        self.rejected = true;
        self.tell_rejected(reason);
    }

    /// Tells that a position is not legal.
    pub(super) fn tell_rejected(&mut self, reason: &str) {
        self.note_error();
        self.output.line(&Reply::IllegalPosition);
        self.output.line(&Reply::Debug(reason));
    }

    fn set_side_to_move(&mut self, color: Color) {
        match with_side_to_move(self.game.position(), color) {
            Ok(position) => {
                if position.side_to_move() != self.game.position().side_to_move() {
                    self.set_up(position);
                }
                self.mode = Mode::Playing(!color);
            }
            Err(reason) => self.reject(&reason.to_string()),
        }
    }

    /// Is there a position to play in? Tells the client if not.
    pub(super) fn has_position(&mut self, line: &str) -> bool {
        if self.rejected {
            self.error("no legal position", line);
        }
        !self.rejected
    }

    fn go(&mut self) {
        if self.has_position("go") {
            self.mode = Mode::Playing(self.game.position().side_to_move());
            self.think();
        }
    }

    fn opponent_moves(&mut self, text: &str) {
        if self.rejected {
            self.output.line(&Reply::IllegalMove("no legal position", text));
            return;
        }
        match find_move(self.game.position(), text) {
            Ok(mv) => self.play_for_opponent(mv),
            Err(reason) => self.output.line(&Reply::IllegalMove(&reason, text)),
        }
    }

    fn play_for_opponent(&mut self, mv: Move) {
        self.game.play(mv);
        self.excluded.clear();
        if let Mode::Playing(color) = self.mode {
            match self.game.result() {
                Some(result) => self.output.line(&Reply::Result(result)),
                None if self.game.position().side_to_move() == color => self.think(),
                None => {}
            }
        }
    }

    fn take_back(&mut self, plies: usize, line: &str) {
        if !self.has_position(line) {
            return;
        }
        if self.game.take_back(plies) {
            self.excluded.clear();
            self.last = None;
        } else {
            self.error("no move to take back", line);
        }
    }

    /// Says why a line was not carried out.
    pub(super) fn error(&mut self, reason: &str, line: &str) {
        self.note_error();
        self.output.line(&Reply::Error(reason, line));
    }

    const fn note_error(&mut self) {
        if matches!(self.end, SessionEnd::Success) {
            *self.end = SessionEnd::AfterError;
        }
    }
}
