//! Games that outlive the process: each in a file of its own, written whole after every change,
//! with a lock that the system lets go of when the process ends, however it ends.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tamarin_base::files::{LockedFile, read_own, state_folder, write_own};

use crate::protocol::Open;

/// No kept game is larger.
const MAX_MEBIBYTES: u64 = 16;

/// So many games are kept; those without a move or comment make room first, then the older ones.
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
    /// The clocks before it, in milliseconds.
    pub before: Option<[u64; 2]>,
}

/// A kept game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Saved {
    pub open: Open,
    /// The name of the game: rules and positions may be given without one.
    pub game: Option<String>,
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
    pub clock: Option<[u64; 2]>,
    /// The result and its reason, if the game is over.
    pub end: Option<[String; 3]>,
    pub names: [String; 2],
    #[serde(default)]
    pub tags: Vec<(String, String)>,
}

impl Saved {
    /// Returns `true` if there is nothing that a user has entered: no move, no comment, no position
    /// and no rules.
    pub const fn is_empty(&self) -> bool {
        let is_usual = self.open.fen.is_none() && self.open.rules.is_none();
        is_usual && !self.has_game()
    }

    /// Returns `true` if there is a move or a comment.
    const fn has_game(&self) -> bool {
        !self.nodes.is_empty() || !self.lead.is_empty()
    }
}

/// Where games are kept.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    /// Before anything was written others do not know the number of the game.
    file: Option<LockedFile>,
    last: String,
}

impl Folder {
    pub fn of_user() -> Result<Self, String> {
        Self::at(&state_folder().map_err(|error| error.to_string())?.join("board"))
    }

    pub fn at(path: &Path) -> Result<Self, String> {
        fs::create_dir_all(path).map_err(|error| failed(path, &error))?;
        Ok(Self(path.to_owned()))
    }

    /// Numbers of sessions are ours: nothing else becomes a part of a path.
    fn path(&self, id: &str, extension: &str) -> Option<PathBuf> {
        let is_id = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| self.0.join(format!("{id}.{extension}")))
    }

    /// A slot of the game of this number, unless another process has it.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn slot(&self, id: &str) -> Result<Option<Slot>, String> {
        let Some(path) = self.path(id, "json") else { return Ok(None) };
        let file = LockedFile::lock(&path).map_err(|error| failed(&path, &error))?;
        Ok(file.map(|file| Slot { path, file: Some(file), last: String::new() }))
    }

    /// A slot of a game that is new: there is no file before there is something to keep.
    pub fn new_slot(&self, id: &str) -> Option<Slot> {
        Some(Slot { path: self.path(id, "json")?, file: None, last: String::new() })
    }

    /// A kept game.
    pub fn read(&self, id: &str) -> Option<Saved> {
        let bytes = read_own(&self.path(id, "json")?, MAX_MEBIBYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The numbers of all kept games, the latest first. Those beyond the number that is kept are
    /// removed.
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
        if found.len() > MAX_GAMES {
            // A file that cannot be read may be a game of another version.
            let has_game = |id: &str| self.read(id).is_none_or(|saved| saved.has_game());
            found.sort_by_cached_key(|(since, id)| Reverse((has_game(id), *since)));
            for (_, id) in found.split_off(MAX_GAMES) {
                if matches!(self.slot(&id), Ok(Some(_))) {
                    self.remove(&id);
                }
            }
        }
        found.sort_by(|one, other| other.cmp(one));
        found.into_iter().map(|(_, id)| id).collect()
    }

    pub fn remove(&self, id: &str) {
        for path in ["json", "lock"].into_iter().filter_map(|extension| self.path(id, extension)) {
            // One that stays is offered again, which does no harm.
            let _ = fs::remove_file(path);
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

impl Slot {
    /// Keeps a game, once there is anything that a user has entered.
    ///
    /// # Errors
    /// If it cannot be written; what was kept before stays.
    pub fn keep(&mut self, saved: &Saved) -> Result<(), String> {
        let failed = |error: &io::Error| failed(&self.path, error);
        let file = match &mut self.file {
            Some(file) => file,
            None if saved.is_empty() => return Ok(()),
            none => {
                let file = LockedFile::lock(&self.path).map_err(|error| failed(&error))?;
                none.insert(file.ok_or_else(|| failed(&io::Error::other("it is locked")))?)
            }
        };
        let text = serde_json::to_string(saved).map_err(|error| error.to_string())?;
        if text != self.last {
            file.write(text.as_bytes()).map_err(|error| failed(&error))?;
            self.last = text;
        }
        Ok(())
    }

    /// Keeps a game under another number, which is new.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_as(&self, id: &str, saved: &Saved) -> Result<(), String> {
        let text = serde_json::to_string(saved).map_err(|error| error.to_string())?;
        let path = self.path.with_file_name(format!("{id}.json"));
        write_own(&path, text.as_bytes()).map_err(|error| failed(&path, &error))
    }
}
