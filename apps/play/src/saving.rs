//! Files that games are kept in: those that outlive the process, so that they can be gone on with,
//! and those that the player names.
//!
//! Each running game has a slot of its own: a file with the game, written whole after every move.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tamarin_base::files::{LockedFile, Old, Reader, Target, is_same, read_own, state_folder};
use tamarin_game::pgn::Outcome;

/// How many games can be kept or played at a time.
const SLOTS: usize = 20;

/// No kept game is larger.
const MAX_MEBIBYTES: u64 = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    New,
    /// That of the unfinished game that was played last.
    Unfinished,
}

/// Takes a slot of a folder, which is made if it is missing.
pub fn take(folder: &Path, wanted: Wanted) -> io::Result<LockedFile> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| io::Error::new(error.kind(), format!("{path}: {error}"))
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
        Wanted::New if !free.is_empty() => Ok(free.swap_remove(0).1),
        Wanted::New => Err(io::Error::other(format!("{SLOTS} games are being played already"))),
        Wanted::Unfinished => free.pop().map(|(_, slot)| slot).ok_or_else(|| {
            io::Error::other(format!("no unfinished game was kept in {}", folder.display()))
        }),
    }
}

/// A slot for a new game of this user.
///
/// # Errors
/// If there is no folder for it, or none is free.
pub fn new_slot() -> io::Result<LockedFile> {
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

/// Where games are saved, and the files that they come from, which are not written.
#[derive(Debug, Default)]
pub struct Saving {
    /// A file that always has all games of the session.
    file: Option<PathBuf>,
    is_replaced: bool,
    /// The games before the present one.
    earlier: Vec<String>,
    /// The present game, once it was to be written.
    present: Option<String>,
    /// The file could not be written, and lacks the present game as it is.
    is_behind: bool,
    inputs: Vec<PathBuf>,
}

impl Saving {
    /// Games that are kept in `file` and come from `inputs`.
    ///
    /// # Errors
    /// If the file is one of those.
    pub fn new(file: Option<&PathBuf>, inputs: Vec<PathBuf>) -> io::Result<Self> {
        // Whether it can be written is seen after the first move, and the game goes on without.
        if let Some(path) = file
            && let Ok(target) = Target::of_user(path)
        {
            target.unlike(&inputs).map_err(|error| {
                let path = path.display();
                io::Error::other(format!("{path}: {error}; save the game under another name"))
            })?;
        }
        Ok(Self { file: file.cloned(), inputs, ..Self::default() })
    }

    /// The file that always has all games of the session.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// A game was read from this file. It is not written any more, unless it is the one that the
    /// games are kept in and holds games of this session alone.
    pub fn has_read(&mut self, path: &Path) {
        if !(self.is_replaced && self.is_kept_in(path)) {
            self.inputs.push(path.to_owned());
        }
    }

    /// Keeps the present game in the file, behind those before it, if it has changed. A game in
    /// which nothing has happened yet is not written, and none is in a file that was given up. What
    /// was replaced, the first time.
    ///
    /// # Errors
    /// If it cannot be written; the file stays as it was.
    pub fn keep(&mut self, game: &str, has_begun: bool) -> io::Result<Option<Old>> {
        let Some(path) = self.file.clone() else { return Ok(None) };
        let is_kept = match &self.present {
            Some(present) => present == game && !self.is_behind,
            None => !has_begun,
        };
        if is_kept {
            return Ok(None);
        }
        if self.goes_on(game) {
            return Ok(None);
        }
        self.write_session(&path, game)
    }

    /// Returns `true` if the game before this one was loaded again, and goes on.
    fn goes_on(&mut self, game: &str) -> bool {
        let goes_on =
            self.present.is_none() && self.earlier.last().is_some_and(|last| last == game);
        if goes_on {
            self.present = self.earlier.pop();
        }
        goes_on
    }

    /// Writes the present game behind those before it. What was replaced, the first time.
    fn write_session(&mut self, path: &Path, game: &str) -> io::Result<Option<Old>> {
        let games = self.earlier.iter().map(|game| format!("{}\n\n", game.trim_end()));
        let text = format!("{}{game}", games.collect::<String>());
        // A game that could not be written is written with those after it.
        self.present = Some(game.to_owned());
        let written = self.write(path, &text);
        self.is_behind = written.is_err();
        let old = written?;
        let first = !std::mem::replace(&mut self.is_replaced, true);
        Ok(old.filter(|_| first))
    }

    /// Returns `true` if the games of the session are kept in this file.
    fn is_kept_in(&self, path: &Path) -> bool {
        self.file.as_ref().is_some_and(|file| is_same(file, path))
    }

    /// Saves the present game in a file of the player's choice: if the games of the session are kept
    /// there, behind those before it. What was replaced.
    ///
    /// # Errors
    /// As [`Self::keep`], or if a game was read from the file.
    pub fn save(&mut self, path: &Path, game: &str) -> io::Result<Option<Old>> {
        if !self.is_kept_in(path) {
            return self.write(path, game);
        }
        self.goes_on(game);
        self.write_session(path, game)
    }

    /// Writes a picture. What was replaced.
    ///
    /// # Errors
    /// If it cannot be written, or games are kept in the file or were read from it; it stays as it
    /// was.
    pub fn save_picture(&self, path: &Path, picture: &str) -> io::Result<Option<Old>> {
        if self.is_kept_in(path) {
            return Err(io::Error::other("the games of this session are kept there"));
        }
        self.write(path, picture)
    }

    /// Another game begins; the file goes on with it.
    pub fn begin_game(&mut self) {
        self.earlier.extend(self.present.take());
    }

    /// Writes a file as a whole, unless a game was read from it.
    fn write(&self, path: &Path, text: &str) -> io::Result<Option<Old>> {
        let target = Target::of_user(path)?;
        target.unlike(&self.inputs)?;
        target.write(text.as_bytes(), Reader::There)
    }
}

#[cfg(test)]
mod tests {
    use super::{Saving, Wanted, take};
    use std::fs;
    use std::path::PathBuf;
    use tamarin_base::files::LockedFile;
    use tempfile::TempDir;

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
        let none = take(&path, Wanted::Unfinished).unwrap_err().to_string();
        assert!(none.starts_with("no unfinished game was kept in "), "{none}");
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

    /// A folder, and the name that it has while it is not in its place.
    fn folder_that_can_go() -> (TempDir, [PathBuf; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let places = ["place", "away"].map(|name| folder.path().join(name));
        fs::create_dir(&places[0]).unwrap();
        (folder, places)
    }

    #[test]
    fn the_file_of_the_session_keeps_its_games_when_the_player_saves_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut saving = Saving::new(Some(&path), Vec::new()).unwrap();
        saving.keep("1. e4 *\n", true).unwrap();
        saving.begin_game();
        saving.save(&path, "1. d4 *\n").unwrap();
        let both = "1. e4 *\n\n1. d4 *\n";
        assert_eq!(fs::read_to_string(&path).unwrap(), both);
        assert!(saving.save_picture(&path, "<svg/>").is_err());
        saving.begin_game();
        saving.save(&path, "1. d4 *\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), both, "loaded again");
        let other = folder.path().join("one.pgn");
        saving.save(&other, "1. d4 *\n").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "1. d4 *\n");
    }

    #[test]
    fn a_game_that_could_not_be_written_is_written_with_the_next() {
        let (_folder, [place, away]) = folder_that_can_go();
        let path = place.join("games.pgn");
        let mut saving = Saving::new(Some(&path), Vec::new()).unwrap();
        saving.keep("1. e4 *\n", true).unwrap();
        fs::rename(&place, &away).unwrap();
        assert!(saving.keep("1. e4 e5 *\n", true).is_err());
        assert!(saving.keep("1. e4 e5 *\n", true).is_err(), "tried again");
        saving.begin_game();
        fs::rename(&away, &place).unwrap();
        saving.keep("*\n", false).unwrap();
        saving.keep("1. d4 *\n", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 e5 *\n\n1. d4 *\n");
    }
}
