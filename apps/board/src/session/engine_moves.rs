//! Engines that play.

use std::time::Instant;

use tamarin_game::book;
use tamarin_game::level::Tamarin;
use tamarin_game::search::{Answer, Ask, Searcher};

use super::Session;
use crate::error::BoardError;

impl Session {
    /// Returns `true` if an engine is to move, and may.
    pub(super) fn engine_is_due(&self) -> bool {
        self.is_going_on() && !self.is_paused && self.players[self.game.mover()].is_engine()
    }

    /// Lets the engine that is to move think, and plays what it has found.
    pub(super) fn advance_engines(&mut self, now: Instant) {
        let turn = self.game.mover();
        if !self.engine_is_due() {
            return;
        }
        let tamarin = self.players[turn].engine;
        let answer = self.players[turn].searcher.as_mut().and_then(Searcher::answer);
        if answer.is_none() && self.players[turn].is_thinking() {
            return;
        }
        if let Some(answer) = answer {
            self.engine_plays(answer, now);
        } else if self.engine_claims(now) {
        } else if tamarin.is_some_and(|tamarin| !tamarin.evaluator.is_small())
            && let Some(mv) = book::built_in_move(self.game.position(), self.seed(), 0)
        {
            self.engine_plays(Answer { best: Some(mv), ..Answer::default() }, now);
        } else {
            match self.think(tamarin, now) {
                Ok(()) => return,
                // Without an engine the game stands still until a page lets it go on.
                Err(error) => {
                    self.is_paused = true;
                    self.players[turn].searcher = None;
                    self.notice(&error.to_string());
                }
            }
        }
        self.changed();
    }

    fn think(&mut self, tamarin: Option<Tamarin>, now: Instant) -> Result<(), BoardError> {
        let position = self.game.position();
        let level = tamarin.map(|tamarin| tamarin.level);
        let ask = Ask::of_player(&self.game, level, self.seed(), now);
        let (resources, threads) = (&self.resources, self.resources.threads);
        let player = &mut self.players[position.turn()];
        let searcher = match (&mut player.searcher, &player.program) {
            (Some(searcher), _) => searcher,
            (_, Some(_)) if position.chess().is_none() => {
                return Err(BoardError::Kind("an engine of chess"));
            }
            (none, Some(program)) => none.insert(resources.program(program, threads)?),
            (none, None) => {
                let kind = tamarin.map(|tamarin| tamarin.evaluator);
                none.insert(resources.searcher(position, kind, threads)?)
            }
        };
        match searcher.failure() {
            Some(failure) => Err(failure.into()),
            None => Ok(searcher.start_in(&self.game, &ask)?),
        }
    }

    /// The seed of the engines' choices: the one asked for, or one of this game of this session.
    pub(super) fn seed(&self) -> u64 {
        let id = u32::from_str_radix(self.id.get(..8).unwrap_or_default(), 16).unwrap_or(1);
        self.opened.seed.unwrap_or_else(|| id.wrapping_add(self.serial as u32)).into()
    }

    fn engine_plays(&mut self, answer: Answer, now: Instant) {
        let turn = self.game.mover();
        // After a failure of the search any legal move is better than none.
        let any = || self.game.position().legal().first().map(|one| one.mv);
        let Some(mv) = answer.best.or_else(any) else { return };
        if !answer.found.lines.is_empty() {
            self.players[turn].opinion = Some(answer.found);
        }
        if self.game.offer() == Some(!turn) {
            self.answer_offer(turn, now);
            if self.game.ending().is_some() {
                return;
            }
        }
        match self.play(mv, now) {
            Ok(_) => self.play_premove(now),
            Err(error) => {
                self.is_paused = true;
                self.notice(&error.to_string());
            }
        }
    }

    /// An engine that is no better claims a draw that the rules give; whether it has.
    fn engine_claims(&mut self, now: Instant) -> bool {
        let player = &self.players[self.game.mover()];
        if !player.wants_draw() || self.game.claim(None, now).is_err() {
            return false;
        }
        self.notice(&format!("{} claims a draw.", player.name));
        self.finish();
        true
    }
}
