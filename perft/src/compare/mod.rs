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

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tamarin_base::files::{Reader, Target};
use tamarin_base::process::shutdown::{INTERRUPTED, stop_on_signal};
use tamarin_uci::client::Launch;

use crate::cli::{Arguments, PerftCommandError};
use crate::run::Depth;
use crate::suite::{EpdRecord, Suite};
use driver::{AskError, Driver, Form, Place, Protocol};
use find::{Comparison, Finding};
use suspect::decided;

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

impl Results {
    /// Whether a finding has the rule of this one, or one of its possible causes.
    fn has_rule_of(&self, finding: &Finding) -> bool {
        let rule = finding.rule.as_deref();
        let mut rules = rule.into_iter().chain(finding.causes.iter().copied());
        rules.any(|rule| self.findings.iter().any(|known| known.rule.as_deref() == Some(rule)))
    }
}

/// Compares as the command line says.
///
/// # Errors
/// For bad input and output that cannot be written.
pub(crate) fn execute(arguments: &Arguments) -> Result<ExitCode, PerftCommandError> {
    let items = items(arguments)?;
    let asked = &arguments.other;
    let junit = asked.junit.as_ref().map(|path| {
        let target = Target::of_user(path);
        target.map_err(|error| PerftCommandError::Input(format!("{}: {error}", path.display())))
    });
    let junit = junit.transpose()?;
    let launch = launch(asked.engine.as_deref().unwrap_or_default(), asked.ask.as_deref())?;
    let mut driver = Driver::new(launch, Duration::from_secs(asked.timeout), stop_on_signal());
    let ask = asked.ask.as_deref().map(|ask| ask.replace("\\n", "\n"));
    match driver.detect(asked.protocol, ask.as_deref()) {
        Ok(()) => {}
        Err(AskError::Input(text)) => return Err(PerftCommandError::Input(text)),
        Err(AskError::Cancelled) => return Ok(INTERRUPTED.into()),
        Err(AskError::Failed(reason)) => return not_compared(arguments.json, &driver, &reason),
    }
    let mut out = io::stdout().lock();
    if !arguments.json {
        writeln!(out, "{}", report::heading(&driver))?;
        if asked.hunt.is_some() {
            writeln!(out, "hunt with --seed {}", asked.seed)?;
        }
        out.flush()?;
    }
    let results = compare(&mut driver, items, arguments.chess960);
    if arguments.json {
        writeln!(out, "{}", report::json(&driver, &results))?;
    } else {
        writeln!(out, "{}", report::text(&results))?;
    }
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

fn not_compared(json: bool, driver: &Driver, reason: &str) -> Result<ExitCode, PerftCommandError> {
    let name = driver.name();
    if json {
        let object = serde_json::json!({
            "engine": name, "asked": driver.asked, "positions": 0, "error": reason, "findings": [],
        });
        writeln!(io::stdout(), "{object}")?;
    }
    tamarin_base::complain(&format!("error: {name} cannot be compared: {reason}"));
    Ok(ExitCode::from(NOT_COMPARED))
}

/// The command line of the engine, with no place but those that are filled.
fn launch(command: &str, ask: Option<&str>) -> Result<Launch, PerftCommandError> {
    let mut launch: Launch =
        command.parse().map_err(|error| PerftCommandError::Input(format!("--engine: {error}")))?;
    if let Some(ask) = ask.filter(|ask| ask.contains("{fen}")) {
        launch.arguments.extend(ask.split_whitespace().map(str::to_owned));
    }
    for text in launch.arguments.iter().map(String::as_str).chain(ask) {
        let mut places = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        if let Some((word, _)) =
            places.find(|(word, _)| !matches!(*word, "fen" | "depth" | "moves"))
        {
            return Err(PerftCommandError::Input(format!(
                "{{{word}}} stands for nothing: there are {{fen}}, {{depth}}, {{moves}}"
            )));
        }
    }
    if ask.is_some_and(|ask| !ask.contains("{depth}")) {
        return Err(PerftCommandError::Input("--ask: {depth} is missing".to_owned()));
    }
    Ok(launch)
}

/// The positions of the command line.
fn items(arguments: &Arguments) -> Result<Vec<Item>, PerftCommandError> {
    let item = |name: String, place: Place, depths: Vec<u8>| {
        let chess960 = arguments.chess960 || !is_standard(&place);
        Item { name, place, depths, chess960 }
    };
    let to_depth = |usual| (1..=arguments.depth.map_or(usual, Depth::plies)).collect::<Vec<u8>>();
    if let Some(path) = &arguments.suite {
        let limits = arguments.limits();
        let item = |record: &EpdRecord| {
            let fits = record.counts.iter().filter(|(depth, count)| limits.admit(*depth, *count));
            let line = format!("line {}", record.line);
            let name = if record.name.is_empty() { line } else { record.name.clone() };
            item(name, Place::known(&record.fen), fits.map(|(depth, _)| depth.plies()).collect())
        };
        return Ok(Suite::named(path)?.records().iter().map(item).collect());
    }
    if let Some(number) = arguments.other.hunt {
        let places = hunt::positions(arguments.other.seed, number);
        let hunted = |place| item("hunted".to_owned(), place, to_depth(HUNTED_DEPTH));
        return Ok(places.map(hunted).collect());
    }
    Ok(vec![item(String::new(), arguments.position(Place::new)?, to_depth(DEPTH))])
}

/// Whether kings and rooks that may castle stand as in standard chess.
fn is_standard(place: &Place) -> bool {
    let king = |rook| place.position.piece_at(rook).map(|rook| place.position.king(rook.color()));
    let mut rooks = place.position.castling().into_iter();
    rooks.all(|rook| king(rook).is_some_and(|king| name::is_classic(king, rook)))
}

/// The engine need not know Chess960 or its notation: positions of it are compared only if it gives
/// the moves of these.
const CHESS960: [&str; 2] = ["7k/8/8/8/8/8/8/5KR1 w G - 0 1", "8/k7/8/8/8/8/8/6KR w H - 0 1"];

fn compare(driver: &mut Driver, items: Vec<Item>, chess960: bool) -> Results {
    let mut results = Results::default();
    let knows_chess960 = driver.chess960
        || chess960
        || items.iter().any(|item| item.chess960) && knows_chess960(driver);
    for item in items {
        if item.depths.is_empty() || (item.chess960 && !knows_chess960) {
            results.left_out += 1;
        } else if compare_one(driver, item, &mut results).is_err() {
            results.interrupted = true;
            break;
        }
    }
    name_totals(driver, &mut results);
    results
}

fn knows_chess960(driver: &mut Driver) -> bool {
    CHESS960.iter().all(|fen| {
        let place = Place::known(fen);
        let answer = driver.ask(&place, 1, true);
        answer.is_ok_and(|answer| find::difference(&place, &answer, 1, driver.form).is_none())
    })
}

fn compare_one(driver: &mut Driver, item: Item, results: &mut Results) -> Result<(), AskError> {
    let begin = Instant::now();
    let is_list = matches!(driver.form, Form::Lines { .. } | Form::Refusals);
    let is_total = matches!(driver.form, Form::Total { .. });
    let mut comparison = Comparison { driver, chess960: item.chess960 };
    let mut fault = None;
    for depth in item.depths.into_iter().filter(|&depth| depth == 1 || !is_list) {
        let Some(mut finding) = comparison.check(&item.place, depth)? else {
            results.right.extend((depth == 1 && is_total).then(|| item.place.clone()));
            continue;
        };
        results.wrong += 1;
        fault = Some(finding.rule.clone().unwrap_or_else(|| "unnamed".to_owned()));
        if results.findings.len() < MAX_FINDINGS && !results.has_rule_of(&finding) {
            comparison.shrink(&mut finding)?;
            if !results.has_rule_of(&finding) {
                results.findings.push(finding);
            }
        }
        break;
    }
    let (fen, seconds) = (item.place.fen(item.chess960), begin.elapsed().as_secs_f64());
    results.positions.push(Compared { name: item.name, fen, seconds, fault });
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
        let places = suite.records().iter().map(|record| Place::known(&record.fen));
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
        let number = finding.excess.unsigned_abs();
        let moves = decided(finding.smallest.as_ref().unwrap_or(&finding.place)).into_iter();
        // Of each rule the moves: all, those kept nowhere, those not kept by this side in this
        // direction.
        let mut rules: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
        for mv in moves.filter(|mv| mv.is_excess == (finding.excess > 0)) {
            let is_special = !name::is_general(mv.rule);
            let is_broken = !wholly.contains(&(mv.rule, mv.is_excess));
            let counts = rules.entry(mv.rule).or_default();
            counts[0] += 1;
            counts[1] += u64::from(is_special && is_broken);
            counts[2] += u64::from(is_special && !kept.contains(&mv));
        }
        rules.retain(|_, counts| counts[0] >= number);
        let by = if rules.values().any(|counts| counts[1] >= number) { 1 } else { 2 };
        // Better the rules that decide no more moves than are wrong.
        for fits in [u64::ge, u64::eq] {
            if rules.values().any(|counts| fits(&counts[by], &number)) {
                rules.retain(|_, counts| fits(&counts[by], &number));
            }
        }
        match rules.first_key_value() {
            Some((rule, counts)) if rules.len() == 1 && counts[by] >= number => {
                finding.rule = Some((*rule).to_owned());
            }
            _ => finding.causes = rules.into_keys().collect(),
        }
    }
    let mut seen = HashSet::new();
    results
        .findings
        .retain(|finding| finding.rule.as_ref().is_none_or(|rule| seen.insert(rule.clone())));
}
