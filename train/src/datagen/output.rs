//! The file of games, and beside it the recipe with the numbers that were handed out.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tamarin_base::files::{read_own, remove_unfinished_on_signal};

use super::{DatagenError, Recipe};
use crate::ENGINE;
use crate::data::{FileError, Game, GameReader, Problem, replace_own_file};
use crate::lock::{check, try_lock};
use crate::report::report;

/// Numbers of games are reserved on disk in blocks of this size. What is not used of a block
/// when the program is killed is left out: that costs nothing.
const BLOCK: u64 = 1_000;

/// What is kept beside the games.
#[derive(Serialize, Deserialize)]
struct Journal {
    engine: String,
    /// Of that engine with the evaluator of the recipe.
    #[serde(default)]
    fingerprint: u64,
    /// How it plays.
    recipe: Recipe,
    /// No game with this number or a greater one was ever begun.
    next_number: u64,
}

/// What a file of games holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Totals {
    plies: u64,
    outcomes: [u64; 3],
}

impl Totals {
    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// White's wins, draws and losses.
    pub fn results(&self) -> String {
        let [losses, draws, wins] = self.outcomes;
        format!("+{wins} ={draws} -{losses}")
    }

    fn add(&mut self, game: &Game) {
        self.plies += game.plies.len() as u64;
        self.outcomes[game.outcome.index()] += 1;
    }
}

/// Games are appended here, each at once and whole.
pub(super) struct Output {
    path: PathBuf,
    file: File,
    /// The bytes of the whole games in the file.
    length: u64,
    journal_path: PathBuf,
    journal: Journal,
    /// The next number to hand out.
    next: u64,
    totals: Totals,
    plies_before: u64,
}

impl Output {
    /// Opens the file, or begins it. If it is there it is read to its end, and what a
    /// killed process left of a last game is cut off. `fingerprint` is that of the engine.
    pub fn open(path: &Path, recipe: &Recipe, fingerprint: u64) -> Result<Self, DatagenError> {
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let there = check(path, None::<&Path>).map_err(FileError::on(path))?;
        let mut journal_path = there.into_os_string();
        journal_path.push(".json");
        let journal_path = PathBuf::from(journal_path);
        // Windows cuts nothing off a file that is opened for appending only.
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(FileError::on(path))?;
        try_lock(&file, path)?;
        let has_games = file.metadata().is_ok_and(|data| data.len() > 0);
        let (engine, recipe) = (ENGINE.to_owned(), recipe.clone());
        let fresh = Journal { engine, fingerprint, recipe, next_number: 0 };
        let journal = match read_own(&journal_path, 1) {
            // Without the games that it counts they begin anew.
            Ok(text) if has_games => fresh.continued(&text, path, &journal_path)?,
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(FileError { path: journal_path, source: error }.into());
            }
            Err(_) if has_games => {
                let games = path.to_owned();
                return Err(DatagenError::NoRecipe { games, recipe: journal_path });
            }
            _ => fresh,
        };
        let (totals, length) = repair(path, &file)?;
        let (path, next, plies_before) = (path.to_owned(), journal.next_number, totals.plies);
        Ok(Self { path, file, length, journal_path, journal, next, totals, plies_before })
    }

    /// What the file holds.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Plies written since it was opened.
    pub fn fresh_plies(&self) -> u64 {
        self.totals.plies - self.plies_before
    }

    /// What the file holds, as a line of text.
    pub fn summary(&self) -> String {
        let (games, plies) = (self.totals.games(), self.totals.plies);
        format!("{}: {games} games, {plies} plies, {}", self.path.display(), self.totals.results())
    }

    pub fn next_number(&mut self) -> Result<u64, DatagenError> {
        if self.next >= self.journal.next_number {
            self.journal.next_number = self.next + BLOCK;
            self.journal.write(&self.journal_path)?;
        }
        self.next += 1;
        Ok(self.next - 1)
    }

    /// Appends a game in one piece. If that fails, nothing of it stays.
    pub fn append(&mut self, game: &Game) -> Result<(), DatagenError> {
        let bytes = game.encode()?;
        if let Err(error) = self.file.write_all(&bytes) {
            // If this fails too, the part is cut off when the file is opened again.
            let _ = self.file.set_len(self.length);
            return Err(FileError::on(&self.path)(error).into());
        }
        self.length += bytes.len() as u64;
        self.totals.add(game);
        Ok(())
    }
}

impl Journal {
    /// The journal that was kept beside the games, if it is of the same engine and recipe.
    fn continued(&self, text: &[u8], games: &Path, path: &Path) -> Result<Self, DatagenError> {
        let mut journal: Self = serde_json::from_slice(text)
            .map_err(|source| DatagenError::BadRecipe { path: path.to_owned(), source })?;
        journal.recipe.openings.complete();
        let differs = |what, there: &dyn ToString, here: &dyn ToString| {
            let (there, here) = (there.to_string(), here.to_string());
            Err(DatagenError::OtherRecipe { path: games.to_owned(), what, there, here })
        };
        if journal.engine != self.engine {
            return differs("engine", &journal.engine, &self.engine);
        }
        if journal.recipe != self.recipe {
            let text = |recipe| serde_json::to_string(recipe).unwrap_or_default();
            return differs("recipe", &text(&journal.recipe), &text(&self.recipe));
        }
        if journal.fingerprint != self.fingerprint {
            let what = "engine's node count at depth 9";
            return differs(what, &journal.fingerprint, &self.fingerprint);
        }
        Ok(journal)
    }

    fn write(&self, path: &Path) -> Result<(), DatagenError> {
        let text = serde_json::to_vec_pretty(self)
            .map_err(|source| DatagenError::BadRecipe { path: path.to_owned(), source })?;
        Ok(replace_own_file(path, &text)?)
    }
}

/// Counts the games of a file and their bytes, and cuts off what is left of an unfinished last one.
/// What is written next is appended. On Windows the lock keeps every other handle out.
fn repair(path: &Path, mut file: &File) -> Result<(Totals, u64), DatagenError> {
    let mut totals = Totals::default();
    let mut reader = GameReader::new(BufReader::with_capacity(1 << 20, file), path);
    let end = loop {
        match reader.next_game() {
            Ok(Some(game)) => totals.add(&game),
            Ok(None) => break reader.offset(),
            Err(error) if matches!(error.problem, Problem::Truncated) => {
                let end = reader.offset();
                file.set_len(end).map_err(FileError::on(path))?;
                report!("{}: cut off a last game without an end, at byte {end}", path.display());
                break end;
            }
            Err(error) => return Err(error.into()),
        }
    };
    file.seek(SeekFrom::Start(end)).map_err(FileError::on(path))?;
    Ok((totals, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::samples::random_games;

    #[test]
    fn games_are_read_and_cut_through_the_locked_handle() {
        let game = random_games(1)[0].encode().unwrap();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[&game[..], &game[..40]].concat()).unwrap();
        file.rewind().unwrap();
        let (totals, end) = repair(Path::new("no such file"), &file).unwrap();
        assert_eq!((totals.games(), end), (1, game.len() as u64));
        assert_eq!(file.metadata().unwrap().len(), end);
        assert_eq!(file.stream_position().unwrap(), end);
    }
}
