//! The list of all matches: `docs/results/matches.csv`.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tamarin_base::files::{Reader, Target, read_plain};

use crate::data::MAX_MEBIBYTES;
use crate::lock::check_new;

/// A row: what was played, and what came of it. Empty fields are not known.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// `M` and a number; sources and commits refer to it.
    pub id: String,
    /// Day of the match, `YYYY-MM-DD`.
    pub date: String,
    /// What was to be found out.
    pub what: String,
    /// The version from whose view results are counted: a commit.
    pub new: String,
    /// Its opponent: a commit, or another engine.
    pub old: String,
    /// The node counts of `bench` of both, the new version's first.
    pub bench: String,
    /// Time control in seconds, or nodes a move.
    pub limit: String,
    /// Options that are not as by default.
    pub options: String,
    /// Where the games began.
    pub book: String,
    /// Of the order of openings.
    pub seed: String,
    /// The program that played the games.
    pub runner: String,
    /// Games of finished pairs.
    pub games: String,
    /// Games won.
    pub wins: String,
    pub draws: String,
    /// Games lost.
    pub losses: String,
    /// Pairs with 0, 1, 2, 3 and 4 half points.
    pub pentanomial: String,
    pub elo: String,
    /// Half of its 95 % interval.
    pub error: String,
    /// The hypotheses of the test, and its model where that is not the usual one.
    pub sprt: String,
    /// Its log-likelihood ratio.
    pub llr: String,
    /// What else is to be known.
    pub remarks: String,
}

/// The list cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{path}")]
pub struct LedgerError {
    path: PathBuf,
    source: csv::Error,
}

impl LedgerError {
    fn on<E: Into<csv::Error>>(path: &Path) -> impl Fn(E) -> Self + '_ {
        |source| Self { path: path.to_owned(), source: source.into() }
    }
}

pub fn read(path: &Path) -> Result<Vec<Row>, LedgerError> {
    let text = read_plain(path, MAX_MEBIBYTES).map_err(LedgerError::on(path))?;
    rows(&text).map_err(LedgerError::on(path))
}

/// Makes sure, before a match, that a row can be appended after it and that the list is none of the
/// `others`, which the match reads or writes.
pub fn check<P: AsRef<Path>>(
    path: &Path,
    others: impl IntoIterator<Item = P>,
) -> Result<(), LedgerError> {
    let target = check_new(path, others).map_err(LedgerError::on(path))?;
    let text = text(&target).map_err(LedgerError::on(path))?;
    rows(&text).map(drop).map_err(LedgerError::on(path))
}

/// Appends a row under the next free id, which it returns. The file is made if it is not there.
pub fn append(path: &Path, mut row: Row) -> Result<String, LedgerError> {
    let target = Target::of_user(path).map_err(LedgerError::on(path))?;
    let before = text(&target).map_err(LedgerError::on(path))?;
    let number = |row: &Row| row.id.strip_prefix('M')?.parse::<u32>().ok();
    let rows = rows(&before).map_err(LedgerError::on(path))?;
    row.id = format!("M{}", rows.iter().filter_map(number).max().unwrap_or(0) + 1);
    // An editor may have left the last row without its end.
    let begin = if matches!(before.last(), None | Some(b'\n')) { "" } else { "\n" };
    let mut writer = csv::WriterBuilder::new()
        .has_headers(before.trim_ascii().is_empty())
        .from_writer(begin.as_bytes().to_vec());
    writer.serialize(&row).map_err(LedgerError::on(path))?;
    let text = writer.into_inner().map_err(|full| LedgerError::on(path)(full.into_error()))?;
    target
        .append(Reader::There)
        .and_then(|mut file| file.append(&text))
        .map_err(LedgerError::on(path))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_get_the_next_id() {
        let path = std::env::temp_dir().join(format!("tamarin-ledger-{}.csv", std::process::id()));
        let row = Row { what: "a, \"b\"".to_owned(), games: "2".to_owned(), ..Row::default() };
        assert_eq!(append(&path, row.clone()).unwrap(), "M1");
        let text = std::fs::read_to_string(&path).unwrap() + "M41,2026-01-31,,,,,,,,,,,,,,,,,,,\n";
        std::fs::write(&path, text).unwrap();
        assert_eq!(append(&path, row.clone()).unwrap(), "M42");
        let rows = read(&path).unwrap();
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[2], Row { id: "M42".to_owned(), ..row });
        std::fs::write(&path, "id,date\nM1\n").unwrap();
        assert!(append(&path, Row::default()).is_err());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn an_empty_list_gets_a_heading_and_a_last_row_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.csv");
        std::fs::write(&path, "").unwrap();
        assert_eq!(append(&path, Row::default()).unwrap(), "M1");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("id,date,what,"), "{text}");
        std::fs::write(&path, text.trim_end()).unwrap();
        assert_eq!(append(&path, Row::default()).unwrap(), "M2");
        let ids: Vec<_> = read(&path).unwrap().into_iter().map(|row| row.id).collect();
        assert_eq!(ids, ["M1", "M2"]);
    }

    #[test]
    fn a_list_that_cannot_be_continued_is_found_before_the_match() {
        let folder = tempfile::tempdir().unwrap();
        let [list, book, missing] =
            ["matches.csv", "book.epd", "no/list.csv"].map(|name| folder.path().join(name));
        check(&list, [&book]).unwrap();
        assert!(check(&list, [&list]).is_err());
        assert!(check(&missing, [&book]).is_err());
        std::fs::write(&list, "id,date\nM1\n").unwrap();
        assert!(check(&list, [&book]).is_err());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "only the list is there");
    }

    #[test]
    fn the_list_of_the_project_can_be_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results/matches.csv");
        let rows = read(&path).unwrap();
        assert!(rows.len() >= 57, "{} rows", rows.len());
        for row in rows {
            let number = |text: &str| text.parse::<u64>().unwrap_or(0);
            let [games, wins, draws, losses] =
                [&row.games, &row.wins, &row.draws, &row.losses].map(|text| number(text));
            assert_eq!(wins + draws + losses, games, "{}", row.id);
            let pairs: Vec<_> = row.pentanomial.split_whitespace().map(number).collect();
            if !pairs.is_empty() {
                assert_eq!(pairs.len(), 5, "{}", row.id);
                // Half of a pair may have been left over.
                let unpaired = games - 2 * pairs.iter().sum::<u64>();
                assert!(unpaired <= 1, "{}", row.id);
                let half_points: u64 = (0..).zip(&pairs).map(|(points, n)| points * n).sum();
                assert!((2 * wins + draws - half_points) <= 2 * unpaired, "{}", row.id);
            }
        }
    }
}
