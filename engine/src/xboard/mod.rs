//! The XBoard protocol: what each command does.

mod during_search;
mod edit;
mod features;
mod observer;
mod options;
mod playing;
mod time_control;

use tamarin_game::played::Played;
use tamarin_game::position::Move;
use tamarin_movegen::{Color, Position};
use tamarin_uci::xboard::{Command, EditCommand, Reply};

use self::edit::{Edit, with_side_to_move};
use self::features::setup_lines;
use self::time_control::{TimeControl, Turn};
use crate::client::{Client, SessionEnd, load_hash, save_hash};
use crate::inbox::Request;
use crate::report::Answer;
use crate::serve;
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
    client: &'a mut Client,
    mode: Mode,
    edit: Option<Edit>,
    time: TimeControl,
    /// Whether lines of thinking are printed.
    post: bool,
    draw_offered: bool,
    /// Root moves that are not analyzed.
    excluded: Vec<Move>,
    /// What the last search for a move of this game found.
    last: Option<Answer>,
    /// Whether the engine may resign.
    resigns: bool,
    /// Searches in a row whose score was lost.
    lost_scores: u32,
    /// Nothing is to be searched in the opponent's time or in analysis until a command comes.
    is_idle: bool,
    /// What all tables may take, in MiB, if the client said so.
    memory: Option<u64>,
    /// The position and the turn in which a command has ended the search for a move.
    interrupted: Option<(String, Turn)>,
}

impl serve::Session for Session<'_> {
    fn client(&mut self) -> &mut Client {
        self.client
    }

    fn handle(&mut self, request: Request) {
        self.is_idle = false;
        match request {
            Request::XBoard(line) => {
                let interrupted = self.interrupted.clone();
                self.line(&line);
                // Not if this line has begun another turn.
                if interrupted.is_some() && interrupted == self.interrupted {
                    self.resume_interrupted_search();
                }
            }
            Request::TooLong => self.error("line too long", "more than 1 MiB was ignored"),
            Request::Lost(word) => {
                self.client.end = SessionEnd::AfterInternalError;
                self.error("internal error", &word);
            }
            Request::Skipped { is_reported } => self.lines_were_skipped(is_reported),
            Request::Uci(_) | Request::Protocol(_) | Request::Quit | Request::End => {}
        }
    }

    /// Ponders or analyzes, if that is wanted now; returns when something else is.
    fn search_meanwhile(&mut self) -> bool {
        if self.is_idle || self.edit.is_some() || !self.client.engine.has_position() {
            return false;
        }
        match self.mode {
            Mode::Force => false,
            Mode::Analysis => self.analyze(),
            Mode::Playing(color) => {
                let waits = self.client.engine.game().side_to_move() != color;
                waits && self.client.engine.settings.search.ponder && self.ponder()
            }
        }
    }

    fn recover(&mut self) {
        self.is_idle = true;
        self.error("internal error", "the command was not carried out");
    }
}

/// The other protocol begins with its own defaults, in the start position of chess.
impl Drop for Session<'_> {
    fn drop(&mut self) {
        let engine = &mut self.client.engine;
        engine.set_variant(CHESS);
        engine.set_game(Played::chess());
        engine.settings.chess960 = false;
        engine.settings.search.ponder = false;
        engine.settings.random = false;
    }
}

impl<'a> Session<'a> {
    /// A session at the start position; the engine plays Black, as after `new`.
    pub fn new(client: &'a mut Client) -> Self {
        client.engine.set_game(Played::chess());
        Self {
            client,
            mode: Mode::Playing(Color::Black),
            edit: None,
            time: TimeControl::new(),
            post: false,
            draw_offered: false,
            excluded: Vec::new(),
            last: None,
            resigns: false,
            lost_scores: 0,
            is_idle: false,
            memory: None,
            interrupted: None,
        }
    }

    /// Lines were skipped, of which some may have been moves: there is no position.
    fn lines_were_skipped(&mut self, is_reported: bool) {
        if !is_reported {
            self.client.output.line(&SKIPPED);
        }
        self.client.note_error();
        self.edit = None;
        self.client.engine.reject_position();
    }

    /// Thinks again where a command has ended the search for a move and then changed neither the
    /// position nor the players.
    fn resume_interrupted_search(&mut self) {
        let Some((fen, turn)) = self.interrupted.take().filter(|_| self.edit.is_none()) else {
            return;
        };
        let Some(game) = self.client.engine.valid_game() else { return };
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
                self.client.output.line(&error.about(line));
                self.client.note_error();
            }
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Protocol(version) if version >= 2 => {
                self.client.output.line(&features::announcement(&self.client.engine.library));
            }
            Command::New => self.new_game(),
            Command::Variant(name) => self.set_variant(&name),
            Command::Force | Command::Result => self.set_mode(Mode::Force),
            Command::Go => self.go(),
            Command::PlayOther => {
                self.set_mode(Mode::Playing(!self.client.engine.game().side_to_move()));
            }
            Command::White => self.set_side_to_move(Color::White),
            Command::Black => self.set_side_to_move(Color::Black),
            Command::Move(text) => self.opponent_moves(&text),
            Command::Ping(text) => {
                self.client.prepare();
                self.client.output.line(&Reply::Pong(&text));
            }
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.edit = Some(Edit::of(self.client.engine.game())),
            Command::Undo => self.take_back(1, "undo"),
            Command::Remove => self.take_back(2, "remove"),
            Command::Draw => self.answer_draw_offer(),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            Command::Hard => self.client.engine.settings.search.ponder = true,
            Command::Easy => self.client.engine.settings.search.ponder = false,
            Command::Random => self.client.engine.settings.random ^= true,
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
            Command::SaveHash(path) => self.use_hash_file("savehash", save_hash, &path),
            Command::LoadHash(path) => self.use_hash_file("loadhash", load_hash, &path),
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
            Command::Level(level) => self.time.set_level(level),
            Command::MoveTime(time) => self.time.set_move_time(time),
            Command::Depth(depth) => self.time.depth = Some(depth).filter(|depth| *depth > 0),
            Command::NodesPerSecond(rate) => self.set_nodes_per_second(rate),
            Command::Time(left) => self.time.set_own(left),
            Command::OpponentTime(left) => self.time.set_opponent(left),
            // Nothing to do while no search runs, or nothing at all.
            Command::MoveNow | Command::Statistics | Command::Exit => {}
            Command::Ignore | Command::XBoard | Command::Protocol(_) => {}
            // The reader of the input ends the session itself.
            Command::Uci | Command::Quit => {}
        }
    }

    /// With `nps` nodes count as time, which the search of variants cannot do.
    fn set_nodes_per_second(&mut self, rate: Option<u64>) {
        if rate.is_none() || self.chess_position("nps").is_some() {
            self.time.nodes_per_second = rate;
        }
    }

    /// The position on the board, for a command of standard chess; reports that it is refused in
    /// variants.
    fn chess_position(&mut self, line: &str) -> Option<&Position> {
        if self.client.engine.game().as_chess().is_none() {
            self.error("not in variants", line);
        }
        self.client.engine.game().as_chess()
    }

    fn new_game(&mut self) {
        self.client.engine.set_variant(CHESS);
        self.client.engine.new_game();
        self.client.engine.settings.chess960 = false;
        self.client.engine.settings.random = false;
        self.time.new_game();
        self.set_up(Played::chess());
        if self.mode != Mode::Analysis {
            self.set_mode(Mode::Playing(Color::Black));
        }
    }

    /// Plays these sides from now on. An offer of a draw was made to the side that it played, which
    /// the last search was for.
    fn set_mode(&mut self, mode: Mode) {
        self.draw_offered &= mode == self.mode;
        if matches!((self.mode, mode), (Mode::Playing(old), Mode::Playing(new)) if old != new) {
            self.last = None;
        }
        self.mode = mode;
    }

    /// A new position: what belonged to the game before is forgotten.
    fn set_up(&mut self, game: Played) {
        self.client.engine.set_game(game);
        self.forget_game();
    }

    /// What belonged to the game before is forgotten.
    fn forget_game(&mut self) {
        self.excluded.clear();
        self.last = None;
        self.draw_offered = false;
        self.lost_scores = 0;
        self.interrupted = None;
    }

    fn set_variant(&mut self, name: &str) {
        match name {
            "normal" | "fischerandom" => {
                if self.client.engine.game().as_variant().is_some() {
                    self.client.engine.set_variant(CHESS);
                    self.forget_game();
                }
                self.client.engine.settings.chess960 = name == "fischerandom";
            }
            _ => self.begin_variant(name),
        }
    }

    /// Plays this variant from now on, and prints its board and pieces.
    fn begin_variant(&mut self, name: &str) {
        let line = format!("variant {name}");
        let found = self.client.engine.library.find(name);
        let Some((name, rules)) = found.filter(|_| !name.eq_ignore_ascii_case(CHESS)) else {
            self.error("unknown variant", &line);
            return;
        };
        if setup_lines(&rules).is_none() {
            self.error(NOT_NAMED, &line);
            return;
        }
        self.client.engine.set_variant(&name);
        self.print_setup();
        self.forget_game();
        self.time.nodes_per_second = None;
    }

    /// Prints the board and the pieces of the current variant, or that XBoard cannot show them.
    fn print_setup(&mut self) {
        let Some((name, rules)) = self.client.engine.game().as_variant() else { return };
        let line = format!("variant {name}");
        match setup_lines(rules) {
            Some(lines) => self.client.output.line(&lines),
            None => self.error(NOT_NAMED, &line),
        }
    }

    fn set_board(&mut self, fen: &str) {
        match self.client.engine.game().set_up(Some(fen)) {
            Ok(set_up) => {
                if let Some(repairs) = set_up.repairs {
                    self.client.output.note(&format!("position repaired: {repairs}"));
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
                    Ok(game) => self.set_up(game),
                    Err(reason) => self.reject(&reason),
                }
            }
            parsed => {
                let edit = self.edit.as_mut();
                let applied = parsed.and_then(|command| edit.map_or(Ok(()), |e| e.apply(command)));
                if let Err(error) = applied {
                    self.error(&error.to_string(), line);
                }
            }
        }
    }

    /// There is no position until a legal one comes.
    fn reject(&mut self, reason: &str) {
        self.client.engine.reject_position();
        self.client.note_error();
        self.client.output.line(&Reply::IllegalPosition);
        self.client.output.note(reason);
    }

    fn set_side_to_move(&mut self, color: Color) {
        if !self.has_position("white or black") {
            return;
        }
        if self.client.engine.game().side_to_move() != color {
            match with_side_to_move(self.client.engine.game(), color) {
                Ok(game) => self.set_up(game),
                Err(reason) => return self.reject(&reason),
            }
        }
        self.set_mode(Mode::Playing(!color));
    }

    /// Returns `true` if there is a position to play in; reports it if not.
    fn has_position(&mut self, line: &str) -> bool {
        let has = self.client.engine.has_position();
        if !has {
            self.error("no legal position", line);
        }
        has
    }

    fn go(&mut self) {
        if self.has_position("go") {
            self.set_mode(Mode::Playing(self.client.engine.game().side_to_move()));
            self.think();
        }
    }

    fn opponent_moves(&mut self, text: &str) {
        if let Err(reason) = self.play(text) {
            self.client.output.line(&Reply::IllegalMove(&reason, text));
            return;
        }
        let Mode::Playing(color) = self.mode else {
            self.last = None;
            // Moves of a game that goes on are no claims.
            if self.mode == Mode::Force && self.client.engine.game().position().ending().is_some() {
                self.print_result();
            }
            return;
        };
        if !self.print_result() && self.client.engine.game().side_to_move() == color {
            self.think();
        }
    }

    /// The legal move that the client means.
    ///
    /// # Errors
    /// If no legal move is meant: why.
    fn find_move(&self, text: &str) -> Result<Move, String> {
        self.client.engine.game().position().read(text, self.spelling())
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn play(&mut self, text: &str) -> Result<(), String> {
        let spelling = self.spelling();
        let game = self.client.engine.valid_game().ok_or("no legal position")?;
        game.play(text, spelling)?;
        self.excluded.clear();
        Ok(())
    }

    fn take_back(&mut self, plies: usize, line: &str) {
        if !self.has_position(line) {
            return;
        }
        if self.client.engine.valid_game().is_some_and(|game| game.take_back(plies)) {
            self.excluded.clear();
            self.last = None;
            self.draw_offered = false;
            self.lost_scores = 0;
        } else {
            self.error("no move to take back", line);
        }
    }

    /// Says why a line was not carried out.
    fn error(&mut self, reason: &str, line: &str) {
        self.client.note_error();
        self.client.output.line(&Reply::Error(reason, line));
    }
}

/// Why a variant is not shown.
const NOT_NAMED: &str = "XBoard cannot name its pieces";

const SKIPPED: Reply<'_> = Reply::Error(
    "there is no room for more lines that wait: 64 MiB",
    "all but ? ping force exit result new quit are skipped until they are done; then there is no \
     legal position",
);
