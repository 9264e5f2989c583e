//! Which puzzles were solved on earlier days.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use tamarin_base::files::{read_own, write_own};

/// No such file is larger.
const MAX_MEBIBYTES: u64 = 64;

/// The first line of the file, with the version of what follows.
const HEADER: &str = "tamarin puzzles 1";

/// The name of the file in the folder of saved games.
pub const FILE_NAME: &str = "puzzles.txt";

/// What is known of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Entry {
    pub is_solved: bool,
    /// How often it was tried.
    pub tries: u32,
}

/// Why progress cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProgressError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    #[error("line {0} is not what this program writes; move the file away to begin anew")]
    Broken(usize),
}

/// The puzzles that were tried, in a file.
#[derive(Clone, Debug)]
pub struct Progress {
    path: PathBuf,
    entries: BTreeMap<u64, Entry>,
}

impl Progress {
    /// Reads the file in this folder; without one there is no progress yet.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written here. It stays as it is.
    pub fn open(folder: &Path) -> Result<Self, ProgressError> {
        let path = folder.join(FILE_NAME);
        let entries = match read_own(&path, MAX_MEBIBYTES) {
            Ok(bytes) => parse(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error.into()),
        };
        Ok(Self { path, entries })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the puzzle with this key was solved.
    pub fn is_solved(&self, key: u64) -> bool {
        self.entries.get(&key).is_some_and(|entry| entry.is_solved)
    }

    /// A puzzle was tried once more; writes the file. What other processes have written meanwhile
    /// is kept.
    ///
    /// # Errors
    /// If it cannot be written, or has become something else. It stays as it is.
    pub fn record(&mut self, key: u64, is_solved: bool) -> Result<(), ProgressError> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        self.entries = Self::open(folder)?.entries;
        let entry = self.entries.entry(key).or_default();
        entry.is_solved |= is_solved;
        entry.tries = entry.tries.saturating_add(1);
        Ok(write_own(&self.path, self.text().as_bytes())?)
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for (key, entry) in &self.entries {
            let word = if entry.is_solved { "solved" } else { "open" };
            text.push_str(&format!("{key:016x} {word} {}\n", entry.tries));
        }
        text
    }
}

fn parse(bytes: &[u8]) -> Result<BTreeMap<u64, Entry>, ProgressError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ProgressError::Broken(1))?;
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) || !text.ends_with('\n') {
        return Err(ProgressError::Broken(1));
    }
    let entry = |(index, line): (usize, &str)| entry(line).ok_or(ProgressError::Broken(index + 2));
    lines.enumerate().map(entry).collect()
}

/// `0123456789abcdef solved 3`
fn entry(line: &str) -> Option<(u64, Entry)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [key, word, tries] = words.as_slice() else { return None };
    let is_solved = match *word {
        "solved" => true,
        "open" => false,
        _ => return None,
    };
    let key = u64::from_str_radix(key, 16).ok().filter(|_| key.len() == 16)?;
    Some((key, Entry { is_solved, tries: tries.parse().ok()? }))
}

#[cfg(test)]
mod tests {
    use super::{FILE_NAME, Progress};
    use std::fs;

    #[test]
    fn progress_is_kept_and_joined_with_that_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Progress::open(folder.path()).unwrap();
        let mut second = Progress::open(folder.path()).unwrap();
        first.record(7, true).unwrap();
        second.record(8, false).unwrap();
        let again = Progress::open(folder.path()).unwrap();
        assert!(again.is_solved(7) && !again.is_solved(8) && !again.is_solved(9));
        // A puzzle that was solved once stays solved.
        second.record(7, false).unwrap();
        let text = fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        let lines = ["tamarin puzzles 1", "0000000000000007 solved 2", "0000000000000008 open 1"];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn a_broken_file_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        for (text, line) in [
            ("", 1),
            ("something else\n", 1),
            ("tamarin puzzles 1", 1),
            ("tamarin puzzles 1\n0000000000000007 solved 1\n7 solved 1\n", 3),
            ("tamarin puzzles 1\n0000000000000007 perhaps 1\n", 2),
        ] {
            fs::write(&path, text).unwrap();
            let error = Progress::open(folder.path()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line} ")), "{text:?}: {error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        // One that breaks while puzzles are solved is not written over.
        fs::remove_file(&path).unwrap();
        let mut progress = Progress::open(folder.path()).unwrap();
        fs::write(&path, "noise").unwrap();
        assert!(progress.record(1, true).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "noise");
    }
}
