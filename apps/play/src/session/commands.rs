//! What a session does with commands.

use std::path::PathBuf;
use std::time::Instant;

use tamarin_movegen::Color;

use super::{Message, Session};
use crate::advice::Question;
use crate::command::{self, Command, Entry, Look, Side, Switch};
use crate::picture::Pieces;
use crate::players::EngineError;
use crate::setup;
use crate::theme;
use tamarin_game::chess960;
use tamarin_game::clock::Clocks;
use tamarin_game::game::Game;
use tamarin_game::level::Level;
use tamarin_game::moves::{self, NoMove};
use tamarin_game::position::{Move, Position};
use tamarin_game::search::Searcher;

/// What a command came to.
type Done = Result<(), EngineError>;

fn text(line: impl Into<String>) -> Message {
    Message::Text(line.into())
}

fn refused(line: impl Into<String>) -> Message {
    Message::Refused(line.into())
}

impl Session {
    pub fn perform(&mut self, typed: &str, now: Instant) -> Result<Vec<Message>, EngineError> {
        let mut messages = Vec::new();
        if typed.trim().is_empty() {
            return Ok(messages);
        }
        // Time that has run out has run out before whatever was typed.
        if self.game.check_time(now) {
            self.ended(&mut messages);
        }
        match Command::parse(typed, self.is_chess()) {
            Ok(command) => self.obey(command, now, &mut messages)?,
            Err(error) => messages.push(refused(error.to_string())),
        }
        self.keep(&mut messages);
        Ok(messages)
    }

    /// Every command has an arm of its own: one without is an error of the compiler.
    fn obey(&mut self, command: Command, now: Instant, out: &mut Vec<Message>) -> Done {
        match command {
            Command::Move(typed) => return self.play_typed(&typed, now, out),
            Command::Hint => return self.hint(out),
            Command::Why(typed) => return self.why(typed.as_deref(), now, out),
            Command::Now => return self.move_now(out),
            Command::Undo(count) => self.undo(count, out),
            Command::Redo(count) => self.redo(count, now, out),
            Command::Draw => self.draw(now, out),
            Command::Decline => self.decline(out),
            Command::Claim(typed) => self.claim(typed.as_deref(), now, out),
            Command::Resign => self.resign(now, out),
            Command::Pause => self.pause(now, out),
            Command::New => self.begin(self.start_position(), out),
            Command::Chess960(number) => match chess960::start(number) {
                Ok(position) => self.begin(position, out),
                Err(error) => out.push(refused(error.to_string())),
            },
            Command::Setup(typed) => match self.set_up(&typed) {
                Ok(position) => self.begin(position, out),
                Err(error) => out.push(refused(error)),
            },
            Command::Load(path, number) => self.load(&PathBuf::from(path), number, now, out),
            Command::Save(path) => self.save(&PathBuf::from(path), out),
            Command::Svg(path) => self.svg(&PathBuf::from(path), out),
            Command::Level(level) => self.set_level(level, out),
            Command::Side(side) => self.set_side(side, out),
            Command::Next => self.next_puzzle(false, out),
            Command::Solution => self.solution(out),
            Command::Help(name) => self.show_help(name.as_deref(), out),
            Command::Legal(square) => self.legal(square.as_deref(), out),
            Command::Eval => out.extend(self.evaluation().into_iter().map(text)),
            Command::Moves => out.extend(self.moves().into_iter().map(text)),
            Command::Fen => out.push(text(self.shown().0.fen())),
            Command::Pgn => out.extend(self.pgn().lines().map(text)),
            Command::Board => out.push(Message::Board),
            Command::Flip => self.flip(out),
            Command::Bar(switch) => self.set_bar(switch, out),
            Command::Threats(switch) => {
                self.switch("Threats", switch, |one| &mut one.has_threats, out);
            }
            Command::Hints(switch) => {
                self.switch("Hints", switch, |one| &mut one.has_hints, out);
            }
            Command::Thoughts(switch) => {
                self.switch("Thoughts", switch, |one| &mut one.shows_thoughts, out);
            }
            Command::Analyse(switch) => self.set_lines(switch, out),
            Command::Time => out.push(text(self.time_text(now))),
            Command::Opening => out.push(text(self.opening_text())),
            Command::Theme(name) => self.set_theme(name.as_deref(), out),
            Command::Pieces(name) => self.set_pieces(name.as_deref(), out),
            Command::Look(look) => self.look(look, out),
            Command::Quit => self.quit(out),
        }
        Ok(())
    }

    /// A game that is over keeps the names of those who played it, whoever plays next.
    fn hold_names(&mut self) {
        if self.game.ending().is_some() {
            self.names = Some(self.names());
        }
    }

    fn set_up(&self, typed: &str) -> Result<Position, String> {
        let wrong = |error: String| format!("bad position: {error}");
        match (self.game.position(), self.players.variant()) {
            (Position::Chess(position, _), _) => setup::position(position, typed)
                .map(Position::from)
                .map_err(|error| error.to_string()),
            (_, Some(variant)) => {
                variant.position(typed.trim_matches('"')).map_err(|error| wrong(error.to_string()))
            }
            _ => Err(wrong(typed.to_owned())),
        }
    }

    fn set_level(&mut self, level: Level, out: &mut Vec<Message>) {
        if matches!(level, Level::Elo(_)) && !self.is_chess() {
            out.push(refused("Ratings are for chess; give 1 to 20, easy, medium or hard."));
            return;
        }
        self.hold_names();
        self.players.set_level(level);
        self.is_changed = true;
        out.push(text(format!("The engine plays at {level}.")));
    }

    fn set_side(&mut self, side: Side, out: &mut Vec<Message>) {
        self.hold_names();
        self.players.set_side(side);
        self.is_changed = true;
        out.push(text(self.who_plays()));
        out.push(Message::Board);
    }

    fn show_help(&self, name: Option<&str>, out: &mut Vec<Message>) {
        let Some(name) = name else {
            out.extend(self.help().into_iter().map(text));
            return;
        };
        let is_offered = |entry: &&Entry| self.is_chess() || !entry.is_chess_only;
        out.push(match command::find(name).filter(is_offered) {
            Some(entry) => text(Self::help_line(entry)),
            None => refused(format!("There is no command {name:?}.")),
        });
    }

    fn flip(&mut self, out: &mut Vec<Message>) {
        self.view.is_flipped = !self.view.is_flipped;
        out.push(Message::Board);
    }

    fn set_bar(&mut self, switch: Option<Switch>, out: &mut Vec<Message>) {
        self.view.has_bar = switch.map_or(!self.view.has_bar, |to| to == Switch::On);
        out.push(Message::Board);
    }

    fn set_theme(&mut self, name: Option<&str>, out: &mut Vec<Message>) {
        let next = theme::after(self.view.theme);
        match name.map_or(Some(next), theme::find) {
            Some(found) => {
                self.view.theme = found;
                out.push(Message::Board);
            }
            None => out.push(refused(format!("Themes are {}.", theme::names()))),
        }
    }

    fn set_pieces(&mut self, name: Option<&str>, out: &mut Vec<Message>) {
        self.view.pieces = match (name, self.view.pieces) {
            (Some("unicode"), _) | (None, Pieces::Blocks) => Pieces::Unicode,
            (Some("ascii"), _) | (None, Pieces::Unicode) => Pieces::Ascii,
            (Some("blocks"), _) | (None, Pieces::Ascii) => Pieces::Blocks,
            (Some(_), _) => {
                out.push(refused("Pieces are unicode, ascii or blocks."));
                return;
            }
        };
        out.push(Message::Board);
    }

    fn quit(&mut self, out: &mut Vec<Message>) {
        out.extend(self.course.as_ref().map(|course| text(course.summary())));
        out.push(Message::Quit);
    }

    fn look(&mut self, look: Look, out: &mut Vec<Message>) {
        let last = self.game.turns().len();
        let now = self.view.look.unwrap_or(last);
        let ply = match look {
            Look::First => 0,
            Look::Back => now.saturating_sub(1),
            Look::Forward => now + 1,
            Look::Last => last,
            Look::Ply(ply) => ply,
        };
        self.view.look = (ply < last).then_some(ply);
        self.value = None;
        out.push(Message::Board);
    }

    fn play_typed(&mut self, typed: &str, now: Instant, out: &mut Vec<Message>) -> Done {
        if self.game.ending().is_some() && self.course.is_none() {
            out.push(refused("The game is over. Say undo, new or quit."));
            return Ok(());
        }
        match moves::read(self.game.position(), typed) {
            Err(error) => out.push(refused(explain(typed, &error))),
            Ok(Move::Chess(mv)) if self.course.is_some() => {
                return self.try_solution(mv, now, out);
            }
            Ok(_) if self.players.is_engine(self.game.mover()) => {
                out.push(refused("It is the engine's turn. Say now, pause or undo."));
            }
            Ok(mv) => {
                self.is_paused = false;
                self.drop_question();
                self.make(mv, now, out);
            }
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut Vec<Message>) -> Done {
        if self.course.is_some() {
            return self.puzzle_hint(out);
        }
        let (position, _) = self.shown();
        let is_over = self.view.look.is_none() && self.game.ending().is_some();
        if is_over || !position.has_legal_move() {
            out.push(refused("The game is over."));
            return Ok(());
        }
        self.ask(Question::Hint, position)
    }

    fn why(&mut self, typed: Option<&str>, now: Instant, out: &mut Vec<Message>) -> Done {
        let (position, mv) = match typed {
            Some(typed) => match moves::read(&self.shown().0, typed) {
                Ok(mv) => (self.shown().0, mv),
                Err(error) => {
                    out.push(refused(explain(typed, &error)));
                    return Ok(());
                }
            },
            None => {
                let turns = self.game.turns();
                let plies = self.view.look.unwrap_or(turns.len()).min(turns.len());
                let Some(index) = plies.checked_sub(1) else {
                    out.push(refused("There is no last move; say why MOVE."));
                    return Ok(());
                };
                (self.game.position_after(index), turns[index].mv)
            }
        };
        let (Some(chess), Move::Chess(mv)) = (position.chess(), mv) else { return Ok(()) };
        self.take_outcome(Question::why(chess.clone(), mv), position, now, out)
    }

    fn draw(&mut self, now: Instant, out: &mut Vec<Message>) {
        if self.is_over(out) {
            return;
        }
        let (mover, human) = (self.game.mover(), self.players.only_human());
        match (self.game.offer(), human) {
            (None, None) if self.players.is_engine(mover) => {
                out.push(refused("No person plays."));
            }
            (offer, None) => {
                if self.game.offer_draw(offer.map_or(mover, |color| !color), now) {
                    self.ended(out);
                    return;
                }
                out.push(text(format!(
                    "{mover:?} offers a draw; {:?} may say draw or decline.",
                    !mover
                )));
            }
            // What the engine thought when it last moved says nothing of the move since.
            (_, Some(human)) if mover != human => {
                out.push(refused("It is the engine's turn. Offer a draw on your own."));
            }
            (_, Some(human)) if self.players.agrees(!human, &self.game) => {
                self.game.agree(now);
                out.push(text("The engine accepts."));
                self.ended(out);
            }
            (_, Some(_)) => out.push(text("The engine wants to play on.")),
        }
    }

    fn decline(&mut self, out: &mut Vec<Message>) {
        out.push(match self.game.decline() {
            true => text("The offer is declined."),
            false => refused("No draw is offered."),
        });
    }

    fn claim(&mut self, typed: Option<&str>, now: Instant, out: &mut Vec<Message>) {
        if self.is_over(out) {
            return;
        }
        if self.players.is_engine(self.game.mover()) {
            out.push(refused("Only the side to move can claim a draw."));
            return;
        }
        let read = |typed| moves::read(self.game.position(), typed).map_err(|error| (typed, error));
        let mv = match typed.map(read).transpose() {
            Ok(mv) => mv,
            Err((typed, error)) => {
                out.push(refused(explain(typed, &error)));
                return;
            }
        };
        match self.game.claim(mv, now) {
            Ok(_) => {
                self.after_change();
                self.ended(out);
            }
            Err(error) => out.push(refused(format!("There is {error}."))),
        }
    }

    fn resign(&mut self, now: Instant, out: &mut Vec<Message>) {
        if self.is_over(out) {
            return;
        }
        let loser = self.players.only_human().unwrap_or_else(|| self.game.mover());
        self.game.resign(loser, now);
        self.ended(out);
    }

    pub(super) fn is_over(&self, out: &mut Vec<Message>) -> bool {
        if let Some(course) = &self.course {
            out.push(refused(format!("This is a {}, not a game.", course.word())));
            return true;
        }
        if self.game.ending().is_some() {
            out.push(refused("The game is over."));
        }
        self.game.ending().is_some()
    }

    fn move_now(&mut self, out: &mut Vec<Message>) -> Done {
        let is_answering = self.advisor.as_ref().and_then(Searcher::controls);
        if !self.players.move_now()? {
            match is_answering {
                Some(controls) => controls.stop(),
                None => out.push(refused("The engine does not think.")),
            }
        }
        Ok(())
    }

    fn pause(&mut self, now: Instant, out: &mut Vec<Message>) {
        self.is_paused = !self.is_paused;
        if self.is_paused {
            self.players.stop();
            self.game.stop_clock(now);
            out.push(text("Paused; say pause to go on."));
        } else {
            out.push(text("The game goes on."));
        }
    }

    /// A new game from a position on, with the same players, and the clocks that the player chose.
    pub(super) fn begin(&mut self, position: Position, out: &mut Vec<Message>) {
        self.leave_game(out);
        self.drop_question();
        self.players.stop();
        self.players.new_game();
        if self.course.take().is_some() && self.storage.has_slots {
            self.take_slot(out);
        }
        self.game = Game::new(position, self.control.map(Clocks::new));
        self.record = None;
        self.names = None;
        self.is_paused = false;
        self.after_change();
        out.push(text(format!("A new game. {}", self.who_plays())));
        out.push(Message::Board);
        out.extend(self.game.ending().map(Message::Ended));
    }

    /// A new game as the player has put it together: sides, clocks, name, and a level unless the
    /// engines stay as they are.
    pub fn begin_as(
        &mut self,
        (side, level): (Side, Option<Level>),
        clocks: Option<Clocks>,
        human: String,
    ) -> Vec<Message> {
        let mut out = Vec::new();
        if let Some(level) = level {
            self.players.set_level(level);
        }
        self.players.set_side(side);
        self.human = human;
        self.control = clocks.map(|clocks| clocks.control());
        self.begin(self.start_position(), &mut out);
        out
    }

    /// Who has the pieces, and what people are called.
    pub fn human(&self) -> &str {
        &self.human
    }

    fn who_plays(&self) -> String {
        let names = self.players.names(&self.human);
        format!("White: {}. Black: {}.", names[Color::White], names[Color::Black])
    }
}

/// Why what was typed is no move, in words.
fn explain(typed: &str, error: &NoMove) -> String {
    let typed: String = typed.chars().take(24).collect();
    match error {
        NoMove::NotAMove => {
            format!("{typed:?} is neither a move nor a command; say help or legal.")
        }
        error => format!("{typed}: {error}"),
    }
}
