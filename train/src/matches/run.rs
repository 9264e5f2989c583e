//! From the command line to the row in the list.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use std::{env, fs, process};

use super::adjudication::Adjudication;
use super::arguments::{Arguments, Runner};
use super::game::Rules;
use super::ledger::{self, LedgerError, Row};
use super::limit::Limit;
use super::openings::{self, OpeningsError, Variant};
use super::other::{self, Tool, ToolError};
use super::player::{Launch, Player};
use super::referee::{self, RefereeError};
use super::report::Outcome;
use super::sprt::Sprt;
use crate::report::report;

const DEFAULT_GAMES: u32 = 400;
const DEFAULT_TEST_GAMES: u32 = 40_000;

/// The time control without another limit.
const DEFAULT_TC: &str = "2+0.02";

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    #[error("an engine is a program and its arguments, not {0:?}")]
    Command(String),
    #[error("cannot listen for Ctrl-C")]
    Signal(#[from] ctrlc::Error),
    #[error("openings")]
    Openings(#[from] OpeningsError),
    #[error("the match")]
    Referee(#[from] RefereeError),
    #[error("the match")]
    Tool(#[from] ToolError),
    #[error("the list of matches")]
    Ledger(#[from] LedgerError),
}

/// Plays the match, prints its result and appends its row.
pub fn run(arguments: &Arguments) -> Result<(), MatchError> {
    let stopped = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    let flags = (Arc::clone(&stopped), Arc::clone(&interrupted));
    ctrlc::set_handler(move || {
        flags.1.store(true, Ordering::Relaxed);
        flags.0.store(true, Ordering::Relaxed);
    })?;
    let plan = Plan::new(arguments, &stopped)?;
    report!("{}", plan.headline());
    let outcome = plan.play(&stopped)?;
    report!("\n{}", outcome.summary(plan.sprt.as_ref()));
    let interrupted = interrupted.load(Ordering::Relaxed);
    if interrupted {
        report!("interrupted after {} of {} games", outcome.games(), 2 * plan.pairs);
    }
    if let Some(path) = arguments.ledger.as_ref().filter(|_| outcome.games() > 0) {
        let id = ledger::append(path, plan.row(&outcome, interrupted))?;
        report!("row {id} of {}", path.display());
    }
    Ok(())
}

/// A match with all defaults filled in.
struct Plan<'a> {
    arguments: &'a Arguments,
    players: [Launch; 2],
    book: PathBuf,
    rules: Rules,
    sprt: Option<Sprt>,
    pairs: usize,
    concurrency: usize,
    /// The Move Overhead set by `--old-overhead`, in milliseconds.
    overhead: Option<u32>,
    /// `None` for our own referee.
    tool: Option<Tool>,
}

impl<'a> Plan<'a> {
    fn new(arguments: &'a Arguments, stopped: &AtomicBool) -> Result<Self, MatchError> {
        let sprt = arguments.sprt.map(|hypotheses| Sprt { hypotheses, model: arguments.model });
        let usual = if sprt.is_some() { DEFAULT_TEST_GAMES } else { DEFAULT_GAMES };
        let pairs = arguments.games.unwrap_or(usual).div_ceil(2) as usize;
        let default = || Limit::clock(DEFAULT_TC).expect("invariant: a constant");
        let limit = arguments.nodes.map(Limit::Nodes).or(arguments.tc).unwrap_or_else(default);
        let rules = Rules {
            limit,
            margin: Duration::from_millis(arguments.margin),
            patience: Duration::from_secs(arguments.patience.into()),
            adjudication: Adjudication { draw: arguments.draw, resign: arguments.resign },
            variant: if arguments.chess960 { Variant::Chess960 } else { Variant::Standard },
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let fitting = (cores / arguments.threads as usize).max(1);
        let tool = match arguments.runner {
            Runner::Auto => Tool::find(),
            Runner::Own => None,
            Runner::Fastchess => Some(Tool::Fastchess),
            Runner::Cutechess => Some(Tool::Cutechess),
        };
        let new = launch(&arguments.new, &arguments.new_name, arguments, &arguments.new_option)?;
        let mut old =
            launch(&arguments.old, &arguments.old_name, arguments, &arguments.old_option)?;
        let with_clock = matches!(limit, Limit::Clock { .. });
        let overhead = match arguments.old_overhead.filter(|_| with_clock) {
            Some(overhead) if takes_overhead(&old, stopped)? => Some(overhead),
            _ => None,
        };
        old.options.extend(overhead.map(|value| (OVERHEAD.to_owned(), value.to_string())));
        let book = match &arguments.book {
            Some(path) => path.clone(),
            None => made_book(&new.program, pairs, arguments.seed)?,
        };
        Ok(Self {
            arguments,
            players: [new, old],
            book,
            rules,
            sprt,
            pairs,
            concurrency: arguments.concurrency.map_or(fitting, |count| count as usize).min(pairs),
            overhead,
            tool,
        })
    }

    fn headline(&self) -> String {
        format!(
            "{} against {}: {}, {} MiB, {} games by {}, {} at a time, openings from {}",
            self.players[0].name,
            self.players[1].name,
            self.rules.limit,
            self.arguments.hash,
            2 * self.pairs,
            self.runner(),
            self.concurrency,
            self.book.display(),
        )
    }

    fn runner(&self) -> &'static str {
        self.tool.map_or("tamarin-train", Tool::program)
    }

    fn play(&self, stopped: &AtomicBool) -> Result<Outcome, MatchError> {
        let Some(tool) = self.tool else {
            let openings = openings::read(&self.book, self.arguments.seed)?;
            return Ok(referee::play(&referee::Match {
                players: self.players.clone(),
                openings,
                rules: self.rules,
                pairs: self.pairs,
                concurrency: self.concurrency,
                sprt: self.sprt,
                pgn: self.arguments.pgn.clone(),
                date: self.arguments.date.clone(),
                stopped,
            })?);
        };
        let scratch = scratch("pgn");
        let outcome = tool.play(&other::Match {
            players: &self.players,
            book: &self.book,
            seed: self.arguments.seed,
            rules: &self.rules,
            pairs: self.pairs,
            concurrency: self.concurrency,
            sprt: self.sprt,
            pgn: self.arguments.pgn.as_ref().unwrap_or(&scratch),
        });
        // It is not there unless it was needed.
        let _ = fs::remove_file(scratch);
        Ok(outcome?)
    }

    fn row(&self, outcome: &Outcome, interrupted: bool) -> Row {
        let arguments = self.arguments;
        let elo = outcome.pairs.elo();
        let number =
            |value: f64| if value.is_finite() { format!("{value:.1}") } else { String::new() };
        let mut remarks = outcome.fault_counts();
        if interrupted {
            remarks.push(format!("cut short, {} games were planned", 2 * self.pairs));
        }
        Row {
            id: String::new(),
            date: arguments.date.clone(),
            what: arguments.what.clone(),
            new: self.players[0].name.clone(),
            old: self.players[1].name.clone(),
            bench: arguments.bench.clone(),
            limit: self.rules.limit.to_string(),
            options: self.options(),
            book: file_name(&self.book, arguments.book.is_some()),
            seed: arguments.seed.to_string(),
            runner: self.runner().to_owned(),
            games: outcome.games().to_string(),
            wins: outcome.wins.to_string(),
            draws: outcome.draws.to_string(),
            losses: outcome.losses.to_string(),
            pentanomial: outcome.pairs.to_string(),
            elo: number(elo.value),
            error: number(elo.error),
            sprt: self.sprt.map_or(String::new(), |sprt| sprt.hypotheses.to_string()),
            llr: self.sprt.map_or(String::new(), |sprt| format!("{:.2}", sprt.llr(&outcome.pairs))),
            remarks: remarks.join("; "),
        }
    }

    /// Everything that is not as by default, in words.
    fn options(&self) -> String {
        let arguments = self.arguments;
        let mut words = Vec::new();
        if arguments.threads != 1 {
            words.push(format!("Threads={}", arguments.threads));
        }
        if arguments.hash != 16 {
            words.push(format!("Hash={}", arguments.hash));
        }
        if arguments.chess960 {
            words.push("Chess960".to_owned());
        }
        let groups = [
            ("", &arguments.option),
            ("new ", &arguments.new_option),
            ("old ", &arguments.old_option),
        ];
        for (who, options) in groups {
            words.extend(options.iter().map(|(name, value)| format!("{who}{name}={value}")));
        }
        words.extend(self.overhead.map(|value| format!("old {OVERHEAD}={value}")));
        if let Some(rule) = arguments.draw {
            words.push(format!("draw {} {} {}", rule.from_move, rule.moves, rule.score));
        }
        if let Some(rule) = arguments.resign {
            words.push(format!("resign {} {}", rule.moves, rule.score));
        }
        words.join(", ")
    }
}

/// How to start an engine, with the options that both share.
fn launch(
    command: &str,
    name: &str,
    arguments: &Arguments,
    own: &[(String, String)],
) -> Result<Launch, MatchError> {
    // A file name may hold spaces; arguments are possible where the whole is no file.
    let is_file = Path::new(command).is_file();
    let words: Vec<_> = if is_file { vec![command] } else { command.split_whitespace().collect() };
    let mut words = words.into_iter().map(str::to_owned);
    let program = words.next().ok_or_else(|| MatchError::Command(command.to_owned()))?;
    let option = |name: &str, value: String| (name.to_owned(), value);
    let mut options = vec![
        option("Hash", arguments.hash.to_string()),
        option("Threads", arguments.threads.to_string()),
    ];
    if arguments.chess960 {
        options.push(option("UCI_Chess960", "true".to_owned()));
    }
    options.extend(arguments.option.iter().chain(own).cloned());
    Ok(Launch { name: name.to_owned(), program, arguments: words.collect(), options })
}

/// The option that says how much time a move loses on its way to the referee.
const OVERHEAD: &str = "Move Overhead";

/// Whether an engine has the option [`OVERHEAD`], and no value of it was asked for already.
fn takes_overhead(engine: &Launch, stopped: &AtomicBool) -> Result<bool, RefereeError> {
    if engine.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(OVERHEAD)) {
        return Ok(false);
    }
    let started = Player::start(engine, stopped);
    let failed = |source| RefereeError::Player { name: engine.name.clone(), source };
    Ok(started.map_err(failed)?.has_option(OVERHEAD))
}

/// A book that the engine makes for this match.
fn made_book(program: &str, pairs: usize, seed: u64) -> Result<PathBuf, OpeningsError> {
    // More would take longer to make than they are worth: openings may come again.
    const MOST: usize = 10_000;
    let path = scratch("epd");
    openings::generate(program, pairs.min(MOST), seed, &path)?;
    Ok(path)
}

/// A file of this process that need not last.
fn scratch(extension: &str) -> PathBuf {
    env::temp_dir().join(format!("tamarin-match-{}.{extension}", process::id()))
}

fn file_name(path: &Path, given: bool) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    if given { name.to_string_lossy().into_owned() } else { "genfens".to_owned() }
}
