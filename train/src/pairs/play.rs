//! Games between two settings of the parameters.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_eval::network::Network;
use tamarin_movegen::{Color, PerColor, Position};
use tamarin_search::{Clock, Limits, Millis, ParameterError, StartError};

use super::experiment::Sides;
use crate::data::Outcome;
use crate::datagen::{Adjudication, NoOpening, Openings, Streaks, result};
use crate::engine::{Engine, NodeLimits};
use crate::numbers::seconds;

/// Nodes spent on finding out whether an opening is level.
const OPENING_NODES: NodeLimits = NodeLimits { soft: 2_000, hard: 16_000 };

/// What limits the thinking about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Pace {
    /// So many nodes a move.
    Nodes(u64),
    /// A clock for the game, in milliseconds. If `node_time` is not zero it counts nodes,
    /// `node_time` a millisecond.
    Clock {
        base: u64,
        increment: u64,
        #[serde(default)]
        node_time: u64,
    },
}

impl Pace {
    /// The same with a clock that counts nodes.
    pub fn with_node_time(self, node_time: u64) -> Self {
        match self {
            Self::Clock { base, increment, .. } => Self::Clock { base, increment, node_time },
            Self::Nodes(_) => self,
        }
    }

    /// The nodes that count as a millisecond; zero if real time counts or none.
    fn node_time(self) -> u64 {
        match self {
            Self::Clock { node_time, .. } => node_time,
            Self::Nodes(_) => 0,
        }
    }
}

/// `SECONDS+SECONDS`, as `2+0.02`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeControl {
    base: u64,
    increment: u64,
}

impl From<TimeControl> for Pace {
    fn from(TimeControl { base, increment }: TimeControl) -> Self {
        Self::Clock { base, increment, node_time: 0 }
    }
}

/// A time control cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a time control is like 2+0.02: seconds for the game and for each move, at most 1000000")]
pub(super) struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let milliseconds = |text: &str| {
            let seconds = seconds(text).map_err(|_| TimeControlError);
            seconds.map(|seconds| (seconds * 1000.0).round() as u64)
        };
        let (base, increment) = (milliseconds(base)?, milliseconds(increment)?);
        if base == 0 { Err(TimeControlError) } else { Ok(Self { base, increment }) }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Clock { base, increment, node_time } => {
                write!(f, "{}+{} s", base as f64 / 1000.0, increment as f64 / 1000.0)?;
                if node_time == 0 { Ok(()) } else { write!(f, ", {node_time} nodes a millisecond") }
            }
        }
    }
}

/// Why a pair of games cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    /// A parameter cannot be set.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// There is nothing to begin with.
    #[error(transparent)]
    Opening(#[from] NoOpening),
}

/// Plays pairs of games.
pub(super) struct Match<'a> {
    /// The plus side and the minus side.
    engines: [Engine; 2],
    pub openings: &'a Openings,
    pub rules: Adjudication,
    pub pace: Pace,
    /// The score of an opening is at most this far from zero, in engine units.
    pub opening_score: i32,
}

/// How the games of a [`Match`] are played.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    pub openings: &'a Openings,
    pub rules: Adjudication,
    pub pace: Pace,
    pub opening_score: i32,
    /// Hash table of each side, in MiB.
    pub hash: usize,
    /// What evaluates; `None` is the hand-crafted terms.
    pub network: Option<&'a Arc<Network>>,
}

impl<'a> Match<'a> {
    pub fn new(conditions: Conditions<'a>) -> Result<Self, StartError> {
        let Conditions { openings, rules, pace, opening_score, hash, network } = conditions;
        let node_time = pace.node_time();
        let engine = || Engine::for_match(hash, network, node_time);
        let engines = [engine()?, engine()?];
        Ok(Self { engines, openings, rules, pace, opening_score })
    }

    /// Plays an opening with either side as White. Returns what the plus side scored more
    /// than the minus side, from -2 to 2 points.
    pub fn pair(
        &mut self,
        names: &[String],
        sides: &Sides,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<f64, PairError> {
        for (engine, values) in self.engines.iter_mut().zip([&sides.plus, &sides.minus]) {
            for (name, &value) in names.iter().zip(values) {
                engine.set_parameter(name, value)?;
            }
        }
        let opening = self.opening(sides.pair, random)?;
        let first = self.game(&opening, PerColor([0, 1]));
        let second = self.game(&opening, PerColor([1, 0]));
        Ok(2.0 * f64::from(first.for_white()) - 1.0 - (2.0 * f64::from(second.for_white()) - 1.0))
    }

    fn opening(
        &mut self,
        pair: u64,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<Position, NoOpening> {
        let is_level = |start: &Position| {
            self.engines[0].new_game();
            let score = self.engines[0].search(start, OPENING_NODES).score.units();
            score.abs() <= self.opening_score
        };
        self.openings.draws(pair, random).find(is_level).ok_or(NoOpening)
    }

    /// Plays a game; `sides` says which engine has which color.
    fn game(&mut self, start: &Position, sides: PerColor<usize>) -> Outcome {
        self.engines.iter_mut().for_each(Engine::new_game);
        let mut position = start.clone();
        let mut streaks = Streaks::default();
        let mut clocks = self.clocks();
        for ply in 0.. {
            if let Some(outcome) = result(&position) {
                return outcome;
            }
            let us = position.side_to_move();
            let begin = Instant::now();
            let limits = match (self.pace, clocks) {
                (Pace::Nodes(nodes), _) => Limits::nodes(nodes),
                (Pace::Clock { .. }, clocks) => Limits { clocks, ..Limits::default() },
            };
            let answer = self.engines[sides[us]].search(&position, limits);
            if let Some(clock) = &mut clocks[us] {
                let used = match self.pace.node_time() {
                    0 => Millis::new(begin.elapsed().as_millis() as u64),
                    rate => Millis::new(answer.nodes / rate),
                };
                if used > clock.left {
                    return Outcome::won_by(!us);
                }
                clock.left = clock.left.minus(used).plus(clock.increment);
            }
            let score = match us {
                Color::White => answer.score.units(),
                Color::Black => -answer.score.units(),
            };
            if let Some(outcome) = streaks.next(&self.rules, score, ply) {
                return outcome;
            }
            position.make(answer.mv.expect("invariant: the game is not over, so there is a move"));
        }
        unreachable!("invariant: games end by the rules or by the limit of plies")
    }

    fn clocks(&self) -> PerColor<Option<Clock>> {
        PerColor(match self.pace {
            Pace::Nodes(_) => [None; 2],
            Pace::Clock { base, increment, .. } => {
                let (left, increment) = (Millis::new(base), Millis::new(increment));
                [Some(Clock { left, increment, moves_to_go: None }); 2]
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_in_seconds() {
        let pace = |text: &str| text.parse::<TimeControl>().map(Pace::from);
        assert_eq!(pace("2+0.02"), Ok(Pace::Clock { base: 2_000, increment: 20, node_time: 0 }));
        assert_eq!(pace("10"), Ok(Pace::Clock { base: 10_000, increment: 0, node_time: 0 }));
        for text in ["", "+1", "0+1", "x+1", "1+x", "-1+1", "1+-1", "nan+1", "1e9+1"] {
            assert_eq!(pace(text), Err(TimeControlError), "{text}");
        }
    }
}
