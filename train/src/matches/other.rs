//! Matches by fastchess or cutechess-cli, which know more engines' habits than our referee.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::game::Rules;
use super::limit::Limit;
use super::openings::Variant;
use super::pgn;
use super::player::Launch;
use super::report::Outcome;
use super::sprt::{Model, Sprt};

/// How often the program is looked at while it plays.
const LOOK: Duration = Duration::from_millis(50);

/// Ctrl-C in a terminal reaches the program, too; if it has not ended after this time, the signal
/// was for us alone.
const HEARD: Duration = Duration::from_secs(1);

/// The time to end itself after a signal.
const GRACE: Duration = Duration::from_secs(30);

/// A program that plays matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    Fastchess,
    Cutechess,
}

/// A match to be played by one of them.
#[derive(Debug)]
pub(super) struct Match<'a> {
    /// The new version and its opponent.
    pub players: &'a [Launch; 2],
    /// Where the games begin, one FEN a line.
    pub book: &'a Path,
    pub seed: u64,
    pub rules: &'a Rules,
    pub pairs: usize,
    pub concurrency: usize,
    pub sprt: Option<Sprt>,
    /// Where the games are written, behind those that it has.
    pub pgn: &'a Path,
    /// A file for what fastchess keeps of a match that it may go on with.
    pub state: &'a Path,
    /// Set from outside to end the match.
    pub stopped: &'a AtomicBool,
}

/// The words of a command line.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(|&word| word.to_owned()));
    }
}

/// The other program did not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    #[error("cannot start {program}")]
    Start {
        program: &'static str,
        /// What the system said.
        source: io::Error,
    },
    #[error("{pgn}: the games of {program} are read again, give a file")]
    Stream { program: &'static str, pgn: PathBuf },
    #[error("{program} ended ({status}) without games in {pgn}")]
    NoGames {
        program: &'static str,
        /// How it ended.
        status: String,
        pgn: PathBuf,
    },
    /// There are games, but perhaps not all.
    #[error("{program} ended ({status}), {planned} games were planned")]
    BrokenOff {
        program: &'static str,
        /// How it ended.
        status: String,
        planned: usize,
    },
    #[error("{0} has no test of normalized Elo; give --model logistic or another --runner")]
    Model(&'static str),
}

impl Tool {
    /// The first of them on the path that has such a test.
    pub fn find(sprt: Option<Sprt>) -> Option<Self> {
        let path = env::var_os("PATH")?;
        let is_there = |tool: &Self| {
            env::split_paths(&path).any(|dir| {
                dir.join(tool.program()).with_extension(env::consts::EXE_EXTENSION).is_file()
            })
        };
        let tools = [Self::Fastchess, Self::Cutechess];
        tools.into_iter().filter(|tool| tool.has_test(sprt)).find(is_there)
    }

    /// Whether it can end a match by this test, if there is one.
    pub fn has_test(self, sprt: Option<Sprt>) -> bool {
        self == Self::Fastchess || sprt.is_none_or(|sprt| sprt.model == Model::Logistic)
    }

    pub fn program(self) -> &'static str {
        match self {
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess-cli",
        }
    }

    /// Plays the match; what the program prints is seen. Its games give the result, also where the
    /// status says that it failed.
    pub fn play(self, match_: &Match<'_>) -> Result<(Outcome, ExitStatus), ToolError> {
        let program = self.program();
        let length = fs::metadata(match_.pgn).map_or(0, |file| file.len());
        let mut command = Command::new(program);
        command.args(self.arguments(match_)).stdin(Stdio::null());
        let child = command.spawn().map_err(|source| ToolError::Start { program, source })?;
        let status = wait(child, match_.stopped);
        let status = status.map_err(|source| ToolError::Start { program, source })?;
        let text = fs::read(match_.pgn).unwrap_or_default();
        let new = usize::try_from(length).ok().and_then(|length| text.get(length..));
        let new = String::from_utf8_lossy(new.unwrap_or_default());
        let outcome = pgn::read_match(&new, &match_.players[0].name);
        if outcome.games() == 0 {
            let pgn = match_.pgn.to_owned();
            return Err(ToolError::NoGames { program, status: status.to_string(), pgn });
        }
        Ok((outcome, status))
    }

    fn arguments(self, match_: &Match<'_>) -> Vec<String> {
        let mut words = Words::default();
        for player in match_.players {
            self.add_player(player, match_.rules, &mut words);
        }
        let number = |value: usize| value.to_string();
        words.add(&["-rounds", &number(match_.pairs), "-games", "2", "-repeat", "-recover"]);
        words.add(&["-concurrency", &number(match_.concurrency)]);
        words.add(&["-srand", &match_.seed.to_string()]);
        let book = format!("file={}", match_.book.display());
        words.add(&["-openings", &book, "format=epd", "order=random"]);
        if match_.rules.variant == Variant::Chess960 {
            words.add(&["-variant", "fischerandom"]);
        }
        if let Some(rule) = match_.rules.adjudication.draw {
            let [from, moves] = [u32::from(rule.from_move), rule.moves].map(|n| n.to_string());
            let (from, moves) = (format!("movenumber={from}"), format!("movecount={moves}"));
            words.add(&["-draw", &from, &moves, &format!("score={}", rule.score)]);
        }
        if let Some(rule) = match_.rules.adjudication.resign {
            let moves = format!("movecount={}", rule.moves);
            words.add(&["-resign", &moves, &format!("score={}", rule.score)]);
        }
        if let Some(sprt) = &match_.sprt {
            let [elo0, elo1] = [sprt.hypotheses.elo0, sprt.hypotheses.elo1];
            let (elo0, elo1) = (format!("elo0={elo0}"), format!("elo1={elo1}"));
            words.add(&["-sprt", &elo0, &elo1, "alpha=0.05", "beta=0.05"]);
            if self == Self::Fastchess {
                words.add(&[match sprt.model {
                    Model::Normalized => "model=normalized",
                    Model::Logistic => "model=logistic",
                }]);
            }
        }
        let pgn = match_.pgn.display().to_string();
        match self {
            Self::Fastchess => {
                words.add(&["-pgnout", &format!("file={pgn}"), "notation=san"]);
                // By default in the folder where it is started.
                words.add(&["-config", &format!("outname={}", match_.state.display())]);
            }
            Self::Cutechess => words.add(&["-pgnout", &pgn]),
        }
        words.0
    }

    fn add_player(self, player: &Launch, rules: &Rules, words: &mut Words) {
        let name = format!("name={}", player.name);
        words.add(&["-engine", &name, &format!("cmd={}", player.program), "proto=uci"]);
        self.limit(rules).iter().for_each(|word| words.add(&[word]));
        match self {
            Self::Fastchess if player.arguments.is_empty() => {}
            Self::Fastchess => words.add(&[&format!("args={}", player.arguments.join(" "))]),
            Self::Cutechess => {
                player.arguments.iter().for_each(|word| words.add(&[&format!("arg={word}")]));
            }
        }
        for (name, value) in player.all_options() {
            words.add(&[&format!("option.{name}={value}")]);
        }
    }

    fn limit(self, rules: &Rules) -> Vec<String> {
        let margin = format!("timemargin={}", rules.margin.as_millis());
        match (rules.limit, self) {
            (Limit::Nodes(nodes), Self::Fastchess) => vec![format!("nodes={nodes}")],
            (Limit::Nodes(nodes), Self::Cutechess) => {
                vec!["tc=inf".to_owned(), format!("nodes={nodes}")]
            }
            (limit @ Limit::Clock { .. }, _) => vec![format!("tc={limit}"), margin],
        }
    }
}

/// Waits until the program has ended; ends it once `stopped` is set.
fn wait(mut child: Child, stopped: &AtomicBool) -> io::Result<ExitStatus> {
    let mut stopped_at = None;
    let mut is_told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if stopped.load(Ordering::Relaxed) {
            let since = stopped_at.get_or_insert_with(Instant::now).elapsed();
            if since >= HEARD && !is_told {
                interrupt(&mut child)?;
                is_told = true;
            }
            if since >= GRACE {
                child.kill()?;
            }
        }
        thread::sleep(LOOK);
    }
}

/// Asks a program to end, so that it ends its engines.
#[cfg(unix)]
fn interrupt(child: &mut Child) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    Ok(kill_process(Pid::from_child(child), Signal::INT)?)
}

/// There is no signal for one process alone.
#[cfg(not(unix))]
fn interrupt(child: &mut Child) -> io::Result<()> {
    child.kill()
}
