//! Time management: how long a move may take, and whether another iteration is worth it.

use tamarin_base::{GameTime, TimeLimits, TimeParameters};
use tamarin_movegen::Color;

use crate::limits::Limits;
use crate::options::SearchOptions;
use tamarin_base::params::Params;

/// The limits of `side` at the given move of the game.
pub(crate) fn time_limits(
    limits: &Limits,
    side: Color,
    fullmove: u16,
    options: &SearchOptions,
    params: &Params,
) -> TimeLimits {
    let game = GameTime { fullmove, overhead: options.move_overhead, ponder: options.ponder };
    TimeLimits::new(limits.clock(side), limits.move_time, game, &time_parameters(params))
}

fn time_parameters(params: &Params) -> TimeParameters {
    TimeParameters {
        share_late: params.time_share_late(),
        share_early: params.time_share_early(),
        share_moves: params.time_share_moves(),
        increment_share: params.time_increment_share(),
        hard_share: params.time_hard_share(),
        reserve: params.time_reserve(),
        moves_to_go: params.time_moves_to_go(),
        moves_to_go_hard: params.time_moves_to_go_hard(),
        moves_to_go_share: params.time_moves_to_go_share(),
        last_move_soft: params.time_last_move_soft(),
        last_move_hard: params.time_last_move_hard(),
        ponder: params.time_ponder(),
    }
}

/// What the iterations so far say about whether another one is worth its time.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct TimeFactors {
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

/// A parameter that is never negative.
fn unsigned(parameter: i32) -> u64 {
    u64::from(parameter.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use tamarin_base::{Clock, Millis, TimeParameters};
    use tamarin_movegen::PerColor;

    use super::*;

    fn params() -> Params {
        Params::new()
    }

    #[test]
    fn variants_share_the_numbers_of_the_table() {
        assert_eq!(time_parameters(&params()), TimeParameters::default());
    }

    #[test]
    fn limits_follow_the_clock_of_the_side_to_move_and_the_options() {
        let clock = |left| Some(Clock { left: Millis::new(left), ..Clock::default() });
        let limits =
            Limits { clocks: PerColor([clock(60_000), clock(6_000)]), ..Limits::default() };
        let options = SearchOptions { move_overhead: Millis::new(7), ..Default::default() };
        let game = |ponder| GameTime { fullmove: 9, overhead: Millis::new(7), ponder };
        for (side, clock) in [(Color::White, clock(60_000)), (Color::Black, clock(6_000))] {
            for ponder in [false, true] {
                let options = SearchOptions { ponder, ..options.clone() };
                assert_eq!(
                    time_limits(&limits, side, 9, &options, &params()),
                    TimeLimits::new(clock, None, game(ponder), &TimeParameters::default())
                );
            }
        }
    }

    #[test]
    fn trouble_earns_time() {
        let params = params();
        let calm = TimeFactors { effort: 900, stability: 8, fall: 0, fall_since_last_search: 0 };
        let torn = TimeFactors { effort: 300, stability: 0, fall: 0, fall_since_last_search: 0 };
        let falling = TimeFactors { fall: 40, ..calm };
        let worse = TimeFactors { fall_since_last_search: 40, ..falling };
        assert!(calm.factor(&params) < 1024 && 1024 < torn.factor(&params));
        assert!(calm.factor(&params) < falling.factor(&params));
        assert!(falling.factor(&params) < worse.factor(&params));
        assert!(TimeFactors { fall: 10_000, ..torn }.factor(&params) < 5 * 1024);
        assert!(
            TimeFactors {
                effort: 1024,
                stability: 99,
                fall: -10_000,
                fall_since_last_search: -10_000
            }
            .factor(&params)
                > 256
        );
    }
}
