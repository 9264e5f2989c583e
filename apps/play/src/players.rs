//! Who plays: people, the engine at some level, or other programs.

use std::sync::Arc;
use std::time::Instant;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_game::book;
use tamarin_game::evaluator::EvaluatorChoice;
use tamarin_game::game::Game;
use tamarin_game::level::{Level, Tamarin};
use tamarin_game::position::{Move, Position};
use tamarin_game::search::{Answer, Ask, Found, Program, ProgramError, Searcher, SearcherError};
use tamarin_movegen::{Color, PerColor};
use tamarin_search::{Controls, TablebaseProbe};
use tamarin_uci::client::Launch;

use super::session::command::Side;
use super::variant::Variant;

/// Transposition table of an engine for advice, in MiB.
const ADVISOR_HASH: usize = 16;

/// An engine resigns once it has seen itself so far behind, in score units ...
const LOST: i32 = 10 * UNITS_PER_PAWN;

/// ... at this number of its moves in a row.
const LOST_MOVES: u32 = 3;

/// A player that is no person fails.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Start(#[from] SearcherError),
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// What the engine is given, whatever its level.
#[derive(Clone, Default)]
pub struct Resources {
    /// Size of the transposition table of each side, in MiB.
    pub hash: usize,
    pub threads: usize,
    /// What evaluates, unless a side has an evaluator of its own.
    pub evaluator: EvaluatorChoice,
    /// Where chance comes from.
    pub seed: u64,
    /// Whether that was drawn.
    pub is_seed_drawn: bool,
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
            None => Searcher::chosen(hash, threads, evaluator, &self.tablebases)?,
        })
    }
}

/// Who plays a color that no person has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    Tamarin(Tamarin),
    /// Another program that speaks UCI.
    Program(Arc<Launch>),
}

impl Opponent {
    /// The level of the engine; of another program nothing is known.
    pub fn level(&self) -> Option<Level> {
        match self {
            Self::Tamarin(tamarin) => Some(tamarin.level),
            Self::Program(_) => None,
        }
    }
}

/// What an opponent finds its moves with.
enum Engine {
    Tamarin(Searcher),
    Program(Box<Program>),
}

/// A color: whether a person has it, and who plays it else.
pub struct Player {
    is_human: bool,
    /// Who was asked for, also where a person plays for now.
    opponent: Opponent,
    /// The engine, once it was needed.
    engine: Option<Engine>,
    /// What it thought of its game when it last moved, from its own view.
    opinion: Option<Score>,
    /// At how many moves in a row it thought that it is lost.
    lost: u32,
    /// The position that it thinks about on the opponent's time.
    pondered: Option<Position>,
}

impl Player {
    const fn new(opponent: Opponent) -> Self {
        let (engine, opinion, pondered) = (None, None, None);
        Self { is_human: true, opponent, engine, opinion, lost: 0, pondered }
    }

    /// The engine, started if it is not running yet.
    fn engine(&mut self, resources: &Resources) -> Result<&mut Engine, EngineError> {
        Ok(match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(match &self.opponent {
                Opponent::Tamarin(tamarin) => {
                    let evaluator = resources.evaluator.of_kind(tamarin.evaluator);
                    let size = (resources.hash, resources.threads);
                    Engine::Tamarin(resources.searcher(size, &evaluator)?)
                }
                Opponent::Program(launch) => Engine::Program(Box::new(Program::start(launch)?)),
            }),
        })
    }

    /// Its answer, once it has one.
    pub fn answer(&mut self) -> Result<Option<Answer>, EngineError> {
        let answer = match &mut self.engine {
            Some(Engine::Program(program)) => program.answer()?,
            Some(Engine::Tamarin(engine)) if self.pondered.is_none() => engine.answer(),
            _ => None,
        };
        if let Some(answer) = answer.as_ref().filter(|answer| answer.best.is_some()) {
            // A program may have sent no score.
            self.opinion = answer.found.score();
            if let Some(score) = self.opinion {
                self.lost = if score.units() <= -LOST { self.lost + 1 } else { 0 };
            }
        }
        Ok(answer)
    }

    /// What it knows of the game before is forgotten.
    fn new_game(&mut self) {
        self.stop();
        self.opinion = None;
        // A program that does not answer is started anew.
        self.engine.take_if(|engine| match engine {
            Engine::Tamarin(engine) => {
                engine.new_game();
                false
            }
            Engine::Program(program) => program.new_game().is_err(),
        });
    }

    /// Stops its search; the answer is lost.
    fn stop(&mut self) {
        self.pondered = None;
        self.lost = 0;
        self.engine.take_if(|engine| match engine {
            Engine::Tamarin(engine) => {
                engine.stop();
                false
            }
            Engine::Program(program) => program.stop().is_err(),
        });
    }

    /// Ends its search on the opponent's time, if there is one.
    pub fn stop_pondering(&mut self) {
        if self.pondered.take().is_some()
            && let Some(Engine::Tamarin(engine)) = &mut self.engine
        {
            engine.stop();
        }
    }

    /// What the engine has found in the search that runs; nothing is known of another program.
    pub fn thoughts(&self) -> Found {
        match &self.engine {
            Some(Engine::Tamarin(engine)) => engine.found(),
            _ => Found::default(),
        }
    }

    /// Returns `true` if it thinks about its move; pondering does not count.
    fn is_thinking(&self) -> bool {
        match &self.engine {
            Some(Engine::Tamarin(engine)) => engine.is_running() && self.pondered.is_none(),
            Some(Engine::Program(program)) => program.is_thinking(),
            None => false,
        }
    }
}

/// Both players, and the engines that play for them.
pub struct Players {
    pub sides: PerColor<Player>,
    pub resources: Resources,
    /// How many games were begun.
    games: u32,
}

impl Players {
    /// People on these sides, and these opponents on the others.
    pub fn new(side: Side, opponents: PerColor<Opponent>, resources: Resources) -> Self {
        let sides = PerColor(opponents.0.map(Player::new));
        let mut players = Self { sides, resources, games: 0 };
        players.set_side(side);
        players
    }

    /// An engine for advice, at full strength.
    pub fn advisor(&self) -> Result<Searcher, EngineError> {
        self.resources.searcher((ADVISOR_HASH, 1), &self.resources.evaluator)
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
        let [white, black] = &self.sides.0;
        let (white, black) = (white.opponent.level()?, black.opponent.level()?);
        match self.only_human() {
            Some(Color::White) => Some(black),
            Some(Color::Black) => Some(white),
            None => (white == black).then_some(white),
        }
    }

    pub fn start_programs(&mut self) -> Result<(), EngineError> {
        for player in &mut self.sides.0 {
            if !player.is_human && matches!(player.opponent, Opponent::Program(_)) {
                player.engine(&self.resources)?;
            }
        }
        Ok(())
    }

    /// People play these sides from now on, engines the others.
    pub fn set_side(&mut self, side: Side) {
        self.stop();
        let is_human = side.people().unwrap_or_else(|| random_side(self.seed()));
        for color in Color::ALL {
            self.sides[color].is_human = is_human[color];
        }
    }

    /// The engine plays at this level from now on, instead of the opponent before.
    pub fn set_level(&mut self, level: Level) {
        self.stop();
        for color in Color::ALL {
            let evaluator = match &self.sides[color].opponent {
                Opponent::Tamarin(tamarin) => tamarin.evaluator,
                Opponent::Program(_) => self.resources.evaluator.kind,
            };
            self.set_opponent(color, Tamarin { level, evaluator });
        }
    }

    /// The engine plays a color like this once it is given it.
    pub fn set_opponent(&mut self, color: Color, tamarin: Tamarin) {
        let player = &mut self.sides[color];
        player.opponent = Opponent::Tamarin(tamarin);
        player.engine.take_if(|engine| matches!(engine, Engine::Program(_)));
    }

    pub fn is_engine(&self, color: Color) -> bool {
        !self.sides[color].is_human
    }

    /// The rating of the engine of a color in chess; none of other programs and small evaluators.
    pub fn rating(&self, color: Color) -> Option<u16> {
        match &self.sides[color].opponent {
            Opponent::Tamarin(tamarin) if !tamarin.evaluator.is_small() => {
                Some(tamarin.level.rating())
            }
            _ => None,
        }
    }

    /// The side of the only person, if there is exactly one.
    pub fn only_human(&self) -> Option<Color> {
        match self.side() {
            Side::White => Some(Color::White),
            Side::Black => Some(Color::Black),
            _ => None,
        }
    }

    /// The names of the players; `human` is that of people.
    pub fn names(&self, human: &str) -> PerColor<String> {
        PerColor(Color::ALL.map(|color| {
            let player = &self.sides[color];
            match (&player.opponent, &player.engine) {
                _ if player.is_human => human.to_owned(),
                (Opponent::Tamarin(tamarin), _) => tamarin.name(),
                (_, Some(Engine::Program(program))) => program.name().to_owned(),
                (Opponent::Program(launch), _) => launch.file_name(),
            }
        }))
    }

    /// What the choices of engines in this game depend on.
    fn seed(&self) -> u64 {
        self.resources.seed ^ u64::from(self.games)
    }

    /// A new game begins: what the engines know of the old one is forgotten.
    pub fn new_game(&mut self) {
        self.games += 1;
        self.sides.0.iter_mut().for_each(Player::new_game);
    }

    /// Moves were taken back: what the engines thought of the game since does not count.
    pub fn forget_opinions(&mut self) {
        self.sides.0.iter_mut().for_each(|player| player.opinion = None);
    }

    /// Stops all searches; their answers are lost.
    pub fn stop(&mut self) {
        self.sides.0.iter_mut().for_each(Player::stop);
    }

    /// Returns `true` if an engine thinks about its move.
    pub fn is_thinking(&self) -> bool {
        self.sides.0.iter().any(Player::is_thinking)
    }

    /// The engine that thinks shall move at once; whether one thinks.
    pub fn move_now(&mut self) -> Result<bool, EngineError> {
        let Some(player) = self.sides.0.iter_mut().find(|player| player.is_thinking()) else {
            return Ok(false);
        };
        match &mut player.engine {
            Some(Engine::Program(program)) => program.move_now()?,
            Some(Engine::Tamarin(engine)) => engine.controls().iter().for_each(Controls::stop),
            None => {}
        }
        Ok(true)
    }

    /// The move of the book for the side to move, if it is the engine and has one.
    pub fn book_move(&self, game: &Game) -> Option<Move> {
        let (resources, player) = (&self.resources, &self.sides[game.mover()]);
        let is_tamarin = !player.is_human
            && matches!(player.opponent, Opponent::Tamarin(own) if !own.evaluator.is_small());
        if !resources.uses_book || !is_tamarin {
            return None;
        }
        book::built_in_move(game.position(), resources.seed, self.games)
    }

    /// Lets the engine that is to move think.
    pub fn start(&mut self, game: &Game, now: Instant) -> Result<(), EngineError> {
        let seed = self.seed();
        let (resources, player) = (&self.resources, &mut self.sides[game.mover()]);
        let is_hit = |position: Position| position.is_same(game.position());
        let is_hit = player.pondered.take().is_some_and(is_hit);
        let ask = Ask::of_player(game, player.opponent.level(), seed, now);
        match player.engine(resources)? {
            Engine::Program(program) => {
                let variant = resources.variant.as_ref().map(|variant| variant.name.as_str());
                Ok(program.think(game, variant, &ask.clocks)?)
            }
            Engine::Tamarin(engine) => {
                match engine.controls().filter(|_| is_hit) {
                    Some(controls) => controls.ponder_hit(),
                    None => engine.start(game.position(), &ask)?,
                }
                Ok(())
            }
        }
    }

    /// Lets the engine that has just moved go on thinking, about the answer that it expects.
    pub fn ponder(
        &mut self,
        expected: Option<Move>,
        game: &Game,
        now: Instant,
    ) -> Result<(), EngineError> {
        let Some(expected) = expected.filter(|mv| game.position().is_legal(*mv)) else {
            return Ok(());
        };
        let mut position = game.position().clone();
        position.make(expected);
        let is_over = position.ending().is_some() || game.ending().is_some();
        if !self.resources.ponders || is_over {
            return Ok(());
        }
        let game_seed = self.seed();
        let (resources, player) = (&self.resources, &mut self.sides[!game.mover()]);
        let seed = game_seed ^ (game.turns().len() as u64 + 1);
        let ask = Ask::of_player(game, player.opponent.level(), game_seed, now);
        if let Engine::Tamarin(engine) = player.engine(resources)? {
            engine.start(&position, &Ask { ponders: true, seed, ..ask })?;
            player.pondered = Some(position);
        }
        Ok(())
    }

    /// Returns `true` if the engine of a side agrees to a draw: it sees nothing better, and the
    /// game has gone on for a while.
    pub fn agrees(&self, color: Color, game: &Game) -> bool {
        game.may_be_agreed() && self.sides[color].opinion.is_some_and(|score| score <= Score::DRAW)
    }

    /// Returns `true` if the engine that is to move claims a draw here.
    pub fn claims(&self, game: &Game) -> bool {
        let color = game.mover();
        game.position().claim().is_some()
            && self.is_engine(color)
            && (self.is_engine(!color)
                || self.sides[color].opinion.is_none_or(|score| score <= Score::DRAW))
    }

    /// Returns `true` if the engine of a side resigns: it has seen itself lost for long enough.
    pub fn gives_up(&self, color: Color) -> bool {
        self.resources.resigns && self.is_engine(color) && self.sides[color].lost >= LOST_MOVES
    }
}

/// The colors of people where chance decides: one of the two.
fn random_side(seed: u64) -> PerColor<bool> {
    let white = Xoshiro256PlusPlus::seed_from_u64(seed).random_bool(0.5);
    PerColor([white, !white])
}

#[cfg(test)]
mod tests {
    use super::{LOST_MOVES, Opponent, Players, Resources};
    use crate::session::command::Side;
    use crate::testing::{said, session};
    use std::time::Instant;
    use tamarin_eval::Score;
    use tamarin_game::evaluator::EvaluatorKind;
    use tamarin_game::game::Game;
    use tamarin_game::level::{Level, Tamarin};
    use tamarin_movegen::{self as chess, Color, PerColor};

    fn players(side: Side, resources: Resources) -> Players {
        let tamarin =
            |level| Opponent::Tamarin(Tamarin { level, evaluator: EvaluatorKind::Network });
        let levels = PerColor([Level::Easy, Level::Number(7)].map(tamarin));
        Players::new(side, levels, Resources { hash: 1, threads: 1, ..resources })
    }

    #[test]
    fn sides_levels_and_evaluators_belong_together() {
        let mut players = players(Side::White, Resources::default());
        let names = |players: &Players| players.names("A").0;
        assert_eq!(players.only_human(), Some(Color::White));
        assert_eq!(names(&players), ["A", "Tamarin (level 7)"]);
        assert_eq!(players.level(), Some(Level::Number(7)));
        players.set_side(Side::None);
        assert_eq!(names(&players), ["Tamarin (easy)", "Tamarin (level 7)"]);
        assert_eq!(players.level(), None, "there are two");
        assert_eq!(players.only_human(), None);
        let terms = Tamarin { level: Level::Easy, evaluator: EvaluatorKind::HandCrafted };
        players.set_opponent(Color::White, terms);
        players.set_level(Level::Elo(2000));
        assert_eq!(names(&players), ["Tamarin (Elo 2000, hand-crafted)", "Tamarin (Elo 2000)"]);
        players.set_side(Side::Both);
        assert_eq!(names(&players), ["A", "A"]);
    }

    #[test]
    fn chance_gives_both_colors() {
        let side =
            |seed| players(Side::Random, Resources { seed, ..Resources::default() }).only_human();
        let colors: Vec<_> = (0..40).map(side).collect();
        assert!(colors.contains(&Some(Color::White)) && colors.contains(&Some(Color::Black)));
        assert_eq!(side(5), side(5));
    }

    /// As after a move of the book. The only answer to Qd8+ was Rb8xd8, and the rook has gone.
    #[test]
    fn the_expected_move_in_a_later_position_is_no_ponder_hit() {
        let fen = "1r5k/6pp/8/8/8/8/P7/K2Q4 w - - 0 1";
        let mut game = Game::new(chess::Position::from_fen(fen).unwrap().into(), None);
        let resources = Resources { ponders: true, ..Resources::default() };
        let mut players = players(Side::White, resources);
        players.set_level(Level::Number(3));
        let expected = game.position().find("Qd8+").ok();
        players.ponder(expected, &game, Instant::now()).unwrap();
        // It thinks, but not about a move that is due.
        assert!(players.sides[Color::Black].pondered.is_some());
        assert!(!players.is_thinking() && !players.move_now().unwrap());
        assert!(players.sides[Color::Black].answer().unwrap().is_none());
        for text in ["a3", "Re8", "Qd8"] {
            game.play(game.position().find(text).unwrap(), Instant::now());
        }
        players.start(&game, Instant::now()).unwrap();
        assert!(players.is_thinking());
        let answer = loop {
            if let Some(answer) = players.sides[Color::Black].answer().unwrap() {
                break answer;
            }
            std::thread::yield_now();
        };
        assert!(game.position().is_legal(answer.best.unwrap()) && !players.is_thinking());
    }

    #[test]
    fn stays_lost_after_pondering_is_stopped() {
        let mut players = players(Side::White, Resources { resigns: true, ..Resources::default() });
        let player = &mut players.sides[Color::Black];
        player.pondered = Some(tamarin_game::position::Position::startpos());
        player.lost = LOST_MOVES;
        player.stop_pondering();
        assert!(player.pondered.is_none() && players.gives_up(Color::Black));
    }

    /// The engine was lost before; the moves since then were taken back.
    #[test]
    fn a_draw_is_not_agreed_for_what_was_thought_of_moves_that_were_taken_back() {
        let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1";
        let mut session = session(&["--side", "both", "--fen", fen]);
        for line in ["Kd1", "Kd8", "Ke1", "Ke8", "side white"] {
            said(&mut session, line);
        }
        session.players.sides[Color::Black].opinion = Some(Score::new(-900));
        assert!(session.players.agrees(Color::Black, &session.game));
        said(&mut session, "undo 2");
        assert!(!session.players.agrees(Color::Black, &session.game));
    }
}
