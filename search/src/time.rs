//! How much time a move may take.

use tamarin_movegen::Color;

use crate::limits::{Clock, Limits, Millis};
use crate::options::SearchOptions;

/// Fixed-point one of the factors in this file.
const ONE: u64 = 1024;

/// Overheads that a clock without a next time control should hold.
const RESERVE: u64 = 16;

/// The time a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeLimits {
    /// After about this time no new iteration begins; `None` if time is no limit or
    /// all of it shall be used.
    pub soft: Option<Millis>,
    /// After this time the search stops wherever it is; `None` if time is no limit.
    pub hard: Option<Millis>,
}

impl TimeLimits {
    /// The limits of `side` at the given move of the game.
    pub fn new(limits: &Limits, side: Color, fullmove: u16, options: &SearchOptions) -> Self {
        let clock = limits.clock(side).map(|clock| Self::of_clock(clock, fullmove, options));
        let (soft, hard) = match clock {
            Some((soft, hard)) => (Some(soft), Some(hard)),
            None => (None, None),
        };
        let fixed = limits.move_time.map(|time| at_least_one(time.minus(options.move_overhead)));
        let hard = match (hard, fixed) {
            (Some(hard), Some(fixed)) => Some(hard.min(fixed)),
            (hard, fixed) => hard.or(fixed),
        };
        Self { soft: soft.map(|soft| hard.map_or(soft, |hard| soft.min(hard))), hard }
    }

    /// Soft and hard limits, `1 <= soft <= hard <= max(1, left - overhead)`.
    fn of_clock(clock: Clock, fullmove: u16, options: &SearchOptions) -> (Millis, Millis) {
        let usable = at_least_one(clock.left.minus(options.move_overhead));
        let (soft, hard) = match clock.moves_to_go {
            Some(moves) => Self::until_control(clock, moves, usable, options.move_overhead),
            None => Self::rest_of_game(clock, fullmove, usable, options.move_overhead),
        };
        // Time the opponent will think is time we may think for nothing.
        let soft = if options.ponder { soft.scaled(5, 4) } else { soft };
        let hard = at_least_one(hard.min(usable));
        (at_least_one(soft).min(hard), hard)
    }

    /// With so many moves until more time is added.
    fn until_control(
        clock: Clock,
        moves: u32,
        usable: Millis,
        overhead: Millis,
    ) -> (Millis, Millis) {
        let moves = u64::from(moves.clamp(1, 50));
        let gains = Millis::new(clock.increment.get().saturating_mul(moves - 1));
        let losses = Millis::new(overhead.get().saturating_mul(moves - 1));
        let whole = usable.plus(gains).minus(losses);
        let soft = whole.scaled(1, moves);
        if moves == 1 {
            // Nothing has to be kept, but for the accidents of scheduling.
            return (soft.scaled(3, 4), usable.scaled(15, 16));
        }
        (soft, soft.scaled(5, 1).min(usable.scaled(3, 4)))
    }

    /// With this clock until the end of the game.
    ///
    /// A growing share of the clock: openings are cheap, and late in the game there are
    /// not many moves to keep time for. Source: the shape is Reckless's.
    ///
    /// As long as the clock holds less than the reserve, both the share and what is spent of
    /// the increment shrink with it: a game that has come to live on its increment must
    /// survive the one move in thousands that the system, or a pondering opponent, delays by
    /// far more than the usual. Ethereal, which keeps a quarter of a second, lost none of the
    /// games in which a clock of a tenth did not last (M42 in docs/results.md).
    fn rest_of_game(
        clock: Clock,
        fullmove: u16,
        usable: Millis,
        overhead: Millis,
    ) -> (Millis, Millis) {
        let moves = u64::from(fullmove);
        // From 1 % of the clock at the first move towards 6 %.
        let share = 61 - 51 * 20 / (20 + moves);
        let reserve = at_least_one(overhead.scaled(RESERVE, 1));
        let filled = usable.min(reserve);
        let spend = |from_clock: Millis| {
            from_clock.plus(clock.increment.scaled(3, 4)).scaled(filled.get(), reserve.get())
        };
        (spend(usable.scaled(share, ONE)), spend(usable.scaled(3, 4)))
    }
}

fn at_least_one(time: Millis) -> Millis {
    time.max(Millis::new(1))
}

/// What the iterations so far say about whether more thinking pays.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct TimeFactors {
    /// The share of the nodes spent on the best move, in 1/1024.
    pub effort: u64,
    /// Iterations in a row with the same best move.
    pub stability: u32,
    /// By how much the score fell since the last iteration, in score units.
    pub fall: i32,
}

impl TimeFactors {
    /// What to multiply the soft limit by, in 1/1024.
    pub fn factor(self) -> u64 {
        let effort = 2200 - self.effort.min(ONE) * 3 / 2;
        let stability = 1280 - 51 * u64::from(self.stability.min(8));
        let fall = (900 + 15 * self.fall).clamp(800, 1536) as u64;
        effort * stability / ONE * fall / ONE
    }
}

#[cfg(test)]
mod tests;
