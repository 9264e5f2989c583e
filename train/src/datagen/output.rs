//! The file of games, and beside it the recipe with the numbers that were handed out.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tamarin_base::files::{read_own, remove_unfinished_on_signal};

use super::Recipe;
use crate::ENGINE;
use crate::data::{Game, GameReader, Problem};
use crate::error::{Context, Result, reject};
use crate::report::report;
use crate::saved::{agree, beside, check, read_state, try_lock, write_own};

/// Numbers of games are reserved on disk in blocks of this size. What is not used of a block
/// when the program is killed is left out: that costs nothing.
const BLOCK: u64 = 1_000;

/// What is kept beside the games.
#[derive(Clone, Serialize, Deserialize)]
struct Journal {
    engine: String,
    /// Of that engine with the evaluator of the recipe.
    #[serde(default)]
    fingerprint: u64,
    recipe: Recipe,
    /// No game with this number or a greater one was ever begun.
    next_number: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    plies: u64,
    outcomes: [u64; 3],
}

impl Totals {
    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

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
pub struct Output {
    path: PathBuf,
    file: File,
    /// The bytes of the whole games in the file.
    length: u64,
    journal_path: PathBuf,
    journal: Journal,
    next: u64,
    totals: Totals,
    plies_before: u64,
}

impl Output {
    /// Opens the file, or begins it. If it is there it is read to its end, and what a
    /// killed process left of a last game is cut off. `fingerprint` is that of the engine.
    pub fn open(path: &Path, recipe: &Recipe, fingerprint: u64) -> Result<Self> {
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let journal_path = beside(&check(path, None::<&Path>)?, ".json");
        // Windows cuts nothing off a file that is opened for appending only.
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.context(path.display())?;
        try_lock(&file, path)?;
        let has_games = file.metadata().is_ok_and(|data| data.len() > 0);
        let (engine, recipe) = (ENGINE.to_owned(), recipe.clone());
        let fresh = Journal { engine, fingerprint, recipe, next_number: 0 };
        // Without the games that it counts they begin anew.
        let there = || read_state(&journal_path, "recipe", read_own);
        let journal = match if has_games { there()? } else { Some(fresh.clone()) } {
            Some(there) => fresh.continued(there, path)?,
            None => reject!(
                "{} is there without {}, so it cannot be continued; choose another file",
                path.display(),
                journal_path.display()
            ),
        };
        let (totals, length) = repair(path, &file)?;
        let (path, next, plies_before) = (path.to_owned(), journal.next_number, totals.plies);
        Ok(Self { path, file, length, journal_path, journal, next, totals, plies_before })
    }

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

    pub fn next_number(&mut self) -> Result<u64> {
        if self.next >= self.journal.next_number {
            self.journal.next_number = self.next + BLOCK;
            write_own(&self.journal_path, &self.journal)?;
        }
        self.next += 1;
        Ok(self.next - 1)
    }

    /// Appends a game in one piece. If that fails, nothing of it stays.
    pub fn append(&mut self, game: &Game) -> Result<()> {
        let bytes = game.encode().context(self.path.display())?;
        if let Err(error) = self.file.write_all(&bytes) {
            // If this fails too, the part is cut off when the file is opened again.
            let _ = self.file.set_len(self.length);
            return Err(error).context(self.path.display());
        }
        self.length += bytes.len() as u64;
        self.totals.add(game);
        Ok(())
    }
}

impl Journal {
    /// The journal that was kept beside the games, if it is of the same engine and recipe.
    fn continued(&self, mut journal: Self, games: &Path) -> Result<Self> {
        journal.recipe.openings.complete();
        agree(games, "engine", &journal.engine, &self.engine)?;
        agree(games, "recipe", &journal.recipe, &self.recipe)?;
        let what = "engine's node count at depth 9";
        agree(games, what, &journal.fingerprint, &self.fingerprint)?;
        Ok(journal)
    }
}

/// Counts the games of a file and their bytes, and cuts off what is left of an unfinished last one.
/// What is written next is appended. On Windows the lock keeps every other handle out.
fn repair(path: &Path, mut file: &File) -> Result<(Totals, u64)> {
    let mut totals = Totals::default();
    let mut reader = GameReader::new(BufReader::with_capacity(1 << 20, file), path);
    let end = loop {
        match reader.next() {
            Some(Ok(game)) => totals.add(&game),
            None if reader.is_packed() => {
                reject!("{}: packed games are not continued; choose another file", path.display())
            }
            None => break reader.offset(),
            Some(Err(error)) if matches!(error.problem, Problem::Truncated) => {
                let end = reader.offset();
                file.set_len(end).context(path.display())?;
                report!("{}: cut off a last game without an end, at byte {end}", path.display());
                break end;
            }
            Some(Err(error)) => return Err(error.into()),
        }
    };
    file.seek(SeekFrom::Start(end)).context(path.display())?;
    Ok((totals, end))
}
