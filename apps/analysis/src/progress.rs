//! How far a run is: a bar on a terminal, a line a minute elsewhere.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;

use tamarin_base::complain;

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Whether the progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Show {
    /// On standard error.
    Yes,
    /// Not at all.
    No,
}

/// Counts the bytes of the input that are done, those of games in progress included.
pub struct Progress {
    bar: ProgressBar,
    begin: Instant,
    /// Bytes that earlier runs did.
    start: u64,
    games: AtomicU64,
    positions: AtomicU64,
    /// When a line was last printed; `None` prints none.
    last_line: Option<Mutex<Instant>>,
}

impl Progress {
    /// Of `total` bytes, `start` are done.
    pub fn new(total: u64, start: u64, show: Show) -> Self {
        let target = match show {
            Show::Yes => ProgressDrawTarget::stderr(),
            Show::No => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template(
            "{wide_bar} {percent:>3} %  {msg}  {elapsed_precise}, {eta} left",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(start);
        bar.reset_eta();
        let is_text = show == Show::Yes && bar.is_hidden();
        Self {
            bar,
            begin: Instant::now(),
            start,
            games: AtomicU64::new(0),
            positions: AtomicU64::new(0),
            last_line: is_text.then(|| Mutex::new(Instant::now())),
        }
    }

    /// A position was searched, which stands for `bytes` bytes.
    pub fn position_done(&self, bytes: u64) {
        self.positions.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(bytes);
        self.tell();
    }

    /// A game is done, of which `bytes` bytes were not counted yet.
    pub fn game_done(&self, bytes: u64) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(bytes);
        self.tell();
    }

    /// A part of the input, whose bytes count when they are read.
    pub fn counting<R: Read>(&self, input: R) -> impl Read + use<R> {
        self.bar.wrap_read(input)
    }

    /// Runs `print` while there is no bar in its way, and gives what it gives.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Time since the beginning of this run.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Games an hour in this run, as a clause; nothing for a run too short to tell.
    pub fn rate(&self) -> String {
        let hours = self.elapsed().as_secs_f64() / 3600.0;
        let games = self.games.load(Ordering::Relaxed) as f64;
        if self.elapsed() < Duration::from_secs(1) {
            return String::new();
        }
        format!(", {:.0} an hour", games / hours)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self) {
        let seconds = self.elapsed().as_secs_f64().max(0.001);
        let words = || {
            let games = self.games.load(Ordering::Relaxed);
            let text = format!("{games} games, {:.0}/h", games as f64 * 3600.0 / seconds);
            match self.positions.load(Ordering::Relaxed) as f64 / seconds {
                0.0 => text,
                positions => format!("{text}, {positions:.0} positions/s"),
            }
        };
        let Some(last_line) = &self.last_line else {
            if !self.bar.is_hidden() {
                self.bar.set_message(words());
            }
            return;
        };
        let mut last = last_line.lock();
        if last.elapsed() < LINE_EVERY {
            return;
        }
        *last = Instant::now();
        // The size of a pipe is not known.
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        if done > total || total == 0 {
            return complain(&words());
        }
        let fresh = done.saturating_sub(self.start).max(1);
        let left = Duration::from_secs((seconds * (total - done) as f64 / fresh as f64) as u64);
        complain(&format!("{} %: {}, {} left", 100 * done / total, words(), HumanDuration(left)));
    }
}
