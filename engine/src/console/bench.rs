//! `bench`: a fixed amount of work, one node count for every machine.

use std::fmt;
use std::io;
use std::path::Path;
use std::time::Instant;

use tamarin_base::files::read_text;
use tamarin_game::epd::{OpeningError, opening};
use tamarin_movegen::Position;
use tamarin_perft::{Control, Depth, Options};
use tamarin_search::{Engine, Limits, Millis, SearchOptions, Silent, StartError};
use tamarin_uci::{Bench, BenchKind, BenchPositions};

use super::{Context, MAX_MEBIBYTES, NoPosition};

/// Depth of the search of each position without other arguments: 2 to 8 seconds in all on one
/// core, short enough to run for every commit.
const DEPTH: u64 = 15;

/// MiB of table without other arguments: as large as the default of the option `Hash`.
const HASH: u64 = 16;

/// The positions without other arguments.
const BUILT_IN: &str = include_str!("bench.epd");

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// `current` was asked for without a current position.
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    #[error("cannot read {path}: {source}")]
    File { path: String, source: io::Error },
    #[error("line {line} of {path}: {source}")]
    Fen { path: String, line: usize, source: OpeningError },
    #[error("{path} has no position")]
    Empty { path: String },
    #[error("perft depth {0} is not 1 to {max}", max = Depth::MAX)]
    PerftDepth(u64),
    #[error(transparent)]
    Engine(#[from] StartError),
}

/// What was searched, and in which time.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Total {
    nodes: u64,
    milliseconds: u64,
}

/// `N nodes M nps`, the line that OpenBench looks for.
impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = u128::from(self.nodes) * 1000 / u128::from(self.milliseconds.max(1));
        write!(f, "{} nodes {nps} nps", self.nodes)
    }
}

/// Runs the benchmark and prints its total last.
pub fn run(request: &Bench, context: &Context<'_>) -> Result<(), BenchError> {
    let positions = match &request.positions {
        BenchPositions::Default => positions(BUILT_IN, "the built-in list")?,
        BenchPositions::Current => vec![context.chess("current")?.clone()],
        BenchPositions::File(path) => read(path)?,
    };
    let total = measure(request, &positions, context)?;
    context.print(&total.to_string());
    Ok(())
}

fn read(path: &str) -> Result<Vec<Position>, BenchError> {
    let text = read_text(Path::new(path), MAX_MEBIBYTES)
        .map_err(|source| BenchError::File { path: path.to_owned(), source })?;
    positions(&text, path)
}

/// The positions of a file: one [`opening`] a line; blank lines and those that start with `#` are
/// skipped.
fn positions(text: &str, path: &str) -> Result<Vec<Position>, BenchError> {
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fen = line.trim();
        if fen.is_empty() || fen.starts_with('#') {
            continue;
        }
        let position = opening(fen).map_err(|source| BenchError::Fen {
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
) -> Result<Total, BenchError> {
    let limit = request.limit.unwrap_or(DEPTH).max(1);
    // An engine of its own: nothing that was set or searched before can change the count, but
    // the evaluator.
    let threads = request.threads.map_or(1, |count| count as usize).clamp(1, 1024);
    let network = context.evaluator.active_network();
    let mut engine = Engine::prepared(threads, mebibytes(request.hash.unwrap_or(HASH)), network)?;
    let begun = Instant::now();
    let mut nodes = 0_u64;
    for (index, position) in positions.iter().enumerate() {
        let searched = match request.kind {
            BenchKind::Perft => perft(position, limit)?,
            kind => search(&mut engine, position, limits(kind, limit)),
        };
        nodes = nodes.saturating_add(searched);
        let number = index + 1;
        context.print(&format!("position {number}/{} {searched} {position}", positions.len()));
    }
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    context.print(&format!("\nTotal time (ms) : {milliseconds}"));
    Ok(Total { nodes, milliseconds })
}

fn mebibytes(count: u64) -> usize {
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

/// Searches to the end; the nodes it took. A time is used up: no move has to reach a client.
pub fn search(engine: &mut Engine, position: &Position, limits: Limits) -> u64 {
    let options = SearchOptions { move_overhead: Millis::ZERO, ..SearchOptions::default() };
    engine.search(position, limits, &options, Box::new(Silent)).nodes
}

fn perft(position: &Position, plies: u64) -> Result<u64, BenchError> {
    let depth =
        u8::try_from(plies).ok().and_then(Depth::new).ok_or(BenchError::PerftDepth(plies))?;
    let outcome = tamarin_perft::run(position.board(), depth, &Options::default(), &Control::new());
    Ok(u64::try_from(outcome.nodes()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Total, positions};
    use std::collections::HashSet;
    use tamarin_movegen::Position;

    #[test]
    fn every_position_is_legal_has_moves_and_comes_once() {
        let positions = positions(BUILT_IN, "").expect("legal positions");
        assert!(positions.iter().all(Position::has_legal_move));
        let keys: HashSet<_> = positions.iter().map(Position::key).collect();
        assert_eq!((positions.len(), keys.len()), (50, 50));
    }

    #[test]
    fn the_total_reads_as_openbench_wants_and_no_time_is_a_millisecond() {
        let total = Total { nodes: 1_234_567, milliseconds: 1_000 };
        assert_eq!(total.to_string(), "1234567 nodes 1234567 nps");
        assert_eq!(Total { nodes: 5, milliseconds: 0 }.to_string(), "5 nodes 5000 nps");
    }
}
