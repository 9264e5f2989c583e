//! `--engine`: compares the moves of another engine with ours, and names the rule it breaks.
//!
//! The engine is asked by the client of `tamarin-uci`. A wrong count is walked down to the shallowest
//! difference, shown in the smallest position, and named by `name` or, where an engine gives totals
//! only, by the rules that decide as many moves there and none where it is right.

pub mod answer;
mod detect;
mod driver;
mod find;
mod hunt;
mod name;
mod report;
mod suspect;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tamarin_base::files::{Reader, Target};
use tamarin_base::process::shutdown::{INTERRUPTED, Interrupts, on_signal};
use tamarin_movegen::File;
use tamarin_uci::client::Launch;

use crate::run::Depth;
use crate::suite::{Suite, SuiteError};
use detect::Failure;
use driver::{AskError, Driver, Form, Place, Protocol, has_places};
use find::{Cause, Comparison, Finding};
use suspect::{Decided, decided};

/// What of the command line concerns another engine.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct EngineArguments {
    /// Compare another engine, find its wrong moves and name the rule: a command line; {fen},
    /// {depth} and {moves} in it are replaced, one process for each question
    #[arg(long, value_name = "CMD")]
    pub engine: Option<String>,

    /// How the engine is spoken to [default: found out]
    #[arg(long, value_enum, requires = "engine")]
    protocol: Option<Protocol>,

    /// The engine's command for perft, with {depth}; \n between lines [default: found out]
    #[arg(long, value_name = "COMMAND", requires = "engine")]
    ask: Option<String>,

    /// Seconds the engine may take for an answer
    #[arg(long, value_name = "S", default_value_t = 10, requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,

    /// Compare N random positions of the kinds in which engines are wrong
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10000",
          requires = "engine", conflicts_with_all = ["suite", "fen"])]
    pub hunt: Option<u32>,

    /// The seed of --hunt
    #[arg(long, value_name = "S", default_value_t = 1, requires = "hunt")]
    seed: u64,

    /// Write the result for continuous integration as JUnit reads it
    #[arg(long, value_name = "FILE", requires = "engine")]
    junit: Option<PathBuf>,
}

/// What else the command line says.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    pub engine: &'a EngineArguments,
    pub depth: Option<Depth>,
    pub fen: String,
    pub suite: Option<&'a Path>,
    pub max_nodes: Option<u64>,
    pub chess960: bool,
    pub json: bool,
}

/// Why a comparison ends without a result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CompareError {
    #[error("{0}")]
    Input(String),
    #[error(transparent)]
    Suite(#[from] SuiteError),
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// The exit code where nothing could be compared.
const NOT_COMPARED: u8 = 3;

/// Depth of a comparison where none is given.
const DEPTH: u8 = 4;

/// Depth of a hunted position.
const HUNTED_DEPTH: u8 = 2;

/// Findings with a rule of their own that are shown.
const MAX_FINDINGS: usize = 10;

/// A position to compare.
pub struct Item {
    name: String,
    place: Place,
    depths: Vec<u8>,
    chess960: bool,
}

/// What became of it.
pub struct Compared {
    name: String,
    fen: String,
    seconds: f64,
    /// The rule or another word for what is wrong.
    fault: Option<String>,
}

/// What was found.
#[derive(Default)]
pub struct Results {
    positions: Vec<Compared>,
    left_out: usize,
    findings: Vec<Finding>,
    /// Wrong positions, of which one for each rule is in `findings`.
    wrong: usize,
    /// Positions where the total of the moves is right.
    right: Vec<Place>,
    interrupted: bool,
}

/// Compares as the command line says.
///
/// # Errors
/// For bad input and output that cannot be written.
pub(crate) fn execute(task: &Task<'_>) -> Result<ExitCode, CompareError> {
    let items = items(task)?;
    let command = task.engine.engine.as_deref().unwrap_or_default();
    let junit = task.engine.junit.as_ref().map(|path| {
        let target = Target::of_user(path);
        target.map_err(|error| CompareError::Input(format!("{}: {error}", path.display())))
    });
    let junit = junit.transpose()?;
    let launch = launch(command, task.engine.ask.as_deref())?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    on_signal(Arc::new(Interrupts::default()), move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    let timeout = Duration::from_secs(task.engine.timeout);
    let mut driver = Driver::new(launch, timeout, cancelled);
    let ask = task.engine.ask.as_deref().map(|ask| ask.replace("\\n", "\n"));
    match driver.detect(task.engine.protocol, ask.as_deref()) {
        Ok(()) => {}
        Err(Failure::Input(text)) => return Err(CompareError::Input(text)),
        Err(Failure::Cancelled) => return Ok(INTERRUPTED.into()),
        Err(Failure::NotCompared(reason)) => return not_compared(task, &driver, &reason),
    }
    let mut out = io::stdout().lock();
    if !task.json {
        writeln!(out, "{}", report::heading(&driver))?;
        if task.engine.hunt.is_some() {
            writeln!(out, "hunt with --seed {}", task.engine.seed)?;
        }
        out.flush()?;
    }
    let results = compare(&mut driver, items, task);
    let text = if task.json {
        report::json(&driver, &results).to_string()
    } else {
        report::text(&results)
    };
    writeln!(out, "{text}")?;
    out.flush()?;
    if let Some(target) = junit {
        target.write(report::junit(&driver, &results).as_bytes(), Reader::Awaited)?;
    }
    Ok(match () {
        () if results.interrupted => INTERRUPTED.into(),
        () if results.wrong > 0 => ExitCode::from(1),
        () if results.positions.is_empty() => ExitCode::from(NOT_COMPARED),
        () => ExitCode::SUCCESS,
    })
}

fn not_compared(task: &Task<'_>, driver: &Driver, reason: &str) -> Result<ExitCode, CompareError> {
    let name = driver.name();
    if task.json {
        let object = serde_json::json!({
            "engine": name, "asked": driver.asked, "positions": 0, "error": reason, "findings": [],
        });
        writeln!(io::stdout(), "{object}")?;
    }
    tamarin_base::complain(&format!("error: {name} cannot be compared: {reason}"));
    Ok(ExitCode::from(NOT_COMPARED))
}

/// The command line of the engine, with no place but those that are filled.
fn launch(command: &str, ask: Option<&str>) -> Result<Launch, CompareError> {
    let mut launch: Launch =
        command.parse().map_err(|error| CompareError::Input(format!("--engine: {error}")))?;
    if ask.is_some_and(|ask| ask.contains("{fen}")) {
        launch.arguments.extend(ask.unwrap_or_default().split_whitespace().map(str::to_owned));
    }
    let unknown = |text: &str| {
        let words = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        let mut names = words.map(|(word, _)| word.to_owned());
        names.find(|word| !matches!(word.as_str(), "fen" | "depth" | "moves"))
    };
    let texts = launch.arguments.iter().map(String::as_str).chain(ask);
    if let Some(word) = texts.filter_map(unknown).next() {
        let text =
            format!("{{{word}}} stands for nothing: there are {{fen}}, {{depth}}, {{moves}}");
        return Err(CompareError::Input(text));
    }
    if ask.is_some_and(|ask| !ask.contains("{depth}")) {
        return Err(CompareError::Input("--ask: {depth} is missing".to_owned()));
    }
    Ok(launch)
}

/// The positions of the command line.
fn items(task: &Task<'_>) -> Result<Vec<Item>, CompareError> {
    let bad =
        |fen: &str, error: String| CompareError::Input(format!("bad position {fen:?}: {error}"));
    if let Some(path) = task.suite {
        let suite = Suite::named(path)?;
        let item = |record: &crate::suite::EpdRecord| {
            let place = Place::new(&record.fen).map_err(|error| bad(&record.fen, error))?;
            let fits = |&&(depth, count): &&(Depth, u64)| {
                task.depth.is_none_or(|most| depth <= most)
                    && task.max_nodes.is_none_or(|most| count <= most)
            };
            let depths =
                record.counts.iter().filter(fits).map(|(depth, _)| depth.plies()).collect();
            let chess960 = task.chess960 || !is_standard(&place);
            let line = format!("line {}", record.line);
            let name = if record.name.is_empty() { line } else { record.name.clone() };
            Ok(Item { name, place, depths, chess960 })
        };
        return suite.records().iter().map(item).collect();
    }
    if let Some(number) = task.engine.hunt {
        let depth = task.depth.map_or(HUNTED_DEPTH, Depth::plies);
        let positions = hunt::positions(task.engine.seed, number);
        let item = |place: Place| Item {
            name: "hunted".to_owned(),
            place,
            depths: (1..=depth).collect(),
            chess960: task.chess960,
        };
        return Ok(positions.map(item).collect());
    }
    let start = tamarin_movegen::Position::startpos().to_string();
    let fen = match task.fen.as_str() {
        "" | "startpos" => &start,
        fen => fen,
    };
    let place = Place::new(fen).map_err(|error| bad(fen, error))?;
    let depth = task.depth.map_or(DEPTH, Depth::plies);
    let chess960 = task.chess960 || !is_standard(&place);
    Ok(vec![Item { name: String::new(), place, depths: (1..=depth).collect(), chess960 }])
}

/// Whether kings and rooks that may castle stand as in standard chess.
fn is_standard(place: &Place) -> bool {
    place.position.castling().into_iter().all(|rook| {
        let king = place.position.piece_at(rook).map(|piece| place.position.king(piece.color()));
        king.is_some_and(|king| king.file() == File::E) && matches!(rook.file(), File::A | File::H)
    })
}

/// The engine need not know Chess960 or its notation: positions of it are compared only if it gives
/// the moves of these.
const CHESS960: [&str; 2] = ["7k/8/8/8/8/8/8/5KR1 w G - 0 1", "8/k7/8/8/8/8/8/6KR w H - 0 1"];

fn compare(driver: &mut Driver, items: Vec<Item>, task: &Task<'_>) -> Results {
    let mut results = Results::default();
    let mut rules = HashSet::new();
    let knows_chess960 = driver.chess960 || task.chess960 || {
        items.iter().any(|item| item.chess960) && knows_chess960(driver)
    };
    for item in items {
        if item.depths.is_empty() || (item.chess960 && !knows_chess960) {
            results.left_out += 1;
            continue;
        }
        let is_done = compare_one(driver, &item, &mut results, &mut rules);
        if is_done.is_err() {
            results.interrupted = true;
            break;
        }
    }
    name_totals(driver, &mut results);
    results
}

fn knows_chess960(driver: &mut Driver) -> bool {
    CHESS960.iter().all(|fen| {
        let place = Place::new(fen).expect("invariant: the position is legal");
        let answer = driver.ask(&place, 1, true);
        answer.is_ok_and(|answer| find::difference(&place, &answer, 1, driver.form).is_none())
    })
}

fn compare_one(
    driver: &mut Driver,
    item: &Item,
    results: &mut Results,
    rules: &mut HashSet<String>,
) -> Result<(), AskError> {
    let begin = Instant::now();
    let is_list = matches!(driver.form, Form::Lines { .. } | Form::Refusals);
    let is_total = matches!(driver.form, Form::Total { .. });
    let mut comparison = Comparison { driver, chess960: item.chess960 };
    let mut fault = None;
    for &depth in item.depths.iter().filter(|&&depth| depth == 1 || !is_list) {
        let found = comparison.check(&item.place, depth)?;
        let is_right = found.is_none() && depth == 1 && is_total;
        results.right.extend(is_right.then(|| item.place.clone()));
        let Some(mut finding) = found else { continue };
        results.wrong += 1;
        fault = Some(finding.rule.clone().unwrap_or_else(|| "unnamed".to_owned()));
        let is_known =
            finding.rule.iter().map(String::as_str).chain(finding.causes.iter().copied());
        if !is_known.into_iter().any(|rule| rules.contains(rule))
            && results.findings.len() < MAX_FINDINGS
        {
            comparison.shrink(&mut finding)?;
            let is_new = finding.rule.as_ref().is_none_or(|rule| rules.insert(rule.clone()));
            if is_new {
                results.findings.push(finding);
            }
        }
        break;
    }
    results.positions.push(Compared {
        name: item.name.clone(),
        fen: item.place.fen(item.chess960),
        seconds: begin.elapsed().as_secs_f64(),
        fault,
    });
    Ok(())
}

/// Names the rules that explain how many moves an engine has that lists none: those that decide
/// as many moves of the smallest position, and none of a position where it is right.
fn name_totals(driver: &mut Driver, results: &mut Results) {
    let is_open = |finding: &Finding| finding.rule.is_none() && finding.excess != 0;
    if !results.findings.iter().any(is_open) {
        return;
    }
    if results.positions.len() == 1 && !results.interrupted {
        let suite = Suite::rules();
        let places = suite.records().iter().filter_map(|record| Place::new(&record.fen).ok());
        for place in places.filter(is_standard) {
            let answer = driver.ask(&place, 1, false);
            if answer.is_ok_and(|answer| answer.nodes() == Some(find::correct(&place, 1))) {
                results.right.push(place);
            }
        }
    }
    let kept: HashSet<_> = results.right.iter().flat_map(decided).collect();
    let wholly: HashSet<_> = kept.iter().map(|mv| (mv.rule, mv.is_excess)).collect();
    let is_rare = results.right.len() * 10 < results.positions.len();
    for finding in results.findings.iter_mut().filter(|finding| is_open(finding)) {
        if is_rare && find::correct(&finding.place, 2) == finding.yours.unwrap_or(0) {
            finding.rule = Some(suspect::DEEPER.to_owned());
            continue;
        }
        let place = finding.smallest.as_ref().unwrap_or(&finding.place);
        let number = finding.excess.unsigned_abs();
        let mut moves = decided(place);
        moves.retain(|mv| mv.is_excess == (finding.excess > 0));
        let all = |rule: &str| moves.iter().filter(|mv| mv.rule == rule).count() as u64;
        let broken = |rule: &str, by_side: bool| {
            let is_kept = |mv: &Decided| match by_side {
                true => kept.contains(mv),
                false => wholly.contains(&(mv.rule, mv.is_excess)),
            };
            let is_fresh = |mv: &&Decided| mv.rule == rule && !is_kept(mv);
            moves.iter().filter(is_fresh).count() as u64 * u64::from(!name::is_general(rule))
        };
        let mut fits: Vec<&str> = moves.iter().map(|mv| mv.rule).collect();
        fits.sort_unstable();
        fits.dedup();
        fits.retain(|rule| all(rule) >= number);
        // Those kept nowhere else, or not by this side in this direction; of these the ones that
        // decide no more moves than are wrong.
        let by_side = !fits.iter().any(|rule| broken(rule, false) >= number);
        for least in [|a: u64, b: u64| a >= b, |a: u64, b: u64| a == b] {
            if fits.iter().any(|rule| least(broken(rule, by_side), number)) {
                fits.retain(|rule| least(broken(rule, by_side), number));
            }
        }
        match fits[..] {
            [rule] if broken(rule, by_side) >= number => finding.rule = Some(rule.to_owned()),
            _ => finding.causes = fits,
        }
    }
    let mut seen = HashSet::new();
    let mut is_new = |finding: &Finding| match &finding.rule {
        Some(rule) => seen.insert(rule.clone()),
        None => true,
    };
    results.findings.retain(|finding| is_new(finding));
}

/// Whether each question starts the program anew.
fn is_started_anew(driver: &Driver) -> bool {
    driver.protocol == Protocol::Args || has_places(&driver.launch)
}

/// Of a finding, what it is in a word.
const fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Generation => "generation",
        Cause::State => "state",
        Cause::Counting => "counting",
        Cause::Failure => "failure",
        Cause::Stale => "stale",
    }
}
