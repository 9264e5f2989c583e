//! The process of an engine and the lines to and from it.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use parking_lot::Mutex;
use tamarin_base::files::lines::{self, next_ended_line, next_line};

use super::launch::{Launch, Stderr};

/// How long a program may take to leave after `quit`, and to be found ended after its last line.
const FAREWELL: Duration = Duration::from_millis(500);

/// Lines that may wait to be read; then the engine waits.
const WAITING: usize = 4096;

/// Lines of error output that are kept.
const KEPT: usize = 8;

/// A line of an engine, and when it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// When it was read.
    pub at: Instant,
    /// Without its end.
    pub text: String,
}

/// The writing end, which other threads may use to stop a search.
#[derive(Debug)]
pub(super) struct Input {
    stdin: ChildStdin,
    /// Whether a search runs that has not answered.
    pub is_searching: bool,
}

impl Input {
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.stdin.write_all(format!("{line}\n").as_bytes())?;
        self.stdin.flush()
    }
}

type KeptLines = Arc<Mutex<VecDeque<String>>>;

/// A running program; dropping it ends it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    pub input: Arc<Mutex<Input>>,
    pub lines: Receiver<Line>,
    errors: Option<(KeptLines, JoinHandle<()>)>,
    /// It does not answer, and perhaps does not read.
    pub is_hung: bool,
}

impl Process {
    pub fn start(launch: &Launch) -> io::Result<Self> {
        let mut command = Command::new(&launch.program);
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match launch.stderr {
            Stderr::Keep => Stdio::piped(),
            Stderr::Inherit => Stdio::inherit(),
        });
        // Ctrl-C at the terminal is for this program alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take().expect("invariant: stdin is piped");
        let stdout = child.stdout.take().expect("invariant: stdout is piped");
        let stderr = child.stderr.take();
        let (sender, lines) = bounded(WAITING);
        let input = Arc::new(Mutex::new(Input { stdin, is_searching: false }));
        let mut process = Self { child, input, lines, errors: None, is_hung: false };
        read_lines("engine", stdout, next_ended_line, move |text| {
            sender.send(Line { at: Instant::now(), text }).is_ok()
        })?;
        if let Some(stderr) = stderr {
            let kept = KeptLines::default();
            let shared = Arc::clone(&kept);
            let thread = read_lines("engine errors", stderr, next_line, move |text| {
                let mut kept = shared.lock();
                if kept.len() == KEPT {
                    kept.pop_front();
                }
                kept.push_back(text);
                true
            })?;
            process.errors = Some((kept, thread));
        }
        Ok(process)
    }

    /// How it ended and the end of its error output, once it has closed its output.
    pub fn ended(&mut self) -> (Option<ExitStatus>, Vec<String>) {
        let status = self.wait_shortly();
        let Some((kept, thread)) = &self.errors else { return (status, Vec::new()) };
        let deadline = Instant::now() + FAREWELL;
        while status.is_some() && !thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        (status, kept.lock().iter().cloned().collect())
    }

    fn wait_shortly(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A polite word first: some programs write files when they leave.
        if !self.is_hung {
            let mut input = self.input.lock();
            let told = input.send("stop").and_then(|()| input.send("quit"));
            drop(input);
            if told.is_ok() && self.wait_shortly().is_some() {
                return;
            }
        }
        // With the processes that a script has started.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands every line of a stream to `take`, until it returns `false`. No reply is too long.
fn read_lines<S: Read + Send + 'static>(
    name: &str,
    stream: S,
    next: fn(&mut BufReader<S>) -> io::Result<Option<lines::Line>>,
    take: impl Fn(String) -> bool + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        let mut stream = BufReader::new(stream);
        while let Ok(Some(line)) = next(&mut stream) {
            if let lines::Line::Text(text) = line
                && !take(text)
            {
                break;
            }
        }
    })
}
