//! One game, with the referee's rules.

use std::fmt;
use std::time::Duration;

use tamarin_movegen::{CastlingNotation, Color, Move, PerColor, Position, Reason, UciMove};

use super::adjudication::{Adjudication, Streaks};
use super::limit::{Clock, Limit};
use super::openings::{Variant, fen};
use super::player::{Answer, Player, PlayerError, centipawns};

/// The time that a move limited by nodes has.
const TIME_BY_NODES: Duration = Duration::from_secs(600);

/// What a game is played by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub limit: Limit,
    /// Overrun that is forgiven.
    pub margin: Duration,
    /// How long a player may be silent beyond its clock and the margin, or by nodes beyond ten
    /// minutes. By its clock it has lost by then, but plays the next game where it answers at last.
    pub patience: Duration,
    pub adjudication: Adjudication,
    pub variant: Variant,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Rule(Reason),
    /// By the scores of the players.
    Adjudication,
    /// A player broke the rules.
    Fault(Fault),
}

/// How a player broke the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Time { overrun: Duration },
    IllegalMove(String),
    Crash,
    Stall,
}

impl Fault {
    /// The kind alone, in the words of PGN's `Termination`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Time { .. } => "time forfeit",
            Self::IllegalMove(_) => "illegal move",
            Self::Crash => "crash",
            Self::Stall => "stall",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time { overrun } => write!(f, "{}: {} ms over", self.kind(), overrun.as_millis()),
            Self::IllegalMove(text) => write!(f, "{}: {text:?}", self.kind()),
            Self::Crash | Self::Stall => f.write_str(self.kind()),
        }
    }
}

/// A move with what its player said about it.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub mv: Move,
    pub answer: Answer,
}

#[derive(Clone, Debug)]
pub(super) struct Game {
    pub opening: Position,
    pub moves: Vec<Played>,
    /// `None` for a draw.
    pub winner: Option<Color>,
    pub ending: Ending,
}

/// Plays a game to its end. An error has ended the match, not the game.
pub(super) fn play(
    opening: &Position,
    players: &mut PerColor<&mut Player<'_>>,
    rules: &Rules,
) -> Result<Game, PlayerError> {
    let mut table = Table::new(opening, rules);
    for color in Color::ALL {
        if let Err(error) = players[color].new_game() {
            return table.give_up(color, error);
        }
    }
    loop {
        if let Some((winner, ending)) = table.end() {
            return Ok(table.finish(winner, ending));
        }
        let mover = table.position.side_to_move();
        let patience = table.patience(mover);
        let answer = players[mover].go(&table.position_command(), &table.go_command(), patience);
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return table.give_up(mover, error),
        };
        if let Err(overrun) = table.clocks[mover].punch(answer.used, rules.margin) {
            return Ok(table.fault(mover, Fault::Time { overrun }));
        }
        let mv = answer.best.parse::<UciMove>().and_then(|text| table.position.resolve(text));
        match mv {
            Ok(mv) => table.make(Played { mv, answer }),
            Err(_) => return Ok(table.fault(mover, Fault::IllegalMove(answer.best))),
        }
    }
}

/// A game in progress.
struct Table<'a> {
    rules: &'a Rules,
    opening: &'a Position,
    position: Position,
    /// The moves as the players read them.
    text: String,
    moves: Vec<Played>,
    clocks: PerColor<Clock>,
    streaks: Streaks,
    decided: Option<Option<Color>>,
}

impl<'a> Table<'a> {
    fn new(opening: &'a Position, rules: &'a Rules) -> Self {
        Self {
            rules,
            opening,
            position: opening.clone(),
            text: String::new(),
            moves: Vec::new(),
            clocks: PerColor([Clock::new(rules.limit); 2]),
            streaks: Streaks::default(),
            decided: None,
        }
    }

    /// Winner and reason, if the game is over.
    fn end(&self) -> Option<(Option<Color>, Ending)> {
        if let Some(outcome) = self.position.outcome_with_claims() {
            return Some((outcome.winner, Ending::Rule(outcome.reason)));
        }
        self.decided.map(|winner| (winner, Ending::Adjudication))
    }

    /// How long the answer of a player is waited for.
    fn patience(&self, mover: Color) -> Duration {
        let time = match self.rules.limit {
            Limit::Clock { .. } => self.clocks[mover].left.saturating_add(self.rules.margin),
            Limit::Nodes(_) => TIME_BY_NODES,
        };
        time.saturating_add(self.rules.patience)
    }

    fn position_command(&self) -> String {
        let moves = if self.moves.is_empty() { "" } else { " moves" };
        format!("position fen {}{moves}{}", fen(self.opening, self.rules.variant), self.text)
    }

    fn go_command(&self) -> String {
        match self.rules.limit {
            Limit::Nodes(nodes) => format!("go nodes {nodes}"),
            Limit::Clock { increment, .. } => {
                let [white, black] =
                    Color::ALL.map(|color| self.clocks[color].left.as_millis().max(1));
                let increment = increment.as_millis();
                let to_go = self.clocks[self.position.side_to_move()].moves_to_go;
                let to_go = to_go.map_or(String::new(), |moves| format!(" movestogo {moves}"));
                format!("go wtime {white} btime {black} winc {increment} binc {increment}{to_go}")
            }
        }
    }

    fn make(&mut self, played: Played) {
        let notation = match self.rules.variant {
            Variant::Standard => CastlingNotation::Classic,
            Variant::Chess960 => CastlingNotation::KingTakesRook,
        };
        self.text += &format!(" {}", self.position.uci(played.mv, notation));
        let mover = self.position.side_to_move();
        let move_number = self.position.fullmove_number();
        let score = played.answer.score.map(centipawns);
        self.decided = self.streaks.next(&self.rules.adjudication, mover, move_number, score);
        self.position.make(played.mv);
        self.moves.push(played);
    }

    /// The loss of a player that no longer answers.
    fn give_up(self, player: Color, error: PlayerError) -> Result<Game, PlayerError> {
        match error {
            PlayerError::Crash => Ok(self.fault(player, Fault::Crash)),
            PlayerError::Stall => Ok(self.fault(player, Fault::Stall)),
            error => Err(error),
        }
    }

    fn fault(self, player: Color, fault: Fault) -> Game {
        self.finish(Some(!player), Ending::Fault(fault))
    }

    fn finish(self, winner: Option<Color>, ending: Ending) -> Game {
        Game { opening: self.opening.clone(), moves: self.moves, winner, ending }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_comes_on_top_of_the_time_of_a_move() {
        let seconds = Duration::from_secs;
        let of = |limit: Limit| {
            let rules = Rules {
                limit,
                margin: seconds(1),
                patience: seconds(3600),
                adjudication: Adjudication { draw: None, resign: None },
                variant: Variant::Standard,
            };
            Table::new(&Position::startpos(), &rules).patience(Color::White)
        };
        assert_eq!(of(Limit::Nodes(1)), seconds(600 + 3600));
        assert_eq!(of(Limit::clock("8+0.08").unwrap()), seconds(8 + 1 + 3600));
    }
}
