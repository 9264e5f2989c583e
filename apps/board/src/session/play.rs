//! What players do: moves, offers, claims, resignation, and their clocks.

use std::time::{Duration, Instant};

use serde_json::json;
use tamarin_game::clock::{Clocks, clk, read_clk};
use tamarin_game::ending::Ending;
use tamarin_game::game::Game;
use tamarin_game::pgn::Outcome;
use tamarin_movegen::{Color, PerColor};

use super::core::{CLOCK_EVERY, Session};
use super::error::SessionError;
use crate::players::Player;
use crate::protocol::{Kind, SideName};
use tamarin_game::position::{Move, clip, side_name};
use tamarin_game::tree::NodeId;

impl From<SideName> for Color {
    fn from(side: SideName) -> Self {
        match side {
            SideName::White => Self::White,
            SideName::Black => Self::Black,
        }
    }
}

impl Session {
    pub(super) fn is_game(&self) -> bool {
        self.kind() != Kind::Analyse
    }

    fn check_going_on(&self) -> Result<(), SessionError> {
        match self.game.ending() {
            Some(ending) => Err(SessionError::Over(ending.to_string())),
            None => Ok(()),
        }
    }

    fn check_game(&self, what: &'static str) -> Result<(), SessionError> {
        if self.is_game() { Ok(()) } else { Err(SessionError::Kind(what)) }
    }

    /// The person who is meant where a page does not say who it is: the one to move if both are,
    /// else the only one.
    fn person(&self, side: Option<SideName>) -> Result<Color, SessionError> {
        let turn = self.game.mover();
        let color = match side {
            Some(side) => side.into(),
            None if !self.players[turn].is_engine() => turn,
            None => !turn,
        };
        if self.players[color].is_engine() { Err(SessionError::NoPerson) } else { Ok(color) }
    }

    /// A person plays a move; in analysis anybody plays both sides.
    pub(super) fn person_moves(
        &mut self,
        text: &str,
        by: Option<SideName>,
        now: Instant,
    ) -> Result<(), SessionError> {
        if !self.is_game() {
            return self.try_move(text);
        }
        self.check_going_on()?;
        let tip = self.tree.tip();
        if self.at != tip {
            return Err(SessionError::NotAtTip);
        }
        let turn = self.game.mover();
        let is_own = by.is_none_or(|side| Color::from(side) == turn);
        if self.players[turn].is_engine() || !is_own {
            return Err(SessionError::Turn(side_name(turn)));
        }
        let mv = self.game.position().find(text).map_err(SessionError::Move)?;
        self.play(mv, now)?;
        self.play_premove(now);
        Ok(())
    }

    /// A move in analysis: it goes into the tree after the position on the board.
    fn try_move(&mut self, text: &str) -> Result<(), SessionError> {
        let position = self.tree.position(self.at);
        let mv = position.find(text).map_err(SessionError::Move)?;
        let before = self.tree.checkpoint(self.at);
        let id = self.tree.add(self.at, mv, &position)?;
        self.tree.keep_for_undo(before);
        self.at = id;
        Ok(())
    }

    /// Plays a legal move of the game. The clocks run once both sides have moved.
    pub(super) fn play(&mut self, mv: Move, now: Instant) -> Result<NodeId, SessionError> {
        let tip = self.tree.tip();
        let id = self.tree.add(tip, mv, self.game.position())?;
        self.game.play(mv, now);
        let left = self.game.turns().last().and_then(|turn| turn.after);
        if let (Some(left), false) = (left, self.is_per_move()) {
            self.tree.set_command(id, "clk", &clk(left));
        }
        if self.game.has_opened() {
            self.game.start_clock(now);
        }
        if self.at == tip {
            self.at = id;
        }
        self.finish();
        Ok(id)
    }

    /// Returns `true` if each move has its time, and what is left of it is lost.
    pub(super) fn is_per_move(&self) -> bool {
        self.game.clocks().is_some_and(|clocks| clocks.control().is_per_move)
    }

    /// If the game is over, its engines stop.
    pub(super) fn finish(&mut self) {
        if self.game.ending().is_some() {
            self.premove = None;
            self.players.0.iter_mut().for_each(Player::stop);
        }
    }

    /// The clock of the side to move runs if it should, and ends the game if it has run out.
    pub(super) fn run_clock(&mut self, now: Instant) {
        if !self.is_game() || self.game.ending().is_some() {
            return;
        }
        if self.is_paused {
            self.game.stop_clock(now);
        } else if self.game.has_opened() {
            self.game.start_clock(now);
        }
        let is_running = |game: &Game| game.clocks().is_some_and(Clocks::is_running);
        if is_running(&self.game) && self.game.check_time(now) {
            self.finish();
            self.changed();
        }
        let is_due = self.clock_sent.is_none_or(|sent| now.duration_since(sent) >= CLOCK_EVERY);
        if is_due && is_running(&self.game) {
            self.clock_sent = Some(now);
            self.send_event("clock", &self.clock(now));
        }
    }

    /// The clocks as pages get them: in an analysis what the record of the game says of them.
    pub(super) fn clock(&self, now: Instant) -> serde_json::Value {
        let (left, control) = match self.game.clocks() {
            Some(clocks) => (clocks.both(now), Some(clocks.control().to_string())),
            None => match self.recorded_clocks() {
                Some(left) => (left, None),
                None => return serde_json::Value::Null,
            },
        };
        let millis = left.0.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
        let is_running = self.game.clocks().is_some_and(Clocks::is_running);
        let running = is_running.then(|| side_name(self.game.mover()));
        json!({
            "white_ms": millis[0], "black_ms": millis[1], "running": running, "control": control,
        })
    }

    /// What both sides had left after their last moves before the position on the board.
    fn recorded_clocks(&self) -> Option<PerColor<Duration>> {
        let path = self.tree.path(self.at);
        let left = |id: &NodeId| {
            let comments = &self.tree.node(*id)?.comments;
            comments.iter().find_map(|text| read_clk(text))
        };
        let mut last = path.iter().rev();
        let [own, other] = [last.next().and_then(left)?, last.next().and_then(left)?];
        Some(match self.tree.turn(self.at) {
            Color::White => PerColor([other, own]),
            Color::Black => PerColor([own, other]),
        })
    }

    /// Takes moves back until it is the turn of the person who wants that.
    pub(super) fn take_back(&mut self, side: Option<SideName>) -> Result<(), SessionError> {
        self.check_game("taking back")?;
        let plies = self.take_back_plies(side).ok_or(SessionError::NothingToTakeBack)?;
        for player in &mut self.players.0 {
            player.stop();
            // Its opinion was about moves that are gone.
            player.opinion = None;
        }
        for _ in 0..plies {
            self.game.undo();
            self.tree.delete(self.tree.tip())?;
        }
        (self.at, self.premove) = (self.tree.tip(), None);
        Ok(())
    }

    /// How many plies a person takes back: one's own last move, and the answer to it if it has come.
    /// Of two persons it is the one who moved last, if the page does not say who wants it.
    pub(super) fn take_back_plies(&self, side: Option<SideName>) -> Option<usize> {
        let turn = self.game.mover();
        let person = match Color::ALL.map(|color| self.players[color].is_engine()) {
            [false, false] => side.map_or(!turn, Color::from),
            [false, true] => Color::White,
            [true, false] => Color::Black,
            [true, true] => return None,
        };
        let plies = if person == turn { 2 } else { 1 };
        (self.is_game() && self.tree.main_line().len() > plies).then_some(plies)
    }

    /// A person gives up.
    pub(super) fn resign(
        &mut self,
        side: Option<SideName>,
        now: Instant,
    ) -> Result<(), SessionError> {
        self.check_game("resigning")?;
        self.check_going_on()?;
        let loser = self.person(side)?;
        self.game.resign(loser, now);
        self.finish();
        Ok(())
    }

    /// A person offers a draw, or accepts that of the opponent. An engine answers at once, or if it
    /// is to move, once it has thought.
    pub(super) fn offer_draw(
        &mut self,
        side: Option<SideName>,
        now: Instant,
    ) -> Result<(), SessionError> {
        self.check_game("an offer of a draw")?;
        self.check_going_on()?;
        let by = match (side, self.game.offer()) {
            // Who answers an offer is the other one.
            (None, Some(offered)) if !self.players[!offered].is_engine() => !offered,
            _ => self.person(side)?,
        };
        if !self.game.offer_draw(by, now)
            && self.players[!by].is_engine()
            && self.game.mover() == by
        {
            self.answer_offer(!by, now);
        }
        self.finish();
        Ok(())
    }

    /// The engine of a side accepts or declines a draw, by what it found in its last search.
    pub(super) fn answer_offer(&mut self, color: Color, now: Instant) {
        let player = &self.players[color];
        if player.wants_draw() && self.game.may_be_agreed() {
            self.game.agree(now);
            self.finish();
            return;
        }
        self.notice(&format!("{} declines the draw.", player.name));
        self.game.decline();
    }

    pub(super) fn decline_draw(&mut self) -> Result<(), SessionError> {
        if self.game.decline() { Ok(()) } else { Err(SessionError::NoOffer) }
    }

    /// The person to move claims a draw.
    pub(super) fn claim_draw(
        &mut self,
        side: Option<SideName>,
        now: Instant,
    ) -> Result<(), SessionError> {
        self.check_game("claiming a draw")?;
        self.check_going_on()?;
        let turn = self.game.mover();
        let is_own = side.is_none_or(|side| Color::from(side) == turn);
        if self.players[turn].is_engine() || !is_own {
            return Err(SessionError::Turn(side_name(turn)));
        }
        self.game.claim(None, now).map_err(|_| SessionError::NoClaim)?;
        self.finish();
        Ok(())
    }

    /// A page says that time has run out; the server looks.
    pub(super) fn flag(&mut self, now: Instant) -> Result<(), SessionError> {
        self.run_clock(now);
        match self.game.ending() {
            Some(ending) if ending.termination() == "time forfeit" => Ok(()),
            _ => Err(SessionError::NoFlag),
        }
    }

    /// A move to be played after that of the opponent.
    pub(super) fn set_premove(
        &mut self,
        text: String,
        by: Option<SideName>,
        now: Instant,
    ) -> Result<(), SessionError> {
        self.check_game("a premove")?;
        self.check_going_on()?;
        let turn = self.game.mover();
        // The answer may have come while the page did not know it: it is tried at once.
        let by = match by {
            Some(side) => side.into(),
            None if self.players[!turn].is_engine() => turn,
            None => !turn,
        };
        if self.players[by].is_engine() {
            return Err(SessionError::NoPerson);
        }
        if text.len() > 16 || text.is_empty() || !text.is_ascii() {
            return Err(SessionError::Move(format!("{:?} is no move by squares", clip(&text))));
        }
        self.premove = Some((by, text));
        self.play_premove(now);
        Ok(())
    }

    /// Plays the move that was wished for, if it is legal now; else it is forgotten.
    pub(super) fn play_premove(&mut self, now: Instant) {
        let turn = self.game.mover();
        if self.premove.as_ref().is_none_or(|(color, _)| *color != turn) {
            return;
        }
        let Some((_, text)) = self.premove.take() else { return };
        if self.game.ending().is_some() {
            return;
        }
        match self.game.position().find_premove(&text) {
            Ok(mv) if self.at == self.tree.tip() => {
                if let Err(error) = self.play(mv, now) {
                    self.notice(&error.to_string());
                }
            }
            _ => self.notice(&format!("{text} cannot be played now; the premove is forgotten.")),
        }
    }

    /// Everything that the engine does here comes to rest.
    pub(super) fn stop(&mut self, now: Instant) -> Result<(), SessionError> {
        self.is_paused = self.is_game();
        self.rest();
        self.analysis.turn_off();
        self.game.stop_clock(now);
        Ok(())
    }

    /// A game that was stopped goes on.
    pub(super) fn go_on(&mut self) -> Result<(), SessionError> {
        self.check_game("going on")?;
        self.is_paused = false;
        Ok(())
    }

    pub(super) fn name(
        &mut self,
        white: Option<String>,
        black: Option<String>,
    ) -> Result<(), SessionError> {
        for (color, name) in [(Color::White, white), (Color::Black, black)] {
            if let Some(name) = name {
                self.players[color].name = crate::players::tidy(&name);
                self.unchanged = None;
            }
        }
        Ok(())
    }

    /// The result as PGN has it.
    pub(super) fn outcome(&self) -> Outcome {
        let by_rule = || self.tree.position(self.tree.tip()).ending();
        self.game.ending().or_else(by_rule).map_or(Outcome::Unknown, Ending::outcome)
    }
}
