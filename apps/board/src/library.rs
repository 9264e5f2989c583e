//! The user's own files of games, kept between days: each a PGN file under a name of its own.

use std::fs;
use std::io::{self, Cursor, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use parking_lot::Mutex;
use tamarin_base::Fnv1a;
use tamarin_base::files::{read_own, write_own};
use tamarin_game::pgn;
use tamarin_game::pgn::games::Games;

use crate::explorer::Explorer;

/// No kept file is larger.
const MAX_MEBIBYTES: u64 = 16;

/// The longest name of a file, in characters.
const MAX_NAME: usize = 60;

/// Games of all files at most whose moves are known.
const MAX_GAMES: usize = 20_000;

/// How the names of kept and of forgotten files end.
const KEPT: &str = "pgn";
const FORGOTTEN: &str = "forgotten";

/// A kept file: its name, its size in bytes, and since when it is as it is.
pub type Entry = (String, u64, SystemTime);

/// What a file had when it was read or written.
pub type Stamp = u64;

pub fn stamp(text: &str) -> Stamp {
    Fnv1a::hash(text.as_bytes())
}

/// All kept files.
#[derive(Debug)]
pub struct Library {
    folder: PathBuf,
    /// The moves of their games, and the files that these are of.
    explorer: Mutex<Option<(Vec<Entry>, Arc<Explorer>)>>,
}

impl Library {
    /// Those in this folder, which need not be there yet.
    pub const fn at(folder: PathBuf) -> Self {
        Self { folder, explorer: Mutex::new(None) }
    }

    /// The path of a file. Names have letters, digits and few signs: nothing else becomes a part of a
    /// path.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let is_good = |c: char| c.is_alphanumeric() || " -_.,()+'".contains(c);
        let is_name = (1..=MAX_NAME).contains(&name.chars().count())
            && name.chars().all(is_good)
            && name.trim() == name
            && !name.starts_with('.');
        let text = "a name has letters, digits, spaces and - _ . , ( ) + '";
        let bad = || io::Error::new(ErrorKind::InvalidInput, text);
        is_name.then(|| self.folder.join(format!("{name}.{KEPT}"))).ok_or_else(bad)
    }

    /// All files by their names.
    pub fn list(&self) -> Vec<Entry> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let one = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let name = name.strip_suffix(KEPT)?.strip_suffix('.')?.to_owned();
            self.path(&name).ok()?;
            let data = entry.metadata().ok()?;
            Some((name, data.len(), data.modified().unwrap_or(SystemTime::UNIX_EPOCH)))
        };
        let mut found: Vec<Entry> = entries.flatten().filter_map(one).collect();
        found.sort();
        found
    }

    /// The games of a file.
    ///
    /// # Errors
    /// If there is no such file, or it is larger than 16 MiB.
    pub fn read(&self, name: &str) -> io::Result<String> {
        let bytes = read_own(&self.path(name)?, MAX_MEBIBYTES)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Keeps games as a file: in place of those that it has, if they are those of `known`, else behind
    /// them. Gives the games of the file then, unless others were there.
    ///
    /// # Errors
    /// If it cannot be written, would be larger than 16 MiB, or has changed since it was known. It stays
    /// as it is.
    pub fn write(
        &self,
        name: &str,
        games: &str,
        known: Option<Stamp>,
    ) -> io::Result<Option<Stamp>> {
        let path = self.path(name)?;
        fs::create_dir_all(&self.folder)?;
        let before = match self.read(name) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            before => before?,
        };
        let changed = "it has changed since it was opened; keep the games under another name";
        if known.is_some_and(|known| known != stamp(&before)) {
            return Err(io::Error::other(changed));
        }
        let text = match before.trim_end() {
            before if known.is_none() && !before.is_empty() => format!("{before}\n\n{games}"),
            _ => games.to_owned(),
        };
        if text.len() as u64 > MAX_MEBIBYTES << 20 {
            let text = format!("a kept file has at most {MAX_MEBIBYTES} MiB");
            return Err(io::Error::new(ErrorKind::FileTooLarge, text));
        }
        write_own(&path, text.as_bytes())?;
        Ok((text.len() == games.len()).then(|| stamp(&text)))
    }

    /// Sets a file aside, so that it can be restored.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn forget(&self, name: &str) -> io::Result<()> {
        let path = self.path(name)?;
        fs::rename(&path, path.with_file_name(format!("{name}.{FORGOTTEN}")))
    }

    /// A file that was forgotten is kept again.
    ///
    /// # Errors
    /// If there is none, or another one of its name.
    pub fn restore(&self, name: &str) -> io::Result<()> {
        let path = self.path(name)?;
        if path.exists() {
            return Err(io::Error::from(ErrorKind::AlreadyExists));
        }
        fs::rename(path.with_file_name(format!("{name}.{FORGOTTEN}")), path)
    }

    /// The moves of the games of all files. Games that cannot be read are left out.
    pub fn explorer(&self) -> Arc<Explorer> {
        let files = self.list();
        let mut known = self.explorer.lock();
        if let Some((_, explorer)) = known.as_ref().filter(|(of, _)| *of == files) {
            return Arc::clone(explorer);
        }
        let mut explorer = Explorer::default();
        let mut left = MAX_GAMES;
        for (name, ..) in &files {
            let Ok(text) = self.read(name) else { continue };
            let mut games = Games::new(Cursor::new(text.as_bytes()));
            while let Some(game) = (left > 0).then(|| games.next_game().ok().flatten()).flatten() {
                left -= 1;
                if let Ok(game) = pgn::read_any(&game, pgn::Wanted::Any) {
                    explorer.add(0, &game);
                }
            }
        }
        let explorer = Arc::new(explorer.finished());
        *known = Some((files, Arc::clone(&explorer)));
        explorer
    }
}
