//! How long a move may take.

use crate::clock::Clock;
use crate::millis::Millis;
use crate::time_parameters::TimeParameters;

/// The time a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLimits {
    /// The soft limit (optimum time): after about this time no new iteration begins; `None`
    /// if time is no limit or all of it shall be used.
    pub soft: Option<Millis>,
    /// The hard limit (maximum time): after it the search stops wherever it is; `None` if
    /// time is no limit.
    pub hard: Option<Millis>,
}

/// What the time for a move depends on besides the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTime {
    /// The number of the move, from 1.
    pub fullmove: u16,
    /// What a move costs beyond the search: the way from and to the clock.
    pub overhead: Millis,
    /// Whether the engine may think in the opponent's time.
    pub ponder: bool,
}

impl TimeLimits {
    /// The limits that a clock and a time for this move set.
    #[must_use]
    pub fn new(
        clock: Option<Clock>,
        move_time: Option<Millis>,
        game: GameTime,
        params: &TimeParameters,
    ) -> Self {
        let GameTime { fullmove, overhead, ponder } = game;
        let clock = clock.map(|clock| {
            let usable = at_least_one(clock.left.minus(overhead));
            MoveClock { clock, usable, overhead, fullmove, params }.limits(ponder)
        });
        let move_time = move_time.map(|time| at_least_one(time.minus(overhead)));
        let hard = match (clock.map(|clock| clock.hard), move_time) {
            (Some(hard), Some(move_time)) => Some(hard.min(move_time)),
            (hard, move_time) => hard.or(move_time),
        };
        let soft = clock.map(|clock| hard.map_or(clock.soft, |hard| clock.soft.min(hard)));
        Self { soft, hard }
    }
}

/// The limits that a clock sets.
#[derive(Clone, Copy)]
struct ClockLimits {
    soft: Millis,
    hard: Millis,
}

/// A running clock, and what else its limits depend on.
struct MoveClock<'a> {
    clock: Clock,
    /// What is left without the move overhead, at least a millisecond.
    usable: Millis,
    overhead: Millis,
    fullmove: u16,
    params: &'a TimeParameters,
}

impl MoveClock<'_> {
    /// Limits with `1 <= soft <= hard <= usable`.
    fn limits(&self, ponder: bool) -> ClockLimits {
        let ClockLimits { soft, hard } = match self.clock.moves_to_go {
            Some(moves) => self.until_control(moves),
            None => self.rest_of_game(),
        };
        // Pondering gives back some of the time.
        let soft = if ponder { times(soft, self.params.ponder) } else { soft };
        let hard = at_least_one(hard.min(self.usable));
        ClockLimits { soft: at_least_one(soft).min(hard), hard }
    }

    /// With so many moves until the next time control: an equal part for each.
    fn until_control(&self, moves: u32) -> ClockLimits {
        let params = self.params;
        let moves = u64::from(moves).clamp(1, unsigned(params.moves_to_go));
        if moves == 1 {
            return ClockLimits {
                soft: times(self.usable, params.last_move_soft),
                hard: times(self.usable, params.last_move_hard),
            };
        }
        let increments = Millis::new(self.clock.increment.get().saturating_mul(moves - 1));
        let overheads = Millis::new(self.overhead.get().saturating_mul(moves - 1));
        let soft = self.usable.plus(increments).minus(overheads).scaled(1, moves);
        let most = times(self.usable, params.moves_to_go_share);
        ClockLimits { soft, hard: times(soft, params.moves_to_go_hard).min(most) }
    }

    /// With this clock until the end of the game: a growing share of it, because openings
    /// need less thought, and the longer the game has lasted the fewer moves are to come.
    ///
    /// The clock should hold a reserve of some overheads. As long as it does not, both limits
    /// shrink in proportion: a game that is played on the increment must survive the one move
    /// in thousands that the system, or a pondering opponent, delays far more than usual.
    /// Ethereal, which keeps a quarter of a second, lost none of the games in which a clock of
    /// a tenth did not last (run M42).
    fn rest_of_game(&self) -> ClockLimits {
        let params = self.params;
        let (early, half) = (params.share_early, params.share_moves);
        let share = params.share_late - early * half / (half + i32::from(self.fullmove));
        let increment = times(self.clock.increment, params.increment_share);
        let reserve = at_least_one(self.overhead.scaled(unsigned(params.reserve), 1));
        let kept = self.usable.min(reserve);
        let limit =
            |part| times(self.usable, part).plus(increment).scaled(kept.get(), reserve.get());
        ClockLimits { soft: limit(share), hard: limit(params.hard_share) }
    }
}

/// The time multiplied by a factor in 1/1024.
fn times(time: Millis, factor: i32) -> Millis {
    time.scaled(unsigned(factor), 1024)
}

/// A parameter that is never negative.
fn unsigned(parameter: i32) -> u64 {
    u64::from(parameter.max(0).unsigned_abs())
}

fn at_least_one(time: Millis) -> Millis {
    time.max(Millis::new(1))
}

#[cfg(all(test, not(loom)))]
mod tests;
