//! Reads suites.

use std::io;
use std::path::Path;

use super::goal::Goal;
use super::solve::Task;
use tamarin_base::files::read_plain;
use tamarin_game::epd::Epd;
use tamarin_game::pgn::decoded;

/// Larger files are refused before they fill the memory.
const MAX_MEBIBYTES: u64 = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine {
    /// From 1.
    pub line: usize,
    pub reason: String,
}

#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("it has no position with bm, am, dm or c8{}", first(.0))]
    Empty(Vec<BadLine>),
}

fn first(bad: &[BadLine]) -> String {
    bad.first().map_or(String::new(), |bad| format!("; line {}: {}", bad.line, bad.reason))
}

/// The tasks of a file, at least one, and the lines that are none. Empty lines and those that begin
/// with `#` are nothing.
pub fn read(path: &Path) -> Result<(Vec<Task>, Vec<BadLine>), SuiteError> {
    let (tasks, bad) = parse(&read_plain(path, MAX_MEBIBYTES)?);
    if tasks.is_empty() { Err(SuiteError::Empty(bad)) } else { Ok((tasks, bad)) }
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

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn bad_lines_are_named_and_the_others_stay() {
        let text =
            b"\xef\xbb\xbf4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+; id \"M\xfcller.1\";\r\n\n# none\n\
            nonsense\n4k3/8/8/8/8/8/8/4K2R w K - bm Rh9;\n4k3/8/8/8/8/8/8/4K2R w K - dm 5;";
        let (tasks, bad) = parse(text);
        assert_eq!(tasks.iter().map(|task| task.line).collect::<Vec<_>>(), [1, 6]);
        assert_eq!(bad.iter().map(|bad| bad.line).collect::<Vec<_>>(), [4, 5]);
        assert!(bad[1].reason.contains("Rh9"), "{bad:?}");
        assert_eq!(tasks[0].id, "M\u{fc}ller.1");
    }
}
