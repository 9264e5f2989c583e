//! `bench`: a fixed amount of work, one node count for every machine.

use std::fmt;
use std::fs;
use std::io;
use std::time::Instant;

use tamarin_movegen::{FenError, Position};
use tamarin_perft::{Control, Depth, Options};
use tamarin_search::{
    Collector, Idle, Limits, Millis, SearchOptions, StartError, TableError, ThreadsError,
};
use tamarin_uci::{Bench, BenchKind, BenchPositions};

use super::bench_positions;
use super::context::Context;

/// Plies a position without other orders: 2 to 8 seconds in all on one core.
const DEPTH: u64 = 15;

/// MiB of table without other orders.
const HASH: u32 = 16;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("there is no current position")]
    NoPosition,
    #[error("cannot read {path}: {source}")]
    File { path: String, source: io::Error },
    #[error("line {line} of {path}: {source}")]
    Fen { path: String, line: usize, source: FenError },
    #[error("{path} has no position")]
    Empty { path: String },
    #[error("perft depth {0} is not 1 to {max}", max = Depth::MAX)]
    PerftDepth(u64),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// What a benchmark found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    nodes: u64,
    milliseconds: u64,
}

/// `N nodes M nps`, the line that test frameworks look for.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = u128::from(self.nodes) * 1000 / u128::from(self.milliseconds.max(1));
        write!(f, "{} nodes {nps} nps", self.nodes)
    }
}

/// Runs the benchmark and prints its tally last.
pub fn run(request: &Bench, context: &Context<'_>) {
    let outcome = positions(&request.positions, context.position.as_ref())
        .and_then(|positions| measure(request, &positions, context));
    match outcome {
        Ok(tally) => context.print(&tally.to_string()),
        Err(error) => context.print(&format!("info string error: bench: {error}")),
    }
}

fn positions(
    wanted: &BenchPositions,
    current: Option<&Position>,
) -> Result<Vec<Position>, BenchError> {
    match wanted {
        BenchPositions::Default => Ok(bench_positions::all()),
        BenchPositions::Current => {
            current.cloned().map(|one| vec![one]).ok_or(BenchError::NoPosition)
        }
        BenchPositions::File(path) => read(path),
    }
}

/// One FEN a line; blank lines and those that start with `#` are skipped.
fn read(path: &str) -> Result<Vec<Position>, BenchError> {
    let text = fs::read_to_string(path)
        .map_err(|source| BenchError::File { path: path.to_owned(), source })?;
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fen = line.trim();
        if fen.is_empty() || fen.starts_with('#') {
            continue;
        }
        let position = Position::from_fen(fen).map_err(|source| BenchError::Fen {
            path: path.to_owned(),
            line: index + 1,
            source,
        })?;
        positions.push(position);
    }
    if positions.is_empty() {
        Err(BenchError::Empty { path: path.to_owned() })
    } else {
        Ok(positions)
    }
}

fn measure(
    request: &Bench,
    positions: &[Position],
    context: &Context<'_>,
) -> Result<Tally, BenchError> {
    let limit = request.limit.unwrap_or(DEPTH).max(1);
    // An engine of its own: nothing that was set or searched before can change the count.
    let mut idle = Idle::new()?;
    idle.set_hash(mebibytes(request.hash.unwrap_or(HASH)))?;
    idle.set_threads(request.threads.map_or(1, |count| count as usize).clamp(1, 1024))?;
    let begun = Instant::now();
    let mut total = 0_u64;
    for (index, position) in positions.iter().enumerate() {
        let nodes = match request.kind {
            BenchKind::Perft => perft(position, limit)?,
            kind => {
                let (after, nodes) = search(idle, position, limits(kind, limit));
                idle = after;
                nodes
            }
        };
        total = total.saturating_add(nodes);
        let number = index + 1;
        context.print(&format!("position {number}/{} {nodes} {position}", positions.len()));
    }
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    context.print(&format!("\nTotal time (ms) : {milliseconds}"));
    Ok(Tally { nodes: total, milliseconds })
}

fn mebibytes(count: u32) -> usize {
    usize::try_from(count.max(1)).unwrap_or(usize::MAX)
}

fn limits(kind: BenchKind, limit: u64) -> Limits {
    match kind {
        BenchKind::Nodes => Limits::nodes(limit),
        BenchKind::MoveTime => Limits { move_time: Some(Millis::new(limit)), ..Limits::default() },
        BenchKind::Depth | BenchKind::Perft => {
            Limits::depth(u32::try_from(limit).unwrap_or(u32::MAX))
        }
    }
}

/// Searches to the end; the engine back, and the nodes it took.
pub fn search(idle: Idle, position: &Position, limits: Limits) -> (Idle, u64) {
    let collector = Collector::new();
    let running = idle.go(position, limits, &SearchOptions::default(), collector.observer());
    let idle = running.wait();
    (idle, collector.best().map_or(0, |best| best.nodes))
}

fn perft(position: &Position, plies: u64) -> Result<u64, BenchError> {
    let depth =
        u8::try_from(plies).ok().and_then(Depth::new).ok_or(BenchError::PerftDepth(plies))?;
    let outcome = tamarin_perft::run(position.board(), depth, &Options::default(), &Control::new());
    Ok(outcome.nodes())
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn the_tally_reads_as_openbench_wants_and_no_time_is_a_millisecond() {
        let tally = Tally { nodes: 1_234_567, milliseconds: 1_000 };
        assert_eq!(tally.to_string(), "1234567 nodes 1234567 nps");
        assert_eq!(Tally { nodes: 5, milliseconds: 0 }.to_string(), "5 nodes 5000 nps");
    }
}
