//! Files that games and pictures are saved to because the player said so.

use std::io;
use std::path::{Path, PathBuf};

use tamarin_base::files::{Old, Reader, Target, is_same};

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

/// The file of `--save` is one that is read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}; save the game under another name", .path.display())]
pub struct SavingError {
    path: PathBuf,
    reason: io::Error,
}

impl Saving {
    /// Games that are kept in `file` and come from `inputs`.
    pub fn new(file: Option<&PathBuf>, inputs: Vec<PathBuf>) -> Result<Self, SavingError> {
        // Whether it can be written is seen after the first move, and the game goes on without.
        if let Some(path) = file
            && let Ok(target) = Target::of_user(path)
        {
            let refused = |reason| SavingError { path: path.clone(), reason };
            target.unlike(&inputs).map_err(refused)?;
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
    use super::Saving;
    use std::fs;
    use std::path::PathBuf;
    use tempfile::TempDir;

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
