//! Files that games and pictures are saved to because the player said so.

use std::io;
use std::path::{Path, PathBuf};

use tamarin_files::{Old, Reader, Target, is_same};

/// Where games are saved, and the files that they come from, which are not written.
#[derive(Debug, Default)]
pub struct Saving {
    /// A file that always has the whole game.
    file: Option<PathBuf>,
    is_replaced: bool,
    inputs: Vec<PathBuf>,
}

/// The file of `--save` is one that is read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}; save the game under another name", .path.display())]
pub struct SavingError {
    path: PathBuf,
    reason: io::Error,
}

impl Saving {
    /// A game that is kept in `file` and comes from `inputs`.
    pub fn new(file: Option<&PathBuf>, inputs: Vec<PathBuf>) -> Result<Self, SavingError> {
        // Whether it can be written is seen after the first move, and the game goes on without.
        if let Some(path) = file
            && let Ok(target) = Target::of_user(path)
        {
            let refused = |reason| SavingError { path: path.clone(), reason };
            target.unlike(&inputs).map_err(refused)?;
        }
        Ok(Self { file: file.cloned(), is_replaced: false, inputs })
    }

    /// The file that always has the whole game.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// It is not written any more.
    pub fn give_up(&mut self) {
        self.file = None;
    }

    /// A game was read from this file. The one that this game is kept in may be read again.
    pub fn has_read(&mut self, path: &Path) {
        if self.file.as_ref().is_none_or(|file| !is_same(file, path)) {
            self.inputs.push(path.to_owned());
        }
    }

    /// Keeps the whole game in its file. What was replaced, the first time.
    ///
    /// # Errors
    /// If it cannot be written; the file stays as it was.
    pub fn keep(&mut self, text: &str) -> io::Result<Option<Old>> {
        let Some(path) = &self.file else { return Ok(None) };
        let old = self.write(path, text)?;
        let first = !std::mem::replace(&mut self.is_replaced, true);
        Ok(old.filter(|_| first))
    }

    /// Writes a file as a whole. What was replaced.
    ///
    /// # Errors
    /// If it cannot be written, or is one that a game was read from; it stays as it was.
    pub fn write(&self, path: &Path, text: &str) -> io::Result<Option<Old>> {
        let target = Target::of_user(path)?;
        target.unlike(&self.inputs)?;
        target.write(text.as_bytes(), Reader::There)
    }
}

/// A sentence about a file that was replaced, behind another sentence.
pub fn replaced(old: Option<Old>) -> String {
    old.map_or(String::new(), |old| format!(" It {old}."))
}
