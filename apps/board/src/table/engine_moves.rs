//! Engines that play.

use std::time::Instant;

use tamarin_game::book::{Book, Seed, choose};
use tamarin_game::level::Level;
use tamarin_movegen::PerColor;

use super::base::Table;
use super::error::TableError;
use crate::players::Who;
use tamarin_game::position::{Castling, Move, Position};
use tamarin_game::search::{Answer, Ask, Searcher};

impl Table {
    /// Returns `true` if an engine is to move, and may.
    pub(super) fn engine_is_due(&self) -> bool {
        self.is_game()
            && self.end.is_none()
            && !self.is_paused
            && self.players[self.game_turn()].is_engine()
    }

    /// Lets the engine that is to move think, and plays what it has found.
    pub(super) fn advance_engines(&mut self, now: Instant) {
        if !self.is_game() || self.end.is_some() || self.is_paused {
            return;
        }
        let turn = self.game_turn();
        let Who::Engine(tamarin) = self.players[turn].who else { return };
        let answer = self.players[turn].searcher.as_mut().and_then(Searcher::answer);
        if answer.is_none() && self.players[turn].is_thinking() {
            return;
        }
        let place = self.game_place();
        if let Some(answer) = answer {
            self.engine_plays(answer, &place, now);
            self.changed();
        } else {
            if self.engine_claims(&place, now) {
                self.changed();
                return;
            }
            if let Some(mv) = self.book_move(&place) {
                let answer =
                    Answer { best: Some(mv), found: tamarin_game::search::Found::default() };
                self.engine_plays(answer, &place, now);
                self.changed();
                return;
            }
            if let Err(error) = self.think(&place, tamarin.level, now) {
                // Without an engine the game stands still until somebody says that it shall go on.
                self.is_paused = true;
                self.notice(&error.to_string());
                self.changed();
            }
        }
    }

    fn think(&mut self, place: &Position, level: Level, now: Instant) -> Result<(), TableError> {
        let turn = place.turn();
        let Who::Engine(tamarin) = self.players[turn].who else { return Ok(()) };
        let counts = self.counts();
        let clocks = match &self.clocks {
            Some(clocks) => clocks.for_search(counts, now),
            None => PerColor([None; 2]),
        };
        let seed = self.seed() ^ u64::from(counts.0[0] + counts.0[1]);
        let ask = Ask { level: Some(level), clocks, seed, ..Ask::default() };
        let searcher = match &mut self.players[turn].searcher {
            Some(searcher) => searcher,
            none => {
                let kind = Some(tamarin.evaluator);
                none.insert(self.resources.searcher(place, kind, self.resources.threads)?)
            }
        };
        Ok(searcher.start(place, &ask)?)
    }

    /// A number of this table alone.
    fn seed(&self) -> u64 {
        u64::from_str_radix(self.id.get(..16).unwrap_or_default(), 16).unwrap_or(1)
    }

    fn engine_plays(&mut self, answer: Answer, place: &Position, now: Instant) {
        let turn = place.turn();
        // After a failure of the search any legal move is better than none.
        let any = || place.legal().first().map(|one| one.mv);
        let Some(mv) = answer.best.or_else(any) else { return };
        if !answer.found.lines.is_empty() {
            self.players[turn].opinion = Some(answer.found);
        }
        if self.offer == Some(!turn) {
            self.answer_offer(turn, now);
            if self.end.is_some() {
                return;
            }
        }
        match self.play(mv, place, now) {
            Ok(_) => self.play_premove(now),
            Err(error) => {
                self.is_paused = true;
                self.notice(&error.to_string());
            }
        }
    }

    /// An engine that is no better claims a draw that the rules give; whether it has.
    fn engine_claims(&mut self, place: &Position, now: Instant) -> bool {
        let player = &self.players[place.turn()];
        let Some(end) = place.claim().filter(|_| player.wants_draw()) else { return false };
        let text = format!("{} claims a draw.", player.name);
        self.notice(&text);
        self.finish(end, now);
        true
    }

    /// A move of the built-in book, from the start position of chess on.
    fn book_move(&self, place: &Position) -> Option<Move> {
        let Position::Chess(position, Castling::Classic) = place else { return None };
        let seed = Seed { seed: self.seed() as u32, game: 0 };
        let hit = choose(Book::built_in(), position, seed)?;
        Some(Move::Chess(hit.mv.mv))
    }
}
