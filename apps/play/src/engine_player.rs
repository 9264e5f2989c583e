//! What plays a color where no person does: the engine, or another program.

use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_game::level::Tamarin;
use tamarin_game::position::Position;
use tamarin_game::search::{Answer, Found, Searcher};
use tamarin_search::Controls;

use super::opponent::EngineError;
use super::players::Resources;
use super::program::{Program, ProgramError};
use tamarin_uci::client::Launch;

/// An engine resigns once it has seen itself so far behind, in score units ...
const LOST: i32 = 10 * UNITS_PER_PAWN;

/// ... at this number of its moves in a row.
const LOST_MOVES: u32 = 3;

/// What plays a color, where no person does.
#[derive(Default)]
pub struct EnginePlayer {
    /// The engine, once it was needed.
    engine: Option<Searcher>,
    /// The other program, once it was needed.
    pub program: Option<Program>,
    /// What it thought of its game when it last moved, from its own view.
    pub opinion: Option<Score>,
    /// At how many moves in a row it thought that it is lost.
    lost: u32,
    /// The position that it thinks about on the opponent's time.
    pub pondered: Option<Position>,
}

impl EnginePlayer {
    /// The engine, started if it is not running yet.
    pub fn engine(
        &mut self,
        resources: &Resources,
        tamarin: Tamarin,
    ) -> Result<&mut Searcher, EngineError> {
        Ok(match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(resources.player(tamarin)?),
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
            _ => self.engine.as_mut().and_then(Searcher::answer),
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
        let thinks = self.engine.as_ref().is_some_and(Searcher::is_running);
        (thinks && self.pondered.is_none())
            || self.program.as_ref().is_some_and(Program::is_thinking)
    }

    /// What it has found in the search that runs; nothing is known of another program.
    pub fn thoughts(&self) -> Found {
        self.engine.as_ref().map(Searcher::found).unwrap_or_default()
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
    use super::{EnginePlayer, LOST_MOVES};
    use tamarin_game::position::Position;

    #[test]
    fn stays_lost_after_pondering_is_stopped() {
        let pondered = Some(Position::startpos());
        let mut side = EnginePlayer { pondered, lost: LOST_MOVES, ..Default::default() };
        side.stop_pondering();
        assert!(side.pondered.is_none() && side.is_lost());
    }
}
