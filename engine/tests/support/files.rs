//! Folders of the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder for one test, removed at its end.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// The same as text.
    pub fn name(&self, name: &str) -> String {
        text(&self.path(name))
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).expect("a temporary file");
        self.name(name)
    }

    pub fn pipe(&self, name: &str) -> String {
        let made = Command::new("mkfifo").arg(self.path(name)).status().expect("mkfifo runs");
        assert!(made.success());
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

pub fn text(path: &Path) -> String {
    path.to_str().expect("a plain path").to_owned()
}
