//! How learning goes: the bar, the lines behind it, and the games in their file.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use tamarin_base::{complain, counted};
use tamarin_variant_search::learn::{
    Budget, Fitted, GENERATIONS, Known, Match, Observer, Phase, Record, Settings,
};

use super::log::Log;
use crate::variant::source::Failure;

/// Shows how it goes, and keeps the games.
pub(super) struct Progress {
    state: Mutex<State>,
    bar: ProgressBar,
    budget: Budget,
    begin: Instant,
    /// Stops the run when a game cannot be kept.
    stop: Arc<AtomicBool>,
    quiet: bool,
}

struct State {
    log: Option<Log>,
    games: u32,
    nodes: u64,
    failed: Option<Failure>,
    /// The error on games that were held out, and the last match.
    notes: String,
}

impl Progress {
    pub(super) fn new(
        log: Option<Log>,
        settings: &Settings,
        known: &Known,
        stop: &Arc<AtomicBool>,
        quiet: bool,
    ) -> Self {
        let games = learned_from(known).count() as u32;
        let length = match settings.budget {
            Budget::Time(time) => time.as_secs(),
            Budget::Games(games) => games.into(),
            Budget::Nodes(nodes) => nodes,
        };
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(length) };
        let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}");
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let begin = Instant::now().checked_sub(known.spent).unwrap_or_else(Instant::now);
        if games > 0 && !quiet {
            let games = counted(games, "game to learn from", "games to learn from");
            complain(&format!("going on after {games}"));
        }
        Self {
            state: Mutex::new(State {
                log,
                games,
                nodes: learned_from(known).map(|record| record.nodes).sum(),
                failed: None,
                notes: String::new(),
            }),
            bar,
            budget: settings.budget,
            begin,
            stop: Arc::clone(stop),
            quiet,
        }
    }

    /// The number of games that were kept to learn from, and what has failed.
    pub(super) fn finish(self) -> (u32, Option<Failure>) {
        self.bar.finish_and_clear();
        let state = self.state.into_inner();
        (state.games, state.failed)
    }

    fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Does something with the file; after an error nothing more is written, and the run stops.
    fn keep(&self, state: &mut State, write: impl FnOnce(&mut Log) -> Result<(), Failure>) {
        if state.failed.is_none()
            && let Some(log) = &mut state.log
            && let Err(error) = write(log)
        {
            state.failed = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn show(&self, state: &State, phase: Phase) {
        let (doing, generation) = match phase {
            Phase::Games(generation) => ("games", generation),
            Phase::Match(generation) => ("match", generation),
        };
        self.bar.set_position(match self.budget {
            Budget::Time(_) => self.elapsed().as_secs(),
            Budget::Games(_) => state.games.into(),
            Budget::Nodes(_) => state.nodes,
        });
        let State { games, notes, .. } = state;
        self.bar.set_message(format!(
            "generation {generation} of {GENERATIONS}, {doing}; {}{notes}",
            counted(*games, "game", "games")
        ));
    }

    fn say(&self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| complain(line));
        }
    }
}

/// The games to learn from that an earlier run has left; those of matches are others.
fn learned_from(known: &Known) -> impl Iterator<Item = &Record> {
    let games = known.records.iter().filter(|(phase, _)| matches!(phase, Phase::Games(_)));
    games.flat_map(|(_, games)| games.values())
}

impl Observer for Progress {
    fn begins(&self, phase: Phase) {
        self.show(&self.state.lock(), phase);
    }

    fn played(&self, phase: Phase, number: u32, record: &Record) {
        let mut state = self.state.lock();
        if matches!(phase, Phase::Games(_)) {
            state.games += 1;
            state.nodes += record.nodes;
        }
        let elapsed = self.elapsed();
        self.keep(&mut state, |log| log.add(phase, number, record, elapsed));
        self.show(&state, phase);
    }

    fn ends(&self, phase: Phase) {
        let elapsed = self.elapsed();
        self.keep(&mut self.state.lock(), |log| log.end(phase, elapsed));
    }

    fn fitted(&self, fitted: &Fitted) {
        let Fitted { generation, samples, errors } = fitted;
        let mut state = self.state.lock();
        let error = match errors {
            Some([before, now]) => {
                state.notes = format!(", error {now:.4}");
                format!("error on games not seen {before:.4} before, {now:.4} after")
            }
            None => "no game was held out".to_owned(),
        };
        drop(state);
        self.say(&format!("generation {generation}: {samples} positions, {error}"));
    }

    fn compared(&self, result: &Match) {
        let Match { generation, games, points } = result;
        let verdict = if result.is_taken() { "" } else { "; the one before stays" };
        let elo = result.elo();
        let line = format!("{points} of {games} against the one before ({elo:+.0} Elo){verdict}");
        self.say(&format!("generation {generation}: {line}"));
        self.state.lock().notes += &format!(", {elo:+.0} Elo");
    }
}
