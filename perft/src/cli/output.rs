//! Pieces of output that both kinds of command write.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::{Value, json};
use tamarin_movegen::{Move, Position};

use crate::cli::session::{Notation, Session};

/// Nodes a second, at least 0; a count too quick for the clock took a nanosecond.
pub(super) fn per_second(nodes: u128, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}

/// Millions of nodes a second.
pub(super) fn millions(nodes: u128, time: Duration) -> f64 {
    per_second(nodes, time) / 1e6
}

/// The moves of a divide as text, in alphabetical order.
pub(super) fn named_moves(
    position: &Position,
    divide: &[(Move, u128)],
    notation: Notation,
) -> Vec<(String, u128)> {
    let mut named: Vec<_> = divide
        .iter()
        .map(|&(mv, nodes)| (position.uci(mv, notation.castling).to_string(), nodes))
        .collect();
    named.sort_unstable();
    named
}

/// One line a move.
pub(super) fn write_divide(out: &mut impl Write, moves: &[(String, u128)]) -> io::Result<()> {
    moves.iter().try_for_each(|(name, nodes)| writeln!(out, "{name}: {nodes}"))
}

/// A count as a number, or beyond the 64 bits that every reader of JSON takes as text.
pub(super) fn count_to_json(count: u128) -> Value {
    u64::try_from(count).map_or_else(|_| count.to_string().into(), Value::from)
}

/// Counts by name as an object.
pub(super) fn counts_to_json(counts: impl IntoIterator<Item = (impl Into<String>, u128)>) -> Value {
    let counts = counts.into_iter().map(|(name, nodes)| (name.into(), count_to_json(nodes)));
    Value::Object(counts.collect())
}

/// Nodes, time, speed, threads and hash size, the same in every object.
pub(super) fn effort_to_json(session: &Session, nodes: u128, time: Duration) -> Value {
    json!({
        "nodes": count_to_json(nodes),
        "seconds": time.as_secs_f64(),
        "nps": per_second(nodes, time) as u64,
        "threads": session.threads.get(),
        "hash": session.cache.as_ref().map_or(0, crate::Cache::mebibytes),
    })
}

/// The same as text.
pub(super) fn effort_to_text(session: &Session, nodes: u128, time: Duration) -> String {
    let threads = match session.threads.get() {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let cache = match &session.cache {
        Some(cache) => format!("{} MiB cache", cache.mebibytes()),
        None => "no cache".to_owned(),
    };
    let seconds = time.as_secs_f64();
    format!("{seconds:.3} s, {:.1} Mnps, {threads}, {cache}", millions(nodes, time))
}
