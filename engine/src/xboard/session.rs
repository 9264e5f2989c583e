//! The session: one loop that carries commands out in the order in which they came.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tamarin_base::{Entrance, Inbox};
use tamarin_movegen::{Color, Position};
use tamarin_search::{Millis, StartError};
use tamarin_uci::Base;
use tamarin_uci::xboard::{Command, EditCommand, Reply};

use super::Request;
use super::edit::{Edit, with_side_to_move};
use super::features;
use super::time_control::{TimeControl, Turn};
use super::variant_setup::setup_lines;
use crate::engine::{Engine, WITHOUT_TABLE};
use crate::faults::{self, Site};
use crate::game::{Answer, Game};
use crate::hash_file;
use crate::output::Output;
use crate::session_end::{Next, SessionEnd};
use tamarin_variant_search::CHESS;

/// Which sides the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// None.
    Force,
    Playing(Color),
    /// None: it analyzes.
    Analysis,
}

/// A conversation with a client.
pub struct Session<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) output: Arc<Output>,
    pub(super) inbox: &'a mut Inbox<Request>,
    /// For the searches, which report their end to the inbox.
    pub(super) entrance: Entrance<Request>,
    pub(super) end: &'a mut SessionEnd,
    pub(super) mode: Mode,
    edit: Option<Edit>,
    pub(super) time: TimeControl,
    /// Whether lines of thinking are printed.
    pub(super) post: bool,
    pub(super) draw_offered: bool,
    /// Root moves that are not analyzed.
    pub(super) excluded: Vec<String>,
    /// What the last search for a move of this game found.
    pub(super) last: Option<Answer>,
    /// Whether the engine may resign.
    pub(super) resigns: bool,
    /// Searches in a row whose score was lost.
    pub(super) lost_scores: u32,
    /// Nothing is to be searched in the opponent's time or in analysis until a command comes.
    pub(super) settled: bool,
    /// What all tables may take, in MiB, if the client said so.
    pub(super) memory: Option<u64>,
    /// The position and the turn in which a command has ended the search for a move.
    pub(super) owed: Option<(String, Turn)>,
}

impl<'a> Session<'a> {
    /// A session at the start position; the engine plays Black, as after `new`.
    pub fn new(
        engine: &'a mut Engine,
        output: Arc<Output>,
        inbox: &'a mut Inbox<Request>,
        entrance: Entrance<Request>,
        end: &'a mut SessionEnd,
    ) -> Self {
        engine.set_game(Game::chess());
        Self {
            engine,
            output,
            inbox,
            entrance,
            end,
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
            owed: None,
        }
    }

    /// The other protocol begins with its own defaults, in the start position of chess.
    fn leave(&mut self) {
        self.engine.set_variant(CHESS);
        self.engine.set_game(Game::chess());
        self.engine.settings.chess960 = false;
        self.engine.settings.ponder = false;
    }

    /// Serves requests until the input ends or the other protocol is wanted.
    pub fn run(mut self) -> Result<Next, StartError> {
        loop {
            // A panic in one command must not end the game.
            match catch_unwind(AssertUnwindSafe(|| self.step())) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(next)) => {
                    self.leave();
                    return Ok(next);
                }
                Err(_) => {
                    *self.end = SessionEnd::AfterInternalError;
                    self.settled = true;
                    self.error("internal error", "the command was not carried out");
                    if let Some(sizes) = self.engine.restart_search()? {
                        self.output.line(&Reply::Debug(&sizes));
                    }
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
        faults::pass(Site::Session);
        match request {
            Some(Request::Line(line)) => {
                let owed = self.owed.clone();
                self.line(&line);
                // Not if this line has begun another turn.
                if owed.is_some() && owed == self.owed {
                    self.make_owed_move();
                }
            }
            Some(Request::TooLong) => self.error("line too long", "more than 1 MiB was ignored"),
            Some(Request::Lost(word)) => self.error("internal error", &word),
            Some(Request::Skipped { is_reported }) => self.lines_were_skipped(is_reported),
            Some(Request::OtherProtocol) => return ControlFlow::Break(Next::OtherProtocol),
            Some(Request::Quit | Request::End) | None => return ControlFlow::Break(Next::End),
        }
        ControlFlow::Continue(())
    }

    /// Lines were skipped, of which some may have been moves: there is no position.
    fn lines_were_skipped(&mut self, is_reported: bool) {
        if !is_reported {
            self.output.line(&SKIPPED);
        }
        self.note_error();
        self.edit = None;
        self.engine.reject_position();
    }

    /// Ponders or analyzes, if that is wanted now; returns when something else is.
    fn thinks_meanwhile(&mut self) -> bool {
        if self.settled || self.edit.is_some() || !self.engine.has_position() {
            return false;
        }
        match self.mode {
            Mode::Force => false,
            Mode::Analysis => self.analyze(),
            Mode::Playing(color) => {
                let waits = self.engine.game().side_to_move() != color;
                waits && self.engine.settings.ponder && self.ponder()
            }
        }
    }

    /// Thinks again where a command has ended the search for a move and then changed neither the
    /// position nor the players.
    fn make_owed_move(&mut self) {
        let Some((fen, turn)) = self.owed.take().filter(|_| self.edit.is_none()) else { return };
        let Some(game) = self.engine.valid_game() else { return };
        if self.mode == Mode::Playing(game.side_to_move()) && game.fen() == fen {
            self.think_in(turn);
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
        match command {
            Command::Protocol(version) if version >= 2 => {
                self.output.line(&features::announcement(&self.engine.library));
            }
            Command::New => self.new_game(),
            Command::Variant(name) => self.set_variant(&name),
            Command::Force | Command::Result => self.set_mode(Mode::Force),
            Command::Go => self.go(),
            Command::PlayOther => {
                self.set_mode(Mode::Playing(!self.engine.game().side_to_move()));
            }
            Command::White => self.set_side_to_move(Color::White),
            Command::Black => self.set_side_to_move(Color::Black),
            Command::Move(text) => self.opponent_moves(&text),
            Command::Ping(text) => self.answer_ping(&text),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.edit = self.chess_position("edit").map(Edit::of),
            Command::Undo => self.take_back(1, "undo"),
            Command::Remove => self.take_back(2, "remove"),
            Command::Draw => self.answer_draw_offer(),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            Command::Hard => self.engine.settings.ponder = true,
            Command::Easy => self.engine.settings.ponder = false,
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Analyze => self.set_mode(Mode::Analysis),
            Command::Exit if self.mode == Mode::Analysis => self.set_mode(Mode::Force),
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
            Command::SaveHash(path) => self.use_hash_file("savehash", hash_file::save, &path),
            Command::LoadHash(path) => self.use_hash_file("loadhash", hash_file::load, &path),
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
            Command::Level(level) => self.time.set_level(level),
            Command::MoveTime(time) => self.time.set_move_time(millis(time)),
            Command::Depth(depth) => self.time.depth = Some(depth).filter(|depth| *depth > 0),
            Command::NodesPerSecond(rate) => self.set_nodes_per_second(rate),
            Command::Time(left) => self.time.set_own(millis(left)),
            Command::OpponentTime(left) => self.time.set_opponent(millis(left)),
            // Nothing to do while no search runs, or nothing at all.
            Command::MoveNow | Command::Statistics | Command::Exit => {}
            Command::Ignore | Command::XBoard | Command::Protocol(_) => {}
            // The reader of the input ends the session itself.
            Command::Uci | Command::Quit => {}
        }
    }

    /// Makes ready what the next search would have to wait for, and answers a ping.
    fn answer_ping(&mut self, text: &str) {
        if let Err(error) = self.engine.prepare() {
            self.note_error();
            self.output.line(&Reply::Debug(&format!("error: {error}")));
            self.output.line(&Reply::Debug(WITHOUT_TABLE));
        }
        self.output.line(&Reply::Pong(text));
    }

    /// With `nps` nodes count as time, which the search of variants cannot do.
    fn set_nodes_per_second(&mut self, rate: Option<u64>) {
        if rate.is_none() || self.chess_position("nps").is_some() {
            self.time.nodes_per_second = rate;
        }
    }

    /// The position on the board, for a command of standard chess; reports that it is refused in
    /// variants.
    pub(super) fn chess_position(&mut self, line: &str) -> Option<&Position> {
        if self.engine.game().as_chess().is_none() {
            self.error("not in variants", line);
        }
        self.engine.game().as_chess()
    }

    fn new_game(&mut self) {
        self.engine.set_variant(CHESS);
        self.engine.new_game();
        self.engine.settings.chess960 = false;
        self.time.new_game();
        self.set_up(Game::chess());
        if self.mode != Mode::Analysis {
            self.set_mode(Mode::Playing(Color::Black));
        }
    }

    /// Plays these sides from now on. An offer of a draw was made to the side that it played, which
    /// the last search was for.
    pub(super) fn set_mode(&mut self, mode: Mode) {
        self.draw_offered &= mode == self.mode;
        if matches!((self.mode, mode), (Mode::Playing(old), Mode::Playing(new)) if old != new) {
            self.last = None;
        }
        self.mode = mode;
    }

    /// A new position: what belonged to the game before is forgotten.
    fn set_up(&mut self, game: Game) {
        self.engine.set_game(game);
        self.forget_game();
    }

    /// What belonged to the game before is forgotten.
    pub(super) fn forget_game(&mut self) {
        self.excluded.clear();
        self.last = None;
        self.draw_offered = false;
        self.lost_scores = 0;
        self.owed = None;
    }

    fn set_variant(&mut self, name: &str) {
        match name {
            "normal" | "fischerandom" => {
                if self.engine.game().as_variant().is_some() {
                    self.engine.set_variant(CHESS);
                    self.forget_game();
                }
                self.engine.settings.chess960 = name == "fischerandom";
                // Castling may be written in another way now.
                let texts = std::mem::take(&mut self.excluded);
                let respelled = texts.iter().map(|mv| self.find_move(mv));
                self.excluded = respelled.flatten().collect();
            }
            _ => self.begin_variant(name),
        }
    }

    /// Plays this variant from now on, and prints its board and pieces.
    fn begin_variant(&mut self, name: &str) {
        let line = format!("variant {name}");
        let found = self.engine.library.find(name);
        let Some((name, rules)) = found.filter(|_| !name.eq_ignore_ascii_case(CHESS)) else {
            self.error("unknown variant", &line);
            return;
        };
        if setup_lines(&rules).is_none() {
            self.error("XBoard cannot name its pieces", &line);
            return;
        }
        self.engine.set_variant(&name);
        self.print_setup();
        self.forget_game();
        self.time.nodes_per_second = None;
    }

    /// Prints the board and the pieces of the variant in force.
    pub(super) fn print_setup(&self) {
        let rules = self.engine.game().as_variant().map(|(_, rules)| rules);
        if let Some(lines) = rules.and_then(setup_lines) {
            self.output.line(&lines);
        }
    }

    fn set_board(&mut self, fen: &str) {
        match self.engine.game().set_up(&Base::Fen(fen.to_owned())) {
            Ok(set_up) => {
                if let Some(note) = set_up.note_of_repairs() {
                    self.output.line(&Reply::Debug(&note));
                }
                self.set_up(set_up.game);
            }
            Err(reason) => self.reject(&reason),
        }
    }

    fn edit_line(&mut self, line: &str) {
        match EditCommand::parse(line) {
            Ok(EditCommand::Done) => {
                let Some(edit) = self.edit.take() else { return };
                match edit.finish() {
                    Ok(position) => self.set_up(Game::from_position(position)),
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
        self.engine.reject_position();
        self.note_error();
        self.output.line(&Reply::IllegalPosition);
        self.output.line(&Reply::Debug(reason));
    }

    fn set_side_to_move(&mut self, color: Color) {
        if !self.has_position("white or black") {
            return;
        }
        let Some(position) = self.chess_position("white or black") else { return };
        let changes = position.side_to_move() != color;
        match with_side_to_move(position, color) {
            Ok(position) => {
                if changes {
                    self.set_up(Game::from_position(position));
                }
                self.set_mode(Mode::Playing(!color));
            }
            Err(reason) => self.reject(&reason.to_string()),
        }
    }

    /// Returns `true` if there is a position to play in; reports it if not.
    pub(super) fn has_position(&mut self, line: &str) -> bool {
        let has = self.engine.has_position();
        if !has {
            self.error("no legal position", line);
        }
        has
    }

    fn go(&mut self) {
        if self.has_position("go") {
            self.set_mode(Mode::Playing(self.engine.game().side_to_move()));
            self.think();
        }
    }

    fn opponent_moves(&mut self, text: &str) {
        if let Err(reason) = self.play(text) {
            self.output.line(&Reply::IllegalMove(&reason, text));
            return;
        }
        let Mode::Playing(color) = self.mode else {
            self.last = None;
            return;
        };
        if !self.print_result() && self.engine.game().side_to_move() == color {
            self.think();
        }
    }

    /// The legal move that the client means, as it is written.
    ///
    /// # Errors
    /// If no legal move is meant: why.
    pub(super) fn find_move(&self, text: &str) -> Result<String, String> {
        self.engine.game().find_move(text, self.spelling())
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// Why it cannot be played.
    pub(super) fn play(&mut self, text: &str) -> Result<(), String> {
        let spelling = self.spelling();
        let game = self.engine.valid_game().ok_or("no legal position")?;
        game.play(text, spelling)?;
        self.excluded.clear();
        Ok(())
    }

    fn take_back(&mut self, plies: usize, line: &str) {
        if !self.has_position(line) {
            return;
        }
        if self.engine.valid_game().is_some_and(|game| game.take_back(plies)) {
            self.excluded.clear();
            self.last = None;
            self.draw_offered = false;
            self.lost_scores = 0;
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

pub(super) const SKIPPED: Reply<'_> = Reply::Error(
    "there is no room for more lines that wait: 64 MiB, or what the system has",
    "skipped until they are carried out, but for ? ping force exit result new quit; then there is \
     no legal position until new or setboard",
);

fn millis(time: tamarin_uci::Millis) -> Millis {
    Millis::from_signed(time.0)
}
