//! The engine as a GUI sees it: a process behind pipes. Every wait ends, with a complaint, when
//! [`PATIENCE`] has run out; no other time decides about anything here. A panic anywhere in the
//! process ends the test, and so does any line on standard error, whenever it comes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::PATIENCE;
use super::info::Info;

/// The program of the package under test.
const OWN: Option<&str> = match option_env!("CARGO_BIN_EXE_tamarin") {
    Some(engine) => Some(engine),
    None => option_env!("CARGO_BIN_EXE_tamarin-tools"),
};

/// The binary under test: this package's own, or the one that `TAMARIN_BIN` names.
pub fn binary() -> PathBuf {
    let own = || PathBuf::from(OWN.expect("the package has a program"));
    std::env::var_os("TAMARIN_BIN").map_or_else(own, PathBuf::from)
}

/// The engine, which is built beside the program of the package under test.
pub fn engine_binary() -> PathBuf {
    let path = binary().with_file_name(format!("tamarin{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "build the engine first: cargo build --package tamarin-chess");
    path
}

/// Lines of a session that are shown when a test fails.
const SHOWN: usize = 60;

/// One line of output and when it arrived.
#[derive(Clone, Debug)]
pub struct Line {
    pub at: Instant,
    pub text: String,
}

/// Fails if a text that a process has printed shows that a thread of it has panicked.
pub fn assert_no_panic(text: &str) {
    let marks = ["panicked at", "memory allocation of"];
    let has_mark = marks.iter().any(|mark| text.contains(mark));
    assert!(!has_mark && !text.lines().any(reports_panic), "a panic in the process: {text}");
}

/// Returns `true` for the report of an internal error in either protocol, not for a line with these
/// words that an error message repeats.
fn reports_panic(line: &str) -> bool {
    let starts = ["info string internal error", "Error (internal error)", "# internal error"];
    starts.iter().any(|start| line.starts_with(start))
}

/// How to start the process.
pub struct Launch(Command);

impl Launch {
    pub fn new() -> Self {
        Self(Command::new(binary()))
    }

    /// Another program than the engine: for tests of this harness.
    pub fn program(program: &str) -> Self {
        Self(Command::new(program))
    }

    /// The engine under a limit of the shell's `ulimit`, such as `-v 1500000`.
    #[cfg(unix)]
    pub fn limited(limit: &str) -> Self {
        let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
        Self::program("sh").args(&["-c", &script]).configure(|command| {
            command.arg(binary());
        })
    }

    /// The engine with one heap for all threads: what it has of address space is what it uses.
    #[cfg(target_os = "linux")]
    pub fn one_arena() -> Self {
        Self::new().configure(|command| {
            command.env("MALLOC_ARENA_MAX", "1");
        })
    }

    pub fn args(mut self, args: &[&str]) -> Self {
        self.0.args(args);
        self
    }

    pub fn configure(mut self, change: impl FnOnce(&mut Command)) -> Self {
        change(&mut self.0);
        self
    }

    /// The process behind pipes.
    pub fn spawn(mut self) -> Child {
        self.0.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.0.spawn().expect("the binary starts")
    }

    pub fn start(self) -> Engine {
        let born = Instant::now();
        let mut child = self.spawn();
        Engine {
            stdin: child.stdin.take(),
            lines: spawn_reader(child.stdout.take().expect("stdout is piped")),
            errors: spawn_reader(child.stderr.take().expect("stderr is piped")),
            child,
            transcript: VecDeque::new(),
            born,
            asked: born,
            recent: Vec::new(),
        }
    }

    /// Runs to the end with nothing on standard input; standard output, error and status.
    pub fn run(mut self) -> Finished {
        Finished::of(self.0.stdin(Stdio::null()).output().expect("the binary starts"))
    }

    /// The same with this input.
    pub fn feed(self, input: &[u8]) -> Finished {
        let mut child = self.spawn();
        let mut stdin = child.stdin.take().expect("stdin is piped");
        thread::scope(|scope| {
            // It may end before it has read everything.
            scope.spawn(move || stdin.write_all(input));
            Finished::of(child.wait_with_output().expect("it ends"))
        })
    }
}

/// What a process left behind.
pub struct Finished {
    pub out: String,
    pub err: String,
    pub status: ExitStatus,
}

impl Finished {
    /// What a process that has not panicked left behind.
    pub fn of(output: Output) -> Self {
        let out = String::from_utf8(output.stdout).expect("output is UTF-8");
        let err = String::from_utf8(output.stderr).expect("messages are UTF-8");
        assert_no_panic(&out);
        assert_no_panic(&err);
        Self { out, err, status: output.status }
    }

    pub fn code(&self) -> i32 {
        self.status.code().expect("it ends by itself")
    }
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Finished {
    Launch::new().args(arguments).run()
}

/// Runs it and expects the exit code 0.
pub fn good(arguments: &[&str]) -> Finished {
    let finished = run(arguments);
    assert_eq!(finished.code(), 0, "{arguments:?}: {}{}", finished.out, finished.err);
    finished
}

/// A finished search as the client saw it.
#[derive(Clone, Debug)]
pub struct Search {
    /// Every line since the `bestmove` before, this search's own last.
    pub lines: Vec<Line>,
    /// The lines with a score.
    pub infos: Vec<Info>,
    /// The move, or `(none)`, or `0000`.
    pub best: String,
    pub ponder: Option<String>,
    /// From writing the last command to reading `bestmove`.
    pub elapsed: Duration,
}

impl Search {
    /// The last scored line of the first variation.
    pub fn last(&self) -> &Info {
        let found = self.infos.iter().rev().find(|info| info.multipv.unwrap_or(1) == 1);
        found.unwrap_or_else(|| panic!("no scored line in {:#?}", self.lines))
    }
}

/// A running engine. Dropping it kills the process, and fails the test if there is anything on
/// standard error.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    errors: Receiver<Line>,
    /// What was said last, for messages.
    transcript: VecDeque<String>,
    born: Instant,
    asked: Instant,
    /// What was said about searches since the last `bestmove`.
    recent: Vec<Line>,
}

impl Engine {
    /// Starts the binary without arguments.
    pub fn start() -> Self {
        Launch::new().start()
    }

    /// Starts it and says `uci`, reading on to `uciok`.
    pub fn ready() -> Self {
        let mut engine = Self::start();
        engine.send("uci");
        engine.until("uciok");
        engine
    }

    /// When the process was started.
    pub const fn born(&self) -> Instant {
        self.born
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// A number of the process now: `VmRSS:` is its resident memory in KiB, `Threads:` counts them.
    #[cfg(target_os = "linux")]
    pub fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()));
        let status = status.expect("the process runs");
        let line = status.lines().find(|line| line.starts_with(name)).expect("the field is there");
        line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
    }

    /// From now on the process gets `kib` KiB of address space more than it has, and no more.
    #[cfg(target_os = "linux")]
    pub fn allow_more_memory(&self, kib: u64) {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let limit = Some((self.status("VmSize:") + kib) * 1024);
        let pid = i32::try_from(self.id()).ok().and_then(Pid::from_raw).expect("it runs");
        prlimit(Some(pid), Resource::As, Rlimit { current: limit, maximum: limit })
            .expect("a process may be limited by who started it");
    }

    /// Writes `text` and a newline, in one write.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Writes the bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned();
        self.note(&format!("> {}", shown.trim_end()));
        self.asked = Instant::now();
        let stdin = self.stdin.as_mut().expect("standard input is still open");
        // A dead engine is found out by the next wait, with a better message.
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    /// When the last bytes were written.
    pub const fn asked(&self) -> Instant {
        self.asked
    }

    pub fn close_stdin(&mut self) {
        self.note("> (end of input)");
        self.stdin = None;
    }

    /// The next line, if one comes within `limit`; `Err` when the output is closed.
    pub fn line_within(&mut self, limit: Duration) -> Result<Option<Line>, Closed> {
        match self.lines.recv_timeout(limit) {
            // What it says without being asked, where it has no arguments.
            Ok(line) if is_first(&line.text) => self.line_within(limit),
            Ok(line) => {
                self.note(&format!("< {}", line.text));
                check_form(&line.text);
                if reports_panic(&line.text) {
                    let errors: Vec<_> = self.errors.try_iter().map(|line| line.text).collect();
                    self.fail(&format!("a panic in the process: {errors:#?}"));
                }
                if line.text.starts_with("info ") || line.text.starts_with("bestmove ") {
                    self.recent.push(line.clone());
                }
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Closed),
        }
    }

    /// Every line up to one whose first word is `word`, which comes last.
    pub fn until(&mut self, word: &str) -> Vec<Line> {
        self.until_line(word, PATIENCE, |text| text.split(' ').next() == Some(word))
    }

    /// Every line up to one that `wanted` accepts, which comes last.
    pub fn until_line(
        &mut self,
        what: &str,
        limit: Duration,
        wanted: impl Fn(&str) -> bool,
    ) -> Vec<Line> {
        let deadline = Instant::now() + limit;
        let mut lines: Vec<Line> = Vec::new();
        while !lines.last().is_some_and(|line| wanted(&line.text)) {
            match self.line_within(deadline.saturating_duration_since(Instant::now())) {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => self.fail(&format!("no {what:?} within {limit:?}")),
                Err(Closed) => self.fail(&format!("output closed while waiting for {what:?}")),
            }
        }
        lines
    }

    /// `isready` to `readyok`; the lines between.
    pub fn sync(&mut self) -> Vec<Line> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends lines that may only be answered by `info string`; the texts of those answers.
    pub fn notes(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        let lines = self.sync();
        // Behind the board and the counts of perft stands an empty line.
        let notes = lines.iter().filter(|line| !line.text.is_empty());
        let notes = notes.map(|line| line.text.strip_prefix("info string "));
        let notes: Option<Vec<_>> = notes.map(|note| note.map(str::to_owned)).collect();
        notes.unwrap_or_else(|| self.fail(&format!("{text:?} answered by {lines:?}")))
    }

    /// Sends lines that must not be answered at all.
    pub fn quietly(&mut self, text: &str) {
        let notes = self.notes(text);
        if !notes.is_empty() {
            self.fail(&format!("{text:?} answered by {notes:?}"));
        }
    }

    /// Watches for `span`: nothing at all may be said. A sound engine passes however slow the
    /// machine is.
    pub fn silent_for(&mut self, span: Duration) {
        if let Ok(Some(line)) = self.line_within(span) {
            self.fail(&format!("unexpected {:?}", line.text));
        }
    }

    /// Watches for `span`: there may be no `bestmove`; other lines pass. A sound engine passes
    /// however slow the machine is.
    pub fn no_bestmove_for(&mut self, span: Duration) {
        let deadline = Instant::now() + span;
        while let Ok(Some(line)) =
            self.line_within(deadline.saturating_duration_since(Instant::now()))
        {
            if line.text.starts_with("bestmove") {
                self.fail("a bestmove that nobody asked for");
            }
        }
    }

    /// Sends `command` (a `go`) and waits for its `bestmove`.
    pub fn go(&mut self, command: &str) -> Search {
        self.send(command);
        self.search()
    }

    /// Waits for the `bestmove` of a search begun before.
    pub fn search(&mut self) -> Search {
        let asked = self.asked;
        self.until("bestmove");
        let lines = std::mem::take(&mut self.recent);
        let last = lines.last().expect("until() returns the line it waited for");
        let elapsed = last.at.saturating_duration_since(asked);
        let words: Vec<&str> = last.text.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best.to_owned(), None),
            ["bestmove", best, "ponder", reply] => (best.to_owned(), Some(reply.to_owned())),
            _ => self.fail(&format!("malformed {:?}", last.text)),
        };
        let infos = lines.iter().filter_map(|line| Info::parse(&line.text)).collect();
        Search { lines, infos, best, ponder, elapsed }
    }

    /// `quit`, then a clean end and nothing said but info lines.
    pub fn quit(mut self) {
        self.send("quit");
        let said = self.expect_exit();
        let is_info = |text: &str| text.is_empty() || text.starts_with("info ");
        if !said.iter().all(|line| is_info(&line.text)) {
            self.fail(&format!("unsolicited output before the end: {said:#?}"));
        }
    }

    /// The process ends by itself, with status 0; what it said until then.
    pub fn expect_exit(&mut self) -> Vec<Line> {
        let (lines, status) = self.exit_within(PATIENCE);
        if !status.success() {
            self.fail(&format!("{status}; standard error: {:#?}", self.rest_of_errors()));
        }
        lines
    }

    /// The process ends by itself; what it said until then, and how it ended.
    pub fn exit_within(&mut self, limit: Duration) -> (Vec<Line>, ExitStatus) {
        let deadline = Instant::now() + limit;
        let mut lines = Vec::new();
        while let Ok(next) = self.line_within(deadline.saturating_duration_since(Instant::now())) {
            lines
                .push(next.unwrap_or_else(|| self.fail(&format!("still running after {limit:?}"))));
        }
        loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                return (lines, status);
            }
            if Instant::now() > deadline {
                self.fail(&format!("output closed, but still running after {limit:?}"));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// What it has written to standard error until its end, which must have come.
    fn rest_of_errors(&self) -> Vec<String> {
        let lines = std::iter::from_fn(|| self.errors.recv_timeout(PATIENCE).ok());
        lines.map(|line| line.text).collect()
    }

    /// Ends the test, showing what was said.
    pub fn fail(&self, complaint: &str) -> ! {
        let lines: Vec<&str> = self.transcript.iter().map(String::as_str).collect();
        panic!("{complaint}\nlast lines of the session:\n{}", lines.join("\n"));
    }

    fn note(&mut self, line: &str) {
        let at = self.born.elapsed().as_millis();
        if self.transcript.len() == SHOWN {
            self.transcript.pop_front();
        }
        self.transcript.push_back(format!("{at:>7} {line}"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Both fail when the process is gone already, which is how most tests end.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if thread::panicking() {
            return;
        }
        let errors = self.rest_of_errors();
        if !errors.is_empty() {
            self.fail(&format!("unexpected on standard error: {errors:#?}"));
        }
        // Lines that the test did not wait for.
        self.lines.iter().for_each(|line| assert_no_panic(&line.text));
    }
}

/// The engine has closed its output.
#[derive(Debug)]
pub struct Closed;

/// The lines of a stream, read by a thread.
fn is_first(text: &str) -> bool {
    text.starts_with("Tamarin ") && text.ends_with(" by the Tamarin developers")
}

fn spawn_reader(stream: impl Read + Send + 'static) -> Receiver<Line> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let text = match bytes.strip_suffix(b"\n") {
                Some(line) => String::from_utf8_lossy(line).into_owned(),
                None => format!("{} (line not ended)", String::from_utf8_lossy(&bytes)),
            };
            if sender.send(Line { at: Instant::now(), text }).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    receiver
}

/// Every line of the protocol has single blanks and no carriage return.
fn check_form(text: &str) {
    const WORDS: [&str; 6] = ["info", "bestmove", "id", "option", "uciok", "readyok"];
    let trimmed = text.trim();
    if !WORDS.contains(&trimmed.split_whitespace().next().unwrap_or("")) {
        return;
    }
    assert!(text == trimmed, "blanks around {text:?}");
    assert!(!text.contains('\r') && !text.contains('\t'), "control characters in {text:?}");
    let is_free = text.starts_with("info string");
    assert!(is_free || !text.contains("  "), "double blanks in {text:?}");
}
