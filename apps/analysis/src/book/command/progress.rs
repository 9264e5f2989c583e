//! How far a long command is: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressStyle};

use tamarin_base::complain;

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Games between two looks at the clock.
const GAMES_BETWEEN: u64 = 256;

/// Tells on standard error how much of the input was read.
pub struct Progress {
    bar: ProgressBar,
    lines: Option<Lines>,
}

impl Progress {
    /// Of an input of `total` bytes. Nothing is printed until some of it was read.
    pub fn new(total: u64) -> Self {
        let lines = (!io::stderr().is_terminal()).then(|| Lines::new(total, LINE_EVERY));
        Self { bar: bar(total), lines }
    }

    /// A part of the input, whose bytes count when they are read.
    pub fn counting<R: Read>(&self, input: R) -> impl Read + use<R> {
        self.bar.wrap_read(input)
    }

    /// So many games were read.
    pub fn set_games(&mut self, games: u64) {
        if !games.is_multiple_of(GAMES_BETWEEN) {
            return;
        }
        match &mut self.lines {
            Some(lines) => {
                let bytes = self.bar.position();
                if let Some(line) = lines.line(lines.begun.elapsed(), bytes, games) {
                    complain(&line);
                }
            }
            None => self.bar.set_message(format!("{games} games")),
        }
    }

    /// Writes a line about something else.
    pub fn complain(&self, line: &str) {
        self.bar.suspend(|| complain(line));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar in bytes with rate and remaining time, drawn if standard error is a terminal.
fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template(
        "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} [{elapsed} < {eta}] {msg}",
    );
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

struct Lines {
    total: u64,
    begun: Instant,
    every: Duration,
    /// When the next one is due, counted from the beginning.
    due: Duration,
}

impl Lines {
    fn new(total: u64, every: Duration) -> Self {
        Self { total, begun: Instant::now(), every, due: every }
    }

    /// The line about this moment, if one is due:
    /// `120 MiB of 1.20 GiB, 150000 games, 90 seconds left`.
    fn line(&mut self, elapsed: Duration, bytes: u64, games: u64) -> Option<String> {
        if elapsed < self.due {
            return None;
        }
        self.due = elapsed + self.every;
        let (done, total) = (HumanBytes(bytes), HumanBytes(self.total));
        let mut line = format!("{done} of {total}, {games} games");
        // The size of a pipe is not known.
        if let Some(rest) = self.total.checked_sub(bytes).filter(|_| bytes > 0 && self.total > 0) {
            let left = elapsed.mul_f64(rest as f64 / bytes as f64);
            line += &format!(", {} left", HumanDuration(left));
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use std::time::Duration;

    #[test]
    fn lines_come_when_they_are_due_and_tell_what_is_left() {
        let seconds = Duration::from_secs;
        let mut lines = Lines::new(4 << 20, seconds(10));
        assert_eq!(lines.line(seconds(9), 1 << 19, 512), None);
        let first = lines.line(seconds(11), 1 << 20, 1024);
        let wanted = "1.00 MiB of 4.00 MiB, 1024 games, 33 seconds left";
        assert_eq!(first.as_deref(), Some(wanted));
        assert_eq!(lines.line(seconds(20), 2 << 20, 2048), None);
        assert!(lines.line(seconds(21), 2 << 20, 2048).is_some());
    }

    #[test]
    fn nothing_is_said_about_the_rest_of_what_has_no_size() {
        let mut lines = Lines::new(0, Duration::ZERO);
        let line = lines.line(Duration::from_secs(1), 1 << 20, 256).expect("it is due");
        assert_eq!(line, "1.00 MiB of 0 B, 256 games");
    }
}
