//! What players do: moves, offers, claims, resignation, and their clocks.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_game::clock::{Clocks, clk, read_clk};
use tamarin_game::ending::Ending;
use tamarin_game::pgn::Outcome;
use tamarin_game::position::{Move, Position, clip, side_name};
use tamarin_game::results::{self, Played, table};
use tamarin_game::tree::{NodeId, TreeError};
use tamarin_movegen::{Color, PerColor};

use super::save::millis;
use super::{CLOCK_EVERY, Session};
use crate::error::BoardError;
use crate::players::{Player, tidy};
use crate::protocol::{Kind, SideName};

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

    pub(super) fn is_going_on(&self) -> bool {
        self.is_game() && self.game.ending().is_none()
    }

    fn check_game(&self, what: &'static str) -> Result<(), BoardError> {
        if self.is_game() { Ok(()) } else { Err(BoardError::Kind(what)) }
    }

    fn check_going_on(&self, what: &'static str) -> Result<(), BoardError> {
        self.check_game(what)?;
        match self.game.ending() {
            Some(ending) => Err(BoardError::Over(ending.to_string())),
            None => Ok(()),
        }
    }

    /// The person who is meant where a page does not say who it is: the one to move if both are,
    /// else the only one.
    fn person(&self, side: Option<SideName>) -> Result<Color, BoardError> {
        let turn = self.game.mover();
        let color = match side {
            Some(side) => side.into(),
            None if !self.players[turn].is_engine() => turn,
            None => !turn,
        };
        if self.players[color].is_engine() { Err(BoardError::NoPerson) } else { Ok(color) }
    }

    /// A person plays a move; in analysis anybody plays both sides.
    pub(super) fn person_moves(
        &mut self,
        text: &str,
        by: Option<SideName>,
        now: Instant,
    ) -> Result<(), BoardError> {
        if !self.is_game() {
            return if self.try_solution(text)? { Ok(()) } else { self.try_move(text) };
        }
        self.check_going_on("a move")?;
        if self.at != self.tree.tip() {
            return Err(BoardError::NotAtTip);
        }
        let turn = self.game.mover();
        let is_own = by.is_none_or(|side| Color::from(side) == turn);
        if self.players[turn].is_engine() || !is_own {
            return Err(BoardError::Turn(side_name(turn)));
        }
        let mv = self.game.position().find(text).map_err(BoardError::Move)?;
        self.play(mv, now)?;
        self.play_premove(now);
        Ok(())
    }

    /// A move in analysis: it goes into the tree after the position on the board.
    fn try_move(&mut self, text: &str) -> Result<(), BoardError> {
        let position = self.tree.position(self.at);
        let mv = position.find(text).map_err(BoardError::Move)?;
        self.edit(|tree, at| tree.add(at, mv, &position))
    }

    /// Plays a legal move of the game.
    pub(super) fn play(&mut self, mv: Move, now: Instant) -> Result<(), BoardError> {
        let id = self.tree.add(self.tree.tip(), mv, self.game.position())?;
        self.game.play(mv, now);
        self.follow_game(id, now);
        Ok(())
    }

    /// The last move of the game is this one of the tree. The clocks run once both sides have moved.
    fn follow_game(&mut self, id: NodeId, now: Instant) {
        let left = self.game.turns().last().and_then(|turn| turn.after);
        if let (Some(left), false) = (left, self.is_per_move()) {
            self.tree.set_command(id, "clk", &clk(left));
        }
        self.take_back_asked = None;
        if self.game.has_opened() {
            self.game.start_clock(now);
        }
        if self.tree.node(id).is_some_and(|node| node.parent == Some(self.at)) {
            self.at = id;
        }
        self.finish();
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
            self.keep_result();
        }
    }

    /// Keeps the result of a game of chess between a person and the engine, without help, from the
    /// usual position on, with both sides' moves; once.
    fn keep_result(&mut self) {
        let is_unaided = std::mem::take(&mut self.is_unaided);
        let people = Color::ALL.map(|color| !self.players[color].is_engine());
        let person = match people {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => return,
        };
        let (Some(folder), Some(tamarin), Some(ending)) =
            (&self.resources.results, self.players[!person].engine, self.game.ending())
        else {
            return;
        };
        let is_usual = self.game.start().is_same(&Position::startpos());
        let is_game = is_usual && self.game.turns().len() > 1 && !tamarin.evaluator.is_small();
        if !is_unaided || !is_game {
            return;
        }
        let half_points = match ending.outcome() {
            Outcome::Won(winner) => 2 * u8::from(winner == person),
            _ => 1,
        };
        let (name, rating) = (self.players[person].name.clone(), tamarin.level.rating());
        let game = Played { person: name, rating, half_points };
        let kept = results::add(folder, game.clone()).and_then(|()| results::read(folder));
        let text = kept.map(|mut games| {
            games.retain(|one| one.person == game.person);
            table(&games).join(" ")
        });
        self.notice(&text.unwrap_or_else(|error| format!("The result is not kept: {error}")));
    }

    /// The clock of the side to move runs if it should, and ends the game if it has run out.
    pub(super) fn run_clock(&mut self, now: Instant) {
        self.game.count_time(self.is_paused || self.pages == 0, now);
        if !self.is_going_on() {
            return;
        }
        if self.is_paused {
            self.game.stop_clock(now);
        } else if self.game.has_opened() {
            self.game.start_clock(now);
        }
        if !self.game.clocks().is_some_and(Clocks::is_running) {
            return;
        }
        if self.game.check_time(now) {
            self.finish();
            self.changed();
        } else if self.clock_sent.is_none_or(|sent| now.duration_since(sent) >= CLOCK_EVERY) {
            self.clock_sent = Some(now);
            self.send_event("clock", &self.clock(now));
        }
    }

    /// The clocks as pages get them: in an analysis what the record of the game says of them.
    pub(super) fn clock(&self, now: Instant) -> Value {
        let (left, control, is_running) = match self.game.clocks() {
            Some(clocks) => {
                (clocks.both(now), Some(clocks.control().to_string()), clocks.is_running())
            }
            None => match self.recorded_clocks() {
                Some(left) => (left, None, false),
                None => return Value::Null,
            },
        };
        let [white, black] = millis(left);
        let running = is_running.then(|| side_name(self.game.mover()));
        json!({ "white_ms": white, "black_ms": black, "running": running, "control": control })
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
    pub(super) fn take_back(&mut self, side: Option<SideName>) -> Result<(), BoardError> {
        self.check_game("taking back")?;
        let plies = self.take_back_plies(side).ok_or(BoardError::NothingToTakeBack)?;
        let Some(plies) = self.agreed_plies(side, plies) else { return Ok(()) };
        self.undo_plies(plies)
    }

    /// Takes everything after a node back, where no other person has a say in it. It can be played
    /// again.
    pub(super) fn take_back_to(&mut self, node: NodeId) -> Result<(), BoardError> {
        self.check_game("taking back")?;
        if self.is_shared_game() {
            return Err(BoardError::Shared);
        }
        let line = self.tree.main_line();
        let place = line.iter().position(|id| *id == node).ok_or(TreeError::NoNode(node))?;
        match line.len() - 1 - place {
            0 => Err(BoardError::NothingToTakeBack),
            plies => self.undo_plies(plies),
        }
    }

    fn undo_plies(&mut self, plies: usize) -> Result<(), BoardError> {
        self.is_unaided = false;
        self.forget_thoughts();
        for _ in 0..plies {
            self.game.undo();
            self.tree.delete(self.tree.tip())?;
        }
        self.at = self.tree.tip();
        Ok(())
    }

    /// How many plies are taken back: between two persons at two pages those of whoever has asked,
    /// once the other one wants it too.
    fn agreed_plies(&mut self, side: Option<SideName>, plies: usize) -> Option<usize> {
        if !self.is_shared_game() {
            return Some(plies);
        }
        let turn = self.game.mover();
        let asked = self.take_back_asked.take();
        let by = side.map_or_else(|| asked.map_or(!turn, |asked| !asked), Color::from);
        match asked.filter(|asked| *asked != by) {
            Some(asked) => Some(if asked == turn { 2 } else { 1 }),
            None => {
                self.take_back_asked = Some(by);
                None
            }
        }
    }

    pub(super) fn decline_take_back(&mut self) -> Result<(), BoardError> {
        let by = self.take_back_asked.take().ok_or(BoardError::NothingToTakeBack)?;
        self.notice(&format!(
            "{} does not let {} take back.",
            self.players[!by].name, self.players[by].name
        ));
        Ok(())
    }

    /// What engines and persons thought about moves that are gone.
    fn forget_thoughts(&mut self) {
        self.premove = None;
        for player in &mut self.players.0 {
            player.stop();
            player.opinion = None;
        }
    }

    /// Plays the moves again that were taken back last: against an engine one of each side.
    pub(super) fn play_again(&mut self, now: Instant) -> Result<(), BoardError> {
        let plies = if self.players.0.iter().any(Player::is_engine) { 2 } else { 1 };
        self.check_going_on("playing again")?;
        if !self.game.can_redo() {
            return Err(BoardError::NothingToPlayAgain);
        }
        self.forget_thoughts();
        self.at = self.tree.tip();
        for _ in 0..plies {
            let before = self.game.position().clone();
            let Some(mv) = self.game.redo(now).map(|turn| turn.mv) else { break };
            let id = self.tree.add(self.tree.tip(), mv, &before)?;
            self.follow_game(id, now);
        }
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
    ) -> Result<(), BoardError> {
        self.check_going_on("resigning")?;
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
    ) -> Result<(), BoardError> {
        self.check_going_on("an offer of a draw")?;
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

    pub(super) fn decline_draw(&mut self) -> Result<(), BoardError> {
        let by = self.game.offer().ok_or(BoardError::NoOffer)?;
        self.game.decline();
        self.notice(&format!("{} declines the draw.", self.players[!by].name));
        Ok(())
    }

    /// The person to move claims a draw.
    pub(super) fn claim_draw(
        &mut self,
        side: Option<SideName>,
        now: Instant,
    ) -> Result<(), BoardError> {
        self.check_going_on("claiming a draw")?;
        let turn = self.game.mover();
        let is_own = side.is_none_or(|side| Color::from(side) == turn);
        if self.players[turn].is_engine() || !is_own {
            return Err(BoardError::Turn(side_name(turn)));
        }
        self.game.claim(None, now).map_err(|_| BoardError::NoClaim)?;
        self.finish();
        Ok(())
    }

    /// A page says that time has run out; the server looks.
    pub(super) fn flag(&mut self, now: Instant) -> Result<(), BoardError> {
        self.run_clock(now);
        match self.game.ending() {
            Some(ending) if ending.termination() == "time forfeit" => Ok(()),
            _ => Err(BoardError::NoFlag),
        }
    }

    /// A move to be played after that of the opponent.
    pub(super) fn set_premove(
        &mut self,
        text: String,
        by: Option<SideName>,
        now: Instant,
    ) -> Result<(), BoardError> {
        self.check_going_on("a premove")?;
        let turn = self.game.mover();
        // The answer may have come while the page did not know it: it is tried at once.
        let by = match by {
            Some(side) => side.into(),
            None if self.players[!turn].is_engine() => turn,
            None => !turn,
        };
        if self.players[by].is_engine() {
            return Err(BoardError::NoPerson);
        }
        if text.len() > 16 || text.is_empty() || !text.is_ascii() {
            return Err(BoardError::Move(format!("{:?} is no move by squares", clip(&text))));
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
    pub(super) fn stop(&mut self) {
        self.is_paused = self.is_game();
        self.rest();
        self.analysis.turn_off();
    }

    /// A game that was stopped goes on.
    pub(super) fn go_on(&mut self) -> Result<(), BoardError> {
        self.check_game("going on")?;
        self.is_paused = false;
        Ok(())
    }

    pub(super) fn rename(&mut self, names: [Option<String>; 2]) {
        for (player, name) in self.players.0.iter_mut().zip(names) {
            if let Some(name) = name {
                player.name = tidy(&name);
                self.unchanged = None;
            }
        }
    }

    /// The result as PGN has it.
    pub(super) fn outcome(&self) -> Outcome {
        let by_rule = || self.tree.position(self.tree.tip()).ending();
        self.game.ending().or_else(by_rule).map_or(Outcome::Unknown, Ending::outcome)
    }
}
