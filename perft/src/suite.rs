//! Suites: files of positions with known counts.
//!
//! One position a line: a FEN, then for each depth a semicolon, the depth and the
//! count; a name may follow. Empty lines and lines that start with `#` are skipped.
//!
//! ```text
//! 4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197 ; castling: white, king side
//! ```

use std::io;
use std::path::{Path, PathBuf};

use tamarin_base::files::{BYTE_ORDER_MARK, read_stream};
use tamarin_movegen::{Move, Position};

use crate::run::{Control, Depth, DepthError, Options, Overflow, run};

/// A position whose counts are known.
#[derive(Clone, Debug)]
pub struct EpdRecord {
    /// The line of the file it comes from, from 1.
    pub line: usize,
    /// The position as the file has it.
    pub fen: String,
    /// The position.
    pub position: Position,
    /// Depths with their counts, the depths increasing; at least one.
    pub counts: Vec<(Depth, u64)>,
    /// What stands behind the counts; empty if nothing does.
    pub name: String,
}

/// Positions with known counts; at least one.
#[derive(Clone, Debug)]
pub struct Suite {
    records: Vec<EpdRecord>,
}

/// A line that is not a suite's.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// A suite could not be had from a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// Some lines are bad.
    #[error("{} bad {} in the suite", .0.len(), if .0.len() == 1 { "line" } else { "lines" })]
    Lines(Vec<LineError>),
    /// There is not a single position.
    #[error("the suite has no positions")]
    Empty,
}

/// Larger files are refused before they fill the memory.
const MAX_MEBIBYTES: u64 = 64;

/// The name under which [`Suite::rules`] is asked for in place of a file.
pub const RULES_NAME: &str = "rules";

impl Suite {
    /// The built-in suite: one position for each rule that move generators get wrong, named after
    /// it; those of Chess960 have rights by file.
    pub fn rules() -> Self {
        let rules = include_bytes!("../suites/rules.epd");
        Self::parse(rules).expect("invariant: the built-in suite is well-formed")
    }

    /// [`Self::rules`] for [`RULES_NAME`], else [`Self::read`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn named(path: &Path) -> Result<Self, SuiteError> {
        if path == Path::new(RULES_NAME) { Ok(Self::rules()) } else { Self::read(path) }
    }

    /// Reads a suite from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is larger than 64 MiB, or [`Suite::parse`] fails.
    pub fn read(path: &Path) -> Result<Self, SuiteError> {
        let bytes = read_stream(path, MAX_MEBIBYTES)
            .map_err(|reason| SuiteError::Read { path: path.to_owned(), reason })?;
        Self::parse(&bytes)
    }

    /// Reads a suite; a byte order mark at its beginning is no part of it.
    ///
    /// # Errors
    /// If any line is bad, with all the bad lines; or if there is no position at all.
    pub fn parse(bytes: &[u8]) -> Result<Self, SuiteError> {
        let mut records = Vec::new();
        let mut errors = Vec::new();
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
            match parse_line(line, text) {
                Ok(record) => records.extend(record),
                Err(problem) => errors.push(LineError { line, problem }),
            }
        }
        if !errors.is_empty() {
            return Err(SuiteError::Lines(errors));
        }
        if records.is_empty() { Err(SuiteError::Empty) } else { Ok(Self { records }) }
    }

    /// The positions in the order of the file.
    pub fn records(&self) -> &[EpdRecord] {
        &self.records
    }
}

fn parse_line(line: usize, text: &[u8]) -> Result<Option<EpdRecord>, String> {
    // A comment need not be UTF-8 text.
    if text.trim_ascii_start().starts_with(b"#") {
        return Ok(None);
    }
    let text = str::from_utf8(text).map_err(|_| "not UTF-8 text")?.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let mut parts = text.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    let position = Position::from_fen(fen).map_err(|error| format!("bad position: {error}"))?;
    let mut counts: Vec<(Depth, u64)> = Vec::new();
    let mut parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let name = parts.pop_if(|part| !is_count(part)).unwrap_or_default().to_owned();
    for part in parts {
        let (depth, count) = parse_count(part)?;
        if counts.last().is_some_and(|&(last, _)| last >= depth) {
            return Err(format!("depth {depth} comes after a depth that is not smaller"));
        }
        counts.push((depth, count));
    }
    if counts.is_empty() {
        return Err("no counts: a position is followed by `;D1 20 ;D2 400` and so on".to_owned());
    }
    Ok(Some(EpdRecord { line, fen: fen.to_owned(), position, counts, name }))
}

/// Whether a field is meant as a count: `D` and a digit, or something like it.
fn is_count(part: &str) -> bool {
    let rest = part.strip_prefix('D').unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c.is_whitespace())
}

fn parse_count(part: &str) -> Result<(Depth, u64), String> {
    let malformed = || format!("{part:?} does not read like `D1 20`: a depth and a count");
    let (depth, count) = part
        .strip_prefix('D')
        .and_then(|rest| rest.split_once(char::is_whitespace))
        .ok_or_else(malformed)?;
    let depth = depth.parse().map_err(|error: DepthError| error.to_string())?;
    Ok((depth, count.trim().parse().map_err(|_| malformed())?))
}

/// Which counts of a suite to check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The greatest depth.
    pub depth: Option<Depth>,
    /// The greatest count.
    pub nodes: Option<u64>,
}

impl Limits {
    /// Whether a count is checked.
    pub fn admit(&self, depth: Depth, count: u64) -> bool {
        self.depth.is_none_or(|most| depth <= most) && self.nodes.is_none_or(|most| count <= most)
    }
}

/// A count that differs from the known one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The depth of the count.
    pub depth: Depth,
    /// What the suite says.
    pub expected: u64,
    /// What was counted.
    pub found: u128,
    /// Every move with the count behind it.
    pub divide: Vec<(Move, u128)>,
}

/// The result of checking the counts of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckResult {
    /// The greatest depth whose count was made and is right.
    pub depth: Option<Depth>,
    /// All leaf nodes counted, over all depths.
    pub nodes: u128,
    /// Depths left out because of the limits.
    pub skipped: usize,
    /// The first wrong count.
    pub mismatch: Option<Mismatch>,
    /// Whether nothing was cut short by the control.
    pub complete: bool,
}

impl EpdRecord {
    /// Counts depth after depth, as far as the limits allow and the counts are right.
    ///
    /// # Errors
    /// If a count does not fit 128 bits.
    pub fn check(
        &self,
        limits: &Limits,
        options: &Options<'_>,
        control: &Control,
    ) -> Result<CheckResult, Overflow> {
        let mut result =
            CheckResult { depth: None, nodes: 0, skipped: 0, mismatch: None, complete: true };
        for &(depth, expected) in &self.counts {
            if !limits.admit(depth, expected) {
                result.skipped += 1;
                continue;
            }
            let outcome = run(self.position.board(), depth, options, control);
            let found = outcome.exact_nodes(depth)?;
            result.nodes = result.nodes.saturating_add(found);
            if !outcome.complete {
                result.complete = false;
                break;
            }
            if found != expected.into() {
                let divide = outcome.divide;
                result.mismatch = Some(Mismatch { depth, expected, found, divide });
                break;
            }
            result.depth = Some(depth);
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KING_AND_ROOK: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

    fn problem(line: &str) -> String {
        match Suite::parse(line.as_bytes()) {
            Err(SuiteError::Lines(errors)) => errors[0].to_string(),
            other => panic!("{line:?}: {other:?}"),
        }
    }

    #[test]
    fn reads_positions_comments_and_windows_line_ends() {
        let text = format!("ours\r\n\r\n{KING_AND_ROOK} ;D1 15 ;D3 1197; a rook: \"h1\";\r\n");
        // A comment in Latin-1 behind a byte order mark.
        let bytes = [b"\xEF\xBB\xBF # R\xE9ti, ", text.as_bytes()].concat();
        let suite = Suite::parse(&bytes).unwrap();
        let [record] = suite.records() else { panic!("one record") };
        assert_eq!(record.line, 3);
        assert_eq!(record.fen, KING_AND_ROOK);
        let counts: Vec<_> = record.counts.iter().map(|&(d, n)| (d.plies(), n)).collect();
        assert_eq!(counts, [(1, 15), (3, 1197)]);
        assert_eq!(record.name, "a rook: \"h1\"");
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        let no = |rest: &str| problem(&format!("{KING_AND_ROOK}{rest}"));
        assert!(no("").starts_with("line 1: no counts"));
        assert!(no(" ;X1 5").starts_with("line 1: no counts"));
        assert!(no(" ;X1 5 ;D2 66").starts_with("line 1: \"X1 5\" does not read like"));
        assert!(no(" ;D1").starts_with("line 1: \"D1\" does not read like"));
        assert!(no(" ;D1 -5").starts_with("line 1: \"D1 -5\" does not read like"));
        assert!(no(" ;D0 1").starts_with("line 1: \"0\" is not a depth"));
        assert!(no(" ;D99 1").starts_with("line 1: \"99\" is not a depth"));
        assert!(no(" ;D2 66 ;D2 66").starts_with("line 1: depth 2 comes after"));
        assert!(problem("8/8/8 w - - ;D1 1").starts_with("line 1: bad position"));
    }

    #[test]
    fn limits_leave_counts_out() {
        let text = format!("{KING_AND_ROOK} ;D1 15 ;D2 66 ;D3 1 ;D4 1");
        let suite = Suite::parse(text.as_bytes()).unwrap();
        let limits = Limits { depth: Depth::new(2), nodes: Some(20) };
        let result =
            suite.records()[0].check(&limits, &Options::default(), &Control::new()).unwrap();
        assert_eq!((result.depth, result.skipped, result.nodes), (Depth::new(1), 3, 15));
        assert_eq!(result.mismatch, None);
    }
}
