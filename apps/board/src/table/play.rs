//! What players do: moves, offers, claims, resignation, and their clocks.

use std::time::{Duration, Instant};

use serde_json::json;
use tamarin_game::clock::{Clocks, clk};
use tamarin_game::ending::Ending;
use tamarin_game::pgn::Outcome;
use tamarin_movegen::{Color, PerColor};

use super::base::{CLOCK_EVERY, Table};
use super::error::TableError;
use crate::protocol::{Kind, SideName};
use tamarin_game::position::{Move, Position, clip, side_name};
use tamarin_game::tree::NodeId;

impl From<SideName> for Color {
    fn from(side: SideName) -> Self {
        match side {
            SideName::White => Self::White,
            SideName::Black => Self::Black,
        }
    }
}

/// Both sides have the whole time of a move again.
const fn renew(clocks: &mut Clocks) {
    clocks.set(PerColor([clocks.control().base; 2]));
}

impl Table {
    pub(super) fn is_game(&self) -> bool {
        self.kind() != Kind::Analyse
    }

    /// The position that is played on from.
    pub(super) fn game_place(&self) -> Position {
        self.tree.position(self.tree.tip())
    }

    pub(super) fn game_turn(&self) -> Color {
        self.tree.turn(self.tree.tip())
    }

    /// How many moves each side has made.
    pub(super) fn counts(&self) -> PerColor<u32> {
        let first = self.tree.start().turn();
        let plies = u32::try_from(self.tree.main_line().len() - 1).unwrap_or(u32::MAX);
        let mut counts = PerColor([plies / 2; 2]);
        counts[first] = plies.div_ceil(2);
        counts
    }

    fn check_going_on(&self) -> Result<(), TableError> {
        match &self.end {
            Some(end) => Err(TableError::Over(end.to_string())),
            None => Ok(()),
        }
    }

    fn check_game(&self, what: &'static str) -> Result<(), TableError> {
        if self.is_game() { Ok(()) } else { Err(TableError::Kind(what)) }
    }

    /// The person who is meant where a page does not say who it is: the one to move if both are,
    /// else the only one.
    fn person(&self, side: Option<SideName>) -> Result<Color, TableError> {
        let turn = self.game_turn();
        let color = match side {
            Some(side) => side.into(),
            None if !self.players[turn].is_engine() => turn,
            None => !turn,
        };
        if self.players[color].is_engine() { Err(TableError::NoPerson) } else { Ok(color) }
    }

    /// A person plays a move; in analysis anybody plays both sides.
    pub(super) fn person_moves(
        &mut self,
        text: &str,
        by: Option<SideName>,
        now: Instant,
    ) -> Result<(), TableError> {
        if !self.is_game() {
            return self.try_move(text);
        }
        self.check_going_on()?;
        let tip = self.tree.tip();
        if self.at != tip {
            return Err(TableError::NotAtTip);
        }
        let place = self.tree.position(tip);
        let turn = place.turn();
        let is_own = by.is_none_or(|side| Color::from(side) == turn);
        if self.players[turn].is_engine() || !is_own {
            return Err(TableError::Turn(side_name(turn)));
        }
        let mv = place.find(text).map_err(TableError::Move)?;
        self.play(mv, &place, now)?;
        self.play_premove(now);
        Ok(())
    }

    /// A move in analysis: it goes into the tree after the position on the board.
    fn try_move(&mut self, text: &str) -> Result<(), TableError> {
        let place = self.tree.position(self.at);
        let mv = place.find(text).map_err(TableError::Move)?;
        let before = self.tree.checkpoint(self.at);
        let id = self.tree.add(self.at, mv, &place)?;
        self.tree.keep_for_undo(before);
        self.at = id;
        Ok(())
    }

    /// Plays a legal move of the game.
    pub(super) fn play(
        &mut self,
        mv: Move,
        place: &Position,
        now: Instant,
    ) -> Result<NodeId, TableError> {
        let (tip, mover) = (self.tree.tip(), place.turn());
        let id = self.tree.add(tip, mv, place)?;
        if self.offer == Some(!mover) {
            self.offer = None;
        }
        if let Some(both) = self.clocks.as_ref().map(|clocks| clocks.both(now)) {
            self.before.insert(id, both);
        }
        self.press(id, mover, now);
        if self.at == tip {
            self.at = id;
        }
        if let Some(end) = self.tree.position(id).ending() {
            self.finish(end, now);
        }
        Ok(id)
    }

    /// The clock of the side that has moved stops, and the other's runs, once both sides have
    /// moved.
    fn press(&mut self, id: NodeId, mover: Color, now: Instant) {
        let has_opened = self.tree.ply(id) > 2;
        let (count, plies) = (self.counts()[mover], self.tree.ply(id));
        let Some(clocks) = &mut self.clocks else { return };
        if has_opened || clocks.is_running() {
            clocks.press(mover, count, now);
        }
        let left = clocks.left(mover, now);
        if self.is_by_move {
            renew(clocks);
        }
        if plies >= 2 {
            clocks.start(!mover, now);
        }
        if !self.is_by_move {
            self.tree.set_command(id, "clk", &clk(left));
        }
    }

    /// The game is over.
    pub(super) fn finish(&mut self, end: Ending, now: Instant) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(now);
        }
        self.end = Some(end);
        (self.offer, self.premove) = (None, None);
        for player in &mut self.players.0 {
            player.stop();
        }
    }

    /// The clock of the side to move runs if it should, and ends the game if it has run out.
    pub(super) fn run_clock(&mut self, now: Instant) {
        if !self.is_game() || self.end.is_some() || self.clocks.is_none() {
            return;
        }
        let (turn, opened) = (self.game_turn(), self.tree.main_line().len() > 2);
        let is_paused = self.is_paused;
        let Some(clocks) = &mut self.clocks else { return };
        if is_paused {
            clocks.stop(now);
        } else if opened {
            clocks.start(turn, now);
        }
        if clocks.is_running() && clocks.is_out(turn, now) {
            self.finish(self.game_place().timeout(turn), now);
            self.changed();
        }
        let is_due = self.clock_sent.is_none_or(|sent| now.duration_since(sent) >= CLOCK_EVERY);
        if is_due && self.clocks.as_ref().is_some_and(Clocks::is_running) {
            self.clock_sent = Some(now);
            self.tell("clock", &self.clock(now));
        }
    }

    /// The clocks as pages get them.
    pub(super) fn clock(&self, now: Instant) -> serde_json::Value {
        let Some(clocks) = &self.clocks else { return serde_json::Value::Null };
        let millis = |left: Duration| u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        let running = clocks.is_running().then(|| side_name(self.game_turn()));
        json!({
            "white_ms": millis(clocks.left(Color::White, now)),
            "black_ms": millis(clocks.left(Color::Black, now)),
            "running": running,
            "control": clocks.control().to_string(),
        })
    }

    /// Takes moves back until it is the turn of the person who wants that.
    pub(super) fn take_back(
        &mut self,
        side: Option<SideName>,
        now: Instant,
    ) -> Result<(), TableError> {
        self.check_game("taking back")?;
        let plies = self.take_back_plies(side).ok_or(TableError::NothingToTakeBack)?;
        for player in &mut self.players.0 {
            player.stop();
            // Its opinion was about moves that are gone.
            player.opinion = None;
        }
        for _ in 0..plies {
            let tip = self.tree.tip();
            let before = self.before.remove(&tip);
            self.tree.delete(tip)?;
            if let (Some(clocks), Some(before)) = (&mut self.clocks, before) {
                clocks.stop(now);
                clocks.set(before);
            }
        }
        if let (true, Some(clocks)) = (self.is_by_move, &mut self.clocks) {
            renew(clocks);
        }
        self.at = self.tree.tip();
        (self.end, self.offer, self.premove) = (None, None, None);
        Ok(())
    }

    /// How many plies a person takes back: one's own last move, and the answer to it if it has come.
    /// Of two persons it is the one who moved last, if the page does not say who wants it.
    pub(super) fn take_back_plies(&self, side: Option<SideName>) -> Option<usize> {
        let turn = self.game_turn();
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
    ) -> Result<(), TableError> {
        self.check_game("resigning")?;
        self.check_going_on()?;
        let loser = self.person(side)?;
        self.finish(Ending::Resignation(!loser), now);
        Ok(())
    }

    /// A person offers a draw, or accepts that of the opponent. An engine answers at once, or if it
    /// is to move, once it has thought.
    pub(super) fn offer_draw(
        &mut self,
        side: Option<SideName>,
        now: Instant,
    ) -> Result<(), TableError> {
        self.check_game("an offer of a draw")?;
        self.check_going_on()?;
        let by = match (side, self.offer) {
            // Who answers an offer is the other one.
            (None, Some(offered)) if !self.players[!offered].is_engine() => !offered,
            _ => self.person(side)?,
        };
        if self.offer == Some(!by) {
            self.finish(Ending::Agreement, now);
            return Ok(());
        }
        self.offer = Some(by);
        if self.players[!by].is_engine() && self.game_turn() == by {
            self.answer_offer(!by, now);
        }
        Ok(())
    }

    /// The engine of a side accepts or declines a draw, by what it found in its last search.
    pub(super) fn answer_offer(&mut self, color: Color, now: Instant) {
        let plies = self.tree.main_line().len() - 1;
        let player = &self.players[color];
        if player.wants_draw() && self.game_place().draw_may_be_agreed(plies) {
            self.finish(Ending::Agreement, now);
            return;
        }
        self.notice(&format!("{} declines the draw.", player.name));
        self.offer = None;
    }

    pub(super) fn decline_draw(&mut self) -> Result<(), TableError> {
        self.offer.take().map(drop).ok_or(TableError::NoOffer)
    }

    /// The person to move claims a draw.
    pub(super) fn claim_draw(
        &mut self,
        side: Option<SideName>,
        now: Instant,
    ) -> Result<(), TableError> {
        self.check_game("claiming a draw")?;
        self.check_going_on()?;
        let place = self.game_place();
        let turn = place.turn();
        let is_own = side.is_none_or(|side| Color::from(side) == turn);
        if self.players[turn].is_engine() || !is_own {
            return Err(TableError::Turn(side_name(turn)));
        }
        let end = place.claim().ok_or(TableError::NoClaim)?;
        self.finish(end, now);
        Ok(())
    }

    /// Somebody says that time has run out. It is the server that looks.
    pub(super) fn flag(&mut self, now: Instant) -> Result<(), TableError> {
        self.run_clock(now);
        match &self.end {
            Some(end) if end.termination() == "time forfeit" => Ok(()),
            _ => Err(TableError::NoFlag),
        }
    }

    /// A move to be played after that of the opponent.
    pub(super) fn set_premove(
        &mut self,
        text: String,
        by: Option<SideName>,
        now: Instant,
    ) -> Result<(), TableError> {
        self.check_game("a premove")?;
        self.check_going_on()?;
        let turn = self.game_turn();
        // The answer may have come while the page did not know it: it is tried at once.
        let by = match by {
            Some(side) => side.into(),
            None if self.players[!turn].is_engine() => turn,
            None => !turn,
        };
        if self.players[by].is_engine() {
            return Err(TableError::NoPerson);
        }
        if text.len() > 16 || text.is_empty() || !text.is_ascii() {
            return Err(TableError::Move(format!("{:?} is no move by squares", clip(&text))));
        }
        self.premove = Some((by, text));
        self.play_premove(now);
        Ok(())
    }

    /// Plays the move that was wished for, if it is legal now; else it is forgotten.
    pub(super) fn play_premove(&mut self, now: Instant) {
        let turn = self.game_turn();
        if self.premove.as_ref().is_none_or(|(color, _)| *color != turn) {
            return;
        }
        let place = self.game_place();
        let Some((_, text)) = self.premove.take() else { return };
        if self.end.is_some() {
            return;
        }
        match place.find_premove(&text) {
            Ok(mv) if self.at == self.tree.tip() => {
                if let Err(error) = self.play(mv, &place, now) {
                    self.notice(&error.to_string());
                }
            }
            _ => self.notice(&format!("{text} cannot be played now; the premove is forgotten.")),
        }
    }

    /// Everything that the engine does here comes to rest.
    pub(super) fn stop(&mut self, now: Instant) -> Result<(), TableError> {
        self.is_paused = self.is_game();
        self.rest();
        self.analysis.turn_off();
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(now);
        }
        Ok(())
    }

    /// A game that was stopped goes on.
    pub(super) fn go_on(&mut self) -> Result<(), TableError> {
        self.check_game("going on")?;
        self.is_paused = false;
        Ok(())
    }

    pub(super) fn name(
        &mut self,
        white: Option<String>,
        black: Option<String>,
    ) -> Result<(), TableError> {
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
        let by_rule = || self.game_place().ending();
        self.end.or_else(by_rule).map_or(Outcome::Unknown, Ending::outcome)
    }
}
