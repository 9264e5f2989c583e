//! Counts that take days: what is behind each root move is kept in a file as soon as it is counted.
//!
//! The file is text: a line that names it, the depth, the position, a line `move count` for each root
//! move that is done, and the FNV-1a hash of all lines before. It is written whole or not at all.

use core::fmt::Write as _;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

use tamarin_base::Fnv1a;
use tamarin_base::files::{Reader, Target, read_text};
use tamarin_movegen::{CastlingNotation, CastlingStyle, Move, Position};

use crate::cli::session::{PerftCommandError, Session};
use crate::run::{Depth, Outcome, run};

/// The first line; another version of the file has another number.
const TITLE: &str = "tamarin perft --resume 1";
/// A file of 218 moves has 10 KiB.
const MAX_MEBIBYTES: u64 = 1;

/// Counts one root move after the other and keeps each, but those that the file at `path` has. A
/// stopped or killed count loses the move that it was at.
pub(super) fn execute(
    path: &Path,
    position: &Position,
    depth: Depth,
    session: &Session,
) -> Result<Outcome, PerftCommandError> {
    let head = format!("{TITLE}\ndepth {depth}\n{}\n", position.fen(CastlingStyle::Shredder));
    let mut text = head.clone();
    let mut done = read(path, &head)?;
    let mut divide: Vec<(Move, u128)> = Vec::new();
    for mv in position.legal_moves() {
        let name = position.uci(mv, CastlingNotation::KingTakesRook).to_string();
        let (nodes, is_kept) = match done.remove(&name) {
            Some(nodes) => (nodes, true),
            None => {
                let Some(nodes) = behind(position, mv, depth, session)? else {
                    return Ok(Outcome { divide, complete: false });
                };
                (nodes, false)
            }
        };
        let _ = writeln!(text, "{name} {nodes}");
        divide.push((mv, nodes));
        if !is_kept {
            let rest = done.iter().map(|(name, nodes)| format!("{name} {nodes}\n"));
            write(path, text.clone() + &rest.collect::<String>())?;
        }
    }
    Ok(Outcome { divide, complete: true })
}

/// The count behind a root move, or nothing if it was stopped.
fn behind(
    position: &Position,
    mv: Move,
    depth: Depth,
    session: &Session,
) -> Result<Option<u128>, PerftCommandError> {
    let Some(rest) = Depth::new(depth.plies() - 1) else { return Ok(Some(1)) };
    let outcome = run(&position.board().play(mv), rest, &session.options(), &session.control);
    Ok(if outcome.complete { Some(outcome.exact_nodes(rest)?) } else { None })
}

fn checksum(text: &str) -> String {
    format!("{:016x}\n", Fnv1a::hash(text.as_bytes()))
}

fn write(path: &Path, text: String) -> Result<(), PerftCommandError> {
    let sum = checksum(&text);
    let written = Target::of_user(path)
        .and_then(|target| target.write((text + &sum).as_bytes(), Reader::Awaited));
    written.map(drop).map_err(|error| failed(path, &format!("cannot be written: {error}")))
}

/// The counts of a file that begins with `head`; none if it is not there yet.
fn read(path: &Path, head: &str) -> Result<HashMap<String, u128>, PerftCommandError> {
    let content = match read_text(path, MAX_MEBIBYTES) {
        Ok(content) => content,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(failed(path, &format!("cannot be read: {error}"))),
    };
    if !content.starts_with(TITLE) {
        return Err(failed(path, "is no file of perft --resume of this version"));
    }
    let (text, sum) = content.split_at(content.len().saturating_sub(checksum("").len()));
    if sum != checksum(text) {
        return Err(failed(path, "is damaged: its checksum differs"));
    }
    let Some(counts) = text.strip_prefix(head) else {
        return Err(failed(path, "belongs to another position or depth"));
    };
    let count = |line: &str| {
        let (name, nodes) = line.split_once(' ')?;
        Some((name.to_owned(), nodes.parse().ok()?))
    };
    let counts: Option<_> = counts.lines().map(count).collect();
    counts.ok_or_else(|| failed(path, "is damaged: a line is no count"))
}

fn failed(path: &Path, why: &str) -> PerftCommandError {
    PerftCommandError::Input(format!("{} {why}; it stays as it is", path.display()))
}
