//! Who plays: people, or the engine at some level.

use std::time::Instant;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_eval::Score;
use tamarin_movegen::{Color, Move, PerColor};
use tamarin_search::{Controls, Limits, SearchOptions, StartError};

use super::command::Side;
use super::ending;
use super::game::Game;
use super::level::Level;
use super::thinker::{Answer, Thinker};
use crate::book::{self, Book};

/// Who has the pieces of a color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Somebody at the keyboard.
    Human,
    /// The engine.
    Engine(Level),
}

/// What the engine is given, whatever its level.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Size of the transposition table of each side, in MiB.
    pub hash: usize,
    /// Threads that think.
    pub threads: usize,
    /// Where chance comes from.
    pub seed: u64,
    /// Whether the engine opens with moves of the book inside it.
    pub uses_book: bool,
}

/// Both players, and the engines that play for them.
pub struct Players {
    /// Who has which color.
    pub sides: PerColor<Player>,
    /// The levels that were asked for, also where somebody else plays for now.
    levels: PerColor<Level>,
    resources: Resources,
    thinkers: PerColor<Option<Thinker>>,
    /// What the engine of a side thought of its game when it last moved, from its own view.
    opinions: PerColor<Option<Score>>,
    /// How many games were begun.
    games: u32,
}

impl Players {
    /// Players of these sides and levels.
    pub fn new(side: Side, levels: PerColor<Level>, resources: Resources) -> Self {
        let mut players = Self {
            sides: PerColor([Player::Human; 2]),
            levels,
            resources,
            thinkers: PerColor([None, None]),
            opinions: PerColor([None; 2]),
            games: 0,
        };
        players.set_side(side);
        players
    }

    /// People play these sides from now on, the engine the others.
    pub fn set_side(&mut self, side: Side) {
        self.stop();
        let human = match side {
            Side::White => [true, false],
            Side::Black => [false, true],
            Side::Both => [true, true],
            Side::None => [false, false],
            Side::Random => {
                let seed = self.resources.seed ^ u64::from(self.games);
                let white = Xoshiro256PlusPlus::seed_from_u64(seed).random_bool(0.5);
                [white, !white]
            }
        };
        self.sides = PerColor(Color::ALL.map(|color| {
            if PerColor(human)[color] { Player::Human } else { Player::Engine(self.levels[color]) }
        }));
    }

    /// The engine plays at this level from now on.
    pub fn set_level(&mut self, level: Level) {
        self.stop();
        self.levels = PerColor([level; 2]);
        for color in Color::ALL {
            if self.is_engine(color) {
                self.sides[color] = Player::Engine(level);
            }
        }
    }

    /// The engine plays a color at this level once it is given it.
    pub fn set_level_of(&mut self, color: Color, level: Level) {
        self.levels[color] = level;
    }

    /// Is it the engine?
    pub fn is_engine(&self, color: Color) -> bool {
        matches!(self.sides[color], Player::Engine(_))
    }

    /// The side of the only person, if there is exactly one.
    pub fn only_human(&self) -> Option<Color> {
        match Color::ALL.map(|color| self.is_engine(color)) {
            [false, true] => Some(Color::White),
            [true, false] => Some(Color::Black),
            _ => None,
        }
    }

    /// The names of the players; `human` is that of people.
    pub fn names(&self, human: &str) -> PerColor<String> {
        PerColor(Color::ALL.map(|color| match self.sides[color] {
            Player::Human => human.to_owned(),
            Player::Engine(level) => engine_name(level),
        }))
    }

    /// A new game begins: what the engines know of the old one is forgotten.
    pub fn new_game(&mut self) {
        self.games += 1;
        self.opinions = PerColor([None; 2]);
        for color in Color::ALL {
            if let Some(thinker) = &mut self.thinkers[color] {
                thinker.new_game();
            }
        }
    }

    /// Stops all searches; their answers are lost.
    pub fn stop(&mut self) {
        for color in Color::ALL {
            if let Some(thinker) = &mut self.thinkers[color] {
                thinker.stop();
            }
        }
    }

    /// Does an engine think about its move?
    pub fn is_thinking(&self) -> bool {
        Color::ALL
            .iter()
            .any(|color| self.thinkers[*color].as_ref().is_some_and(Thinker::is_running))
    }

    /// What ends the search that runs.
    pub fn controls(&self) -> Option<Controls> {
        Color::ALL.iter().find_map(|color| self.thinkers[*color].as_ref()?.controls())
    }

    /// The move of the book for the side to move, if it is the engine and has one.
    pub fn book_move(&self, game: &Game) -> Option<Move> {
        let resources = &self.resources;
        if !resources.uses_book || !self.is_engine(game.mover()) {
            return None;
        }
        let seed = book::Seed { seed: resources.seed as u32, game: self.games };
        let hit = book::choose(Book::built_in(), game.position(), book::Choice::Weighted, seed)?;
        Some(hit.mv.mv)
    }

    /// Lets the engine that is to move think.
    ///
    /// # Errors
    /// If the system has no memory or thread for it.
    pub fn start(&mut self, game: &Game, now: Instant) -> Result<(), StartError> {
        let color = game.mover();
        let Player::Engine(level) = self.sides[color] else { return Ok(()) };
        let options = SearchOptions {
            strength: level.strength(),
            seed: self.resources.seed ^ game.turns().len() as u64,
            ..SearchOptions::default()
        };
        let mut limits = Limits::default();
        if let Some(clocks) = game.clocks() {
            limits.clocks = clocks.for_search(game.counts(), now);
        }
        let is_preset = matches!(level, Level::Easy | Level::Medium | Level::Hard);
        if is_preset || game.clocks().is_none() {
            limits.move_time = Some(level.move_time());
        }
        let thinker = match &mut self.thinkers[color] {
            Some(thinker) => thinker,
            none => none.insert(Thinker::new(self.resources.hash, self.resources.threads)?),
        };
        thinker.start(game.position(), limits, &options);
        Ok(())
    }

    /// The answer of the engine that is to move, once it has one.
    pub fn answer(&mut self, color: Color) -> Option<Answer> {
        let answer = self.thinkers[color].as_mut()?.answer()?;
        if let Some(best) = &answer.best {
            self.opinions[color] = Some(best.score);
        }
        Some(answer)
    }

    /// Does the engine of a side agree to a draw? It does if it sees nothing better, but not while
    /// the game has hardly begun.
    pub fn agrees(&self, color: Color, game: &Game) -> bool {
        let is_late = game.turns().len() >= 20 || game.position().occupied().len() <= 16;
        is_late && self.opinions[color].is_some_and(|score| score <= Score::DRAW)
    }

    /// Does the engine that is to move claim a draw here?
    pub fn claims(&self, game: &Game) -> bool {
        let color = game.mover();
        ending::by_claim(game.position()).is_some()
            && self.is_engine(color)
            && (self.is_engine(!color)
                || self.opinions[color].is_none_or(|score| score <= Score::DRAW))
    }
}

/// What the engine is called at a level.
pub fn engine_name(level: Level) -> String {
    format!("Tamarin ({level})")
}

/// The level in a name that [`engine_name`] made.
pub fn level_of(name: &str) -> Option<Level> {
    name.strip_prefix("Tamarin (")?.strip_suffix(')')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Player, Players, Resources, engine_name, level_of};
    use crate::play::command::Side;
    use crate::play::level::Level;
    use tamarin_movegen::{Color, PerColor};

    fn players(side: Side) -> Players {
        let resources = Resources { hash: 1, threads: 1, seed: 3, uses_book: false };
        Players::new(side, PerColor([Level::Easy, Level::Number(7)]), resources)
    }

    #[test]
    fn sides_and_levels_belong_together() {
        let mut players = players(Side::White);
        assert_eq!(players.only_human(), Some(Color::White));
        assert_eq!(players.sides[Color::Black], Player::Engine(Level::Number(7)));
        players.set_side(Side::None);
        assert_eq!(players.sides[Color::White], Player::Engine(Level::Easy));
        assert_eq!(players.only_human(), None);
        players.set_level(Level::Elo(2000));
        assert_eq!(players.names("A")[Color::White], "Tamarin (Elo 2000)");
        players.set_side(Side::Both);
        assert_eq!(players.names("A"), PerColor(["A".to_owned(), "A".to_owned()]));
    }

    #[test]
    fn chance_gives_both_colors() {
        let side = |seed| {
            let resources = Resources { hash: 1, threads: 1, seed, uses_book: false };
            Players::new(Side::Random, PerColor([Level::Easy; 2]), resources).only_human()
        };
        let colors: Vec<_> = (0..40).map(side).collect();
        assert!(colors.contains(&Some(Color::White)) && colors.contains(&Some(Color::Black)));
        assert_eq!(side(5), side(5));
    }

    #[test]
    fn levels_are_found_in_names() {
        for level in [Level::Hard, Level::Number(20), Level::Elo(1500)] {
            assert_eq!(level_of(&engine_name(level)), Some(level));
        }
        assert_eq!(level_of("Tamarin"), None);
        assert_eq!(level_of("Somebody"), None);
    }
}
