//! What a session does with commands.

use std::time::Instant;

use tamarin_base::files::state_folder;
use tamarin_game::chess960;
use tamarin_game::clock::Clocks;
use tamarin_game::game::Game;
use tamarin_game::level::Level;
use tamarin_game::moves::{self, NoMove};
use tamarin_game::position::{Move, Position, clip};
use tamarin_game::search::Searcher;
use tamarin_movegen::Color;

use super::command::{self, CommandError, Done, Entry, Side, refused};
use super::{Message, Session, setup};
use crate::advice::Question;
use crate::picture::Pieces;
use crate::players::EngineError;
use crate::screen::new_game::NewGame;
use crate::theme;
use tamarin_game::results;

impl Session {
    /// Does what was typed, and gives what there is to show.
    pub fn perform(&mut self, typed: &str, now: Instant) -> Result<Vec<Message>, EngineError> {
        if typed.trim().is_empty() {
            return Ok(Vec::new());
        }
        self.now = now;
        // Time that has run out has run out before whatever was typed.
        if self.game.check_time(now) {
            self.ended();
        }
        match self.obey(typed) {
            Ok(()) => {}
            Err(CommandError::Engine(error)) => return Err(error),
            Err(error) => self.messages.push(Message::Refused(error.to_string())),
        }
        self.keep();
        Ok(std::mem::take(&mut self.messages))
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.messages.push(Message::Text(text.into()));
    }

    pub(super) fn say_all(&mut self, lines: impl IntoIterator<Item = String>) -> Done {
        self.messages.extend(lines.into_iter().map(Message::Text));
        Ok(())
    }

    pub(super) fn show_board(&mut self) -> Done {
        self.messages.push(Message::Board);
        Ok(())
    }

    /// A game that is over keeps the names of those who played it, whoever plays next.
    fn hold_names(&mut self) {
        if self.game.ending().is_some() {
            self.names = Some(self.names());
        }
    }

    pub(super) fn set_up(&mut self, typed: &str) -> Done {
        let position = match (self.game.position(), &self.players.resources.variant) {
            (Position::Chess(position, _), _) => setup::position(position, typed).map(Into::into),
            (_, Some(variant)) => variant
                .position(typed.trim_matches('"'))
                .map_err(|error| format!("bad position: {error}")),
            _ => Err(format!("bad position: {typed}")),
        };
        let position = position.or_else(refused)?;
        self.begin(position);
        Ok(())
    }

    pub(super) fn set_level(&mut self, level: Level) -> Done {
        if matches!(level, Level::Elo(_)) && !self.is_chess() {
            return refused("Ratings are for chess; give 1 to 20, easy, medium or hard.");
        }
        self.hold_names();
        self.is_helped |= !self.game.turns().is_empty();
        self.players.set_level(level);
        self.is_changed = true;
        self.say(format!("The engine plays at {level}."));
        Ok(())
    }

    pub(super) fn set_side(&mut self, side: Side) -> Done {
        self.hold_names();
        self.is_helped |= !self.game.turns().is_empty();
        self.players.set_side(side);
        self.is_changed = true;
        self.say(self.who_plays());
        self.show_board()
    }

    pub(super) fn show_help(&mut self, name: Option<&str>) -> Done {
        let Some(name) = name else { return self.say_all(self.help()) };
        let is_offered = |entry: &&Entry| self.is_chess() || !entry.is_chess_only;
        match command::find(name).filter(is_offered) {
            Some(entry) => self.say_all([Self::help_line(entry)]),
            None => refused(format!("There is no command {name:?}.")),
        }
    }

    pub(super) fn set_theme(&mut self, name: Option<&str>) -> Done {
        let next = theme::after(self.view.theme);
        match name.map_or(Some(next), theme::find) {
            Some(found) => self.view.theme = found,
            None => return refused(format!("Themes are {}.", theme::names())),
        }
        self.show_board()
    }

    pub(super) fn set_pieces(&mut self, name: Option<&str>) -> Done {
        self.view.pieces = match (name, self.view.pieces) {
            (Some("unicode"), _) | (None, Pieces::Blocks) => Pieces::Unicode,
            (Some("ascii"), _) | (None, Pieces::Unicode) => Pieces::Ascii,
            (Some("blocks"), _) | (None, Pieces::Ascii) => Pieces::Blocks,
            (Some(_), _) => return refused("Pieces are unicode, ascii or blocks."),
        };
        self.show_board()
    }

    pub(super) fn quit(&mut self) -> Done {
        self.messages.extend(self.course.as_ref().map(|course| Message::Text(course.summary())));
        self.messages.push(Message::Quit);
        Ok(())
    }

    pub(super) fn look(&mut self, ply: usize) -> Done {
        self.view.look = (ply < self.game.turns().len()).then_some(ply);
        self.value = None;
        self.show_board()
    }

    pub(super) fn play_typed(&mut self, typed: &str) -> Done {
        if self.game.ending().is_some() && self.course.is_none() {
            return refused("The game is over. Say undo, new or quit.");
        }
        match read(self.game.position(), typed)? {
            Move::Chess(mv) if self.course.is_some() => self.try_solution(mv)?,
            _ if self.players.is_engine(self.game.mover()) => {
                return refused("It is the engine's turn. Say now, pause or undo.");
            }
            mv => {
                self.is_paused = false;
                self.drop_question();
                self.make(mv);
            }
        }
        Ok(())
    }

    pub(super) fn hint(&mut self) -> Done {
        if self.course.is_some() {
            return Ok(self.puzzle_hint()?);
        }
        self.is_helped = true;
        let (position, _) = self.shown();
        let is_over = self.view.look.is_none() && self.game.ending().is_some();
        if is_over || !position.has_legal_move() {
            return refused("The game is over.");
        }
        Ok(self.ask(Question::Hint, position)?)
    }

    pub(super) fn why(&mut self, typed: Option<&str>) -> Done {
        self.is_helped = true;
        let (position, mv) = match typed {
            Some(typed) => {
                let (position, _) = self.shown();
                let mv = read(&position, typed)?;
                (position, mv)
            }
            None => {
                let turns = self.game.turns();
                let plies = self.view.look.unwrap_or(turns.len()).min(turns.len());
                let Some(index) = plies.checked_sub(1) else {
                    return refused("There is no last move; say why MOVE.");
                };
                (self.game.position_after(index), turns[index].mv)
            }
        };
        let (Some(chess), Move::Chess(mv)) = (position.chess(), mv) else { return Ok(()) };
        Ok(self.take_outcome(Question::why(chess.clone(), mv), position)?)
    }

    pub(super) fn draw(&mut self) -> Done {
        self.check_game()?;
        let (mover, human) = (self.game.mover(), self.players.only_human());
        match (self.game.offer(), human) {
            (None, None) if self.players.is_engine(mover) => return refused("No person plays."),
            (offer, None) => {
                if self.game.offer_draw(offer.map_or(mover, |color| !color), self.now) {
                    self.ended();
                } else {
                    let other = !mover;
                    self.say(format!(
                        "{mover:?} offers a draw; {other:?} may say draw or decline."
                    ));
                }
            }
            // What the engine thought when it last moved says nothing of the move since.
            (_, Some(human)) if mover != human => {
                return refused("It is the engine's turn. Offer a draw on your own.");
            }
            (_, Some(human)) if self.players.agrees(!human, &self.game) => {
                self.game.agree(self.now);
                self.say("The engine accepts.");
                self.ended();
            }
            (_, Some(_)) => self.say("The engine wants to play on."),
        }
        Ok(())
    }

    pub(super) fn decline(&mut self) -> Done {
        match self.game.decline() {
            true => self.say_all(["The offer is declined.".to_owned()]),
            false => refused("No draw is offered."),
        }
    }

    pub(super) fn claim(&mut self, typed: Option<&str>) -> Done {
        self.check_game()?;
        if self.players.is_engine(self.game.mover()) {
            return refused("Only the side to move can claim a draw.");
        }
        let mv = typed.map(|typed| read(self.game.position(), typed)).transpose()?;
        match self.game.claim(mv, self.now) {
            Ok(_) => {
                self.after_change();
                self.ended();
                Ok(())
            }
            Err(error) => refused(format!("There is {error}.")),
        }
    }

    pub(super) fn resign(&mut self) -> Done {
        self.check_game()?;
        let loser = self.players.only_human().unwrap_or_else(|| self.game.mover());
        self.game.resign(loser, self.now);
        self.ended();
        Ok(())
    }

    /// Refuses what there is only in a game that goes on.
    fn check_game(&self) -> Done {
        match &self.course {
            Some(course) => refused(format!("This is a {}, not a game.", course.word())),
            None if self.game.ending().is_some() => refused("The game is over."),
            None => Ok(()),
        }
    }

    pub(super) fn move_now(&mut self) -> Done {
        let is_answering = self.advisor.as_ref().and_then(Searcher::controls);
        if !self.players.move_now()? {
            match is_answering {
                Some(controls) => controls.stop(),
                None => return refused("The engine does not think."),
            }
        }
        Ok(())
    }

    pub(super) fn pause(&mut self) -> Done {
        self.is_paused = !self.is_paused;
        if self.is_paused {
            self.players.stop();
            self.game.stop_clock(self.now);
            self.say_pause();
        } else {
            self.say("The game goes on.");
        }
        Ok(())
    }

    fn say_pause(&mut self) {
        if self.is_paused {
            self.say("Paused; say pause to go on.");
        }
    }

    /// Takes back `count` moves, or those since it was last a person's turn.
    pub(super) fn undo(&mut self, count: Option<usize>) -> Done {
        if let Some(course) = &self.course {
            return refused(format!("A {} has no moves to take back.", course.word()));
        }
        self.is_helped = true;
        self.players.stop();
        self.drop_question();
        let mut taken = Vec::new();
        let is_enough = |session: &Self, taken: &[String]| match count {
            Some(count) => taken.len() >= count,
            // Until it is a person's turn again.
            None => {
                !taken.is_empty()
                    && (!session.players.is_engine(session.game.mover())
                        || session.players.only_human().is_none())
            }
        };
        while !is_enough(self, &taken) {
            let Some(turn) = self.game.undo() else { break };
            taken.push(turn.san.clone());
        }
        if taken.is_empty() {
            return refused("There is no move to take back.");
        }
        self.players.forget_opinions();
        self.after_change();
        if self.players.is_engine(self.game.mover()) {
            // The engine would play its move again at once.
            self.is_paused = true;
        }
        self.say(format!("Taken back: {}.", taken.join(" ")));
        self.say_pause();
        self.show_board()
    }

    /// Plays `count` moves again, or those of a turn.
    pub(super) fn redo(&mut self, count: Option<usize>) -> Done {
        self.check_game()?;
        self.players.stop();
        self.drop_question();
        let wanted = count.unwrap_or(if self.players.only_human().is_some() { 2 } else { 1 });
        let mut again = Vec::new();
        while again.len() < wanted {
            let Some(turn) = self.game.redo(self.now) else { break };
            again.push(turn.san.clone());
        }
        if again.is_empty() {
            return refused("No move was taken back.");
        }
        self.after_change();
        self.say(format!("Played again: {}.", again.join(" ")));
        if self.game.ending().is_none() {
            self.say_pause();
        }
        self.show_board()?;
        self.messages.extend(self.game.ending().map(Message::Ended));
        Ok(())
    }

    pub(super) fn show_results(&mut self) -> Done {
        let games = state_folder().and_then(|folder| results::read(&folder));
        match games {
            Ok(games) if games.is_empty() => self.say_all(["No game is counted yet.".to_owned()]),
            Ok(games) => self.say_all(results::table(&games)),
            Err(error) => refused(error.to_string()),
        }
    }

    pub(super) fn begin_chess960(&mut self, number: Option<u16>) -> Done {
        let start = chess960::start(number).or_else(|error| refused(error.to_string()))?;
        self.begin(start);
        Ok(())
    }

    /// A new game from a position on, with the same players, and the clocks that the player chose.
    pub(super) fn begin(&mut self, position: Position) {
        self.begin_quietly(position);
        self.say(format!("A new game. {}", self.who_plays()));
        self.messages.push(Message::Board);
        self.messages.extend(self.game.ending().map(Message::Ended));
    }

    /// The same, and only what cannot be done is said.
    pub(super) fn begin_quietly(&mut self, position: Position) {
        self.leave_game();
        self.drop_question();
        self.players.stop();
        self.players.new_game();
        if self.course.take().is_some() && self.storage.has_slots {
            self.take_slot();
        }
        self.game = Game::new(position, self.control.map(Clocks::new));
        self.record = None;
        self.is_helped = false;
        self.names = None;
        self.is_paused = false;
        self.after_change();
    }

    /// A new game as the player has put it together: sides, clocks, name, and a level unless the
    /// engines stay as they are.
    pub fn begin_as(&mut self, dialog: &NewGame, human: String) -> Vec<Message> {
        let (side, level) = dialog.players();
        if let Some(level) = level {
            self.players.set_level(level);
        }
        self.players.set_side(side);
        self.human = human;
        self.control = dialog.clocks().map(|clocks| clocks.control());
        let begun = match dialog.is_chess960() {
            true => self.begin_chess960(None),
            false => {
                self.begin(self.start_position());
                Ok(())
            }
        };
        if let Err(error) = begun {
            self.messages.push(Message::Refused(error.to_string()));
        }
        std::mem::take(&mut self.messages)
    }

    fn who_plays(&self) -> String {
        let names = self.players.names(&self.human);
        format!("White: {}. Black: {}.", names[Color::White], names[Color::Black])
    }
}

/// The move that a player types, or in words why it is none.
fn read(position: &Position, typed: &str) -> Result<Move, CommandError> {
    let typed_short = clip(typed);
    moves::read(position, typed).or_else(|error| match error {
        NoMove::NotAMove => {
            refused(format!("{typed_short:?} is neither a move nor a command; say help or legal."))
        }
        error => refused(format!("{typed_short}: {error}")),
    })
}
