//! An engine process that is spoken to in UCI.

use std::collections::HashSet;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, unbounded};
use tamarin_base::files::lines::{Line, next_line};
use tamarin_uci::{BestMoveLine, ParsedOption, ParsedReply, ScoreValue, parse_reply};

/// Patience with starting and `isready`.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a wait looks whether the match was stopped.
const LOOK: Duration = Duration::from_millis(50);

/// What Tamarin says after the name of an option whose value it did not take. Of values that no
/// option line allows it says something else, but they are not sent.
const REFUSALS: [&str; 2] = ["unchanged", "stays at"];

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What it is called in the report.
    pub name: String,
    pub program: String,
    pub arguments: Vec<String>,
    /// Options that are set if the engine has them, and their values.
    pub options: Vec<(String, String)>,
    /// Options that the user asked for, set after the others. An engine that lacks one is refused.
    pub requested: Vec<(String, String)>,
}

impl Launch {
    /// An error if the options hold a value that the engine does not announce for this one.
    fn check(&self, option: &ParsedOption<'_>) -> Result<(), PlayerError> {
        let name = option.name.to_lowercase();
        for (_, value) in self.all_options().filter(|(other, _)| other.to_lowercase() == name) {
            if let Some(expected) = expected_instead(option, value) {
                let (name, value) = (option.name.to_owned(), value.clone());
                return Err(PlayerError::Value { name, value, expected });
            }
        }
        Ok(())
    }

    /// Names and values of all options, in the order in which they are set.
    pub(super) fn all_options(&self) -> impl Iterator<Item = &(String, String)> {
        self.options.iter().chain(&self.requested)
    }

    /// The value that an option has in the games, if it is set.
    pub(super) fn value_of(&self, name: &str) -> Option<&str> {
        let is_named = |option: &&(String, String)| option.0.eq_ignore_ascii_case(name);
        self.all_options().filter(is_named).last().map(|(_, value)| value.as_str())
    }
}

/// What an option takes, if that is known and the value is something else.
fn expected_instead(option: &ParsedOption<'_>, value: &str) -> Option<String> {
    let choices = &option.choices;
    let (fits, expected) = match option.kind? {
        "spin" => {
            let (min, max) = (option.min.unwrap_or(i64::MIN), option.max.unwrap_or(i64::MAX));
            let fits = value.parse().is_ok_and(|number: i64| (min..=max).contains(&number));
            (fits, format!("a whole number from {min} to {max}"))
        }
        "check" => {
            let fits = ["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(value));
            (fits, "true or false".to_owned())
        }
        "combo" if !choices.is_empty() => {
            let fits = choices.iter().any(|choice| choice.eq_ignore_ascii_case(value));
            (fits, format!("one of: {}", choices.join(", ")))
        }
        _ => return None,
    };
    (!fits).then_some(expected)
}

/// Why an engine has to be given up.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    #[error("cannot start {program}")]
    Start {
        program: String,
        /// What the system said.
        source: io::Error,
    },
    #[error("has no option {0:?}")]
    NoOption(String),
    /// A value that the engine does not announce.
    #[error("option {name}: {value:?} is not {expected}")]
    Value { name: String, value: String, expected: String },
    /// It said that an option keeps its old value.
    #[error("rejects an option: {0}")]
    Refused(String),
    #[error("ended by itself")]
    Crash,
    #[error("does not answer")]
    Stall,
    #[error("stopped")]
    Stopped,
}

/// An answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// The move after `bestmove`, or `(none)` or `0000`.
    pub best: String,
    /// Of the last exact line of the best variation, for the side to move; `None` without one.
    pub score: Option<ScoreValue>,
    pub depth: u32,
    /// From writing `go` to reading `bestmove`.
    pub used: Duration,
}

/// Centipawns of a score, mates beyond any evaluation.
pub(super) fn centipawns(score: ScoreValue) -> i32 {
    const MATE: i32 = 100_000;
    match score {
        ScoreValue::Centipawns(score) => score,
        ScoreValue::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 2),
        ScoreValue::Mate(moves) => -MATE - moves.max(-MATE / 2),
    }
}

/// A running engine; dropping it ends the process.
pub(super) struct Player<'a> {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<(Instant, String)>,
    stopped: &'a AtomicBool,
    /// Names of its options, in lower case.
    options: HashSet<String>,
    /// What it said (`info string`) when the options of any match were set, and when those that
    /// the user asked for were.
    remarks: [Vec<String>; 2],
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
            let mut stdout = BufReader::new(stdout);
            while let Ok(Some(line)) = next_line(&mut stdout) {
                // No reply is too long.
                let Line::Text(line) = line else { continue };
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        let (options, remarks) = Default::default();
        let mut player = Self { child, stdin, lines, stopped, options, remarks };
        player.set_up(launch)?;
        Ok(player)
    }

    fn set_up(&mut self, launch: &Launch) -> Result<(), PlayerError> {
        self.send("uci")?;
        let mut known = HashSet::new();
        let mut checked = Ok(());
        self.read_until(PATIENCE, |reply, _| match reply {
            ParsedReply::Option(option) => {
                if checked.is_ok() {
                    checked = launch.check(&option);
                }
                known.insert(option.name.to_lowercase());
                None
            }
            ParsedReply::UciOk => Some(()),
            _ => None,
        })?;
        self.options = known;
        if let Some((name, _)) = launch.requested.iter().find(|(name, _)| !self.has_option(name)) {
            return Err(PlayerError::NoOption(name.clone()));
        }
        checked?;
        self.remarks = [self.set(&launch.options)?, self.set(&launch.requested)?];
        Ok(())
    }

    /// Sets those of the options that it has; what it said in the meantime.
    fn set(&mut self, options: &[(String, String)]) -> Result<Vec<String>, PlayerError> {
        for (name, value) in options {
            if self.has_option(name) {
                self.send(&format!("setoption name {name} value {value}"))?;
            }
        }
        let remarks = self.ready()?;
        let refusals: Vec<_> = options
            .iter()
            .flat_map(|(name, _)| REFUSALS.map(|words| format!("{name} {words}").to_lowercase()))
            .collect();
        let refuses = |remark: &&String| {
            let remark = remark.to_lowercase();
            refusals.iter().any(|refusal| remark.contains(refusal))
        };
        match remarks.iter().find(refuses) {
            Some(refusal) => Err(PlayerError::Refused(refusal.clone())),
            None => Ok(remarks),
        }
    }

    /// Returns `true` if it has an option of this name.
    pub fn has_option(&self, name: &str) -> bool {
        self.options.contains(&name.to_lowercase())
    }

    /// What it said when the options of any match were set, and when those that the user asked for
    /// were: values that it does not take may be among it.
    pub const fn remarks(&self) -> &[Vec<String>; 2] {
        &self.remarks
    }

    /// Waits until it has done what it was told; what it said in the meantime.
    fn ready(&mut self) -> Result<Vec<String>, PlayerError> {
        self.send("isready")?;
        let mut remarks = Vec::new();
        self.read_until(PATIENCE, |reply, _| {
            if let ParsedReply::Info(info) = &reply {
                remarks.extend(info.text.map(str::to_owned));
            }
            (reply == ParsedReply::ReadyOk).then_some(())
        })?;
        Ok(remarks)
    }

    /// Makes it forget the game before.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        self.send("ucinewgame")?;
        self.ready().map(drop)
    }

    /// Lets it think, and gives it up as stalled after `patience`.
    pub fn go(
        &mut self,
        position: &str,
        limits: &str,
        patience: Duration,
    ) -> Result<Answer, PlayerError> {
        self.send(position)?;
        let start = Instant::now();
        self.send(limits)?;
        let (mut score, mut depth) = (None, 0);
        self.read_until(patience, |reply, at| match reply {
            ParsedReply::Info(info) => {
                if let Some(found) = info.line.exact_score() {
                    (score, depth) = (Some(found), info.line.depth.unwrap_or(0));
                }
                None
            }
            ParsedReply::BestMove(best) => {
                let best = best_text(best).to_owned();
                Some(Answer { best, score, depth, used: at.saturating_duration_since(start) })
            }
            _ => None,
        })
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let written = self.stdin.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| self.stdin.flush()).map_err(|_| PlayerError::Crash)
    }

    /// Hands `read` each reply and when it came, until it returns something.
    fn read_until<T>(
        &mut self,
        patience: Duration,
        mut read: impl FnMut(ParsedReply<'_>, Instant) -> Option<T>,
    ) -> Result<T, PlayerError> {
        let deadline = Instant::now() + patience;
        loop {
            if self.stopped.load(Ordering::Relaxed) {
                return Err(PlayerError::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok((at, line)) => {
                    if let Some(found) = parse_reply(&line).and_then(|reply| read(reply, at)) {
                        return Ok(found);
                    }
                    // However many other lines come, they do not replace the answer.
                    if at > deadline {
                        return Err(PlayerError::Stall);
                    }
                }
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

/// The move as the engine wrote it.
const fn best_text(best: BestMoveLine<&str>) -> &str {
    match best {
        BestMoveLine::Move { mv, .. } => mv,
        BestMoveLine::None => "(none)",
        BestMoveLine::Null => "0000",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_option_line() {
        let fits = |line: &str, value: &str| match parse_reply(line) {
            Some(ParsedReply::Option(option)) => expected_instead(&option, value).is_none(),
            other => panic!("{line}: {other:?}"),
        };
        let spin = "option name Hash type spin default 16 min 1 max 1024";
        assert!(fits(spin, "1") && fits(spin, "1024"));
        for value in ["0", "1025", "", "many", "1.5"] {
            assert!(!fits(spin, value), "{value}");
        }
        let without_range = "option name Hash type spin";
        assert!(fits(without_range, "-5") && !fits(without_range, "x"));
        let check = "option name Ponder type check default false";
        assert!(fits(check, "True") && fits(check, "false") && !fits(check, "1"));
        let combo = "option name Style type combo default Solid var Solid var Risky";
        assert!(fits(combo, "Risky") && fits(combo, "risky") && !fits(combo, "Wild"));
        assert!(fits("option name Clear Hash type button", ""));
        assert!(fits("option name EvalFile type string default x.nnue", "any text"));
    }

    #[test]
    fn mates_are_beyond_all_scores() {
        let mate = |moves| centipawns(ScoreValue::Mate(moves));
        assert!(mate(1) > mate(9) && mate(9) > centipawns(ScoreValue::Centipawns(30_000)));
        assert!(mate(-1) < centipawns(ScoreValue::Centipawns(-30_000)));
        assert!(mate(i32::MAX) > 30_000 && mate(i32::MIN) < -30_000);
    }
}
