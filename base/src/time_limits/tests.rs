use proptest::prelude::*;

use super::*;
use long::long_or;

#[path = "../../../movegen/tests/long/mod.rs"]
mod long;

fn time() -> impl Strategy<Value = u64> {
    prop_oneof![0..5000_u64, any::<u64>(), Just(0), Just(u64::MAX)]
}

fn game(fullmove: u16, overhead: u64, ponder: bool) -> GameTime {
    GameTime { fullmove, overhead: Millis::new(overhead), ponder }
}

fn limits(clock: Option<Clock>, move_time: Option<u64>, game: GameTime) -> TimeLimits {
    TimeLimits::new(clock, move_time.map(Millis::new), game, &Params::new())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long_or(200_000, 4_000)))]

    #[test]
    fn limits_never_exceed_the_clock(
        left in time(),
        increment in time(),
        moves_to_go in proptest::option::of(prop_oneof![0..60_u32, any::<u32>()]),
        overhead in time(),
        fullmove in any::<u16>(),
        ponder in any::<bool>(),
        move_time in proptest::option::of(time()),
    ) {
        let clock =
            Clock { left: Millis::new(left), increment: Millis::new(increment), moves_to_go };
        let limits = limits(Some(clock), move_time, game(fullmove, overhead, ponder));
        let (soft, hard) = (limits.soft.unwrap().get(), limits.hard.unwrap().get());
        prop_assert!(1 <= soft && soft <= hard);
        prop_assert!(hard <= 1.max(left.saturating_sub(overhead)));
        if let Some(move_time) = move_time {
            prop_assert!(hard <= 1.max(move_time.saturating_sub(overhead)));
        }
    }
}

#[test]
fn a_move_time_is_used_up() {
    let limits = limits(None, Some(100), game(1, 20, false));
    assert_eq!(limits, TimeLimits { soft: None, hard: Some(Millis::new(80)) });
}

/// A game in which every move takes its soft limit and the overhead keeps the flag up
/// and still spends most of the clock.
#[test]
fn whole_games_fit_the_clock() {
    for (left, increment, control) in
        [(60_000, 600, None), (10_000, 0, None), (240_000, 0, Some(40)), (1_000, 10, None)]
    {
        let mut clock = Millis::new(left);
        for number in 0..160_u16 {
            let moves_to_go = control.map(|moves| moves - u32::from(number) % moves);
            if control.is_some() && control == moves_to_go && number > 0 {
                clock = clock.plus(Millis::new(left));
            }
            let now = Clock { left: clock, increment: Millis::new(increment), moves_to_go };
            let limits = limits(Some(now), None, game(number + 1, 10, false));
            let spent = limits.soft.unwrap().plus(Millis::new(10));
            assert!(spent <= clock.max(Millis::new(11)), "move {number}: {spent} of {clock}");
            clock = clock.minus(spent).plus(Millis::new(increment));
        }
        assert!(clock < Millis::new(left), "{clock} of {left} left unused");
    }
}

/// A long game with a tiny increment on a busy machine: every move comes three
/// milliseconds late, and now and then one a hundred and fifty.
#[test]
fn a_game_on_increments_keeps_a_reserve() {
    let mut clock = Millis::new(500);
    for number in 1..400_u16 {
        let now = Clock { left: clock, increment: Millis::new(10), moves_to_go: None };
        let limits = limits(Some(now), None, game(number, 20, false));
        let late = Millis::new(if number % 50 == 0 { 150 } else { 3 });
        let spent = limits.soft.unwrap().plus(late);
        assert!(spent < clock, "move {number}: {spent} of {clock}");
        clock = clock.minus(spent).plus(Millis::new(10));
    }
}

#[test]
fn trouble_earns_time() {
    let params = Params::new();
    let calm = TimeFactors { effort: 900, stability: 8, fall: 0, fall_since_last_search: 0 };
    let torn = TimeFactors { effort: 300, stability: 0, fall: 0, fall_since_last_search: 0 };
    let falling = TimeFactors { fall: 40, ..calm };
    let worse = TimeFactors { fall_since_last_search: 40, ..falling };
    assert!(calm.factor(&params) < 1024 && 1024 < torn.factor(&params));
    assert!(calm.factor(&params) < falling.factor(&params));
    assert!(falling.factor(&params) < worse.factor(&params));
    assert!(TimeFactors { fall: 10_000, ..torn }.factor(&params) < 5 * 1024);
    assert!(
        TimeFactors { effort: 1024, stability: 99, fall: -10_000, fall_since_last_search: -10_000 }
            .factor(&params)
            > 256
    );
}

#[test]
fn the_share_of_the_clock_grows_with_the_game() {
    let params = Params::new();
    let (early, late) = (params.time_share_early(), params.time_share_late());
    let half = params.time_share_moves();
    let clock = Clock { left: Millis::new(102_400), increment: Millis::ZERO, moves_to_go: None };
    for (fullmove, share) in [(0, late - early), (half as u16, late - early / 2), (u16::MAX, late)]
    {
        let limits = limits(Some(clock), None, game(fullmove, 0, false));
        assert_eq!(limits.soft, Some(Millis::new(100 * share as u64)), "move {fullmove}");
    }
}

#[test]
fn moves_to_a_time_control_share_the_increments_and_overheads_before_it() {
    let (left, increment) = (Millis::new(100_100), Millis::new(1_000));
    for (moves, soft) in [(2, (100_000 + 1_000 - 100) / 2), (40, (100_000 + 39_000 - 3_900) / 40)] {
        let clock = Clock { left, increment, moves_to_go: Some(moves) };
        let limits = limits(Some(clock), None, game(1, 100, false));
        assert_eq!(limits.soft, Some(Millis::new(soft)), "{moves} moves");
    }
}
