//! An engine process that is spoken to in UCI.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, unbounded};

/// Patience with starting and `isready`.
const PATIENCE: Duration = Duration::from_secs(20);

/// Patience with a move that is limited by nodes.
const MOVE_PATIENCE: Duration = Duration::from_secs(600);

/// Patience with a player whose time is up: it has lost, but may go on to the next game.
const FLAG_PATIENCE: Duration = Duration::from_secs(3);

/// How often a wait looks whether the match was stopped.
const LOOK: Duration = Duration::from_millis(50);

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What it is called in the report.
    pub name: String,
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options that are set if the engine has them, and their values.
    pub options: Vec<(String, String)>,
}

/// Why an engine has to be given up.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// It cannot be started.
    #[error("cannot start {program}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// It ended.
    #[error("ended by itself")]
    Crash,
    /// It does not answer.
    #[error("does not answer")]
    Stall,
    /// The match was stopped meanwhile; nobody's fault.
    #[error("stopped")]
    Stopped,
}

/// An answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// The word after `bestmove`.
    pub best: String,
    /// Centipawns or moves to mate, for the side to move; `None` without a scored line.
    pub score: Option<Reported>,
    /// Depth of that line.
    pub depth: u32,
    /// From writing `go` to reading `bestmove`.
    pub used: Duration,
}

/// A score as UCI writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reported {
    Centipawns(i32),
    /// Moves to mate, negative if the side to move is mated.
    Mate(i32),
}

impl Reported {
    /// Centipawns, mates beyond any other score.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        match self {
            Self::Centipawns(score) => score,
            Self::Mate(moves) if moves > 0 => MATE - moves,
            Self::Mate(moves) => -MATE - moves,
        }
    }
}

/// A running engine; dropping it ends the process.
pub(super) struct Player<'a> {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<(Instant, String)>,
    stopped: &'a AtomicBool,
}

impl<'a> Player<'a> {
    /// Starts the engine and sets its options.
    pub fn start(launch: &Launch, stopped: &'a AtomicBool) -> Result<Self, PlayerError> {
        let error = |source| PlayerError::Start { program: launch.program.clone(), source };
        let mut command = Command::new(&launch.program);
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        // Ctrl-C at the terminal is for the referee alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(error)?;
        let stdin = child.stdin.take().expect("invariant: stdin is piped");
        let stdout = child.stdout.take().expect("invariant: stdout is piped");
        let (sender, lines) = unbounded();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        let mut player = Self { child, stdin, lines, stopped };
        player.set_up(&launch.options)?;
        Ok(player)
    }

    fn set_up(&mut self, options: &[(String, String)]) -> Result<(), PlayerError> {
        self.send("uci")?;
        let mut known = HashSet::new();
        self.read_until("uciok", PATIENCE, |line| {
            if let Some(rest) = line.strip_prefix("option name ") {
                known.insert(rest.split(" type ").next().unwrap_or(rest).to_lowercase());
            }
        })?;
        for (name, value) in options {
            if known.contains(&name.to_lowercase()) {
                self.send(&format!("setoption name {name} value {value}"))?;
            }
        }
        self.ready()
    }

    fn ready(&mut self) -> Result<(), PlayerError> {
        self.send("isready")?;
        self.read_until("readyok", PATIENCE, |_| {}).map(drop)
    }

    /// Makes it forget the game before.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.send("ucinewgame")?;
        self.ready()
    }

    /// Lets it think, for at most `left` where that is given, and a little patience beyond it.
    pub fn go(
        &mut self,
        position: &str,
        limits: &str,
        left: Option<Duration>,
    ) -> Result<Answer, PlayerError> {
        self.send(position)?;
        let start = Instant::now();
        self.send(limits)?;
        let patience = left.map_or(MOVE_PATIENCE, |left| left + FLAG_PATIENCE);
        let (mut score, mut depth) = (None, 0);
        let (end, line) = self.read_until("bestmove", patience, |line| {
            if let Some((found, at)) = read_info(line) {
                (score, depth) = (Some(found), at);
            }
        })?;
        let best = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
        Ok(Answer { best, score, depth, used: end.saturating_duration_since(start) })
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let written = self.stdin.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| self.stdin.flush()).map_err(|_| PlayerError::Crash)
    }

    /// Reads on to the line that begins with `word`; that line and when it came.
    fn read_until(
        &mut self,
        word: &str,
        patience: Duration,
        mut see: impl FnMut(&str),
    ) -> Result<(Instant, String), PlayerError> {
        let deadline = Instant::now() + patience;
        loop {
            if self.stopped.load(Ordering::Relaxed) {
                return Err(PlayerError::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok((at, line)) if line.split_whitespace().next() == Some(word) => {
                    return Ok((at, line));
                }
                Ok((_, line)) => see(&line),
                Err(RecvTimeoutError::Disconnected) => return Err(PlayerError::Crash),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(PlayerError::Stall),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Player<'_> {
    fn drop(&mut self) {
        // A polite word first: some engines write files when they leave.
        if self.send("quit").is_ok() {
            for _ in 0..20 {
                if !matches!(self.child.try_wait(), Ok(None)) {
                    return;
                }
                thread::sleep(LOOK / 10);
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Score and depth of a line about the best line of play; bounds do not count.
fn read_info(line: &str) -> Option<(Reported, u32)> {
    let words: Vec<_> = line.split_whitespace().collect();
    let after = |name| Some(*words.get(words.iter().position(|&word| word == name)? + 1)?);
    let bound = words.iter().any(|&word| word == "lowerbound" || word == "upperbound");
    let other = after("multipv").is_some_and(|number| number != "1");
    if words.first() != Some(&"info") || words.get(1) == Some(&"string") || bound || other {
        return None;
    }
    let score = match after("score")? {
        "cp" => Reported::Centipawns(after("cp")?.parse().ok()?),
        "mate" => Reported::Mate(after("mate")?.parse().ok()?),
        _ => return None,
    };
    Some((score, after("depth").and_then(|depth| depth.parse().ok()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_info_lines() {
        let read = |text: &str| read_info(&format!("info {text}"));
        let line = "depth 12 seldepth 20 multipv 1 score cp -31 nodes 9 pv e2e4 e7e5";
        assert_eq!(read(line), Some((Reported::Centipawns(-31), 12)));
        assert_eq!(read("depth 3 score mate -2 pv a1a2"), Some((Reported::Mate(-2), 3)));
        assert_eq!(read("depth 3 score cp 10 lowerbound"), None);
        assert_eq!(read("depth 3 multipv 2 score cp 10"), None);
        assert_eq!(read("string score cp 10"), None);
        assert_eq!(read("depth 3 currmove e2e4"), None);
        assert_eq!(read_info("bestmove e2e4"), None);
    }

    #[test]
    fn mates_are_beyond_all_scores() {
        let [soon, late, lost] = [1, 9, -1].map(|moves| Reported::Mate(moves).centipawns());
        assert!(soon > late && late > Reported::Centipawns(30_000).centipawns());
        assert!(lost < Reported::Centipawns(-30_000).centipawns());
    }
}
