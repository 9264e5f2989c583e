//! Matches by fastchess or cutechess-cli, which know more engines' habits than our referee.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use super::game::{Limit, fen};
use super::pgn;
use super::plan::Plan;
use super::player::Contender;
use super::report::Played;
use super::sprt::{Model, Sprt};
use crate::error::{Context, Result, TrainError, reject};

/// A program that plays matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    Fastchess,
    Cutechess,
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
}

/// How often the program is looked at while it plays.
const LOOK: Duration = Duration::from_millis(50);

/// Ctrl-C in a terminal reaches the program, too; if it has not ended after this time, the signal
/// was for us alone.
const HEARD: Duration = Duration::from_secs(1);

/// The time to end itself after a signal.
const GRACE: Duration = Duration::from_secs(30);

/// The words of a command line.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(|&word| word.to_owned()));
    }
}

/// Plays the match by such a program.
pub fn play(tool: Tool, plan: &Plan<'_>, stopped: &AtomicBool) -> Result<Played> {
    Runner { tool, plan }.play(stopped)
}

/// A match played by another program.
struct Runner<'a> {
    tool: Tool,
    plan: &'a Plan<'a>,
}

impl Runner<'_> {
    /// Plays the match; what the program prints is seen. Its games, behind those that the file of
    /// games has, give the result, also where the status says that it failed.
    fn play(&self, stopped: &AtomicBool) -> Result<Played> {
        let (program, plan) = (self.tool.program(), self.plan);
        let (book, scratch) = (plan.scratch.path().join("distinct.epd"), plan.scratch.path());
        let needed = &plan.openings[..plan.pairs.min(plan.openings.len())];
        let fens: String =
            needed.iter().map(|opening| fen(opening, plan.rules.chess960) + "\n").collect();
        fs::write(&book, fens).context(book.display())?;
        let games = scratch.join("games.pgn");
        let pgn = plan.arguments.pgn.as_ref().unwrap_or(&games);
        let length = fs::metadata(pgn).map_or(0, |file| file.len());
        let mut command = Command::new(program);
        command.args(self.arguments(&book, pgn)).stdin(Stdio::null());
        let child = command.spawn().context(format_args!("the match: cannot start {program}"))?;
        let status = wait(child, stopped).context("the match")?;
        let text = fs::read(pgn).unwrap_or_default();
        let new = usize::try_from(length).ok().and_then(|length| text.get(length..));
        let result = pgn::read_match(new.unwrap_or_default(), &plan.players[0].name);
        if result.games() == 0 {
            let pgn = pgn.display();
            reject!("the match: {program} ended ({status}) without games in {pgn}");
        }
        let planned = 2 * plan.pairs;
        let broken_off = (!status.success())
            .then(|| format!("{program} ended ({status}), {planned} games were planned"));
        let failure = broken_off.clone().map(TrainError::Rejected);
        Ok(Played { result, broken_off, failure })
    }

    fn arguments(&self, book: &Path, pgn: &Path) -> Vec<String> {
        let plan = self.plan;
        let mut words = Words::default();
        for player in &plan.players {
            self.add_player(player, &mut words);
        }
        let number = |value: usize| value.to_string();
        words.add(&["-rounds", &number(plan.pairs), "-games", "2", "-repeat", "-recover"]);
        words.add(&["-concurrency", &number(plan.concurrency)]);
        words.add(&["-srand", &plan.arguments.seed.to_string()]);
        let book = format!("file={}", book.display());
        words.add(&["-openings", &book, "format=epd", "order=random"]);
        if plan.rules.chess960 {
            words.add(&["-variant", "fischerandom"]);
        }
        if let Some(rule) = plan.rules.adjudication.draw {
            let [from, moves] = [u32::from(rule.from_move), rule.moves].map(|n| n.to_string());
            let (from, moves) = (format!("movenumber={from}"), format!("movecount={moves}"));
            words.add(&["-draw", &from, &moves, &format!("score={}", rule.score)]);
        }
        if let Some(rule) = plan.rules.adjudication.resign {
            let moves = format!("movecount={}", rule.moves);
            words.add(&["-resign", &moves, &format!("score={}", rule.score)]);
        }
        if let Some(sprt) = &plan.sprt {
            let [elo0, elo1] = [sprt.hypotheses.elo0, sprt.hypotheses.elo1];
            let (elo0, elo1) = (format!("elo0={elo0}"), format!("elo1={elo1}"));
            words.add(&["-sprt", &elo0, &elo1, "alpha=0.05", "beta=0.05"]);
            if self.tool == Tool::Fastchess {
                words.add(&[match sprt.model {
                    Model::Normalized => "model=normalized",
                    Model::Logistic => "model=logistic",
                }]);
            }
        }
        let pgn = pgn.display().to_string();
        match self.tool {
            Tool::Fastchess => {
                words.add(&["-pgnout", &format!("file={pgn}"), "notation=san"]);
                // By default in the folder where it is started.
                words.add(&[
                    "-config",
                    &format!("outname={}", plan.scratch.path().join("fastchess.json").display()),
                ]);
            }
            Tool::Cutechess => words.add(&["-pgnout", &pgn]),
        }
        words.0
    }

    fn add_player(&self, player: &Contender, words: &mut Words) {
        let (name, launch) = (format!("name={}", player.name), &player.launch);
        let program = format!("cmd={}", launch.program.display());
        words.add(&["-engine", &name, &program, "proto=uci"]);
        self.limit().iter().for_each(|word| words.add(&[word]));
        match self.tool {
            Tool::Fastchess if launch.arguments.is_empty() => {}
            Tool::Fastchess => words.add(&[&format!("args={}", launch.arguments.join(" "))]),
            Tool::Cutechess => {
                launch.arguments.iter().for_each(|word| words.add(&[&format!("arg={word}")]));
            }
        }
        for (name, value) in player.all_options() {
            words.add(&[&format!("option.{name}={value}")]);
        }
    }

    fn limit(&self) -> Vec<String> {
        let rules = &self.plan.rules;
        let margin = format!("timemargin={}", rules.margin.as_millis());
        match (rules.limit, self.tool) {
            (Limit::Nodes(nodes), Tool::Fastchess) => vec![format!("nodes={nodes}")],
            (Limit::Nodes(nodes), Tool::Cutechess) => {
                vec!["tc=inf".to_owned(), format!("nodes={nodes}")]
            }
            (limit @ Limit::Clock(_), _) => vec![format!("tc={limit}"), margin],
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
