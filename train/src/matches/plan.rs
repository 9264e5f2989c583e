//! What the command line of a match comes to: engines, openings, rules.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use tamarin_base::files::Target;
use tamarin_game::clock::TimeControl;
use tamarin_movegen::Position;
use tamarin_uci::client::Launch;
use tempfile::TempDir;

use super::adjudication::Adjudication;
use super::arguments::{Arguments, DEFAULT_MARGIN, DEFAULT_PATIENCE, Runner};
use super::game::{Limit, Rules};
use super::ledger::{Row, file_name};
use super::other::Tool;
use super::player::Contender;
use super::report::MatchResult;
use super::sprt::{Sprt, Verdict};
use crate::error::{Context, Result, reject};
use crate::openings::{distinct_pairs, shuffled};

const DEFAULT_GAMES: u32 = 400;
const DEFAULT_TEST_GAMES: u32 = 40_000;

/// The most openings that are made for a match whose games differ although openings come again:
/// more would take longer to make than they are worth.
const MOST_MADE: usize = 10_000;

/// The time control without another limit.
const DEFAULT_TC: &str = "2+0.02";

pub struct Plan<'a> {
    pub arguments: &'a Arguments,
    pub players: [Contender; 2],
    /// What they said of options that the user asked for.
    remarks: Vec<String>,
    book: PathBuf,
    /// Those of the book, each once and without games that are over.
    pub openings: Vec<Position>,
    pub rules: Rules,
    pub sprt: Option<Sprt>,
    pub pairs: usize,
    pub concurrency: usize,
    /// The Move Overhead set by `--old-overhead`, in milliseconds.
    overhead: Option<u32>,
    /// `None` for our own referee.
    pub tool: Option<Tool>,
    /// For files that need not outlive the match.
    pub scratch: TempDir,
}

impl<'a> Plan<'a> {
    pub fn new(arguments: &'a Arguments, stopped: &Arc<AtomicBool>) -> Result<Self> {
        let test = |hypotheses| Sprt::new(hypotheses, arguments.model);
        let sprt = arguments.sprt.map(test).transpose()?;
        let usual = if sprt.is_some() { DEFAULT_TEST_GAMES } else { DEFAULT_GAMES };
        let mut pairs = arguments.games.unwrap_or(usual).div_ceil(2) as usize;
        let rules = rules(arguments);
        if arguments.chess960 && arguments.book.is_none() {
            reject!("--chess960 needs --book: genfens makes positions of standard chess");
        }
        let tool = tool(arguments.runner, sprt)?;
        if let (Some(tool), Some(path)) = (tool, &arguments.pgn)
            && Target::of_user(path).context(path.display())?.is_stream()
        {
            reject!(
                "{}: the games of {} are read again, give a file",
                path.display(),
                tool.program()
            );
        }
        let [new_name, old_name] = names(arguments);
        let new = contender(&arguments.new, new_name, arguments, &arguments.new_option)?;
        let mut old = contender(&arguments.old, old_name, arguments, &arguments.old_option)?;
        let with_clock = matches!(rules.limit, Limit::Clock(_));
        let overhead = match arguments.old_overhead.filter(|_| with_clock) {
            Some(overhead) if takes_overhead(&old, stopped)? => Some(overhead),
            _ => None,
        };
        old.options.extend(overhead.map(|value| (OVERHEAD.to_owned(), value.to_string())));
        let mut remarks = new.try_out(stopped)?;
        remarks.extend(old.try_out(stopped)?);
        let scratch = tempfile::Builder::new().prefix("tamarin-match-").tempdir();
        let scratch = scratch.context("cannot make a folder for temporary files")?;
        let threads = most_threads(&[&new, &old]);
        let repeats = !with_clock && threads == 1 && !has_own_book(&[&new, &old]);
        let made = if repeats { pairs } else { pairs.min(MOST_MADE) };
        let book = match &arguments.book {
            Some(path) => path.clone(),
            None => generate(&new, made, arguments.seed, scratch.path())?,
        };
        let openings = shuffled(&book, arguments.seed).context("openings")?;
        if repeats {
            pairs = distinct_pairs(pairs, &openings);
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

    pub fn headline(&self) -> String {
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

    /// Whether the test, if there is one, is decided.
    pub fn is_decided(&self, result: &MatchResult) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict(&result.pairs) != Verdict::Open)
    }

    /// The row of the match; `cut_short` says why there may be fewer games than were planned.
    pub fn row(&self, result: &MatchResult, cut_short: Option<String>) -> Row {
        let arguments = self.arguments;
        let mut remarks = result.fault_counts();
        remarks.extend(cut_short);
        remarks.extend_from_slice(&self.remarks);
        Row {
            date: arguments.date.clone(),
            what: arguments.what.clone(),
            new: arguments.new_name.clone(),
            old: arguments.old_name.clone(),
            bench: arguments.bench.clone(),
            limit: self.rules.limit.to_string(),
            options: self.options(),
            book: arguments.book.as_deref().map_or_else(|| "genfens".to_owned(), file_name),
            seed: arguments.seed.to_string(),
            runner: self.runner().to_owned(),
            sprt: self.sprt.map_or(String::new(), |sprt| sprt.to_string()),
            llr: self.sprt.map_or(String::new(), |sprt| format!("{:.2}", sprt.llr(&result.pairs))),
            remarks: remarks.join("; "),
            ..Row::of(result)
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
        let with_clock = matches!(self.rules.limit, Limit::Clock(_));
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
    let default = || TimeControl::from_pgn(DEFAULT_TC).expect("invariant: a constant");
    let clock = || Limit::Clock(arguments.tc.unwrap_or_else(default));
    Rules {
        limit: arguments.nodes.map_or_else(clock, Limit::Nodes),
        margin: Duration::from_millis(arguments.margin),
        patience: Duration::from_secs(arguments.patience.into()),
        adjudication: Adjudication { draw: arguments.draw, resign: arguments.resign },
        chess960: arguments.chess960,
    }
}

/// Whether one of the engines has a book of its own, from which it may play another move each time.
fn has_own_book(engines: &[&Contender]) -> bool {
    let is_on = |value: &str| value.eq_ignore_ascii_case("true");
    engines.iter().any(|engine| engine.value_of("OwnBook").is_some_and(is_on))
}

/// The threads of the engine that has more of them.
fn most_threads(engines: &[&Contender]) -> usize {
    let threads = |engine: &&Contender| engine.value_of("Threads")?.parse().ok();
    engines.iter().filter_map(threads).max().unwrap_or(1)
}

/// The program that plays the games; `None` for our own referee.
fn tool(runner: Runner, sprt: Option<Sprt>) -> Result<Option<Tool>> {
    let tool = match runner {
        Runner::Auto => Tool::find(sprt),
        Runner::Own => None,
        Runner::Fastchess => Some(Tool::Fastchess),
        Runner::Cutechess => Some(Tool::Cutechess),
    };
    match tool {
        Some(tool) if !tool.has_test(sprt) => reject!(
            "{} has no test of normalized Elo; give --model logistic or another --runner",
            tool.program()
        ),
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
fn contender(
    command: &str,
    name: String,
    arguments: &Arguments,
    own: &[(String, String)],
) -> Result<Contender> {
    // A file name may hold spaces; arguments are possible where the whole is no file.
    let is_file = Path::new(command).is_file();
    let words: Vec<_> = if is_file { vec![command] } else { command.split_whitespace().collect() };
    let mut words = words.into_iter().map(str::to_owned);
    let Some(program) = words.next() else {
        reject!("an engine is a program and its arguments, not {command:?}")
    };
    let patience = Duration::from_secs(60);
    let launch = Launch { arguments: words.collect(), patience, ..Launch::new(program) };
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
    Ok(Contender { name, launch, options, requested })
}

/// The option that says how much time a move loses on its way to the referee.
const OVERHEAD: &str = "Move Overhead";

/// Whether an engine has the option [`OVERHEAD`], and no value of it was asked for already.
fn takes_overhead(engine: &Contender, stopped: &Arc<AtomicBool>) -> Result<bool> {
    Ok(engine.value_of(OVERHEAD).is_none() && engine.start(stopped)?.0.option(OVERHEAD).is_some())
}

/// Lets the engine make openings (`genfens`) and writes them to a file in this folder.
fn generate(engine: &Contender, count: usize, seed: u64, folder: &Path) -> Result<PathBuf> {
    let request = format!("genfens {count} seed {seed} book None");
    let program = engine.launch.program.display();
    let mut command = Command::new(&engine.launch.program);
    command.args(&engine.launch.arguments).args([request.as_str(), "quit"]);
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&output);
    let fens: Vec<_> =
        text.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    if fens.is_empty() {
        reject!("openings: {program} makes no openings with genfens; give a book");
    }
    let path = folder.join("openings.epd");
    fs::write(&path, fens.join("\n") + "\n").context(path.display())?;
    Ok(path)
}
