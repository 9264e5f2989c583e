//! How long an engine may think about a move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::numbers;

/// What each move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A clock for the game, or for each number of moves.
    Clock {
        /// Moves to the next addition of `base`; `None` for the whole game.
        moves: Option<u32>,
        base: Duration,
        /// Time that is added after each move.
        increment: Duration,
    },
    /// So many nodes a move.
    Nodes(u64),
}

/// A time control that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is not a time control such as 8+0.08, 60 or 40/60+0.6, in seconds, each at most 1000000"
)]
pub struct TimeControlError(String);

impl Limit {
    /// Reads `base+increment` or `moves/base+increment`, in seconds, each at most a million.
    pub fn clock(text: &str) -> Result<Self, TimeControlError> {
        let error = || TimeControlError(text.to_owned());
        let (moves, times) = match text.split_once('/') {
            Some((moves, times)) => {
                let moves = u32::from_str(moves).ok().filter(|&moves| moves > 0);
                (Some(moves.ok_or_else(error)?), times)
            }
            None => (None, text),
        };
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let seconds = |text: &str| Duration::try_from_secs_f64(numbers::seconds(text).ok()?).ok();
        let base = seconds(base).filter(|base| !base.is_zero()).ok_or_else(error)?;
        let increment = seconds(increment).ok_or_else(error)?;
        Ok(Self::Clock { moves, base, increment })
    }
}

/// As [`Limit::clock`] reads it, or `N nodes`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::Clock { moves, base, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if increment.is_zero() { Ok(()) } else { write!(f, "+{}", increment.as_secs_f64()) }
            }
        }
    }
}

/// The time that a side has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    limit: Limit,
    pub left: Duration,
    /// Moves to the next addition.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    pub fn new(limit: Limit) -> Self {
        match limit {
            Limit::Clock { moves, base, .. } => Self { limit, left: base, moves_to_go: moves },
            Limit::Nodes(_) => Self { limit, left: Duration::ZERO, moves_to_go: None },
        }
    }

    /// Takes off the time of a move and adds what is due after it. What was overrun, if it is
    /// more than `margin`, comes back as the error.
    pub fn punch(&mut self, used: Duration, margin: Duration) -> Result<(), Duration> {
        let Limit::Clock { moves, base, increment } = self.limit else { return Ok(()) };
        let overrun = used.saturating_sub(self.left);
        if overrun > margin {
            return Err(overrun);
        }
        self.left = self.left.saturating_sub(used) + increment;
        if let (Some(to_go), Some(moves)) = (&mut self.moves_to_go, moves) {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = moves;
                self.left += base;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGIN: Duration = Duration::from_millis(50);

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["2+0.02", "60", "40/60+0.6", "0.5+0.01"] {
            assert_eq!(Limit::clock(text).unwrap().to_string(), text);
        }
        let limit = Limit::Clock { moves: Some(40), base: ms(60_000), increment: ms(600) };
        assert_eq!(Limit::clock("40/60+0.6"), Ok(limit));
        for text in ["", "0+1", "-1", "x+1", "1+", "0/60", "/60", "1+nan", "1e19", "1+1e19"] {
            let error = Limit::clock(text).unwrap_err().to_string();
            assert!(error.ends_with("each at most 1000000"), "{error}");
        }
        assert_eq!(Limit::clock("1e6+1e6").unwrap().to_string(), "1000000+1000000");
    }

    #[test]
    fn a_clock_runs_down() {
        let mut clock = Clock::new(Limit::clock("1+0.1").unwrap());
        assert_eq!(clock.punch(ms(300), MARGIN), Ok(()));
        assert_eq!(clock.left, ms(800));
        // Within the margin: forgiven, but nothing is left.
        assert_eq!(clock.punch(ms(850), MARGIN), Ok(()));
        assert_eq!(clock.left, ms(100));
        assert_eq!(clock.punch(ms(151), MARGIN), Err(ms(51)));
    }

    #[test]
    fn a_clock_for_some_moves_is_wound_up_again() {
        let mut clock = Clock::new(Limit::clock("2/1").unwrap());
        clock.punch(ms(400), MARGIN).unwrap();
        assert_eq!((clock.left, clock.moves_to_go), (ms(600), Some(1)));
        clock.punch(ms(400), MARGIN).unwrap();
        assert_eq!((clock.left, clock.moves_to_go), (ms(1_200), Some(2)));
    }
}
