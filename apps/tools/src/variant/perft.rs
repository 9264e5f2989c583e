//! `tamarin variant perft`.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tamarin_variant::{Move, Position, perft};

use super::arguments::PerftArguments;
use super::compare::compare;
use super::source::{Failure, position};

type Count = (Move, u64);

pub(super) fn run(arguments: &PerftArguments) -> Result<String, Failure> {
    let position = position(&arguments.source, &arguments.fen)?;
    let threads = arguments
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    if let Some(command) = &arguments.engine {
        return compare(arguments, command, position, threads);
    }
    let start = Instant::now();
    let counts = count(&position, arguments.depth, threads);
    let time = start.elapsed();
    let nodes = match arguments.depth {
        0 => 1,
        _ => counts.iter().map(|(_, nodes)| nodes).sum(),
    };
    let report = Report { arguments, nodes, time, threads };
    let names: Vec<(String, u64)> =
        counts.iter().map(|&(m, nodes)| (position.text(m), nodes)).collect();
    Ok(if arguments.json { report.json(names, &position) } else { report.text(&names) })
}

/// The legal moves with the count behind each; every thread takes the next move when it is done
/// with its last.
pub(super) fn count(position: &Position, depth: u32, threads: usize) -> Vec<Count> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut position = position.clone();
        let mut done = Vec::new();
        while let Some(&m) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            position.make(m);
            done.push((m, perft(&mut position, rest)));
            position.unmake();
        }
        done
    };
    let mut counts: Vec<Count> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(moves.len())).map(|_| scope.spawn(work)).collect();
        let own = work();
        let theirs = others
            .into_iter()
            .flat_map(|thread| thread.join().expect("invariant: counting does not panic"));
        own.into_iter().chain(theirs).collect()
    });
    counts.sort_unstable();
    counts
}

struct Report<'a> {
    arguments: &'a PerftArguments,
    nodes: u64,
    time: Duration,
    threads: usize,
}

impl Report<'_> {
    /// Nodes a second.
    fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }

    fn text(&self, names: &[(String, u64)]) -> String {
        let mut text = String::new();
        if self.arguments.divide {
            for (name, nodes) in names {
                let _ = writeln!(text, "{name}: {nodes}");
            }
            text.push('\n');
        }
        let threads = match self.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        let (seconds, millions) = (self.time.as_secs_f64(), self.speed() / 1e6);
        let _ = writeln!(text, "Nodes searched: {}", self.nodes);
        let _ = writeln!(text, "Time: {seconds:.3} s, {millions:.1} Mnps, {threads}");
        text
    }

    fn json(&self, names: Vec<(String, u64)>, position: &Position) -> String {
        let divide: Map<String, Value> =
            names.into_iter().map(|(name, nodes)| (name, nodes.into())).collect();
        let object = json!({
            "game": self.arguments.source.game,
            "fen": position.fen(),
            "depth": self.arguments.depth,
            "nodes": self.nodes,
            "seconds": self.time.as_secs_f64(),
            "nps": self.speed() as u64,
            "threads": self.threads,
            "divide": divide,
        });
        format!("{object}\n")
    }
}
