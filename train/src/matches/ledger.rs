//! The list of all matches: `docs/results/matches.csv`.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tamarin_base::files::{Reader, Target, read_plain};

use super::MatchResult;
use crate::data::MAX_MEBIBYTES;
use crate::error::{Context, Result};
use crate::saved::check_new;

/// A row: what was played, and what came of it. Empty fields are not known.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// `M` and a number; sources and commits refer to it.
    pub id: String,
    pub date: String,
    pub what: String,
    /// The version from whose view results are counted: a commit.
    pub new: String,
    pub old: String,
    /// The node counts of `bench` of both, the new version's first.
    pub bench: String,
    pub limit: String,
    pub options: String,
    pub book: String,
    pub seed: String,
    pub runner: String,
    pub games: String,
    pub wins: String,
    pub draws: String,
    pub losses: String,
    /// Pairs with 0, 1, 2, 3 and 4 half points.
    pub pentanomial: String,
    pub elo: String,
    /// Half of its 95 % interval.
    pub error: String,
    /// The hypotheses of the test, and its model where that is not the usual one.
    pub sprt: String,
    pub llr: String,
    /// What else is to be known.
    pub remarks: String,
}

impl Row {
    /// The result of a match; the other fields are empty.
    pub fn of(result: &MatchResult) -> Self {
        let elo = result.pairs.elo();
        let finite =
            |value: f64| if value.is_finite() { format!("{value:.1}") } else { String::new() };
        Self {
            games: result.games().to_string(),
            wins: result.wins.to_string(),
            draws: result.draws.to_string(),
            losses: result.losses.to_string(),
            pentanomial: result.pairs.to_string(),
            elo: finite(elo.value),
            error: finite(elo.error),
            ..Self::default()
        }
    }
}

/// The name of a file without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

pub fn read(path: &Path) -> Result<Vec<Row>> {
    rows(&read_plain(path, MAX_MEBIBYTES).context(path.display())?).context(path.display())
}

/// Makes sure, before a match, that a row can be appended after it and that the list is none of the
/// `others`, which the match reads or writes.
pub fn check<P: AsRef<Path>>(path: &Path, others: impl IntoIterator<Item = P>) -> Result<()> {
    let list = check_new(path, others).and_then(|target| text(&target)).map_err(csv::Error::from);
    list.and_then(|text| rows(&text)).map(drop).context(about(path))
}

fn about(path: &Path) -> String {
    format!("the list of matches: {}", path.display())
}

/// Appends a row under the next free id, which it returns. The file is made if it is not there.
pub fn append(path: &Path, row: Row) -> Result<String> {
    try_append(path, row).context(about(path))
}

fn try_append(path: &Path, mut row: Row) -> csv::Result<String> {
    let target = Target::of_user(path)?;
    let before = text(&target)?;
    let number = |row: &Row| row.id.strip_prefix('M')?.parse::<u32>().ok();
    row.id = format!("M{}", rows(&before)?.iter().filter_map(number).max().unwrap_or(0) + 1);
    // An editor may have left the last row without its end.
    let begin = if matches!(before.last(), None | Some(b'\n')) { "" } else { "\n" };
    let mut writer = csv::WriterBuilder::new()
        .has_headers(before.trim_ascii().is_empty())
        .from_writer(begin.as_bytes().to_vec());
    writer.serialize(&row)?;
    let text = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    target.append(Reader::There)?.append(&text)?;
    Ok(row.id)
}

/// The list so far: nothing if it is not there, or is a device or a pipe.
fn text(target: &Target) -> io::Result<Vec<u8>> {
    match target.old() {
        Some(_) => read_plain(target.path(), MAX_MEBIBYTES),
        None => Ok(Vec::new()),
    }
}

fn rows(text: &[u8]) -> csv::Result<Vec<Row>> {
    csv::Reader::from_reader(text).deserialize().collect()
}
