//! Runs the game through pipes.

use std::fs;
use std::ops::Deref;
use std::path::PathBuf;

use crate::support::Launch;
use crate::support::engine::Finished;
use crate::support::files::Folder;

/// A player with a home of his own.
pub struct Home(Folder);

impl Deref for Home {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Home {
    pub fn new() -> Self {
        Self(Folder::new())
    }

    /// The program with its arguments, line by line and without chance.
    pub fn launch(&self, arguments: &[&str]) -> Launch {
        Launch::new().args(&["play", "--seed", "1", "--no-book"]).args(arguments).configure(
            |command| {
                // A locale without chess signs.
                command.env("LC_ALL", "C").env("XDG_STATE_HOME", self.root());
            },
        )
    }

    /// Plays with these lines as input, to its end.
    pub fn play(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Finished {
        self.launch(arguments).feed(input.as_ref())
    }

    /// The same, for a game that must go well.
    pub fn good(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> String {
        let Finished { out, err, status } = self.play(arguments, input);
        assert!(status.success() && err.is_empty(), "{arguments:?}: {status}: {err}{out}");
        out
    }

    pub fn kept(&self) -> Vec<PathBuf> {
        let Ok(files) = fs::read_dir(self.path("tamarin")) else { return Vec::new() };
        let paths = files.map(|file| file.expect("it can be read").path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "pgn")).collect()
    }
}
