//! Folders and processes of the tests.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::support::Launch;
use crate::support::engine::Finished;

/// A folder for one test, removed at its end.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The same as text.
    pub fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("a plain path").to_owned()
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).expect("a temporary file");
        self.name(name)
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Finished {
    Launch::new().args(arguments).run()
}

/// Runs it and expects the exit code 0.
pub fn good(arguments: &[&str]) -> Finished {
    let finished = run(arguments);
    assert_eq!(code(&finished), 0, "{arguments:?}: {}{}", finished.out, finished.err);
    finished
}

pub fn code(finished: &Finished) -> i32 {
    finished.status.code().expect("it ends by itself")
}
