//! Time controls and the clocks of a game.

use core::fmt;
use core::str::FromStr;
use std::time::{Duration, Instant};

use tamarin_base::{Clock, Millis};
use tamarin_movegen::{Color, PerColor};

use crate::pgn::comment;

/// How much time each side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves after which `base` is added again; `None` if it is for the whole game.
    pub moves: Option<u32>,
    /// Time at the start.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// `base` is the time of each move, and what is left of it is lost.
    pub is_per_move: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no time control: give minutes, and seconds a move after a '+', such as 5+3, 0.5+1 \
     or 40/90+30"
)]
pub struct TimeControlError(String);

/// The longest time there is: four weeks.
const LONGEST: f64 = 4.0 * 7.0 * 24.0 * 3600.0;

fn seconds(text: &str, unit: f64) -> Option<Duration> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value = text.parse::<f64>().ok().filter(|_| is_plain)? * unit;
    (value <= LONGEST).then(|| Duration::from_millis((value * 1000.0).round() as u64))
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let base = |text: &str| match text.split_once(':') {
            Some((minutes, rest)) => Some(seconds(minutes, 60.0)? + seconds(rest, 1.0)?),
            None => seconds(text, 60.0),
        };
        let error = || TimeControlError(text.chars().take(24).collect());
        Self::parse(text.trim(), base).ok_or_else(error)
    }
}

/// Seconds without needless decimals.
fn plain(duration: Duration, unit: f64) -> String {
    let value = duration.as_secs_f64() / unit;
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl TimeControl {
    /// The value of PGN's tag `TimeControl`, in seconds.
    pub fn pgn(self) -> String {
        let moves = self.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let base = plain(self.base, 1.0);
        if self.increment.is_zero() {
            return format!("{moves}{base}");
        }
        format!("{moves}{base}+{}", plain(self.increment, 1.0))
    }

    /// Reads the value of PGN's tag `TimeControl`.
    pub fn from_pgn(text: &str) -> Option<Self> {
        Self::parse(text, |base| seconds(base, 1.0))
    }

    /// Reads moves before a slash, the base time and the increment behind a plus sign.
    fn parse(text: &str, read_base: impl Fn(&str) -> Option<Duration>) -> Option<Self> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (base, increment) = (read_base(base)?, seconds(increment, 1.0)?);
        let control = Self { moves, base, increment, is_per_move: false };
        (base + increment > Duration::ZERO).then_some(control)
    }

    /// So much time for each move.
    pub const fn per_move(base: Duration) -> Self {
        Self { moves: Some(1), base, increment: Duration::ZERO, is_per_move: true }
    }

    /// Some time for the game, and more with each move.
    pub const fn incremental(base: Duration, increment: Duration) -> Self {
        Self { moves: None, base, increment, is_per_move: false }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", plain(self.base, 60.0), plain(self.increment, 1.0))
    }
}

/// The clocks of both sides.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    /// What is left, not counting the time since the running clock was started.
    left: PerColor<Duration>,
    /// Whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks at the start of a game; none runs. Where there are only increments, each side begins
    /// with one.
    pub const fn new(control: TimeControl) -> Self {
        let left = if control.base.is_zero() { control.increment } else { control.base };
        Self { control, left: PerColor([left; 2]), running: None }
    }

    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// What a side has left; nothing if its time has run out.
    pub fn left(&self, color: Color, now: Instant) -> Duration {
        let used = match self.running {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        self.left[color].saturating_sub(used)
    }

    /// What both sides have left.
    pub fn both(&self, now: Instant) -> PerColor<Duration> {
        PerColor(Color::ALL.map(|color| self.left(color, now)))
    }

    /// Stops both clocks.
    pub fn stop(&mut self, now: Instant) {
        self.left = self.both(now);
        self.running = None;
    }

    /// Starts the clock of a side and stops the other's; does nothing if it runs already.
    pub fn start(&mut self, color: Color, now: Instant) {
        if self.running.is_none_or(|(running, _)| running != color) {
            self.stop(now);
            self.running = Some((color, now));
        }
    }

    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns `true` if the time of a side has run out.
    pub fn is_out(&self, color: Color, now: Instant) -> bool {
        self.left(color, now).is_zero()
    }

    /// A side has made its move, the `count`th of its own in this game: it gets its increment, and
    /// the other clock runs.
    pub fn press(&mut self, color: Color, count: u32, now: Instant) {
        self.stop(now);
        if self.control.is_per_move {
            self.renew();
            self.start(!color, now);
            return;
        }
        self.left[color] += self.control.increment;
        if self.control.moves.is_some_and(|moves| count.is_multiple_of(moves)) {
            self.left[color] += self.control.base;
        }
        self.start(!color, now);
    }

    /// Sets what both sides have left; none runs.
    pub const fn set(&mut self, left: PerColor<Duration>) {
        self.left = left;
        self.running = None;
        if self.control.is_per_move {
            self.renew();
        }
    }

    /// Both sides have the whole time of a move.
    const fn renew(&mut self) {
        self.left = PerColor([self.control.base; 2]);
    }

    /// The clocks as a search sees them; each side has made `counts` moves.
    pub fn for_search(&self, counts: PerColor<u32>, now: Instant) -> PerColor<Option<Clock>> {
        let millis = |time: Duration| Millis::new(u64::try_from(time.as_millis()).unwrap_or(0));
        PerColor(Color::ALL.map(|color| {
            Some(Clock {
                left: millis(self.left(color, now)),
                increment: millis(self.control.increment),
                moves_to_go: self.control.moves.map(|moves| moves - counts[color] % moves),
            })
        }))
    }
}

/// A time as clocks show it: `1:02:03`, `4:05`, and tenths in the last ten seconds.
pub fn show(time: Duration) -> String {
    if time.is_zero() || time >= Duration::from_secs(10) {
        // A clock that has not run out never shows nothing.
        return whole(Duration::from_secs(time.as_millis().div_ceil(1000) as u64));
    }
    let tenths = time.as_millis().div_ceil(100);
    format!("0:{:02}.{}", tenths / 10, tenths % 10)
}

/// A time in whole seconds: `1:02:03`, `4:05`.
pub fn whole(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A time as PGN's command `%clk` writes it: `0:04:05.2`.
pub fn clk(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    let seconds = tenths / 10;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours}:{minutes:02}:{seconds:02}.{}", tenths % 10)
}

/// The time of the command `%clk` in a comment.
pub fn read_clk(comment: &str) -> Option<Duration> {
    let value = comment::seconds(comment::command([comment].into_iter(), "clk")?)?;
    (value <= LONGEST).then(|| Duration::from_millis((value * 1000.0).round() as u64))
}

/// What the command `time` answers: the time of the game so far, and the clocks, which run once it
/// `has_opened`.
pub fn report(total: Duration, clocks: Option<&Clocks>, has_opened: bool, now: Instant) -> String {
    let clocks = clocks.map_or_else(
        || "There are no clocks; start with --time 5+3.".to_owned(),
        |clocks| {
            let [white, black] = Color::ALL.map(|color| show(clocks.left(color, now)));
            let control = clocks.control();
            let waits = if has_opened { "" } else { " The clocks run once both sides have moved." };
            format!("White has {white}, Black {black} ({control}).{waits}")
        },
    );
    format!("The game takes {} so far. {clocks}", whole(total))
}

#[cfg(test)]
mod tests {
    use super::{Clocks, TimeControl, clk, read_clk, show};
    use std::time::{Duration, Instant};
    use tamarin_movegen::{Color, PerColor};

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    #[test]
    fn time_controls_are_read_and_written() {
        let cases = [
            ("5+3", None, 300_000, 3000, "300+3"),
            ("5", None, 300_000, 0, "300"),
            ("0.5+0.1", None, 30_000, 100, "30+0.1"),
            ("1:30+1", None, 90_000, 1000, "90+1"),
            ("40/90+30", Some(40), 5_400_000, 30_000, "40/5400+30"),
            ("0+5", None, 0, 5000, "0+5"),
        ];
        for (text, moves, base, increment, pgn) in cases {
            let read = control(text);
            let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
            let expected = TimeControl { moves, ..TimeControl::incremental(base, increment) };
            assert_eq!(read, expected, "{text}");
            assert_eq!(read.pgn(), pgn);
            assert_eq!(TimeControl::from_pgn(pgn), Some(read));
            assert_eq!(read.to_string().parse(), Ok(read), "{text}");
        }
        for text in
            ["", "+", "0", "0+0", "-5", "5+-1", "x", "5+3+1", "0/5", "1e9", "99999999", "nan"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_only_in_its_turn() {
        let begin = Instant::now();
        let at = |seconds| begin + secs(seconds);
        let mut clocks = Clocks::new(control("1+2"));
        clocks.start(Color::White, begin);
        assert_eq!(clocks.left(Color::White, at(10)), secs(50));
        assert_eq!(clocks.left(Color::Black, at(10)), secs(60));
        clocks.press(Color::White, 1, at(10));
        assert_eq!(clocks.both(at(15)), PerColor([secs(52), secs(55)]));
        clocks.stop(at(15));
        assert_eq!(clocks.both(at(99)), PerColor([secs(52), secs(55)]));
        clocks.start(Color::Black, at(99));
        clocks.start(Color::Black, at(120)); // it runs already
        assert!(!clocks.is_out(Color::Black, at(153)));
        assert!(clocks.is_out(Color::Black, at(154)));
    }

    #[test]
    fn increments_alone_are_time_for_the_first_move_too() {
        let now = Instant::now();
        let mut clocks = Clocks::new(control("0+5"));
        assert_eq!(clocks.both(now), PerColor([secs(5); 2]));
        clocks.start(Color::White, now);
        clocks.press(Color::White, 1, now + secs(2));
        assert_eq!(clocks.left(Color::White, now + secs(2)), secs(8));
    }

    #[test]
    fn a_new_period_brings_its_time() {
        let now = Instant::now();
        let mut clocks = Clocks::new(control("2/1"));
        clocks.press(Color::White, 1, now);
        assert_eq!(clocks.left(Color::White, now), secs(60));
        clocks.press(Color::White, 2, now);
        assert_eq!(clocks.left(Color::White, now), secs(120));
        let seen = clocks.for_search(PerColor([2, 1]), now);
        assert_eq!(seen[Color::White].and_then(|clock| clock.moves_to_go), Some(2));
        assert_eq!(seen[Color::Black].and_then(|clock| clock.moves_to_go), Some(1));
    }

    #[test]
    fn unused_time_of_a_move_is_lost() {
        let now = Instant::now();
        let mut clocks = Clocks::new(TimeControl::per_move(secs(30)));
        clocks.start(Color::White, now);
        clocks.press(Color::White, 1, now + secs(20));
        assert_eq!(clocks.both(now + secs(20)), PerColor([secs(30); 2]));
        assert!(clocks.is_out(Color::Black, now + secs(50)));
    }

    #[test]
    fn times_are_shown_and_read_back() {
        let cases = [(0, "0:00"), (100, "0:00.1"), (9900, "0:09.9"), (10_000, "0:10")];
        for (time, text) in cases {
            assert_eq!(show(Duration::from_millis(time)), text);
        }
        assert_eq!((show(secs(65)), show(secs(3723))), ("1:05".into(), "1:02:03".into()));
        assert_eq!(clk(Duration::from_millis(245_260)), "0:04:05.2");
        let read = read_clk("good [%clk 0:04:05.2] move");
        assert_eq!(read, Some(Duration::from_millis(245_200)));
        for bad in ["", "[%clk ]", "[%clk 1:x]", "[%clk 0:01:00", "[%clk 99999999999:0:0]"] {
            assert_eq!(read_clk(bad), None, "{bad}");
        }
    }
}
