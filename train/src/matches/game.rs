//! One game, with the referee's rules.

use core::fmt;
use core::ops::ControlFlow;
use std::time::Duration;

use tamarin_game::clock::TimeControl;
use tamarin_movegen::{
    CastlingNotation, CastlingStyle, Color, Move, PerColor, Position, Reason, UciMove,
};
use tamarin_uci::client::{Client, ClientError};
use tamarin_uci::{Base, Go, Millis, PositionText, SideClock};

use super::adjudication::{Adjudication, Streaks};
use super::player::{Answer, ask, centipawns};
use crate::play::play;

/// The time that a move limited by nodes has.
const TIME_BY_NODES: Duration = Duration::from_secs(600);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Clock(TimeControl),
    Nodes(u64),
}

/// As the command line has it, or `N nodes`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::Clock(control) => f.write_str(&control.pgn()),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub limit: Limit,
    /// Overrun that is forgiven.
    pub margin: Duration,
    /// How long a player may be silent beyond its clock and the margin, or by nodes beyond ten
    /// minutes. By its clock it has lost by then, but plays the next game where it answers at last.
    pub patience: Duration,
    pub adjudication: Adjudication,
    /// The king takes its rook to castle.
    pub chess960: bool,
}

/// A FEN that any program reads in chess, or in Chess960.
pub fn fen(position: &Position, chess960: bool) -> String {
    position.fen(if chess960 { CastlingStyle::Shredder } else { CastlingStyle::Standard })
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    Rule(Reason),
    Adjudication,
    Fault(Fault),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    Time {
        overrun: Duration,
    },
    IllegalMove(String),
    /// With what it said last.
    Crash(String),
    Stall,
}

impl Fault {
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Time { .. } => "time forfeit",
            Self::IllegalMove(_) => "illegal move",
            Self::Crash(_) => "crash",
            Self::Stall => "stall",
        }
    }

    /// The fault of a player that no longer answers; other errors end the match.
    fn of(error: ClientError) -> Result<Self, ClientError> {
        match error {
            ClientError::Ended { .. } => Ok(Self::Crash(error.to_string())),
            ClientError::Silent { .. } => Ok(Self::Stall),
            error => Err(error),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { overrun } => write!(f, "{}: {} ms over", self.kind(), overrun.as_millis()),
            Self::IllegalMove(text) => write!(f, "{}: {text:?}", self.kind()),
            Self::Crash(text) => write!(f, "{}: {text}", self.kind()),
            Self::Stall => f.write_str(self.kind()),
        }
    }
}

/// A move with what its player said about it.
#[derive(Clone, Debug)]
pub struct Played {
    pub mv: Move,
    pub answer: Answer,
}

#[derive(Clone, Debug)]
pub struct Game {
    pub opening: Position,
    pub moves: Vec<Played>,
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub ending: Ending,
}

/// Winner and ending of a game, or what has ended the match.
type End = Result<(Option<Color>, Ending), ClientError>;

fn lost_by(player: Color, error: ClientError) -> End {
    Fault::of(error).map(|fault| (Some(!player), Ending::Fault(fault)))
}

/// Plays a game to its end. An error has ended the match, not the game.
pub fn play_game(
    opening: &Position,
    players: &mut PerColor<&mut Client>,
    rules: &Rules,
) -> Result<Game, ClientError> {
    let mut referee = Referee::new(opening, rules);
    let silent = Color::ALL
        .into_iter()
        .find_map(|color| players[color].new_game().err().map(|error| lost_by(color, error)));
    let end = match silent {
        Some(end) => end,
        None => match play(opening, |position, _| {
            referee.turn(position, players[position.side_to_move()])
        }) {
            Ok(outcome) => Ok((outcome.winner, Ending::Rule(outcome.reason))),
            Err(end) => end,
        },
    };
    let (winner, ending) = end?;
    Ok(Game { opening: opening.clone(), moves: referee.moves, winner, ending })
}

struct Referee<'a> {
    rules: &'a Rules,
    /// The opening as the players read it, and the moves since.
    fen: String,
    words: Vec<String>,
    moves: Vec<Played>,
    /// What each side has left, and the moves that it has made.
    left: PerColor<Duration>,
    made: PerColor<u32>,
    streaks: Streaks,
    decided: Option<Option<Color>>,
}

impl<'a> Referee<'a> {
    fn new(opening: &Position, rules: &'a Rules) -> Self {
        let base = match rules.limit {
            Limit::Clock(control) => control.base,
            Limit::Nodes(_) => Duration::ZERO,
        };
        Self {
            rules,
            fen: fen(opening, rules.chess960),
            words: Vec::new(),
            moves: Vec::new(),
            left: PerColor([base; 2]),
            made: PerColor([0; 2]),
            streaks: Streaks::default(),
            decided: None,
        }
    }

    /// Lets a player move, unless the scores have decided the game.
    fn turn(&mut self, position: &Position, player: &mut Client) -> ControlFlow<End, Move> {
        if let Some(winner) = self.decided {
            return ControlFlow::Break(Ok((winner, Ending::Adjudication)));
        }
        let mover = position.side_to_move();
        let text = PositionText {
            base: Base::Fen(self.fen.clone()),
            moves: self.words.iter().map(String::as_str).collect(),
        };
        let answer = match ask(player, &text, &self.go(mover), self.patience(mover)) {
            Ok(answer) => answer,
            Err(error) => return ControlFlow::Break(lost_by(mover, error)),
        };
        let mv = answer.best.parse::<UciMove>().and_then(|text| position.resolve(text));
        let fault = match (self.press_clock(mover, answer.used), mv) {
            (Ok(()), Ok(mv)) => {
                self.note(position, Played { mv, answer });
                return ControlFlow::Continue(mv);
            }
            (Ok(()), Err(_)) => Fault::IllegalMove(answer.best),
            (Err(overrun), _) => Fault::Time { overrun },
        };
        ControlFlow::Break(Ok((Some(!mover), Ending::Fault(fault))))
    }

    fn go(&self, mover: Color) -> Go {
        match self.rules.limit {
            Limit::Nodes(nodes) => Go { nodes: Some(nodes), ..Go::default() },
            Limit::Clock(control) => {
                let millis = |time: Duration| Some(Millis::new(time.as_millis() as u64));
                let clock = PerColor(Color::ALL.map(|color| SideClock {
                    time: millis(self.left[color].max(Duration::from_millis(1))),
                    increment: millis(control.increment),
                }));
                let moves_to_go = control.moves.map(|moves| moves - self.made[mover] % moves);
                Go { clock, moves_to_go, ..Go::default() }
            }
        }
    }

    /// How long the answer of a player is waited for.
    fn patience(&self, mover: Color) -> Duration {
        let time = match self.rules.limit {
            Limit::Clock(_) => self.left[mover].saturating_add(self.rules.margin),
            Limit::Nodes(_) => TIME_BY_NODES,
        };
        time.saturating_add(self.rules.patience)
    }

    /// Takes off the time of a move and adds what is due after it. What was overrun, if it is
    /// more than the margin, comes back as the error.
    fn press_clock(&mut self, mover: Color, used: Duration) -> Result<(), Duration> {
        let Limit::Clock(control) = self.rules.limit else { return Ok(()) };
        let left = &mut self.left[mover];
        let overrun = used.saturating_sub(*left);
        if overrun > self.rules.margin {
            return Err(overrun);
        }
        *left = left.saturating_sub(used) + control.increment;
        self.made[mover] += 1;
        if control.moves.is_some_and(|moves| self.made[mover].is_multiple_of(moves)) {
            *left += control.base;
        }
        Ok(())
    }

    fn note(&mut self, position: &Position, played: Played) {
        let notation = match self.rules.chess960 {
            false => CastlingNotation::Classic,
            true => CastlingNotation::KingTakesRook,
        };
        self.words.push(position.uci(played.mv, notation).to_string());
        let (mover, number) = (position.side_to_move(), position.fullmove_number());
        let score = played.answer.score.map(centipawns);
        self.decided = self.streaks.next(&self.rules.adjudication, mover, number, score);
        self.moves.push(played);
    }
}
