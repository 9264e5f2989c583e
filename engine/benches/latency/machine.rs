//! What else the machine does while it is measured. Linux counts that; elsewhere nothing is said.

use std::fs;

/// Other programs may take this percentage of the processors before a run counts as disturbed.
pub const QUIET_PERCENT: u64 = 5;

/// Ticks of processor time since the machine, or this process, was started.
#[derive(Clone, Copy)]
struct Ticks {
    all: u64,
    /// Of all processors while they worked.
    busy: u64,
    /// Of this process and of those that it has started and that have ended.
    own: u64,
    /// Microseconds in which some program had to wait for a processor.
    pressure: Option<u64>,
}

/// The state of the machine at some moment.
pub struct Machine(Option<Ticks>);

/// What happened since.
#[derive(Clone, Copy)]
pub struct Others {
    /// Percent of the processors that other programs took.
    pub percent: u64,
    /// Whether enough has passed to say so: a twentieth of a second of one processor.
    pub is_known: bool,
    /// Percent of the time in which some program, the engine included, waited for a processor.
    pressure: Option<u64>,
}

impl Machine {
    pub fn now() -> Self {
        Self(ticks())
    }

    /// What other programs took since; `None` where the system does not count it. Engines that
    /// still run count as others.
    pub fn others_since(&self) -> Option<Others> {
        let (before, after) = (self.0?, ticks()?);
        let all = (after.all - before.all).max(1);
        let others = (after.busy - before.busy).saturating_sub(after.own - before.own);
        // A tick is a hundredth of a second of one processor.
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        let elapsed = all * 10_000 / cores;
        let pressure = before.pressure.zip(after.pressure);
        Some(Others {
            percent: others * 100 / all,
            is_known: all >= 5,
            pressure: pressure.map(|(from, to)| (to - from) * 100 / elapsed.max(1)),
        })
    }
}

fn ticks() -> Option<Ticks> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    let fields = numbers(text.lines().next()?.strip_prefix("cpu ")?);
    let all = fields.iter().take(8).sum();
    let idle = fields.get(3)? + fields.get(4)?;
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name before the last bracket may hold blanks; utime is the 14th field of the line.
    let own = numbers(text.rsplit(')').next()?).get(10..14)?.iter().sum();
    Some(Ticks { all, busy: all - idle, own, pressure: pressure() })
}

/// The numbers of a line; other words are left out but for the state of a process, a letter.
fn numbers(text: &str) -> Vec<u64> {
    let words = text.split_whitespace().filter(|word| !word.starts_with(char::is_alphabetic));
    words.map(|word| word.parse().unwrap_or(0)).collect()
}

fn pressure() -> Option<u64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let line = text.lines().find(|line| line.starts_with("some "))?;
    line.rsplit("total=").next()?.parse().ok()
}

/// The processor, as the system names it, and the number of cores that are there for us.
pub fn name() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let model = line.and_then(|line| line.split(": ").nth(1)).unwrap_or(std::env::consts::ARCH);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} core(s)")
}

/// A sentence about the whole run.
pub fn verdict(others: Option<Others>) -> String {
    let Some(Others { percent, pressure, .. }) = others.filter(|others| others.is_known) else {
        return "What else the machine did is not known.".to_owned();
    };
    let judged = if percent <= QUIET_PERCENT {
        "the machine was quiet"
    } else {
        "THE MACHINE WAS BUSY: the figures are not those of the engine alone"
    };
    let waits = pressure.map_or_else(String::new, |percent| {
        format!("; in {percent} % of the time some program, the engine included, waited for one")
    });
    format!("Other programs took {percent} % of the processors{waits}: {judged}.")
}
