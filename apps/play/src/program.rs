//! Another chess program as a player, over the Universal Chess Interface.

use std::time::Duration;

use tamarin_game::game::Game;
use tamarin_game::position::{Castling, Position, clip};
use tamarin_game::search::{Answer, Found, FoundLine, Worth};
use tamarin_movegen::{CastlingStyle, Color, PerColor};
use tamarin_search::Clock;
use tamarin_uci::client::{Client, ClientError, Launch};
use tamarin_uci::{Base, BestMoveLine, Go, InfoLine, Millis, PositionText, SideClock};

use super::players::EngineError;

/// Patience beyond its time for a move.
const PATIENCE: Duration = Duration::from_secs(30);

/// Its time for a move where no clock runs, in milliseconds.
const MOVE_TIME: u64 = 1000;

/// A running program; dropping it ends the process.
pub struct Program {
    client: Client,
    /// What it thinks about.
    position: Position,
    /// Its best line so far.
    found: Found,
}

impl Program {
    /// Starts it and sets its options.
    pub fn start(launch: &Launch) -> Result<Self, EngineError> {
        let client = Client::start(launch, None).map_err(|source| {
            let name = launch.program.to_string_lossy().into_owned();
            EngineError::Program { name, source }
        })?;
        Ok(Self { client, position: Position::startpos(), found: Found::default() })
    }

    /// What it calls itself.
    pub fn name(&self) -> &str {
        self.client.name()
    }

    fn failed(&self, source: ClientError) -> EngineError {
        EngineError::Program { name: self.name().to_owned(), source }
    }

    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.client.new_game().map_err(|error| self.failed(error))
    }

    /// Lets it think about the game, of the variant of this name if there is one, with these clocks
    /// or for a second.
    pub fn think(
        &mut self,
        game: &Game,
        variant: Option<&str>,
        clocks: &PerColor<Option<Clock>>,
    ) -> Result<(), EngineError> {
        self.stop()?;
        let mut position = self.start_of(game);
        let is_chess960 = matches!(position, Position::Chess(_, Castling::Chess960));
        match variant {
            Some(name) => self.client.set("UCI_Variant", name),
            None if self.has_chess960() => {
                self.client.set("UCI_Chess960", &is_chess960.to_string())
            }
            None => Ok(()),
        }
        .map_err(|error| self.failed(error))?;
        let fen = match &position {
            Position::Chess(position, _) => position.fen(CastlingStyle::Standard),
            Position::Variant(position) => position.fen(),
        };
        let text = |mv| {
            let text = position.text(mv);
            position.make(mv);
            text
        };
        let moves: Vec<String> = game.turns().iter().map(|turn| turn.mv).map(text).collect();
        let moves = moves.iter().map(String::as_str).collect();
        let text = PositionText { base: Base::Fen(fen), moves };
        let mover = position.turn();
        let given = clocks[mover].map_or(MOVE_TIME, |clock| clock.left.get());
        let limit = Duration::from_millis(given).saturating_add(PATIENCE);
        let begun = self.client.go(&text, &limits(clocks, mover), Some(limit));
        begun.map_err(|error| self.failed(error))?;
        (self.position, self.found) = (position, Found::default());
        Ok(())
    }

    fn has_chess960(&self) -> bool {
        self.client.option("UCI_Chess960").is_some()
    }

    /// The first position, with the castling that the program knows.
    fn start_of(&self, game: &Game) -> Position {
        match game.start() {
            Position::Chess(start, Castling::Chess960) if !self.has_chess960() => {
                Position::Chess(start.clone(), Castling::Classic)
            }
            start => start.clone(),
        }
    }

    /// Returns `true` if it thinks about a move that has not been taken.
    pub const fn is_thinking(&self) -> bool {
        self.client.is_searching()
    }

    /// It shall move at once.
    pub fn move_now(&mut self) -> Result<(), EngineError> {
        self.client.request_stop().map_err(|error| self.failed(error))
    }

    /// The move it has found and its score, once there is one.
    pub fn answer(&mut self) -> Result<Option<Answer>, EngineError> {
        let Self { client, found, .. } = self;
        let answer = client.poll(|info| {
            if let Some((depth, worth)) = best_line(&info.line) {
                let lines = vec![FoundLine { worth, pv: Vec::new() }];
                *found = Found { depth, lines, ..Found::default() };
            }
        });
        let Some(answer) = answer.map_err(|error| self.failed(error))? else { return Ok(None) };
        let text = match answer.best {
            BestMoveLine::Move { mv, .. } => mv,
            none => none.to_string().replacen("bestmove ", "", 1),
        };
        let Ok(mv) = self.position.find(&text) else {
            let (name, fen) = (self.name().to_owned(), self.position.fen());
            return Err(EngineError::Move { name, text: clip(&text), fen });
        };
        let found = std::mem::take(&mut self.found);
        Ok(Some(Answer { best: Some(mv), found, ..Answer::default() }))
    }

    /// Ends its thinking; the answer is lost.
    pub fn stop(&mut self) -> Result<(), EngineError> {
        self.client.stop().map(drop).map_err(|error| self.failed(error))
    }
}

/// What lets a program think about a move of `mover`.
fn limits(clocks: &PerColor<Option<Clock>>, mover: Color) -> Go {
    let side =
        |clock: Clock| SideClock { time: Some(clock.left), increment: Some(clock.increment) };
    match clocks.0 {
        [Some(white), Some(black)] => Go {
            clock: PerColor([side(white), side(black)]),
            moves_to_go: clocks[mover].and_then(|clock| clock.moves_to_go),
            ..Go::default()
        },
        _ => Go { move_time: Some(Millis::new(MOVE_TIME)), ..Go::default() },
    }
}

/// Depth and score of a line with an exact score of the best variation.
fn best_line<M>(info: &InfoLine<M>) -> Option<(u32, Worth)> {
    let worth = Worth::Variant(info.exact_score()?);
    Some((info.depth?, worth))
}

#[cfg(test)]
mod tests {
    use super::limits;
    use tamarin_movegen::{Color, PerColor};
    use tamarin_search::{Clock, Millis};

    #[test]
    fn clocks_are_sent_and_else_a_second() {
        assert_eq!(limits(&PerColor([None; 2]), Color::White).to_string(), "go movetime 1000");
        let clock = |left, moves_to_go| {
            Some(Clock { left: Millis::new(left), increment: Millis::new(20), moves_to_go })
        };
        let clocks = PerColor([clock(5000, Some(3)), clock(4000, Some(4))]);
        for (mover, moves) in [(Color::White, 3), (Color::Black, 4)] {
            let wanted = format!("go wtime 5000 btime 4000 winc 20 binc 20 movestogo {moves}");
            assert_eq!(limits(&clocks, mover).to_string(), wanted);
        }
    }
}
