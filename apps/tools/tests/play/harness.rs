//! Runs the game through pipes.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub use crate::support::engine::{Finished, binary};

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
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_vec();
    // The program may end before it has read everything.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    Finished::of(output)
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

/// The patience against hangs.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A game of which each line is read as it comes.
pub struct Session {
    child: Killed,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Session {
    pub fn start(mut command: Command) -> Self {
        let mut child = Killed(command.spawn().expect("it starts"));
        let stdin = child.0.stdin.take();
        let out = BufReader::new(child.0.stdout.take().expect("stdout is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines() {
                if sender.send(line.expect("output is UTF-8")).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, lines }
    }

    pub fn say(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        writeln!(stdin, "{text}").expect("it reads");
    }

    /// Reads on to a line that is wanted.
    pub fn until(&mut self, wanted: &str) {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.contains(wanted) => return,
                Ok(_) => {}
                Err(error) => panic!("{error} before {wanted:?}"),
            }
        }
    }

    /// Ends the input; what is still printed until the end, and nothing on standard error.
    pub fn rest(mut self) -> String {
        self.stdin = None;
        let lines: Vec<String> = self.lines.iter().collect();
        assert!(self.child.0.wait().expect("it ends").success());
        let mut errors = String::new();
        let stderr = self.child.0.stderr.as_mut().expect("stderr is piped");
        stderr.read_to_string(&mut errors).expect("messages are UTF-8");
        assert_eq!(errors, "", "unexpected on standard error");
        lines.join("\n")
    }
}
