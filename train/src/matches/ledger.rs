//! The list of all matches: `docs/results/matches.csv`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tamarin_files::{Reader, Target};

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
    /// The hypotheses of the test.
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

pub fn read(path: &Path) -> Result<Vec<Row>, LedgerError> {
    let error = |source| LedgerError { path: path.to_owned(), source };
    let mut reader = csv::Reader::from_path(path).map_err(error)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(error)
}

/// Appends a row under the next free id, which it returns. The file is made if it is not there.
pub fn append(path: &Path, mut row: Row) -> Result<String, LedgerError> {
    let fresh = !path.exists();
    let number = |row: &Row| row.id.strip_prefix('M')?.parse::<u32>().ok();
    let rows = if fresh { Vec::new() } else { read(path)? };
    row.id = format!("M{}", rows.iter().filter_map(number).max().unwrap_or(0) + 1);
    let error = |source| LedgerError { path: path.to_owned(), source };
    let mut writer = csv::WriterBuilder::new().has_headers(fresh).from_writer(Vec::new());
    writer.serialize(&row).map_err(error)?;
    let text = writer.into_inner().map_err(|full| error(full.into_error().into()))?;
    Target::of_user(path)
        .and_then(|target| target.append(Reader::There)?.append(&text))
        .map_err(|source| error(source.into()))?;
    Ok(row.id)
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
