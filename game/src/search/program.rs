//! Another program as a player and as an analyst, over the Universal Chess Interface.

use std::time::Duration;

use tamarin_movegen::{CastlingStyle, Color, PerColor};
use tamarin_search::Clock;
use tamarin_uci::client::{Client, ClientError, Launch};
use tamarin_uci::{Base, BestMoveLine, Bound, Go, InfoLine, Millis, PositionText, SideClock};

use super::{Answer, Ask, Found, FoundLine, Worth};
use crate::game::Game;
use crate::position::{Castling, Move, Position, clip};

/// Patience beyond its time for a move.
const PATIENCE: Duration = Duration::from_secs(30);

/// Its time for a move where no clock runs, in milliseconds.
const MOVE_TIME: u64 = 1000;

/// The best lines of an analysis at most.
const MOST_LINES: usize = 10;

/// A program fails.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    #[error("{name}")]
    Failed { name: String, source: ClientError },
    #[error("{name}: wants to play {text:?} in {fen}")]
    Move { name: String, text: String, fen: String },
}

/// A running program; dropping it ends the process.
pub struct Program {
    client: Client,
    /// What it thinks about.
    position: Position,
    /// Its best lines so far.
    found: Found,
}

impl Program {
    /// Starts it and sets its options.
    pub fn start(launch: &Launch) -> Result<Self, ProgramError> {
        let client = Client::start(launch, None).map_err(|source| {
            let name = launch.program.to_string_lossy().into_owned();
            ProgramError::Failed { name, source }
        })?;
        Ok(Self { client, position: Position::startpos(), found: Found::default() })
    }

    /// What it calls itself.
    pub fn name(&self) -> &str {
        self.client.name()
    }

    fn failed(&self, source: ClientError) -> ProgramError {
        ProgramError::Failed { name: self.name().to_owned(), source }
    }

    pub fn new_game(&mut self) -> Result<(), ProgramError> {
        self.client.new_game().map_err(|error| self.failed(error))
    }

    /// Lets it think about the game, of the variant of this name if there is one, with these clocks
    /// or for a second.
    pub fn think(
        &mut self,
        game: &Game,
        variant: Option<&str>,
        clocks: &PerColor<Option<Clock>>,
    ) -> Result<(), ProgramError> {
        let mover = game.position().turn();
        let given = clocks[mover].map_or(MOVE_TIME, |clock| clock.left.get());
        let limit = Duration::from_millis(given).saturating_add(PATIENCE);
        self.stop()?;
        self.set_if_there("MultiPV", "1")?;
        let moves = game.turns().iter().map(|turn| turn.mv);
        self.go(game.start(), moves, variant, (limits(clocks, mover), Some(limit)))
    }

    /// Lets it analyze a position of chess: lines, nodes and depth as asked for, else without end.
    pub fn analyse(&mut self, position: &Position, ask: &Ask) -> Result<(), ProgramError> {
        self.stop()?;
        self.set_if_there("MultiPV", &ask.lines.clamp(1, MOST_LINES).to_string())?;
        let infinite = ask.depth.is_none() && ask.nodes.is_none();
        let go = Go { infinite, depth: ask.depth, nodes: ask.nodes, ..Go::default() };
        self.go(position, std::iter::empty(), None, (go, None))
    }

    /// Sets the table, in MiB, and the threads of a program that has these options.
    pub fn set_size(&mut self, hash: usize, threads: usize) -> Result<(), ProgramError> {
        self.set_if_there("Hash", &hash.to_string())?;
        self.set_if_there("Threads", &threads.to_string())
    }

    /// Sets an option that it has, to a value that it takes.
    fn set_if_there(&mut self, name: &str, value: &str) -> Result<(), ProgramError> {
        match self.client.check(name, value) {
            Ok(()) => self.client.set(name, value).map_err(|error| self.failed(error)),
            Err(_) => Ok(()),
        }
    }

    fn go(
        &mut self,
        start: &Position,
        moves: impl Iterator<Item = Move>,
        variant: Option<&str>,
        (go, limit): (Go, Option<Duration>),
    ) -> Result<(), ProgramError> {
        self.stop()?;
        let mut position = self.known(start);
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
        let moves: Vec<String> = moves.map(text).collect();
        let moves = moves.iter().map(String::as_str).collect();
        let text = PositionText { base: Base::Fen(fen), moves };
        let begun = self.client.go(&text, &go, limit);
        begun.map_err(|error| self.failed(error))?;
        (self.position, self.found) = (position, Found::default());
        Ok(())
    }

    fn has_chess960(&self) -> bool {
        self.client.option("UCI_Chess960").is_some()
    }

    /// The first position, with the castling that the program knows.
    fn known(&self, start: &Position) -> Position {
        match start {
            Position::Chess(start, Castling::Chess960) if !self.has_chess960() => {
                Position::Chess(start.clone(), Castling::Classic)
            }
            start => start.clone(),
        }
    }

    /// What it has found so far.
    pub fn found(&self) -> Found {
        self.found.clone()
    }

    /// Returns `true` if it thinks about a move that has not been taken.
    pub const fn is_thinking(&self) -> bool {
        self.client.is_searching()
    }

    /// It shall move at once.
    pub fn move_now(&mut self) -> Result<(), ProgramError> {
        self.client.request_stop().map_err(|error| self.failed(error))
    }

    /// The move it has found and its lines, once there is one; what it says until then is read.
    pub fn answer(&mut self) -> Result<Option<Answer>, ProgramError> {
        let Self { client, found, position } = self;
        let answer = client.poll(|info| take(found, position, &info.line));
        let Some(answer) = answer.map_err(|error| self.failed(error))? else { return Ok(None) };
        let text = match answer.best {
            BestMoveLine::Move { mv, .. } => mv,
            none => none.to_string().replacen("bestmove ", "", 1),
        };
        let Ok(mv) = self.position.find(&text) else {
            let (name, fen) = (self.name().to_owned(), self.position.fen());
            return Err(ProgramError::Move { name, text: clip(&text), fen });
        };
        let found = std::mem::take(&mut self.found);
        Ok(Some(Answer { best: Some(mv), found, ..Answer::default() }))
    }

    /// Ends its thinking; the answer is lost.
    pub fn stop(&mut self) -> Result<(), ProgramError> {
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

/// Takes over a line with an exact score, of any rank up to the next one; its moves as far as they
/// are legal.
fn take<M: AsRef<str>>(found: &mut Found, position: &Position, info: &InfoLine<M>) {
    let rank = info.multipv.map_or(0, |rank| (rank as usize).saturating_sub(1));
    let score = info.score.filter(|score| score.bound == Bound::Exact);
    let (Some(score), Some(depth)) = (score, info.depth) else { return };
    if rank > found.lines.len() || rank >= MOST_LINES {
        return;
    }
    let mut at = position.clone();
    let moves = info.pv.iter().map_while(|text| {
        let mv = at.find(text.as_ref()).ok()?;
        at.make(mv);
        Some(mv)
    });
    let line = FoundLine { worth: Worth::Variant(score.value), pv: moves.collect() };
    match found.lines.get_mut(rank) {
        Some(old) => *old = line,
        None => found.lines.push(line),
    }
    found.depth = depth;
    found.nodes = info.nodes.unwrap_or(found.nodes);
    found.time = info.time.unwrap_or(found.time);
}

#[cfg(test)]
mod tests {
    use super::{limits, take};
    use crate::position::Position;
    use crate::search::{Found, FoundLine, Worth};
    use tamarin_eval::ScoreValue;
    use tamarin_movegen::{Color, PerColor};
    use tamarin_search::{Clock, Millis};
    use tamarin_uci::{Bound, InfoLine, ScoreText};

    /// Lines of several ranks come and go; what is not exact, of no rank or illegal is left out.
    #[test]
    fn lines_of_analyses_are_taken_over() {
        let position = Position::startpos();
        let mut found = Found::default();
        let mut say = |rank, depth, centipawns, bound, pv: &[&str]| {
            let value = ScoreValue::Centipawns(centipawns);
            let score = Some(ScoreText { value, bound, wdl: None });
            let (depth, pv) = (Some(depth), pv.to_vec());
            let info = InfoLine { depth, multipv: rank, score, pv, ..InfoLine::default() };
            take(&mut found, &position, &info);
        };
        say(Some(1), 3, 30, Bound::Exact, &["e2e4", "e7e5"]);
        say(Some(3), 3, 5, Bound::Exact, &["a2a3"]);
        say(Some(2), 3, 20, Bound::Exact, &["d2d4", "d2d4"]);
        say(Some(1), 4, 90, Bound::Lower, &["e2e4"]);
        say(None, 4, 35, Bound::Exact, &["c2c4"]);
        let line = |line: &FoundLine| (line.pv.len(), position.text(line.pv[0]), line.worth);
        let worth = |value| Worth::Variant(ScoreValue::Centipawns(value));
        let lines: Vec<_> = found.lines.iter().map(line).collect();
        assert_eq!(lines, [(1, "c2c4".into(), worth(35)), (1, "d2d4".into(), worth(20))]);
        assert_eq!(found.depth, 4);
    }

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
