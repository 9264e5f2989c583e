//! From the command line to the row in the list.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, thread};

use tamarin_base::files::Target;
use tamarin_movegen::Position;
use tempfile::TempDir;

use super::adjudication::Adjudication;
use super::arguments::{Arguments, DEFAULT_MARGIN, DEFAULT_PATIENCE, Runner};
use super::game::Rules;
use super::ledger::{self, LedgerError, Row};
use super::limit::Limit;
use super::openings::{self, OpeningsError, Variant};
use super::other::{self, Tool, ToolError};
use super::player::Launch;
use super::referee::{self, RefereeError};
use super::report::Outcome;
use super::sprt::{Sprt, SprtError, Verdict};
use crate::data::FileError;
use crate::lock::check_new;
use crate::report::report;

const DEFAULT_GAMES: u32 = 400;
const DEFAULT_TEST_GAMES: u32 = 40_000;

/// The most openings that are made for a match whose games differ although openings come again:
/// more would take longer to make than they are worth.
const MOST_MADE: usize = 10_000;

/// The time control without another limit.
const DEFAULT_TC: &str = "2+0.02";

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    #[error("an engine is a program and its arguments, not {0:?}")]
    Command(String),
    #[error("--chess960 needs --book: genfens makes positions of standard chess")]
    NoBook,
    #[error("cannot listen for Ctrl-C")]
    Signal(#[from] ctrlc::Error),
    #[error("cannot make a folder for temporary files")]
    Scratch(#[source] io::Error),
    #[error(transparent)]
    Sprt(#[from] SprtError),
    #[error(transparent)]
    Pgn(#[from] FileError),
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
    check_outputs(arguments)?;
    let plan = Plan::new(arguments, &stopped)?;
    stop_on_termination([&interrupted, &stopped])?;
    report!("{}", plan.headline());
    let (outcome, mut failure) = plan.play(&stopped)?;
    report!("\n{}", outcome.summary(plan.sprt.as_ref()));
    let planned = 2 * plan.pairs;
    let mut cut_short = failure.as_ref().map(|failure| match failure {
        MatchError::Tool(error) => error.to_string(),
        _ => format!("ended by an error, {planned} games were planned"),
    });
    let decided = plan.sprt.is_some_and(|sprt| sprt.verdict(&outcome.pairs) != Verdict::Open);
    let is_complete = decided || outcome.games() >= planned as u64;
    if interrupted.load(Ordering::Relaxed) && !is_complete {
        report!("interrupted after {} of {planned} games", outcome.games());
        // The other program was ended, too.
        failure = failure.filter(|failure| !matches!(failure, MatchError::Tool(_)));
        cut_short = Some(format!("cut short, {planned} games were planned"));
    }
    if let Some(path) = arguments.ledger.as_ref().filter(|_| outcome.games() > 0) {
        let id = ledger::append(path, plan.row(&outcome, cut_short))?;
        report!("row {id} of {}", path.display());
    }
    failure.map_or(Ok(()), Err)
}

/// SIGTERM ends the match as Ctrl-C does.
#[cfg(unix)]
fn stop_on_termination(flags: [&Arc<AtomicBool>; 2]) -> Result<(), ctrlc::Error> {
    for flag in flags {
        let set = signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(flag));
        set.map_err(ctrlc::Error::System)?;
    }
    Ok(())
}

/// There is no such signal.
#[cfg(not(unix))]
fn stop_on_termination(_: [&Arc<AtomicBool>; 2]) -> Result<(), ctrlc::Error> {
    Ok(())
}

/// Makes sure, before the games, that they and their row can be written, each to a file of its own.
fn check_outputs(arguments: &Arguments) -> Result<(), MatchError> {
    let Arguments { book, pgn, ledger, .. } = arguments;
    if let Some(path) = pgn {
        check_new(path, book.iter().chain(ledger)).map_err(FileError::on(path))?;
    }
    if let Some(path) = ledger {
        ledger::check(path, book.iter().chain(pgn))?;
    }
    Ok(())
}

/// A match with all defaults filled in.
struct Plan<'a> {
    arguments: &'a Arguments,
    players: [Launch; 2],
    /// What they said of options that the user asked for.
    remarks: Vec<String>,
    book: PathBuf,
    /// Those of the book, each once and without games that are over.
    openings: Vec<Position>,
    rules: Rules,
    sprt: Option<Sprt>,
    pairs: usize,
    concurrency: usize,
    /// The Move Overhead set by `--old-overhead`, in milliseconds.
    overhead: Option<u32>,
    /// `None` for our own referee.
    tool: Option<Tool>,
    /// For files that need not outlive the match.
    scratch: TempDir,
}

impl<'a> Plan<'a> {
    fn new(arguments: &'a Arguments, stopped: &AtomicBool) -> Result<Self, MatchError> {
        let test = |hypotheses| Sprt::new(hypotheses, arguments.model);
        let sprt = arguments.sprt.map(test).transpose()?;
        let usual = if sprt.is_some() { DEFAULT_TEST_GAMES } else { DEFAULT_GAMES };
        let mut pairs = arguments.games.unwrap_or(usual).div_ceil(2) as usize;
        let rules = rules(arguments);
        if arguments.chess960 && arguments.book.is_none() {
            return Err(MatchError::NoBook);
        }
        let tool = tool(arguments.runner, sprt)?;
        if let (Some(tool), Some(path)) = (tool, &arguments.pgn)
            && Target::of_user(path).map_err(FileError::on(path))?.is_stream()
        {
            let (program, pgn) = (tool.program(), path.clone());
            return Err(ToolError::Stream { program, pgn }.into());
        }
        let [new_name, old_name] = names(arguments);
        let new = launch(&arguments.new, new_name, arguments, &arguments.new_option)?;
        let mut old = launch(&arguments.old, old_name, arguments, &arguments.old_option)?;
        let with_clock = matches!(rules.limit, Limit::Clock { .. });
        let overhead = match arguments.old_overhead.filter(|_| with_clock) {
            Some(overhead) if takes_overhead(&old, stopped)? => Some(overhead),
            _ => None,
        };
        old.options.extend(overhead.map(|value| (OVERHEAD.to_owned(), value.to_string())));
        let mut remarks = referee::try_out(&new, stopped)?;
        remarks.extend(referee::try_out(&old, stopped)?);
        let scratch = tempfile::Builder::new().prefix("tamarin-match-").tempdir();
        let scratch = scratch.map_err(MatchError::Scratch)?;
        let threads = most_threads(&[&new, &old]);
        let repeats = !with_clock && threads == 1 && !has_own_book(&[&new, &old]);
        let book = match &arguments.book {
            Some(path) => path.clone(),
            None => {
                let path = scratch.path().join("openings.epd");
                let count = if repeats { pairs } else { pairs.min(MOST_MADE) };
                openings::generate(&new, count, arguments.seed, &path)?;
                path
            }
        };
        let openings = openings::read(&book, arguments.seed)?;
        if repeats {
            pairs = openings::distinct_pairs(pairs, &openings);
        }
        Ok(Self {
            arguments,
            players: [new, old],
            remarks,
            book,
            openings,
            rules,
            sprt,
            pairs,
            concurrency: concurrency(arguments, threads).min(pairs),
            overhead,
            tool,
            scratch,
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

    /// The games, and what ended the match before all of them were played, if anything has.
    fn play(&self, stopped: &AtomicBool) -> Result<(Outcome, Option<MatchError>), MatchError> {
        let Some(tool) = self.tool else {
            let (outcome, failure) = referee::play(&referee::Match {
                players: self.players.clone(),
                openings: &self.openings,
                rules: self.rules,
                pairs: self.pairs,
                concurrency: self.concurrency,
                sprt: self.sprt,
                pgn: self.arguments.pgn.clone(),
                date: self.arguments.date.clone(),
                stopped,
            });
            return match failure {
                Some(error) if outcome.games() == 0 => Err(error.into()),
                failure => Ok((outcome, failure.map(MatchError::from))),
            };
        };
        let book = self.scratch.path().join("distinct.epd");
        let needed = self.pairs.min(self.openings.len());
        openings::write(&self.openings[..needed], self.rules.variant, &book)?;
        let (outcome, status) = tool.play(&other::Match {
            players: &self.players,
            book: &book,
            seed: self.arguments.seed,
            rules: &self.rules,
            pairs: self.pairs,
            concurrency: self.concurrency,
            sprt: self.sprt,
            pgn: self.arguments.pgn.as_ref().unwrap_or(&self.scratch.path().join("games.pgn")),
            state: &self.scratch.path().join("fastchess.json"),
            stopped,
        })?;
        let failure = (!status.success()).then(|| ToolError::BrokenOff {
            program: tool.program(),
            status: status.to_string(),
            planned: 2 * self.pairs,
        });
        Ok((outcome, failure.map(MatchError::from)))
    }

    /// The row of the match; `cut_short` says why there may be fewer games than were planned.
    fn row(&self, outcome: &Outcome, cut_short: Option<String>) -> Row {
        let arguments = self.arguments;
        let elo = outcome.pairs.elo();
        let number =
            |value: f64| if value.is_finite() { format!("{value:.1}") } else { String::new() };
        let mut remarks = outcome.fault_counts();
        remarks.extend(cut_short);
        remarks.extend_from_slice(&self.remarks);
        Row {
            id: String::new(),
            date: arguments.date.clone(),
            what: arguments.what.clone(),
            new: arguments.new_name.clone(),
            old: arguments.old_name.clone(),
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
            sprt: self.sprt.map_or(String::new(), |sprt| sprt.to_string()),
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
        let with_clock = matches!(self.rules.limit, Limit::Clock { .. });
        if with_clock && arguments.margin != DEFAULT_MARGIN {
            words.push(format!("margin {} ms", arguments.margin));
        }
        if self.tool.is_none() && arguments.patience != DEFAULT_PATIENCE {
            words.push(format!("patience {} s", arguments.patience));
        }
        if let Some(rule) = arguments.draw {
            words.push(format!("draw {} {} {}", rule.from_move, rule.moves, rule.score));
        }
        if let Some(rule) = arguments.resign {
            words.push(format!("resign {} {}", rule.moves, rule.score));
        }
        words.join(", ")
    }
}

fn rules(arguments: &Arguments) -> Rules {
    let default = || Limit::clock(DEFAULT_TC).expect("invariant: a constant");
    Rules {
        limit: arguments.nodes.map(Limit::Nodes).or(arguments.tc).unwrap_or_else(default),
        margin: Duration::from_millis(arguments.margin),
        patience: Duration::from_secs(arguments.patience.into()),
        adjudication: Adjudication { draw: arguments.draw, resign: arguments.resign },
        variant: if arguments.chess960 { Variant::Chess960 } else { Variant::Standard },
    }
}

/// Whether one of the engines has a book of its own, from which it may play another move each time.
fn has_own_book(engines: &[&Launch]) -> bool {
    let is_on = |value: &str| value.eq_ignore_ascii_case("true");
    engines.iter().any(|engine| engine.value_of("OwnBook").is_some_and(is_on))
}

/// The threads of the engine that has more of them.
fn most_threads(engines: &[&Launch]) -> usize {
    let threads = |engine: &&Launch| engine.value_of("Threads")?.parse().ok();
    engines.iter().filter_map(threads).max().unwrap_or(1)
}

/// The program that plays the games; `None` for our own referee.
fn tool(runner: Runner, sprt: Option<Sprt>) -> Result<Option<Tool>, ToolError> {
    let tool = match runner {
        Runner::Auto => Tool::find(sprt),
        Runner::Own => None,
        Runner::Fastchess => Some(Tool::Fastchess),
        Runner::Cutechess => Some(Tool::Cutechess),
    };
    match tool {
        Some(tool) if !tool.has_test(sprt) => Err(ToolError::Model(tool.program())),
        tool => Ok(tool),
    }
}

/// Games at a time, in each of which an engine has so many threads.
fn concurrency(arguments: &Arguments, threads: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let fitting = (cores / threads.max(1)).max(1);
    arguments.concurrency.map_or(fitting, |count| count as usize)
}

/// What the new version and its opponent are called in the games, always two names: by them the
/// games of other programs are told apart.
fn names(arguments: &Arguments) -> [String; 2] {
    let Arguments { new_name, old_name, .. } = arguments;
    let suffix = if new_name == old_name { " (old)" } else { "" };
    [new_name.clone(), format!("{old_name}{suffix}")]
}

/// How to start an engine, with the options that both share.
fn launch(
    command: &str,
    name: String,
    arguments: &Arguments,
    own: &[(String, String)],
) -> Result<Launch, MatchError> {
    // A file name may hold spaces; arguments are possible where the whole is no file.
    let is_file = Path::new(command).is_file();
    let words: Vec<_> = if is_file { vec![command] } else { command.split_whitespace().collect() };
    let mut words = words.into_iter().map(str::to_owned);
    let program = words.next().ok_or_else(|| MatchError::Command(command.to_owned()))?;
    let option = |name: &str, value: String| (name.to_owned(), value);
    let mut options = vec![option("Hash", arguments.hash.to_string())];
    // Without the option an engine has one thread and the usual castling.
    let mut requested = Vec::new();
    let threads = option("Threads", arguments.threads.to_string());
    if arguments.threads == 1 {
        options.push(threads);
    } else {
        requested.push(threads);
    }
    if arguments.chess960 {
        requested.push(option("UCI_Chess960", "true".to_owned()));
    }
    requested.extend(arguments.option.iter().chain(own).cloned());
    Ok(Launch { name, program, arguments: words.collect(), options, requested })
}

/// The option that says how much time a move loses on its way to the referee.
const OVERHEAD: &str = "Move Overhead";

/// Whether an engine has the option [`OVERHEAD`], and no value of it was asked for already.
fn takes_overhead(engine: &Launch, stopped: &AtomicBool) -> Result<bool, RefereeError> {
    if engine.value_of(OVERHEAD).is_some() {
        return Ok(false);
    }
    Ok(referee::start(engine, stopped)?.has_option(OVERHEAD))
}

fn file_name(path: &Path, given: bool) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    if given { name.to_string_lossy().into_owned() } else { "genfens".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_that_is_switched_off_makes_no_other_games() {
        let engine = |value: &str| Launch {
            name: "engine".to_owned(),
            program: "engine".to_owned(),
            arguments: Vec::new(),
            options: Vec::new(),
            requested: vec![("OwnBook".to_owned(), value.to_owned())],
        };
        assert!(has_own_book(&[&engine("True")]));
        assert!(!has_own_book(&[&engine("false")]));
    }

    #[test]
    fn threads_may_be_given_as_an_option() {
        let engine = |requested: &[(&str, &str)]| {
            let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
            Launch {
                name: "engine".to_owned(),
                program: "engine".to_owned(),
                arguments: Vec::new(),
                options: vec![owned(&("Hash", "16")), owned(&("Threads", "1"))],
                requested: requested.iter().map(owned).collect(),
            }
        };
        let plain = engine(&[]);
        assert_eq!(most_threads(&[&plain, &plain]), 1);
        for two in [engine(&[("threads", "2")]), engine(&[("Threads", "4"), ("Threads", "2")])] {
            assert_eq!(most_threads(&[&two, &plain]), 2);
            assert_eq!(most_threads(&[&plain, &two]), 2);
        }
    }
}
