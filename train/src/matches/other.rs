//! Matches by fastchess or cutechess-cli, which know more engines' habits than our referee.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use super::adjudication::{DrawRule, ResignRule};
use super::game::{Limit, fen};
use super::pgn;
use super::plan::Plan;
use super::player::Contender;
use super::report::Played;
use super::sprt::{Hypotheses, Model, Sprt};
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

/// Plays the match by such a program; what it prints is seen. Its games, behind those that the file
/// of games has, give the result, also where the status says that it failed.
pub fn play(tool: Tool, plan: &Plan<'_>, stopped: &AtomicBool) -> Result<Played> {
    let (program, scratch) = (tool.program(), plan.scratch.path());
    let book = scratch.join("distinct.epd");
    let needed = &plan.openings[..plan.pairs.min(plan.openings.len())];
    let fens: String =
        needed.iter().map(|opening| fen(opening, plan.rules.chess960) + "\n").collect();
    fs::write(&book, fens).context(book.display())?;
    let games = scratch.join("games.pgn");
    let pgn = plan.arguments.pgn.as_ref().unwrap_or(&games);
    let length = fs::metadata(pgn).map_or(0, |file| file.len());
    let mut command = Command::new(program);
    add_arguments(&mut command, tool, plan, &book, pgn);
    let child = command
        .stdin(Stdio::null())
        .spawn()
        .context(format_args!("the match: cannot start {program}"))?;
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

/// The command line of the match.
fn add_arguments(command: &mut Command, tool: Tool, plan: &Plan<'_>, book: &Path, pgn: &Path) {
    for player in &plan.players {
        add_player(command, tool, plan, player);
    }
    command.args(["-rounds", &plan.pairs.to_string(), "-games", "2", "-repeat", "-recover"]);
    command.args(["-concurrency", &plan.concurrency.to_string()]);
    command.args(["-srand", &plan.arguments.seed.to_string()]);
    let book = format!("file={}", book.display());
    command.args(["-openings", &book, "format=epd", "order=random"]);
    if plan.rules.chess960 {
        command.args(["-variant", "fischerandom"]);
    }
    if let Some(DrawRule { from_move, moves, score }) = plan.rules.adjudication.draw {
        command.arg("-draw").arg(format!("movenumber={from_move}"));
        command.args([format!("movecount={moves}"), format!("score={score}")]);
    }
    if let Some(ResignRule { moves, score }) = plan.rules.adjudication.resign {
        command.arg("-resign").args([format!("movecount={moves}"), format!("score={score}")]);
    }
    if let Some(Sprt { hypotheses: Hypotheses { elo0, elo1 }, model }) = plan.sprt {
        command.arg("-sprt").args([format!("elo0={elo0}"), format!("elo1={elo1}")]);
        command.args(["alpha=0.05", "beta=0.05"]);
        if tool == Tool::Fastchess {
            command.arg(match model {
                Model::Normalized => "model=normalized",
                Model::Logistic => "model=logistic",
            });
        }
    }
    command.arg("-pgnout");
    match tool {
        Tool::Fastchess => {
            command.arg(format!("file={}", pgn.display())).arg("notation=san");
            // By default in the folder where it is started.
            let state = plan.scratch.path().join("fastchess.json");
            command.arg("-config").arg(format!("outname={}", state.display()))
        }
        Tool::Cutechess => command.arg(pgn),
    };
}

fn add_player(command: &mut Command, tool: Tool, plan: &Plan<'_>, player: &Contender) {
    let Contender { name, launch, .. } = player;
    command.arg("-engine").arg(format!("name={name}"));
    command.arg(format!("cmd={}", launch.program.display())).arg("proto=uci");
    match (plan.rules.limit, tool) {
        (Limit::Nodes(nodes), Tool::Fastchess) => command.arg(format!("nodes={nodes}")),
        (Limit::Nodes(nodes), Tool::Cutechess) => {
            command.arg("tc=inf").arg(format!("nodes={nodes}"))
        }
        (limit @ Limit::Clock(_), _) => {
            let margin = plan.rules.margin.as_millis();
            command.args([format!("tc={limit}"), format!("timemargin={margin}")])
        }
    };
    match tool {
        Tool::Fastchess if launch.arguments.is_empty() => command,
        Tool::Fastchess => command.arg(format!("args={}", launch.arguments.join(" "))),
        Tool::Cutechess => command.args(launch.arguments.iter().map(|word| format!("arg={word}"))),
    }
    .args(player.all_options().map(|(name, value)| format!("option.{name}={value}")));
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
