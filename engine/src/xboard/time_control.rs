//! How long the engine may think: what the commands about time add up to.

use std::time::Instant;

use tamarin_movegen::{Color, PerColor};
use tamarin_search::{Clock, Limits, Millis, Wait};
use tamarin_uci::xboard::Level;

/// What bounds the time of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Control {
    /// Nothing was said: [`Level::DEFAULT`], unless a depth is set; with clocks of the client's the
    /// rest of the game.
    Default,
    /// `level`
    Level(Level),
    /// `st`
    MoveTime(Millis),
}

/// What the clock of the client is rounded to.
const ROUNDING: Millis = Millis::new(20);

/// A turn of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// When it began.
    pub since: Instant,
    /// The nodes that pondering had searched by then.
    pub pondered: u64,
}

impl Turn {
    /// One that begins now, without pondering.
    pub fn begin() -> Self {
        Self { since: Instant::now(), pondered: 0 }
    }

    /// The time since it began.
    pub fn elapsed(self) -> Millis {
        Millis::new(u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}

/// The time control, the clocks, and the other limits.
#[derive(Clone, Debug)]
pub struct TimeControl {
    control: Control,
    /// `sd`
    pub depth: Option<u32>,
    /// `nps`: this number of nodes counts as a second.
    pub nodes_per_second: Option<u64>,
    /// What the engine has left, as far as it knows.
    left: Option<Millis>,
    /// What the opponent has left, if the client said so.
    opponent: Option<Millis>,
    /// Whether the client said in this game what the engine has left.
    is_timed: bool,
}

impl TimeControl {
    /// Nothing but the default.
    pub const fn new() -> Self {
        Self {
            control: Control::Default,
            depth: None,
            nodes_per_second: None,
            left: None,
            opponent: None,
            is_timed: false,
        }
    }

    /// `new`: the time control stays, its clocks start again.
    pub fn new_game(&mut self) {
        *self = Self { control: self.control, ..Self::new() };
    }

    /// `level`
    pub fn set_level(&mut self, level: Level) {
        (self.control, self.left, self.opponent) = (Control::Level(level), None, None);
    }

    /// `st`
    pub fn set_move_time(&mut self, time: Millis) {
        (self.control, self.left, self.opponent) = (Control::MoveTime(time), None, None);
    }

    /// `time`
    pub const fn set_own(&mut self, left: Millis) {
        self.left = Some(left);
        self.is_timed = true;
    }

    /// `otim`
    pub const fn set_opponent(&mut self, left: Millis) {
        self.opponent = Some(left);
    }

    /// What the engine has left, if the client said so or a move was made.
    pub const fn left(&self) -> Option<Millis> {
        self.left
    }

    /// The limits of a move of `color`, which has made `moves` moves.
    pub fn limits(&self, color: Color, moves: u32) -> Limits {
        let mut limits = Limits { depth: self.depth, ..Limits::default() };
        match self.level() {
            Some(level) => limits.clocks = self.clocks(level, color, moves),
            None => self.limit_move(&mut limits),
        }
        limits
    }

    /// The same, less what the turn has taken before the search, unless nodes count.
    pub fn limits_after(&self, used: Millis, color: Color, moves: u32) -> Limits {
        let mut limits = self.limits(color, moves);
        if self.nodes_per_second.is_none() {
            limits.move_time = limits.move_time.map(|time| time.minus(used));
            if let Some(clock) = &mut limits.clocks[color] {
                clock.left = clock.left.minus(used);
            }
        }
        limits
    }

    /// The limits of a search in the opponent's time for the `moves + 1`-th move of `color`, and the
    /// least clock after the opponent's move with which they hold: they reckon with no more.
    pub fn ponder(&self, color: Color, moves: u32, overhead: Millis) -> (Limits, Millis) {
        let mut limits = Limits { wait: Wait::Ponder, ..self.limits(color, moves) };
        let least = match (self.level(), limits.move_time) {
            (Some(level), _) => least_clock(self.left.unwrap_or(level.base), overhead),
            // Only the client's `time` says how long.
            (None, Some(Millis::ZERO)) => Millis::new(u64::MAX),
            (None, Some(time)) => time,
            (None, None) => Millis::ZERO,
        };
        if let Some(clock) = &mut limits.clocks[color] {
            clock.left = self.counted(least);
        }
        (limits, least)
    }

    /// Returns `true` if a clock counts nodes instead of time.
    pub fn clock_counts_nodes(&self) -> bool {
        self.nodes_per_second.is_some() && self.level().is_some()
    }

    /// What a move takes off the clock: the time, or with `nps` the nodes.
    pub fn used(&self, elapsed: Millis, nodes: u64) -> Millis {
        match self.nodes_per_second {
            Some(rate) if self.level().is_some() => {
                Millis::new(nodes.saturating_mul(1000) / rate.max(1))
            }
            _ => elapsed,
        }
    }

    /// The engine has made a move, its `moves`-th, in so much time. The next `time` corrects it.
    pub fn moved(&mut self, used: Millis, moves: u32) {
        let Some(level) = self.level() else {
            self.left = None;
            return;
        };
        let left = self.left.unwrap_or(level.base).minus(used).plus(level.increment);
        let ends_session = level.moves > 0 && moves.is_multiple_of(level.moves);
        self.left = Some(if ends_session { left.plus(level.base) } else { left });
    }

    fn level(&self) -> Option<Level> {
        match self.control {
            Control::Level(level) => Some(level),
            // As python-chess plays without an increment. Where a depth is the only limit Cute Chess
            // sends the engine's clock alone, which counts for nothing.
            Control::Default
                if self.is_timed && (self.depth.is_none() || self.opponent.is_some()) =>
            {
                Some(Level { moves: 0, ..Level::DEFAULT })
            }
            Control::Default if self.depth.is_none() => Some(Level::DEFAULT),
            Control::Default | Control::MoveTime(_) => None,
        }
    }

    fn clocks(&self, level: Level, color: Color, moves: u32) -> PerColor<Option<Clock>> {
        let clock = |left: Millis| Clock {
            left: self.counted(left),
            increment: self.counted(level.increment),
            moves_to_go: (level.moves > 0).then(|| level.moves - moves % level.moves.max(1)),
        };
        let mut clocks = PerColor([None; 2]);
        clocks[color] = Some(clock(self.left.unwrap_or(level.base)));
        clocks[!color] = self.opponent.map(clock);
        clocks
    }

    /// With `st`, which some clients round down to 0, the clock of the move counts as well.
    fn limit_move(&self, limits: &mut Limits) {
        let Control::MoveTime(time) = self.control else { return };
        if let Some(rate) = self.nodes_per_second {
            limits.nodes = Some(time.scaled(rate, 1000).get().max(1));
            return;
        }
        let left = self.left.filter(|left| *left > Millis::ZERO);
        limits.move_time = Some(match left {
            Some(left) if left < time || time == Millis::ZERO => left,
            _ => time,
        });
    }

    /// A time as the search counts it: with `nps` a node is a millisecond of its clock.
    fn counted(&self, time: Millis) -> Millis {
        self.nodes_per_second.map_or(time, |rate| time.scaled(rate, 1000))
    }
}

/// The least clock with which a ponder search goes on, if it is `assumed` when it begins. Each move
/// loses some time outside the engine, and 1/32 of the clock less is hardly less time for the move.
/// Chosen, not measured.
fn least_clock(assumed: Millis, overhead: Millis) -> Millis {
    assumed.minus(ROUNDING.max(overhead).max(assumed.scaled(1, 32)))
}

#[cfg(test)]
mod tests {
    use super::{TimeControl, least_clock};
    use tamarin_base::params::Params;
    use tamarin_base::{GameTime, TimeLimits};
    use tamarin_movegen::Color;
    use tamarin_search::{Clock, Millis};
    use tamarin_uci::xboard::{Command, Level};

    fn after(lines: &[&str]) -> TimeControl {
        let mut control = TimeControl::new();
        for line in lines {
            match Command::parse(line).expect("a command") {
                Command::Level(level) => control.set_level(level),
                Command::MoveTime(time) => control.set_move_time(time),
                Command::Time(time) => control.set_own(time),
                Command::OpponentTime(time) => control.set_opponent(time),
                Command::Depth(depth) => control.depth = Some(depth),
                Command::NodesPerSecond(rate) => control.nodes_per_second = rate,
                other => panic!("{other:?}"),
            }
        }
        control
    }

    fn clock(lines: &[&str], moves: u32) -> Clock {
        after(lines).limits(Color::White, moves).clocks[Color::White].expect("a clock")
    }

    #[test]
    fn moves_to_go_are_counted_down_and_start_again() {
        let lines = ["level 40 5 0"];
        assert_eq!(clock(&lines, 0).moves_to_go, Some(40));
        assert_eq!(clock(&lines, 39).moves_to_go, Some(1));
        assert_eq!(clock(&lines, 40).moves_to_go, Some(40));
        assert_eq!(clock(&["level 0 5 2"], 7).moves_to_go, None);
        assert_eq!(clock(&["level 0 5 2"], 7).increment, Millis::new(2000));
    }

    #[test]
    fn a_clock_without_a_time_control_is_for_the_rest_of_the_game() {
        for lines in [&["time 300"][..], &["sd 40", "time 300", "otim 300"]] {
            let found = clock(lines, 39);
            assert_eq!((found.left, found.moves_to_go), (Millis::new(3000), None), "{lines:?}");
        }
        let alone = after(&["sd 40", "time 86400"]).limits(Color::White, 0);
        assert_eq!(alone.clocks[Color::White], None);
        // A depth alone is still the only limit, in the next game too.
        let mut control = after(&["sd 5", "time 300"]);
        control.new_game();
        control.depth = Some(5);
        assert_eq!(control.limits(Color::White, 0).clocks[Color::White], None);
    }

    #[test]
    fn the_clients_clock_counts_and_the_own_one_fills_in() {
        assert_eq!(clock(&["level 0 0 0.1", "time 50", "otim 40"], 3).left, Millis::new(500));
        let mut control = after(&["level 2 1 5"]);
        control.moved(Millis::new(10_000), 1);
        let left = |control: &TimeControl, moves| {
            control.limits(Color::White, moves).clocks[Color::White].map(|clock| clock.left)
        };
        assert_eq!(left(&control, 1), Some(Millis::new(55_000)));
        control.moved(Millis::new(1000), 2);
        assert_eq!(left(&control, 2), Some(Millis::new(119_000)));
    }

    #[test]
    fn the_default_holds_until_anything_is_said() {
        let limits = after(&[]).limits(Color::Black, 0);
        let clock = limits.clocks[Color::Black].expect("a clock");
        assert_eq!(clock.left, Level::DEFAULT.base);
        let limits = after(&["sd 5"]).limits(Color::Black, 0);
        assert_eq!((limits.depth, limits.clocks[Color::Black]), (Some(5), None));
        let limits = after(&["sd 5", "level 0 1 0"]).limits(Color::Black, 0);
        assert!(limits.depth == Some(5) && limits.clocks[Color::Black].is_some());
    }

    #[test]
    fn a_time_per_move_is_exact_and_zero_means_the_clock() {
        let of = |lines: &[&str]| after(lines).limits(Color::White, 0).move_time;
        assert_eq!(of(&["st 3"]), Some(Millis::new(3000)));
        assert_eq!(of(&["st 3", "time 300"]), Some(Millis::new(3000)));
        assert_eq!(of(&["st 0", "time 45"]), Some(Millis::new(450)));
        assert_eq!(of(&["st 3", "time 100"]), Some(Millis::new(1000)));
        assert_eq!(of(&["level 40 5 0", "time 10", "st 3"]), Some(Millis::new(3000)));
    }

    #[test]
    fn what_a_turn_has_taken_is_not_there_again() {
        let after = |lines: &[&str]| after(lines).limits_after(Millis::new(400), Color::White, 0);
        assert_eq!(after(&["st 3"]).move_time, Some(Millis::new(2600)));
        let clock = after(&["level 0 0:01 0"]).clocks[Color::White].expect("a clock");
        assert_eq!(clock.left, Millis::new(600));
        assert_eq!(after(&["st 1", "nps 5000"]).nodes, Some(5000));
    }

    #[test]
    fn nodes_take_the_place_of_time() {
        let of = |lines: &[&str]| after(lines).limits(Color::White, 0);
        assert_eq!(of(&["st 1", "nps 5000"]).nodes, Some(5000));
        assert_eq!(of(&["nps 1", "st 700"]).nodes, Some(700));
        assert_eq!(of(&["nps 1", "st 700"]).move_time, None);
        let control = after(&["level 0 1 0", "nps 100", "time 200"]);
        assert!(control.clock_counts_nodes());
        let clock = control.limits(Color::White, 0).clocks[Color::White].expect("a clock");
        assert_eq!(clock.left, Millis::new(200));
        assert_eq!(control.used(Millis::new(5), 30), Millis::new(300));
        assert_eq!(after(&["level 0 1 0"]).used(Millis::new(5), 30), Millis::new(5));
    }

    #[test]
    fn a_ponder_search_goes_on_with_a_clock_that_is_little_less() {
        for (assumed, overhead, least) in [
            (10_000, 20, 9_688),
            (320, 0, 300),
            (320, 20, 300),
            (320, 100, 220),
            (50, 100, 0),
            (0, 20, 0),
        ] {
            let found = least_clock(Millis::new(assumed), Millis::new(overhead));
            assert_eq!(found, Millis::new(least), "{assumed} {overhead}");
        }
    }

    #[test]
    fn a_ponder_search_ends_within_the_least_clock_that_it_goes_on_with() {
        for level in ["level 40 5 0", "level 2 5 0", "level 0 5 0", "level 0 5 2"] {
            for time in [6, 10, 20, 32, 100, 1000] {
                let control = after(&[level, &format!("time {time}")]);
                for (overhead, moves) in [(20, 0), (20, 39), (100, 0), (100, 38), (100, 39)] {
                    let overhead = Millis::new(overhead);
                    let (limits, least) = control.ponder(Color::White, moves, overhead);
                    let game = GameTime { fullmove: 1, overhead, ponder: true };
                    let clock = limits.clocks[Color::White];
                    let limits = TimeLimits::new(clock, None, game, &Params::new());
                    let hard = limits.hard.expect("a limit");
                    let fits = hard.plus(overhead) <= least || hard == Millis::new(1);
                    assert!(fits, "{level}, {time}: {hard} of {least}");
                }
            }
        }
    }

    #[test]
    fn a_ponder_search_reckons_with_the_whole_clock_of_a_new_level() {
        let (limits, least) = after(&["level 40 5 0"]).ponder(Color::White, 0, Millis::new(20));
        let clock = limits.clocks[Color::White].expect("a clock");
        assert_eq!((least, clock.left), (Millis::new(290_625), Millis::new(290_625)));
    }

    #[test]
    fn a_ponder_search_with_a_time_per_move_needs_a_clock_of_as_much() {
        let least = |lines: &[&str]| after(lines).ponder(Color::White, 0, Millis::new(20)).1;
        assert_eq!(least(&["st 5"]), Millis::new(5000));
        assert_eq!(least(&["st 0"]), Millis::new(u64::MAX));
        assert_eq!(least(&["st 5", "nps 1000"]), Millis::ZERO);
        assert_eq!(least(&["sd 5"]), Millis::ZERO);
    }
}
