//! Folders of the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for one test, removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tamarin-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a temporary file");
        text(&path)
    }

    pub fn pipe(&self, name: &str) -> String {
        let path = self.0.join(name);
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
        assert!(made.success());
        text(&path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is the system's to clean up.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn text(path: &Path) -> String {
    path.to_str().expect("a plain path").to_owned()
}
