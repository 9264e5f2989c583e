//! Unfinished games that outlive the process.
//!
//! Each running game has a slot of its own: a file with the game, written whole after every move,
//! and a lock that the system lets go of when the process ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tamarin_base::files::{Reader, Target, open_own, read_own};
use tamarin_game::pgn::Outcome;

/// How many games can be kept or played at a time.
const SLOTS: usize = 20;

/// No kept game is larger.
const MAX_MEBIBYTES: u64 = 16;

/// A place for one game.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

#[derive(Debug, thiserror::Error)]
pub enum SlotError {
    #[error("no folder for saved games: HOME is not set")]
    NoFolder,
    #[error("{}: {source}", .path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("{SLOTS} games are being played already")]
    AllInUse,
    #[error("no unfinished game was kept in {}", .0.display())]
    NothingKept(PathBuf),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    New,
    /// That of the unfinished game that was played last.
    Unfinished,
}

/// The folder for saved games of this user.
pub fn folder() -> Result<PathBuf, SlotError> {
    let variable = |name: &str| {
        let value = std::env::var_os(name).map(PathBuf::from);
        value.filter(|path| path.is_absolute())
    };
    let base = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        // Source: the XDG Base Directory Specification 0.8.
        variable("XDG_STATE_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".local/state")))
    };
    base.map(|base| base.join("tamarin")).ok_or(SlotError::NoFolder)
}

impl Slot {
    /// Takes a slot of a folder, which is made if it is missing.
    pub fn take(folder: &Path, wanted: Wanted) -> Result<Self, SlotError> {
        let failed = |source| SlotError::Folder { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        let mut free = Vec::new();
        for number in 1..=SLOTS {
            let lock = folder.join(format!("game-{number}.lock"));
            let lock = open_own(&lock)
                .map_err(|source| SlotError::Folder { path: lock.clone(), source })?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
            let path = folder.join(format!("game-{number}.pgn"));
            let kept = unfinished_since(&path);
            let slot = Self { path, _lock: lock };
            match (wanted, kept) {
                (Wanted::New, None) => return Ok(slot),
                (Wanted::Unfinished, None) => {}
                (_, Some(since)) => free.push((since, slot)),
            }
        }
        free.sort_by_key(|(since, _)| *since);
        match wanted {
            // The oldest of the unfinished games makes room.
            Wanted::New if free.is_empty() => Err(SlotError::AllInUse),
            Wanted::New => Ok(free.swap_remove(0).1),
            Wanted::Unfinished => {
                let last = free.pop().map(|(_, slot)| slot);
                last.ok_or_else(|| SlotError::NothingKept(folder.to_owned()))
            }
        }
    }

    /// A slot for a new game of this user.
    ///
    /// # Errors
    /// If there is no folder for it, or none is free.
    pub fn of_user() -> Result<Self, SlotError> {
        Self::take(&folder()?, Wanted::New)
    }

    /// Another slot of the same folder; the game of this one stays.
    ///
    /// # Errors
    /// If none is free.
    pub fn another(&self) -> Result<Self, SlotError> {
        Self::take(self.path.parent().unwrap_or(Path::new(".")), Wanted::New)
    }

    /// The file with the game.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// If it cannot be written; what was kept before stays.
    pub fn keep(&self, pgn: &str) -> io::Result<()> {
        Target::of_program(&self.path)?.write(pgn.as_bytes(), Reader::There).map(drop)
    }

    /// There is nothing to keep.
    pub fn clear(&self) {
        // A game that stays is offered again, which does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// When the game of a file was written, if there is one and it is unfinished.
fn unfinished_since(path: &Path) -> Option<SystemTime> {
    let text = String::from_utf8(read_own(path, MAX_MEBIBYTES).ok()?).ok()?;
    let since = fs::metadata(path).and_then(|found| found.modified());
    is_unfinished(&text).then(|| since.unwrap_or(SystemTime::UNIX_EPOCH))
}

/// Returns `true` if there is a game and neither its tags nor its end say a result.
pub fn is_unfinished(text: &str) -> bool {
    let tag = text.lines().find_map(|line| line.strip_prefix("[Result \"")?.strip_suffix("\"]"));
    let Some(last) = text.split_whitespace().next_back() else { return false };
    [tag.unwrap_or(last), last].iter().all(|marker| Outcome::of(marker) == Outcome::Unknown)
}

#[cfg(test)]
mod tests {
    use super::{Slot, SlotError, Wanted};
    use std::fs;

    const UNFINISHED: &str = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 *\n";
    const FINISHED: &str = "[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";

    #[test]
    fn games_at_the_same_time_have_slots_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/tamarin");
        let first = Slot::take(&path, Wanted::New).unwrap();
        let second = Slot::take(&path, Wanted::New).unwrap();
        assert_ne!(first.path(), second.path());
        first.keep(UNFINISHED).unwrap();
        // The first is still being played.
        assert!(matches!(Slot::take(&path, Wanted::Unfinished), Err(SlotError::NothingKept(_))));
        let played = first.path().to_owned();
        drop(first);
        let third = Slot::take(&path, Wanted::New).unwrap();
        assert_ne!(third.path(), played, "an unfinished game was lost");
        assert_eq!(Slot::take(&path, Wanted::Unfinished).unwrap().path(), played);
    }

    #[test]
    fn the_last_unfinished_game_is_resumed_and_finished_ones_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let slots: Vec<Slot> =
            (0..3).map(|_| Slot::take(folder.path(), Wanted::New).unwrap()).collect();
        slots[0].keep(FINISHED).unwrap();
        slots[2].keep(UNFINISHED).unwrap();
        slots[1].keep(UNFINISHED).unwrap();
        let later = fs::File::options().append(true).open(slots[1].path()).unwrap();
        later
            .set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(9))
            .unwrap();
        let paths: Vec<_> = slots.iter().map(|slot| slot.path().to_owned()).collect();
        drop(slots);
        let resumed = Slot::take(folder.path(), Wanted::Unfinished).unwrap();
        assert_eq!(resumed.path(), paths[1]);
        let new = Slot::take(folder.path(), Wanted::New).unwrap();
        assert_eq!(new.path(), paths[0]);
        new.clear();
        assert!(!paths[0].exists());
    }

    #[test]
    fn games_are_unfinished_with_and_without_tags_of_their_result() {
        let folder = tempfile::tempdir().unwrap();
        let other_order = "[Result \"*\"]\n[White \"x\"]\n\n1. e4 *\n";
        for (game, is_unfinished) in [
            ("1. e4 e5 *\n", true),
            ("1. e4 e5\n", true),
            (other_order, true),
            (FINISHED, false),
            ("[Result \"1-0\"]\n\n1. e4 *\n", false),
            ("1. e4 e5 1-0\n", false),
            ("\n", false),
        ] {
            let slot = Slot::take(folder.path(), Wanted::New).unwrap();
            slot.keep(game).unwrap();
            drop(slot);
            let found = Slot::take(folder.path(), Wanted::Unfinished);
            assert_eq!(found.is_ok(), is_unfinished, "{game}");
            found.iter().for_each(Slot::clear);
        }
    }
}
