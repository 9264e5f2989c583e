//! Unfinished games that outlive the process.
//!
//! Each running game has a slot of its own: a file with the game, written whole after every move,
//! and a lock that the system lets go of when the process ends, however it ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tamarin_base::files::{LockedFile, read_own, state_folder};
use tamarin_game::pgn::Outcome;

/// How many games can be kept or played at a time.
const SLOTS: usize = 20;

/// No kept game is larger.
const MAX_MEBIBYTES: u64 = 16;

#[derive(Debug, thiserror::Error)]
pub enum SlotError {
    #[error(transparent)]
    NoFolder(#[from] io::Error),
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

/// Takes a slot of a folder, which is made if it is missing.
pub fn take(folder: &Path, wanted: Wanted) -> Result<LockedFile, SlotError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| SlotError::Folder { path, source }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut free = Vec::new();
    for number in 1..=SLOTS {
        let path = folder.join(format!("game-{number}.pgn"));
        let Some(slot) = LockedFile::lock(&path).map_err(failed(&path))? else { continue };
        match (wanted, unfinished_since(&path)) {
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
pub fn new_slot() -> Result<LockedFile, SlotError> {
    take(&state_folder()?, Wanted::New)
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
    use super::{SlotError, Wanted, take};
    use std::fs;
    use tamarin_base::files::LockedFile;

    const UNFINISHED: &str = "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 *\n";
    const FINISHED: &str = "[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";

    #[test]
    fn games_at_the_same_time_have_slots_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/tamarin");
        let first = take(&path, Wanted::New).unwrap();
        let second = take(&path, Wanted::New).unwrap();
        assert_ne!(first.path(), second.path());
        first.write(UNFINISHED.as_bytes()).unwrap();
        // The first is still being played.
        assert!(matches!(take(&path, Wanted::Unfinished), Err(SlotError::NothingKept(_))));
        let played = first.path().to_owned();
        drop(first);
        let third = take(&path, Wanted::New).unwrap();
        assert_ne!(third.path(), played, "an unfinished game was lost");
        assert_eq!(take(&path, Wanted::Unfinished).unwrap().path(), played);
    }

    #[test]
    fn the_last_unfinished_game_is_resumed_and_finished_ones_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let slots: Vec<LockedFile> =
            (0..3).map(|_| take(folder.path(), Wanted::New).unwrap()).collect();
        slots[0].write(FINISHED.as_bytes()).unwrap();
        slots[2].write(UNFINISHED.as_bytes()).unwrap();
        slots[1].write(UNFINISHED.as_bytes()).unwrap();
        let later = fs::File::options().append(true).open(slots[1].path()).unwrap();
        later
            .set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(9))
            .unwrap();
        let paths: Vec<_> = slots.iter().map(|slot| slot.path().to_owned()).collect();
        drop(slots);
        let resumed = take(folder.path(), Wanted::Unfinished).unwrap();
        assert_eq!(resumed.path(), paths[1]);
        let new = take(folder.path(), Wanted::New).unwrap();
        assert_eq!(new.path(), paths[0]);
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
            let slot = take(folder.path(), Wanted::New).unwrap();
            slot.write(game.as_bytes()).unwrap();
            drop(slot);
            let found = take(folder.path(), Wanted::Unfinished);
            assert_eq!(found.is_ok(), is_unfinished, "{game}");
            let _ = found.map(|slot| fs::remove_file(slot.path()));
        }
    }
}
