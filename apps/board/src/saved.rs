//! Games that outlive the process: each in a file of its own, written whole after every change,
//! with a lock that the system lets go of when the process ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tamarin_files::{Reader, Target, open_own, read_own};

use crate::protocol::Open;

/// No kept game is larger.
const MAX_MEBIBYTES: u64 = 16;

/// So many games are kept; older ones make room.
const MAX_GAMES: usize = 50;

/// A move of a kept game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SavedNode {
    /// Its place in the list of the move before it; 0 is the first position.
    pub parent: usize,
    /// The move as commands name it.
    pub mv: String,
    /// Comments before it.
    #[serde(default)]
    pub lead: Vec<String>,
    #[serde(default)]
    pub comments: Vec<String>,
    #[serde(default)]
    pub nags: Vec<u8>,
    /// Variations that cannot be played.
    #[serde(default)]
    pub unread: Vec<String>,
}

/// A kept game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Saved {
    pub open: Open,
    /// The first position.
    pub start: String,
    /// The moves, each after that before it.
    pub nodes: Vec<SavedNode>,
    /// Comments about the first position.
    #[serde(default)]
    pub lead: Vec<String>,
    /// The node on the board.
    pub at: usize,
    /// The clocks, in milliseconds.
    #[serde(default)]
    pub clock: Option<[u64; 2]>,
    /// The result and its reason, if the game is over.
    #[serde(default)]
    pub end: Option<[String; 3]>,
    pub names: [String; 2],
    #[serde(default)]
    pub tags: Vec<(String, String)>,
}

/// Where games are kept.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

#[derive(Debug)]
pub struct Keeper {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
    last: String,
}

impl Folder {
    pub fn of_user() -> Result<Self, String> {
        let folder = tamarin_play::autosave::folder().map_err(|error| error.to_string())?;
        Self::at(&folder.join("board"))
    }

    pub fn at(path: &Path) -> Result<Self, String> {
        fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path.to_owned()))
    }

    /// Numbers of tables are ours: nothing else becomes a part of a path.
    fn path(&self, id: &str, extension: &str) -> Option<PathBuf> {
        let is_id = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| self.0.join(format!("{id}.{extension}")))
    }

    /// A keeper of the game of this number, unless another process has it.
    pub fn keeper(&self, id: &str) -> Option<Keeper> {
        let lock = open_own(&self.path(id, "lock")?).ok()?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
        }
        Some(Keeper { path: self.path(id, "json")?, _lock: lock, last: String::new() })
    }

    /// A kept game.
    pub fn read(&self, id: &str) -> Option<Saved> {
        let bytes = read_own(&self.path(id, "json")?, MAX_MEBIBYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The numbers of all kept games, the latest first. The oldest ones beyond the number that is
    /// kept are removed.
    pub fn list(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.0) else { return Vec::new() };
        let mut found: Vec<(SystemTime, String)> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let id = name.strip_suffix(".json")?.to_owned();
                self.path(&id, "json")?;
                let since = entry.metadata().and_then(|data| data.modified());
                Some((since.unwrap_or(SystemTime::UNIX_EPOCH), id))
            })
            .collect();
        found.sort_by(|one, other| other.cmp(one));
        for (_, id) in found.split_off(found.len().min(MAX_GAMES)) {
            if self.keeper(&id).is_some() {
                self.remove(&id);
            }
        }
        found.into_iter().map(|(_, id)| id).collect()
    }

    pub fn remove(&self, id: &str) {
        for path in ["json", "lock"].into_iter().filter_map(|extension| self.path(id, extension)) {
            // One that stays is offered again, which does no harm.
            let _ = fs::remove_file(path);
        }
    }
}

impl Keeper {
    /// Keeps a game. Whether it was written, or why not.
    ///
    /// # Errors
    /// If it cannot be written; what was kept before stays.
    pub fn keep(&mut self, saved: &Saved) -> Result<(), String> {
        let text = serde_json::to_string(saved).map_err(|error| error.to_string())?;
        if text == self.last {
            return Ok(());
        }
        let target = Target::of_program(&self.path).map_err(|error| error.to_string())?;
        target.write(text.as_bytes(), Reader::There).map_err(|error| error.to_string())?;
        self.last = text;
        Ok(())
    }
}
