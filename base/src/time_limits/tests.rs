use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;

/// Small numbers, any, and the ends of the range.
fn time(random: &mut Xoshiro256PlusPlus) -> u64 {
    match random.next_u64() % 4 {
        0 => 0,
        1 => u64::MAX,
        2 => random.next_u64() % 5_000,
        _ => random.next_u64(),
    }
}

fn some(random: &mut Xoshiro256PlusPlus) -> bool {
    random.next_u64().is_multiple_of(2)
}

fn game(fullmove: u16, overhead: u64, ponder: bool) -> GameTime {
    GameTime { fullmove, overhead: Millis::new(overhead), ponder }
}

fn limits(clock: Option<Clock>, move_time: Option<u64>, game: GameTime) -> TimeLimits {
    TimeLimits::new(clock, move_time.map(Millis::new), game, &Params::new())
}

#[test]
fn limits_never_exceed_the_clock() {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(16);
    for _ in 0..1_000_000 {
        let (left, overhead) = (time(random), time(random));
        let increment = Millis::new(time(random));
        let moves_to_go = some(random).then(|| [time(random), time(random) % 60]);
        let moves_to_go = moves_to_go.map(|both| both[usize::from(some(random))] as u32);
        let clock = Clock { left: Millis::new(left), increment, moves_to_go };
        let move_time = some(random).then(|| time(random));
        let game = game(random.next_u64() as u16, overhead, some(random));
        let limits = limits(Some(clock), move_time, game);
        let (soft, hard) = (limits.soft.unwrap().get(), limits.hard.unwrap().get());
        let of_clock = 1.max(left.saturating_sub(overhead));
        let of_move = move_time.map_or(u64::MAX, |time| 1.max(time - overhead.min(time / 10)));
        let case = format_args!("{clock:?} {move_time:?} {game:?}: {limits:?}");
        assert!(1 <= soft && soft <= hard && hard <= of_clock.min(of_move), "{case}");
    }
}

#[test]
fn a_move_time_is_used_up() {
    for (time, hard) in [(1, 1), (21, 19), (100, 90), (1_000, 980)] {
        let limits = limits(None, Some(time), game(1, 20, false));
        assert_eq!(limits, TimeLimits { soft: None, hard: Some(Millis::new(hard)) });
    }
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

/// Moves that fit the clock, at most 300, if each costs what it may and this lag, and every tenth is
/// a long one.
fn moves_in_time(mut clock: Clock, overhead: u64, lag: u64) -> u32 {
    let control = clock.moves_to_go;
    let base = clock.left;
    for number in 0..300 {
        if let Some(moves) = control {
            let new_control = number > 0 && number % moves == 0;
            clock.left = clock.left.plus(if new_control { base } else { Millis::ZERO });
            clock.moves_to_go = Some(moves - number % moves);
        }
        let limits = limits(Some(clock), None, game(number as u16 + 1, overhead, false));
        let (soft, hard) = (limits.soft.unwrap(), limits.hard.unwrap());
        let used = if number % 10 == 9 { hard.min(soft.scaled(5, 1)) } else { soft };
        let spent = used.plus(Millis::new(lag));
        if spent > clock.left {
            return number;
        }
        clock.left = clock.left.minus(spent).plus(clock.increment);
    }
    300
}

/// Lags up to the overhead. Where 300 moves at once would take more than half of the clock, the game
/// may end on time earlier, but not before two fifths of those that would fit.
#[test]
fn long_games_with_lag_are_not_lost_on_time() {
    for left in [5_000, 10_000, 15_000, 30_000, 60_000, 180_000] {
        for overhead in [10, 20, 100] {
            for lag in [0, overhead / 2, overhead] {
                let clock = Clock { left: Millis::new(left), ..Clock::default() };
                let fit = left / (lag + 2);
                let least = if fit >= 600 { 300 } else { 300.min(fit * 2 / 5) };
                let moves = moves_in_time(clock, overhead, lag);
                let case = format!("{left} ms, overhead {overhead}, lag {lag}");
                assert!(u64::from(moves) >= least, "{case}: move {moves} of {least}");
                let clock = Clock { increment: Millis::new(overhead + 5), ..clock };
                assert_eq!(moves_in_time(clock, overhead, lag), 300, "{case} and increments");
                for control in [40, 100] {
                    let is_possible = u64::from(control) * (overhead + 2) <= left;
                    let clock = Clock { moves_to_go: Some(control), ..clock };
                    let clock = Clock { increment: Millis::ZERO, ..clock };
                    let moves = moves_in_time(clock, overhead, lag);
                    assert!(!is_possible || moves == 300, "{case}: {control} moves, {moves}");
                }
            }
        }
    }
}

#[test]
fn increments_above_the_overhead_need_no_reserve() {
    let left = Millis::new(8_000);
    for (increment, kept) in [(80, 0), (22, 0), (12, 10 * 299), (0, 8_000 * 71 / 140)] {
        let clock = Clock { left, increment: Millis::new(increment), moves_to_go: None };
        assert_eq!(later_moves(clock, left, Millis::new(20), 1), Millis::new(kept));
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
    let (left, increment) = (Millis::new(102_400), Millis::new(1024));
    let clock = Clock { left, increment, moves_to_go: None };
    let increment = params.time_increment_share();
    for (fullmove, share) in [(0, late - early), (half as u16, late - early / 2), (u16::MAX, late)]
    {
        let limits = limits(Some(clock), None, game(fullmove, 0, false));
        let soft = Millis::new((100 * share + increment) as u64);
        assert_eq!(limits.soft, Some(soft), "move {fullmove}");
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

#[test]
fn a_new_best_move_is_compared_with_the_old_one() {
    let mut progress = Progress::default();
    for (best, score, fall, stability) in
        [('a', 30, 0, 0), ('a', 25, 5, 1), ('b', -15, 40, 0), ('a', 5, -20, 0)]
    {
        assert_eq!(
            (progress.update(best, Score::new(score)), progress.stability),
            (fall, stability)
        );
    }
}
