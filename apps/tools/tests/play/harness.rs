//! Runs the game through pipes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The binary under test: this package's own, or the one that `TAMARIN_BIN` names.
pub fn binary() -> PathBuf {
    std::env::var_os("TAMARIN_BIN")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_tamarin-tools")), PathBuf::from)
}

/// The engine, which is built beside it.
pub fn engine() -> PathBuf {
    let path = binary().with_file_name("tamarin");
    assert!(path.is_file(), "build the engine first: cargo build --package tamarin-chess");
    path
}

/// What a process left behind.
pub struct Finished {
    pub out: String,
    pub err: String,
    pub status: ExitStatus,
    pub elapsed: Duration,
}

/// A player with a home of his own.
pub struct Home(TempDir);

impl Home {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).expect("a temporary file");
        text(&path)
    }

    /// The program with its arguments, line by line and without chance.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .arg("play")
            .args(["--seed", "1", "--no-book"])
            .args(arguments)
            // A locale without chess signs.
            .env("LC_ALL", "C")
            .env("XDG_STATE_HOME", self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Plays with these lines as input, to its end.
    pub fn play(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Finished {
        finish(self.command(arguments), input.as_ref())
    }

    /// The same, for a game that must go well.
    pub fn good(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> String {
        let finished = self.play(arguments, input);
        let Finished { out, err, status, .. } = finished;
        assert!(status.success() && err.is_empty(), "{arguments:?}: {status}: {err}{out}");
        out
    }

    /// The kept games.
    pub fn kept(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.0.path().join("tamarin"));
        let Ok(files) = files else { return Vec::new() };
        let paths = files.map(|file| file.expect("it can be read").path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "pgn")).collect()
    }
}

pub fn text(path: &Path) -> String {
    path.to_str().expect("a plain path").to_owned()
}

/// Runs a program with this input.
pub fn finish(mut command: Command, input: &[u8]) -> Finished {
    let begun = Instant::now();
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_vec();
    // The program may end before it has read everything.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    Finished {
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        status: output.status,
        elapsed: begun.elapsed(),
    }
}

/// A child that is killed when the test ends.
pub struct Killed(pub Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until something holds.
pub fn wait_until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + limit;
    while !holds() {
        assert!(Instant::now() < deadline, "not within {limit:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
