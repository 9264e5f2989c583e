//! Searches in the background, of chess or of a variant: started, looked at while they run, and
//! stopped by who plays, explains or shows what they find.

mod chess;
mod program;
mod small;
mod variant;

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tamarin_base::with_causes;
use tamarin_eval::network::Network;
use tamarin_eval::{Score, ScoreValue, UNITS_PER_PAWN};
use tamarin_movegen::{Color, PerColor};
use tamarin_search::{Clock, Controls, Millis, StartError, TablebaseProbe};
use tamarin_uci::client::Launch;
use tamarin_variant_search as engine;

use self::chess::ChessSearcher;
pub use self::program::{Program, ProgramError};
use self::small::SmallPlayer;
pub use self::small::{SMALL, Small};
use self::variant::VariantSearcher;
use crate::evaluator::{EvaluatorChoice, EvaluatorKind};
use crate::game::Game;
use crate::level::Level;
use crate::position::{Move, Position};

/// Mates farther away, in plies, count as this far.
const FARTHEST: usize = 200;

#[derive(Clone, Debug)]
pub struct Ask {
    /// How well a player plays; `None` in analysis.
    pub level: Option<Level>,
    pub clocks: PerColor<Option<Clock>>,
    pub move_time: Option<Millis>,
    pub nodes: Option<u64>,
    /// How many best lines.
    pub lines: usize,
    /// Where the chance of weak players comes from.
    pub seed: u64,
    /// The only moves of chess to look at; empty for all.
    pub only: Vec<tamarin_movegen::Move>,
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// A mate in so many moves ends a search of chess.
    pub mate: Option<u32>,
    /// A search of chess on the opponent's time, which waits for [`Controls::ponder_hit`].
    pub ponders: bool,
}

impl Ask {
    /// What an engine of this level is asked for its move in a game. The same seed makes the same
    /// choices.
    pub fn of_player(game: &Game, level: Option<Level>, seed: u64, now: Instant) -> Self {
        let clocks = match game.clocks() {
            Some(clocks) => clocks.for_search(game.counts(), now),
            None => PerColor([None; 2]),
        };
        Self { level, clocks, seed: seed ^ game.turns().len() as u64, ..Self::default() }
    }
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            level: None,
            clocks: PerColor([None; 2]),
            move_time: None,
            nodes: None,
            lines: 1,
            seed: 0,
            only: Vec::new(),
            depth: None,
            mate: None,
            ponders: false,
        }
    }
}

/// What a position is worth for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    Chess(Score),
    Variant(ScoreValue),
}

/// A worth as pages show it, White's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Shown {
    /// Centipawns.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to the mate; negative if Black mates.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Worth {
    /// As a score of chess, for what is reckoned from scores: chances, accuracies.
    pub const fn score(self) -> Score {
        match self {
            Self::Chess(score) => score,
            Self::Variant(ScoreValue::Centipawns(value)) => {
                // Rounded away from zero, so that the same centipawns come of it again.
                let units = value.unsigned_abs() as u64 * UNITS_PER_PAWN as u64;
                let most = Score::MAX_EVALUATION.units();
                let units = units.div_ceil(100);
                let size = if units > most as u64 { most } else { units as i32 };
                Score::new(size * value.signum())
            }
            Self::Variant(ScoreValue::Mate(moves)) => {
                let plies = 2 * (moves.unsigned_abs() as usize);
                let plies = if plies > FARTHEST { FARTHEST } else { plies };
                match moves > 0 {
                    true => Score::mate_in(plies.saturating_sub(1)),
                    false => Score::mated_in(plies),
                }
            }
        }
    }

    /// As White sees it.
    pub fn for_white(self, turn: Color) -> Shown {
        let sign = if turn == Color::White { 1 } else { -1 };
        let value = match self {
            Self::Chess(score) => score.to_uci(),
            Self::Variant(value) => value,
        };
        match value {
            ScoreValue::Centipawns(value) => Shown::Centipawns(sign * value),
            ScoreValue::Mate(count) => Shown::Mate(sign * count),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct FoundLine {
    /// Its worth for the side to move.
    pub worth: Worth,
    pub pv: Vec<Move>,
}

/// What a search has found so far.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Found {
    /// The last iteration, in plies.
    pub depth: u32,
    pub nodes: u64,
    /// Since the beginning.
    pub time: Millis,
    /// The best lines, the best one first.
    pub lines: Vec<FoundLine>,
    /// First moves of best lines, the latest first.
    pub considered: Vec<Move>,
}

impl Found {
    /// The score of the best line for the side to move, as one of chess.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.worth.score())
    }
}

/// How a search has ended.
#[derive(Clone, Default, Debug)]
pub struct Answer {
    /// The move to play; `None` if no move is legal, or the search failed.
    pub best: Option<Move>,
    /// The answer that the engine expects.
    pub expected: Option<Move>,
    pub found: Found,
    /// What endgame tablebases say of the position, for the side to move, if they know it: above 0
    /// a win, 0 a draw, below a loss.
    pub result: Option<i32>,
}

/// The engine cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SearcherError {
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Chess(#[from] StartError),
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Variant(#[from] engine::EngineError),
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Thread(#[from] std::io::Error),
    #[error("the engine {}; the game stays as it is", with_causes(.0))]
    Program(#[from] ProgramError),
}

enum Engine {
    Chess(Box<ChessSearcher>),
    Variant(Box<VariantSearcher>),
    Small(SmallPlayer),
    /// Another program; once it has failed, the reason, until that is asked for.
    Program(Box<Program>, Option<ProgramError>),
}

/// A search engine with a table and threads of its own. Dropping it stops its search.
pub struct Searcher {
    engine: Engine,
}

impl Searcher {
    /// An engine of chess with a table of `hash` MiB, which evaluates by a network or by the
    /// hand-crafted terms.
    pub fn chess(
        hash: usize,
        threads: usize,
        network: Option<Arc<Network>>,
        tablebases: &TablebaseProbe,
    ) -> Result<Self, SearcherError> {
        let engine = ChessSearcher::new(hash, threads, network, tablebases)?;
        Ok(Self { engine: Engine::Chess(Box::new(engine)) })
    }

    /// An engine of chess, or a small one, that evaluates as chosen.
    pub fn chosen(
        hash: usize,
        threads: usize,
        choice: &EvaluatorChoice,
        tablebases: &TablebaseProbe,
    ) -> Result<Self, SearcherError> {
        match choice.kind {
            EvaluatorKind::Small(small) => {
                Ok(Self { engine: Engine::Small(SmallPlayer::new(small)) })
            }
            _ => Self::chess(hash, threads, choice.active_network(), tablebases),
        }
    }

    /// An engine of the variant that `evaluator` evaluates; its memory is taken when it first searches.
    pub fn variant(evaluator: engine::AnyEvaluator, hash: usize, threads: usize) -> Self {
        Self { engine: Engine::Variant(Box::new(VariantSearcher::new(evaluator, hash, threads))) }
    }

    /// Another program, which has a table of `hash` MiB and threads if it has these options.
    pub fn program(launch: &Launch, hash: usize, threads: usize) -> Result<Self, SearcherError> {
        let mut program = Program::start(launch)?;
        program.set_size(hash, threads)?;
        Ok(Self { engine: Engine::Program(Box::new(program), None) })
    }

    /// Why a program that does not search any more has failed, once.
    pub fn failure(&mut self) -> Option<SearcherError> {
        match &mut self.engine {
            Engine::Program(_, failure) => failure.take().map(SearcherError::Program),
            _ => None,
        }
    }

    /// Starts a search for a move of a game: programs are told how its position came about.
    pub fn start_in(&mut self, game: &Game, ask: &Ask) -> Result<(), SearcherError> {
        match &mut self.engine {
            Engine::Program(program, _) => Ok(program.think(game, None, &ask.clocks)?),
            _ => self.start(game.position(), ask),
        }
    }

    /// Starts a search; one that runs is stopped first, and its answer lost.
    pub fn start(&mut self, place: &Position, ask: &Ask) -> Result<(), SearcherError> {
        match (&mut self.engine, place) {
            (Engine::Program(program, _), Position::Chess(..)) => Ok(program.analyse(place, ask)?),
            (Engine::Chess(engine), Position::Chess(position, _)) => {
                engine.start(position, ask);
                Ok(())
            }
            (Engine::Small(player), Position::Chess(position, _)) => {
                player.start(position, ask);
                Ok(())
            }
            (Engine::Variant(searcher), Position::Variant(position)) => {
                searcher.start(position, ask)
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if a search runs whose answer has not been taken.
    pub fn is_running(&self) -> bool {
        match &self.engine {
            Engine::Chess(engine) => engine.is_running(),
            Engine::Variant(searcher) => searcher.is_running(),
            Engine::Small(player) => player.answer.is_some(),
            Engine::Program(program, failure) => failure.is_none() && program.is_thinking(),
        }
    }

    /// What it has found so far.
    pub fn found(&self) -> Found {
        match &self.engine {
            Engine::Chess(engine) => engine.found(),
            Engine::Variant(searcher) => searcher.found(),
            Engine::Small(player) => {
                player.answer.as_ref().map(|answer| answer.found.clone()).unwrap_or_default()
            }
            Engine::Program(program, _) => program.found(),
        }
    }

    /// The answer of a search that has ended, once; `None` before and after.
    pub fn answer(&mut self) -> Option<Answer> {
        match &mut self.engine {
            Engine::Chess(engine) => engine.answer(),
            Engine::Variant(searcher) => searcher.answer(),
            Engine::Small(player) => player.answer.take(),
            Engine::Program(_, Some(_)) => None,
            Engine::Program(program, failure) => program.answer().unwrap_or_else(|error| {
                *failure = Some(error);
                None
            }),
        }
    }

    /// Ends a search at once; its answer is lost.
    pub fn stop(&mut self) {
        match &mut self.engine {
            Engine::Chess(engine) => drop(engine.stop()),
            Engine::Variant(searcher) => searcher.stop(),
            Engine::Small(player) => player.answer = None,
            Engine::Program(program, failure) => *failure = program.stop().err(),
        }
    }

    /// What ends the search that runs, from any thread.
    pub fn controls(&self) -> Option<Controls> {
        match &self.engine {
            Engine::Chess(engine) => engine.controls(),
            Engine::Variant(searcher) => searcher.controls(),
            Engine::Small(_) | Engine::Program(..) => None,
        }
    }

    /// Forgets what earlier games have taught; a search that runs is stopped.
    pub fn new_game(&mut self) {
        match &mut self.engine {
            Engine::Chess(engine) => engine.new_game(),
            Engine::Variant(searcher) => searcher.new_game(),
            Engine::Small(player) => player.answer = None,
            Engine::Program(program, failure) => *failure = program.new_game().err(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Ask, SMALL, Searcher, Small, Worth};
    use crate::evaluator::{EvaluatorChoice, EvaluatorKind};
    use crate::game::Game;
    use crate::level::Level;
    use crate::position::Position;
    use std::time::Instant;
    use tamarin_search::TablebaseProbe;
    use tamarin_variant::builtin;
    use tamarin_variant_search::AnyEvaluator;

    /// The best move of a small evaluator, and what it thinks of it.
    fn small_move(fen: &str, small: Small, depth: u32) -> (String, Worth) {
        let choice = EvaluatorChoice { kind: EvaluatorKind::Small(small), ..Default::default() };
        let mut player = Searcher::chosen(1, 1, &choice, &TablebaseProbe::default()).unwrap();
        let position = Position::from(tamarin_movegen::Position::from_fen(fen).unwrap());
        player.start(&position, &Ask { depth: Some(depth), ..Ask::default() }).unwrap();
        let answer = player.answer().expect("its search is over");
        (position.text(answer.best.expect("a move")), answer.found.lines[0].worth)
    }

    #[test]
    fn small_evaluators_see_what_their_documents_say() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let hanging = "4k3/8/8/3r4/8/4P3/8/3QK3 w - - 0 1";
        let mate = "6k1/5ppp/8/8/8/7n/8/K3R3 w - - 0 1";
        for (fen, small, depth, expected) in [
            (hanging, Small::Capuchin, 1, "d1d5"),
            (hanging, Small::JchessMedium, 2, "d1d5"),
            (mate, Small::Macaque, 2, "e1e8"),
            (mate, Small::JchessEasy, 2, "e1e8"),
            (start, Small::JchessEasy, 1, "b1c3 g1f3"),
            // The king goes into the center once few pieces are left.
            ("7k/8/8/8/8/5K2/8/8 w - - 0 1", Small::Mantis, 1, "f3e4"),
            // A doubled pawn costs a pawn, one beyond all others brings one.
            ("7k/8/8/p1n5/1P6/8/1P6/K7 w - - 0 1", Small::Sifaka, 1, "b4c5"),
        ] {
            let (mv, _) = small_move(fen, small, depth);
            assert!(expected.split(' ').any(|one| one == mv), "{fen} {small:?}: {mv}");
        }
        // Material is equal in every move; without mates it thinks nothing of one.
        let (_, worth) = small_move(mate, Small::Capuchin, 2);
        assert!(!worth.score().is_mate(), "{worth:?}");
        for (small, name) in SMALL {
            assert_eq!(EvaluatorKind::from_name(name), Some(EvaluatorKind::Small(small)));
            assert_eq!(small.name(), name);
        }
    }

    fn beginning(name: &str) -> (Position, Searcher) {
        match builtin(name) {
            Some(rules) => {
                let searcher = Searcher::variant(AnyEvaluator::standard(&rules), 1, 1);
                (tamarin_variant::Position::start(&rules).into(), searcher)
            }
            None => {
                let searcher = Searcher::chess(1, 1, None, &TablebaseProbe::default());
                (Position::startpos(), searcher.expect("there is memory"))
            }
        }
    }

    /// The first sixteen plies of a game that both sides play with this seed.
    fn opening(start: &Position, searcher: &mut Searcher, ask: &Ask) -> Vec<String> {
        let now = Instant::now();
        let mut game = Game::new(start.clone(), None);
        searcher.new_game();
        while game.turns().len() < 16 && game.position().has_legal_move() {
            let player = Ask::of_player(&game, ask.level, ask.seed, now);
            let ask = Ask { depth: ask.depth, ..player };
            searcher.start(game.position(), &ask).expect("there is memory");
            let answer = loop {
                match searcher.answer() {
                    Some(answer) => break answer,
                    None => std::thread::yield_now(),
                }
            };
            game.play(answer.best.expect("a move"), now);
        }
        game.turns().iter().map(|turn| turn.san.clone()).collect()
    }

    #[test]
    fn players_of_every_level_vary_and_the_same_seed_plays_the_same() {
        for (name, level, depth) in [
            ("chess", Level::Number(1), 1),
            ("chess", Level::Elo(2800), 3),
            ("chess", Level::Hard, 3),
            ("nuttyknights", Level::Easy, 2),
            ("nuttyknights", Level::Number(20), 3),
            ("xiangqi", Level::Medium, 2),
        ] {
            let (start, mut searcher) = beginning(name);
            let mut of = |seed| {
                let (level, depth) = (Some(level), Some(depth));
                opening(&start, &mut searcher, &Ask { level, depth, seed, ..Ask::default() })
            };
            let games: HashSet<_> = (0..20).map(&mut of).collect();
            assert!(games.len() >= 15, "{name} {level}: {}", games.len());
            assert!(games.contains(&of(7)), "{name} {level}");
        }
    }
}
