//! Reads suites.

use std::path::Path;

use super::goal::Goal;
use super::solve::Task;
use crate::error::Error;
use tamarin_game::epd::Epd;
use tamarin_game::packed::read_unpacked;
use tamarin_game::pgn::decoded;

/// Larger files are rejected before they fill the memory.
const MAX_MEBIBYTES: u64 = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine {
    /// From 1.
    pub line: usize,
    pub reason: String,
}

/// The tasks of a file, perhaps packed, at least one, and the lines that are none.
pub fn read(path: &Path) -> Result<(Vec<Task>, Vec<BadLine>), Error> {
    let (tasks, bad) = parse(&read_unpacked(path, MAX_MEBIBYTES).map_err(Error::file(path))?);
    if tasks.is_empty() {
        let first = bad.first().map(|bad| format!("; line {}: {}", bad.line, bad.reason));
        return Err(Error::NoTasks { path: path.to_owned(), first: first.unwrap_or_default() });
    }
    Ok((tasks, bad))
}

/// The tasks of a text, one a line, and the lines that are none. Empty lines and those that begin
/// with `#` are nothing.
pub fn parse(bytes: &[u8]) -> (Vec<Task>, Vec<BadLine>) {
    let (mut tasks, mut bad) = (Vec::new(), Vec::new());
    for (index, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let text = decoded(bytes);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match task(text, index + 1) {
            Ok(task) => tasks.push(task),
            Err(reason) => bad.push(BadLine { line: index + 1, reason }),
        }
    }
    (tasks, bad)
}

fn task(text: &str, line: usize) -> Result<Task, String> {
    let epd = Epd::parse(text).map_err(|error| error.to_string())?;
    let goal = Goal::of(&epd).map_err(|error| error.to_string())?;
    let id = epd.operand("id").unwrap_or_default().to_owned();
    Ok(Task { line, id, position: epd.position, goal })
}
