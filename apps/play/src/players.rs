//! Who plays: people, the engine at some level, or other programs.

use std::time::Instant;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_eval::Score;
use tamarin_game::book::{self, Book};
use tamarin_game::evaluator::EvaluatorChoice;
use tamarin_game::game::Game;
use tamarin_game::level::{Level, Tamarin};
use tamarin_game::position::{Move, Position};
use tamarin_game::search::{Answer, Ask, Found, Searcher};
use tamarin_movegen::{Color, PerColor};
use tamarin_search::{Clock, Controls, TablebaseProbe};

use super::command::Side;
use super::engine_player::{EnginePlayer, named};
use super::opponent::{EngineError, Opponent};
use super::variant::Variant;

/// Transposition table of an engine for advice, in MiB.
const ADVISOR_HASH: usize = 16;

/// What the engine is given, whatever its level.
#[derive(Clone)]
pub struct Resources {
    /// Size of the transposition table of each side, in MiB.
    pub hash: usize,
    pub threads: usize,
    /// What evaluates, unless a side has an evaluator of its own.
    pub evaluator: EvaluatorChoice,
    /// Where chance comes from.
    pub seed: u64,
    /// Whether the engine opens with moves of the book inside it.
    pub uses_book: bool,
    /// Whether the engine also thinks while its opponent does.
    pub ponders: bool,
    /// Whether engines give up lost games.
    pub resigns: bool,
    /// Endgame tablebases, which all engines share.
    pub tablebases: TablebaseProbe,
    /// The variant that is played, if it is not chess.
    pub variant: Option<Variant>,
}

impl Resources {
    /// An engine of this size; of chess with this evaluator.
    fn searcher(
        &self,
        (hash, threads): (usize, usize),
        evaluator: &EvaluatorChoice,
    ) -> Result<Searcher, EngineError> {
        Ok(match &self.variant {
            Some(variant) => Searcher::variant(variant.evaluator(), hash, threads),
            None => Searcher::chess(hash, threads, evaluator.active_network(), &self.tablebases)?,
        })
    }

    /// An engine that plays for a side.
    pub fn player(&self, tamarin: Tamarin) -> Result<Searcher, EngineError> {
        self.searcher((self.hash, self.threads), &self.evaluator.of_kind(tamarin.evaluator))
    }

    /// What an engine is asked for its move after `plies` plies.
    fn ask(&self, level: Level, plies: usize, clocks: PerColor<Option<Clock>>) -> Ask {
        let seed = self.seed ^ plies as u64;
        Ask { level: Some(level), clocks, seed, ..Ask::default() }
    }
}

/// Who has the pieces of a color.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// Somebody at the keyboard.
    Human,
    /// The engine or another program.
    Engine(Opponent),
}

/// Both players, and the engines that play for them.
pub struct Players {
    pub sides: PerColor<Player>,
    /// Who was asked for, also where somebody else plays for now.
    opponents: PerColor<Opponent>,
    resources: Resources,
    engines: PerColor<EnginePlayer>,
    /// How many games were begun.
    games: u32,
}

impl Players {
    /// People on these sides, and these opponents on the others.
    pub fn new(side: Side, opponents: PerColor<Opponent>, resources: Resources) -> Self {
        let mut players = Self {
            sides: PerColor([Player::Human, Player::Human]),
            opponents,
            resources,
            engines: PerColor([EnginePlayer::default(), EnginePlayer::default()]),
            games: 0,
        };
        players.set_side(side);
        players
    }

    /// What evaluates for the engine, unless a side has an evaluator of its own.
    pub const fn evaluator(&self) -> &EvaluatorChoice {
        &self.resources.evaluator
    }

    /// The variant that is played, if it is not chess.
    pub const fn variant(&self) -> Option<&Variant> {
        self.resources.variant.as_ref()
    }

    /// An engine for advice, at full strength.
    pub fn advisor(&self) -> Result<Searcher, EngineError> {
        self.resources.searcher((ADVISOR_HASH, 1), &self.resources.evaluator)
    }

    /// What the engine of a side has found in the search that runs.
    pub fn thoughts(&self, color: Color) -> Found {
        self.engines[color].thoughts()
    }

    /// Which sides people play.
    pub fn side(&self) -> Side {
        match Color::ALL.map(|color| self.is_engine(color)) {
            [false, true] => Side::White,
            [true, false] => Side::Black,
            [false, false] => Side::Both,
            [true, true] => Side::None,
        }
    }

    /// The level of the engine; `None` if it plays both sides at two, or if there is another
    /// program for a side.
    pub fn level(&self) -> Option<Level> {
        let [white, black] = [&self.opponents[Color::White], &self.opponents[Color::Black]];
        let (white, black) = (white.level()?, black.level()?);
        match self.only_human() {
            Some(Color::White) => Some(black),
            Some(Color::Black) => Some(white),
            None => (white == black).then_some(white),
        }
    }

    pub fn start_programs(&mut self) -> Result<(), EngineError> {
        for color in Color::ALL {
            if let Player::Engine(Opponent::Program(launch)) = &self.sides[color] {
                self.engines[color].program(launch)?;
            }
        }
        Ok(())
    }

    /// People play these sides from now on, engines the others.
    pub fn set_side(&mut self, side: Side) {
        self.stop();
        let seed = self.resources.seed ^ u64::from(self.games);
        let is_human = side.people().unwrap_or_else(|| random_side(seed));
        self.sides = PerColor(Color::ALL.map(|color| match is_human[color] {
            true => Player::Human,
            false => Player::Engine(self.opponents[color].clone()),
        }));
    }

    /// The engine plays at this level from now on, instead of the opponent before.
    pub fn set_level(&mut self, level: Level) {
        self.stop();
        for color in Color::ALL {
            let evaluator = match &self.opponents[color] {
                Opponent::Tamarin(tamarin) => tamarin.evaluator,
                Opponent::Program(_) => self.resources.evaluator.kind,
            };
            self.set_opponent(color, Tamarin { level, evaluator });
            if self.is_engine(color) {
                self.sides[color] = Player::Engine(self.opponents[color].clone());
            }
        }
    }

    /// The engine plays a color like this once it is given it.
    pub fn set_opponent(&mut self, color: Color, tamarin: Tamarin) {
        self.opponents[color] = Opponent::Tamarin(tamarin);
    }

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
        PerColor(Color::ALL.map(|color| match &self.sides[color] {
            Player::Human => human.to_owned(),
            Player::Engine(Opponent::Tamarin(tamarin)) => tamarin.name(),
            Player::Engine(Opponent::Program(launch)) => match &self.engines[color].program {
                Some(program) => program.name().to_owned(),
                None => launch.file_name(),
            },
        }))
    }

    /// A new game begins: what the engines know of the old one is forgotten.
    pub fn new_game(&mut self) {
        self.games += 1;
        for side in &mut self.engines.0 {
            side.new_game();
        }
    }

    /// Moves were taken back: what the engines thought of the game since does not count.
    pub fn forget_opinions(&mut self) {
        self.engines.0.iter_mut().for_each(|side| side.opinion = None);
    }

    /// Stops all searches; their answers are lost.
    pub fn stop(&mut self) {
        self.engines.0.iter_mut().for_each(EnginePlayer::stop);
    }

    /// Returns `true` if an engine thinks about its move.
    pub fn is_thinking(&self) -> bool {
        self.engines.0.iter().any(EnginePlayer::is_thinking)
    }

    /// The engine that thinks shall move at once; whether one thinks.
    pub fn move_now(&mut self) -> Result<bool, EngineError> {
        for color in Color::ALL {
            let side = &mut self.engines[color];
            if !side.is_thinking() {
                continue;
            }
            match &mut side.program {
                Some(program) if program.is_thinking() => {
                    let done = program.move_now();
                    done.map_err(named(program.name()))?;
                }
                _ => side.controls().iter().for_each(Controls::stop),
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// The move of the book for the side to move, if it is the engine and has one.
    pub fn book_move(&self, game: &Game) -> Option<Move> {
        let resources = &self.resources;
        let is_tamarin = matches!(self.sides[game.mover()], Player::Engine(Opponent::Tamarin(_)));
        if !resources.uses_book || !is_tamarin {
            return None;
        }
        let seed = book::Seed { seed: resources.seed as u32, game: self.games };
        let position = game.position().chess()?;
        let hit = book::choose(Book::built_in(), position, seed)?;
        Some(Move::Chess(hit.mv.mv))
    }

    /// Lets the engine that is to move think.
    pub fn start(&mut self, game: &Game, now: Instant) -> Result<(), EngineError> {
        let color = game.mover();
        let side = &mut self.engines[color];
        let tamarin = match &self.sides[color] {
            Player::Human => return Ok(()),
            Player::Engine(Opponent::Program(launch)) => {
                let clocks = clocks(game, now);
                let program = side.program(launch)?;
                let variant = self.resources.variant.as_ref().map(|variant| variant.name.as_str());
                let started = program.think(game, variant, &clocks);
                return started.map_err(named(program.name()));
            }
            Player::Engine(Opponent::Tamarin(tamarin)) => *tamarin,
        };
        let is_hit = |position: Position| position.is_same(game.position());
        if side.pondered.take().is_some_and(is_hit)
            && let Some(controls) = side.controls()
        {
            controls.ponder_hit();
            return Ok(());
        }
        let ask = self.resources.ask(tamarin.level, game.turns().len(), clocks(game, now));
        Ok(side.engine(&self.resources, tamarin)?.start(game.position(), &ask)?)
    }

    /// Lets the engine that has just moved go on thinking, about the answer that it expects.
    pub fn ponder(
        &mut self,
        expected: Option<Move>,
        game: &Game,
        now: Instant,
    ) -> Result<(), EngineError> {
        let color = !game.mover();
        let Player::Engine(Opponent::Tamarin(tamarin)) = self.sides[color] else {
            return Ok(());
        };
        let Some(expected) = expected.filter(|mv| game.position().is_legal(*mv)) else {
            return Ok(());
        };
        let mut position = game.position().clone();
        position.make(expected);
        let is_over = position.ending().is_some() || game.ending().is_some();
        if !self.resources.ponders || is_over {
            return Ok(());
        }
        let plies = game.turns().len() + 1;
        let ask = self.resources.ask(tamarin.level, plies, clocks(game, now));
        let side = &mut self.engines[color];
        let engine = side.engine(&self.resources, tamarin)?;
        engine.start(&position, &Ask { ponders: true, ..ask })?;
        side.pondered = Some(position);
        Ok(())
    }

    /// The engine of a side thinks no longer on its opponent's time.
    pub fn stop_pondering(&mut self, color: Color) {
        self.engines[color].stop_pondering();
    }

    /// The answer of the engine that is to move, once it has one.
    pub fn answer(&mut self, color: Color) -> Result<Option<Answer>, EngineError> {
        self.engines[color].answer()
    }

    /// Returns `true` if the engine of a side agrees to a draw: it sees nothing better, and the
    /// game has gone on for a while.
    pub fn agrees(&self, color: Color, game: &Game) -> bool {
        game.may_be_agreed()
            && self.engines[color].opinion.is_some_and(|score| score <= Score::DRAW)
    }

    /// Returns `true` if the engine that is to move claims a draw here.
    pub fn claims(&self, game: &Game) -> bool {
        let color = game.mover();
        game.position().claim().is_some()
            && self.is_engine(color)
            && (self.is_engine(!color)
                || self.engines[color].opinion.is_none_or(|score| score <= Score::DRAW))
    }

    /// Returns `true` if the engine of a side resigns.
    pub fn gives_up(&self, color: Color) -> bool {
        self.resources.resigns && self.is_engine(color) && self.engines[color].is_lost()
    }
}

/// The colors of people where chance decides: one of the two.
pub fn random_side(seed: u64) -> PerColor<bool> {
    let white = Xoshiro256PlusPlus::seed_from_u64(seed).random_bool(0.5);
    PerColor([white, !white])
}

/// The clocks as an engine gets them.
fn clocks(game: &Game, now: Instant) -> PerColor<Option<Clock>> {
    match game.clocks() {
        Some(clocks) => clocks.for_search(game.counts(), now),
        None => PerColor([None; 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Player, Players, Resources};
    use crate::command::Side;
    use crate::opponent::Opponent;
    use crate::testing::{said, session};
    use std::time::Instant;
    use tamarin_eval::Score;
    use tamarin_game::evaluator::{EvaluatorChoice, EvaluatorKind};
    use tamarin_game::game::Game;
    use tamarin_game::level::{Level, Tamarin};
    use tamarin_movegen::{self as chess, Color, PerColor};
    use tamarin_search::TablebaseProbe;

    fn resources(seed: u64) -> Resources {
        let (uses_book, ponders, resigns) = (false, false, false);
        let evaluator = EvaluatorChoice::default();
        let (tablebases, variant, hash, threads) = (TablebaseProbe::default(), None, 1, 1);
        Resources {
            hash,
            threads,
            evaluator,
            seed,
            uses_book,
            ponders,
            resigns,
            tablebases,
            variant,
        }
    }

    fn tamarin(level: Level) -> Opponent {
        Opponent::Tamarin(Tamarin { level, evaluator: EvaluatorKind::Network })
    }

    fn players(side: Side) -> Players {
        let levels = [Level::Easy, Level::Number(7)].map(tamarin);
        Players::new(side, PerColor(levels), resources(3))
    }

    #[test]
    fn sides_and_levels_belong_together() {
        let mut players = players(Side::White);
        assert_eq!(players.only_human(), Some(Color::White));
        assert_eq!(players.sides[Color::Black], Player::Engine(tamarin(Level::Number(7))));
        assert_eq!(players.level(), Some(Level::Number(7)));
        players.set_side(Side::None);
        assert_eq!(players.sides[Color::White], Player::Engine(tamarin(Level::Easy)));
        assert_eq!(players.level(), None, "there are two");
        assert_eq!(players.only_human(), None);
        players.set_level(Level::Elo(2000));
        assert_eq!(players.names("A")[Color::White], "Tamarin (Elo 2000)");
        players.set_side(Side::Both);
        assert_eq!(players.names("A"), PerColor(["A".to_owned(), "A".to_owned()]));
    }

    #[test]
    fn chance_gives_both_colors() {
        let side = |seed| {
            let levels = [Level::Easy; 2].map(tamarin);
            Players::new(Side::Random, PerColor(levels), resources(seed)).only_human()
        };
        let colors: Vec<_> = (0..40).map(side).collect();
        assert!(colors.contains(&Some(Color::White)) && colors.contains(&Some(Color::Black)));
        assert_eq!(side(5), side(5));
    }

    fn play(game: &mut Game, moves: &[&str]) {
        for text in moves {
            game.play(game.position().find(text).unwrap(), Instant::now());
        }
    }

    /// Black's engine, which thinks on White's time about the position after `expected`.
    fn pondering(game: &Game, expected: &str) -> Players {
        let resources = Resources { ponders: true, ..resources(3) };
        let opponents = [Level::Number(3); 2].map(tamarin);
        let mut players = Players::new(Side::White, PerColor(opponents), resources);
        let expected = game.position().find(expected).ok();
        players.ponder(expected, game, Instant::now()).unwrap();
        // It thinks, but not about a move that is due.
        assert!(players.engines[Color::Black].pondered.is_some());
        assert!(!players.is_thinking() && !players.move_now().unwrap());
        assert!(players.answer(Color::Black).unwrap().is_none());
        players
    }

    /// Whether the engine has an answer to Black's position that can be played.
    fn answers(players: &mut Players, game: &Game) -> bool {
        players.start(game, Instant::now()).unwrap();
        assert!(players.is_thinking());
        loop {
            if let Some(answer) = players.answer(Color::Black).unwrap() {
                let best = answer.best.unwrap();
                return game.position().is_legal(best) && !players.is_thinking();
            }
            std::thread::yield_now();
        }
    }

    /// As after a move of the book. The only answer to Qd8+ was Rb8xd8, and the rook has gone.
    #[test]
    fn the_expected_move_in_a_later_position_is_no_ponder_hit() {
        let fen = "1r5k/6pp/8/8/8/8/P7/K2Q4 w - - 0 1";
        let mut game = Game::new(chess::Position::from_fen(fen).unwrap().into(), None);
        let mut players = pondering(&game, "Qd8+");
        play(&mut game, &["a3", "Re8", "Qd8"]);
        assert!(answers(&mut players, &game));
    }

    #[test]
    fn a_level_leaves_each_side_its_evaluator() {
        let mut players = players(Side::None);
        let terms = Tamarin { level: Level::Easy, evaluator: EvaluatorKind::HandCrafted };
        players.set_opponent(Color::White, terms);
        players.set_level(Level::Number(9));
        let names = players.names("A");
        assert_eq!(names[Color::White], "Tamarin (level 9, hand-crafted)");
        assert_eq!(names[Color::Black], "Tamarin (level 9)");
    }

    /// The engine was lost before; the moves since then were taken back.
    #[test]
    fn a_draw_is_not_agreed_for_what_was_thought_of_moves_that_were_taken_back() {
        let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1";
        let mut session = session(&["--side", "both", "--fen", fen]);
        for line in ["Kd1", "Kd8", "Ke1", "Ke8", "side white"] {
            said(&mut session, line);
        }
        session.players.engines[Color::Black].opinion = Some(Score::new(-900));
        assert!(session.players.agrees(Color::Black, &session.game));
        said(&mut session, "undo 2");
        assert!(!session.players.agrees(Color::Black, &session.game));
    }
}
