//! The table of answers: spreads of times beside what is promised.

use std::time::Duration;

use super::machine::{Machine, QUIET_PERCENT};
use super::support::Engine;

/// What the project promises (docs/reliability.md), in milliseconds.
#[derive(Clone, Copy, Default)]
pub struct Promise {
    pub median: Option<u64>,
    pub high: Option<u64>,
    pub most: Option<u64>,
}

pub const NOTHING: Promise = Promise { median: None, high: None, most: None };

/// The table, printed row by row.
pub struct Answers {
    machine: Machine,
    /// What other programs took while the last row was measured: rows that were measured together
    /// are printed one after the other.
    others: String,
}

impl Answers {
    /// Prints the headline.
    pub fn begin() -> Self {
        println!("| answer | times | median | 99 % | maximum | promised | kept | others |");
        println!("|---|---:|---:|---:|---:|---|---|---:|");
        Self { machine: Machine::now(), others: String::new() }
    }

    /// Prints a row. The engines that took part should have ended: those that have not would count
    /// as other programs.
    pub fn row(&mut self, what: &str, mut times: Vec<Duration>, promise: Promise) {
        times.sort();
        let last = times.len().checked_sub(1).expect("something was measured");
        let found = [times[last / 2], times[last * 99 / 100], times[last]];
        let limits = [promise.median, promise.high, promise.most];
        let names = ["median", "99 %", "maximum"];
        let promised: Vec<String> = names
            .iter()
            .zip(limits)
            .filter_map(|(name, limit)| limit.map(|limit| format!("{name} {limit} ms")))
            .collect();
        let is_kept = found
            .iter()
            .zip(limits)
            .all(|(time, limit)| limit.is_none_or(|limit| *time <= Duration::from_millis(limit)));
        let kept = match (promised.is_empty(), is_kept) {
            (true, _) => "",
            (false, true) => "yes",
            (false, false) => "NO",
        };
        if let Some(others) = self.machine.others_since().filter(|others| others.is_known) {
            let mark = if others.percent > QUIET_PERCENT { " BUSY" } else { "" };
            self.others = format!("{} %{mark}", others.percent);
        }
        let [median, high, most] = found.map(milliseconds);
        println!(
            "| {what} | {} | {median} | {high} | {most} | {} | {kept} | {} |",
            times.len(),
            promised.join(", "),
            self.others
        );
        self.machine = Machine::now();
    }
}

/// A time in milliseconds with as many digits as mean something.
pub fn milliseconds(time: Duration) -> String {
    let value = time.as_secs_f64() * 1000.0;
    if value < 10.0 { format!("{value:.2} ms") } else { format!("{value:.0} ms") }
}

/// The time from the last command to a line that begins with `word`.
pub fn time_to(engine: &mut Engine, word: &str) -> Duration {
    let lines = engine.until(word);
    lines[lines.len() - 1].at.saturating_duration_since(engine.asked())
}
