//! What plays a color where no person does: the engine, or another program.

use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_movegen::Move;
use tamarin_search::{Controls, TablebaseProbe};

use super::opponent::EngineError;
use super::program::{Program, ProgramError};
use tamarin_game::evaluator::{EvaluatorChoice, EvaluatorKind};
use tamarin_game::search::{BackgroundEngine, ChessAnswer as Answer};
use tamarin_uci::client::Launch;

/// What the engine is given, whatever its level.
#[derive(Clone, Debug)]
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
}

/// An engine resigns once it has seen itself so far behind, in score units ...
const LOST: i32 = 10 * UNITS_PER_PAWN;

/// ... at this number of its moves in a row.
const LOST_MOVES: u32 = 3;

/// What plays a color, where no person does.
#[derive(Default)]
pub struct EnginePlayer {
    /// The engine, once it was needed.
    engine: Option<BackgroundEngine>,
    /// The other program, once it was needed.
    pub program: Option<Program>,
    /// What it thought of its game when it last moved, from its own view.
    pub opinion: Option<Score>,
    /// At how many moves in a row it thought that it is lost.
    lost: u32,
    /// The key of the position that it thinks about on the opponent's time.
    pub pondered: Option<u64>,
}

impl EnginePlayer {
    /// The engine, started if it is not running yet. What evaluates is of this kind.
    pub fn engine(
        &mut self,
        resources: &Resources,
        kind: EvaluatorKind,
    ) -> Result<&mut BackgroundEngine, EngineError> {
        Ok(match &mut self.engine {
            Some(engine) => engine,
            none => {
                let network = resources.evaluator.of_kind(kind).active_network();
                let (hash, threads) = (resources.hash, resources.threads);
                none.insert(BackgroundEngine::new(hash, threads, network, &resources.tablebases)?)
            }
        })
    }

    /// The program, started if it is not running yet.
    pub fn program(&mut self, launch: &Launch) -> Result<&mut Program, EngineError> {
        Ok(match &mut self.program {
            Some(program) => program,
            none => {
                let program = Program::start(launch);
                let program = program.map_err(named(&launch.program.to_string_lossy()))?;
                none.insert(program)
            }
        })
    }

    /// Its answer, once it has one.
    pub fn answer(&mut self) -> Result<Option<Answer>, EngineError> {
        let answer = match &mut self.program {
            Some(program) if program.is_thinking() => {
                let answer = program.answer();
                answer.map_err(named(program.name()))?
            }
            _ if self.pondered.is_some() => None,
            _ => self.engine.as_mut().and_then(BackgroundEngine::answer),
        };
        if let Some(best) = answer.as_ref().and_then(|answer| answer.best) {
            // A program may have sent no score.
            self.opinion = match &self.program {
                Some(_) => {
                    answer.as_ref().and_then(|answer| answer.line.as_ref()).map(|line| line.score)
                }
                None => Some(best.score),
            };
            if let Some(score) = self.opinion {
                self.lost = if score.units() <= -LOST { self.lost + 1 } else { 0 };
            }
        }
        Ok(answer)
    }

    /// Returns `true` if it has seen itself lost long enough to resign.
    pub const fn is_lost(&self) -> bool {
        self.lost >= LOST_MOVES
    }

    /// What it knows of the game before is forgotten.
    pub fn new_game(&mut self) {
        self.stop();
        self.opinion = None;
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
        // One that does not answer is started anew.
        if self.program.as_mut().is_some_and(|program| program.new_game().is_err()) {
            self.program = None;
        }
    }

    /// Stops its search; the answer is lost.
    pub fn stop(&mut self) {
        self.pondered = None;
        self.lost = 0;
        if let Some(engine) = &mut self.engine {
            engine.stop();
        }
        if self.program.as_mut().is_some_and(|program| program.stop().is_err()) {
            self.program = None;
        }
    }

    /// Ends its search on the opponent's time, if there is one.
    pub fn stop_pondering(&mut self) {
        if self.pondered.take().is_some()
            && let Some(engine) = &mut self.engine
        {
            engine.stop();
        }
    }

    /// Returns `true` if it thinks about its move; pondering does not count.
    pub fn is_thinking(&self) -> bool {
        let thinks = self.engine.as_ref().is_some_and(BackgroundEngine::is_running);
        (thinks && self.pondered.is_none())
            || self.program.as_ref().is_some_and(Program::is_thinking)
    }

    /// How deep it looks, and the moves that it took for the best, the latest first. Of another
    /// program nothing is known.
    pub fn thoughts(&self) -> (u32, Vec<Move>) {
        self.engine.as_ref().map(BackgroundEngine::thoughts).unwrap_or_default()
    }

    /// What ends or begins its search.
    pub fn controls(&self) -> Option<Controls> {
        self.engine.as_ref()?.controls()
    }
}

pub fn named(name: &str) -> impl FnOnce(ProgramError) -> EngineError {
    let name = name.to_owned();
    |source| EngineError::Program { name, source }
}

#[cfg(test)]
mod tests {
    use super::{EnginePlayer, LOST_MOVES, Resources};
    use tamarin_game::evaluator::{EvaluatorChoice, EvaluatorKind};
    use tamarin_movegen::Position;
    use tamarin_search::{Limits, SearchOptions, TablebaseProbe};

    /// Nodes of a search to a depth by an evaluator of this kind.
    fn nodes(kind: EvaluatorKind) -> u64 {
        let evaluator = EvaluatorChoice::default();
        let (uses_book, ponders, resigns) = (false, false, false);
        let resources = Resources {
            hash: 1,
            threads: 1,
            evaluator,
            seed: 1,
            uses_book,
            ponders,
            resigns,
            tablebases: TablebaseProbe::default(),
        };
        let mut side = EnginePlayer::default();
        let engine = side.engine(&resources, kind).expect("there is memory");
        engine.start(&Position::startpos(), Limits::depth(6), &SearchOptions::default());
        loop {
            if let Some(answer) = engine.answer() {
                return answer.best.expect("it ended by itself").nodes;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn an_engine_that_stops_pondering_still_knows_that_it_is_lost() {
        let mut side = EnginePlayer { pondered: Some(1), lost: LOST_MOVES, ..Default::default() };
        side.stop_pondering();
        assert!(side.pondered.is_none() && side.is_lost());
    }

    #[test]
    fn the_engine_searches_with_the_evaluator_of_its_side() {
        let network = nodes(EvaluatorKind::Network);
        assert_eq!(nodes(EvaluatorKind::Network), network);
        assert_ne!(nodes(EvaluatorKind::HandCrafted), network);
    }
}
