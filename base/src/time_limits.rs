//! Clocks, and how long a move may take.

use crate::millis::Millis;
use crate::params::Params;
use crate::score::Score;

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
    pub fn new(
        clock: Option<Clock>,
        move_time: Option<Millis>,
        game: GameTime,
        params: &Params,
    ) -> Self {
        let GameTime { fullmove, overhead, ponder } = game;
        let clock = clock.map(|clock| {
            let left = clock.left.minus(overhead);
            let usable = at_least_one(left.minus(later_moves(clock, left, overhead, fullmove)));
            MoveClock { clock, usable, overhead, fullmove, params }.limits(ponder)
        });
        // Who gives a time for a move wants it used: a tenth of it is left at most.
        let move_time =
            move_time.map(|time| at_least_one(time.minus(overhead.min(time.scaled(1, 10)))));
        let hard = match (clock.map(|clock| clock.hard), move_time) {
            (Some(hard), Some(move_time)) => Some(hard.min(move_time)),
            (hard, move_time) => hard.or(move_time),
        };
        let soft = clock.map(|clock| hard.map_or(clock.soft, |hard| clock.soft.min(hard)));
        Self { soft, hard }
    }
}

/// The best move and score of the last iteration, and how long that move has been the best.
#[derive(Clone, Copy, Default, Debug)]
pub struct Progress<M> {
    best: Option<M>,
    score: Option<Score>,
    /// Iterations in a row with the same best move, besides the first.
    pub stability: u32,
}

impl<M: PartialEq> Progress<M> {
    /// Takes the best move and score of an iteration; gives by how many units the score fell
    /// since the iteration before, whichever move was best there.
    pub fn update(&mut self, best: M, score: Score) -> i32 {
        let best = Some(best);
        self.stability = if self.best == best { self.stability + 1 } else { 0 };
        self.best = best;
        self.score.replace(score).map_or(0, |before| before.units() - score.units())
    }
}

/// What the iterations so far say about whether another one is worth its time.
#[derive(Clone, Copy, Default, Debug)]
pub struct TimeFactors {
    /// Node effort: the share of the nodes spent on the best move, in 1/1024.
    pub effort: u64,
    /// Best-move stability: iterations in a row with the same best move.
    pub stability: u32,
    /// By how much the best score fell since the last iteration, in score units.
    pub fall: i32,
    /// By how much it fell since the search of the move before.
    pub fall_since_last_search: i32,
}

impl TimeFactors {
    /// What to multiply the soft limit by, in 1/1024.
    pub fn factor(self, params: &Params) -> u64 {
        let share = self.effort.min(1024);
        let less = share * unsigned(params.time_effort_factor()) / 1024;
        let effort = unsigned(params.time_effort_base()).saturating_sub(less);
        let iterations = u64::from(self.stability).min(unsigned(params.time_stability_limit()));
        let less = unsigned(params.time_stability_factor()) * iterations;
        let stability = unsigned(params.time_stability_base()).saturating_sub(less);
        let falling = params.time_falling_base()
            + params.time_falling_factor() * self.fall
            + params.time_falling_search_factor() * self.fall_since_last_search;
        let falling = falling.clamp(params.time_falling_min(), params.time_falling_max());
        effort * stability / 1024 * unsigned(falling) / 1024
    }
}

/// The number of moves that a game without an increment is planned for.
const HORIZON: u64 = 300;

/// The moves that are always expected to come, however long the game has lasted. Stockfish keeps the
/// overheads of 50 moves as well.
const LEAST_HORIZON: u64 = 50;

/// From this move on, the whole clock may be kept for the moves to come.
const FULL_RESERVE: u64 = 70;

/// The part of the clock that no move may use, because each of those to come costs the overhead
/// and a few milliseconds even if it is played at once. Increments pay for it first.
///
/// Until a time control the number of moves is known. Otherwise a short game is more likely than
/// one of [`HORIZON`] moves: at its start, no more than half of the clock is kept.
fn later_moves(clock: Clock, left: Millis, overhead: Millis, fullmove: u16) -> Millis {
    let cost = overhead.plus(Millis::new(2)).minus(clock.increment).get();
    let fullmove = u64::from(fullmove);
    match clock.moves_to_go {
        Some(moves) => Millis::new(cost.saturating_mul(u64::from(moves).saturating_sub(1))),
        None => {
            let moves = HORIZON.saturating_sub(fullmove).max(LEAST_HORIZON);
            let most = left.scaled(FULL_RESERVE + fullmove.min(FULL_RESERVE), 2 * FULL_RESERVE);
            Millis::new(cost.saturating_mul(moves)).min(most)
        }
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
    /// What is left without the overhead and what is kept for later moves, at least a millisecond.
    usable: Millis,
    overhead: Millis,
    fullmove: u16,
    params: &'a Params,
}

impl MoveClock<'_> {
    /// Limits with `1 <= soft <= hard <= usable`.
    fn limits(&self, ponder: bool) -> ClockLimits {
        let ClockLimits { soft, hard } = match self.clock.moves_to_go {
            Some(moves) => self.until_control(moves),
            None => self.rest_of_game(),
        };
        // Pondering gives back some of the time.
        let soft = if ponder { times(soft, self.params.time_ponder()) } else { soft };
        let hard = at_least_one(hard.min(self.usable));
        ClockLimits { soft: at_least_one(soft).min(hard), hard }
    }

    /// With `moves` moves until the next time control: an equal part for each.
    fn until_control(&self, moves: u32) -> ClockLimits {
        let params = self.params;
        let moves = u64::from(moves).clamp(1, unsigned(params.time_moves_to_go()));
        if moves == 1 {
            return ClockLimits {
                soft: times(self.usable, params.time_last_move_soft()),
                hard: times(self.usable, params.time_last_move_hard()),
            };
        }
        let increment = self.clock.increment.minus(self.overhead).get();
        let increments = Millis::new(increment.saturating_mul(moves - 1));
        let soft = self.usable.plus(increments).scaled(1, moves);
        let most = times(self.usable, params.time_moves_to_go_share());
        ClockLimits { soft, hard: times(soft, params.time_moves_to_go_hard()).min(most) }
    }

    /// With this clock until the end of the game: a growing share of it, because openings
    /// need less thought, and the longer the game has lasted the fewer moves are to come.
    ///
    /// The clock should hold a reserve of some overheads. As long as it does not, both limits
    /// shrink in proportion: a game that is played on the increment must survive the one move
    /// in thousands that the system, or a pondering opponent, delays far more than usual.
    /// Ethereal, which keeps a quarter of a second, lost none of the games in which a clock of
    /// a tenth did not last (run M42). For the same reason the hard limit is a share of what is
    /// left, however large the increment: that comes after the move only.
    fn rest_of_game(&self) -> ClockLimits {
        let params = self.params;
        let (early, half) = (params.time_share_early(), params.time_share_moves());
        let share = params.time_share_late() - early * half / (half + i32::from(self.fullmove));
        let increment = times(self.clock.increment, params.time_increment_share());
        let reserve = at_least_one(self.overhead.scaled(unsigned(params.time_reserve()), 1));
        let kept = self.usable.min(reserve);
        let limit =
            |part| times(self.usable, part).plus(increment).scaled(kept.get(), reserve.get());
        let most = times(self.usable, params.time_hard_share());
        ClockLimits { soft: limit(share), hard: limit(params.time_hard_share()).min(most) }
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

/// A chess clock as one side sees it before its move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// What is left; zero if the flag has fallen already.
    pub left: Millis,
    /// What each move adds.
    pub increment: Millis,
    /// Moves until the next time control, if there is one; zero counts as one.
    pub moves_to_go: Option<u32>,
}

/// Whether a search has to wait for a command before it may answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Wait {
    /// It answers as soon as any limit is reached.
    #[default]
    No,
    /// It answers only after a stop (`go infinite`).
    UntilStop,
    /// The opponent is thinking (`go ponder`): clocks start at the ponder hit.
    Ponder,
}

#[cfg(all(test, not(loom)))]
mod tests;
