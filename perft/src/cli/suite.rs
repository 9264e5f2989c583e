//! The check of a suite.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};
use tamarin_base::process::shutdown::INTERRUPTED;

use crate::cli::Arguments;
use crate::cli::output::{
    count_to_json, counts_to_json, effort_to_json, effort_to_text, millions, named_moves,
    write_divide,
};
use crate::cli::session::{PerftCommandError, Session, watch};
use crate::suite::{CheckResult, EpdRecord, Mismatch, Suite};

/// What was found in a whole suite.
#[derive(Default)]
struct Report<'a> {
    positions: usize,
    nodes: u128,
    time: Duration,
    skipped: usize,
    mismatches: Vec<(&'a EpdRecord, Mismatch)>,
    interrupted: bool,
}

pub(super) fn execute(path: &Path, arguments: &Arguments) -> Result<ExitCode, PerftCommandError> {
    let suite = Suite::named(path)?;
    let session = Session::new(arguments)?;
    let limits = arguments.limits();
    let mut out = io::stdout().lock();
    if !arguments.json {
        writeln!(
            out,
            "{:>6} {:>5} {:>15} {:>10} {:>8}  result",
            "line", "depth", "nodes", "seconds", "Mnps"
        )?;
    }
    let mut report = Report::default();
    for record in suite.records() {
        let (check, time) =
            watch(&session.control, || record.check(&limits, &session.options(), &session.control));
        let check = check.map_err(|error| PerftCommandError::Record {
            file: arguments.suite_name(),
            line: record.line,
            error,
        })?;
        if !arguments.json {
            write_row(&mut out, record, &check, time)?;
            out.flush()?;
        }
        report.add(record, check, time);
        if report.interrupted {
            break;
        }
    }
    if arguments.json {
        writeln!(out, "{}", report.to_json(path, &session))?;
    } else {
        report.write(&mut out, &session)?;
    }
    out.flush()?;
    Ok(match (report.mismatches.is_empty(), report.interrupted) {
        (false, _) => ExitCode::from(1),
        (true, true) => INTERRUPTED.into(),
        (true, false) => ExitCode::SUCCESS,
    })
}

fn write_row(
    out: &mut impl Write,
    record: &EpdRecord,
    check: &CheckResult,
    time: Duration,
) -> io::Result<()> {
    let depth = check.depth.map_or("-".to_owned(), |depth| depth.to_string());
    let result = match check {
        CheckResult { mismatch: Some(Mismatch { depth, expected, found, .. }), .. } => {
            format!("WRONG at depth {depth}: {found}, should be {expected}")
        }
        CheckResult { complete: false, .. } => "stopped".to_owned(),
        CheckResult { depth: None, .. } => "left out".to_owned(),
        _ => "ok".to_owned(),
    };
    let (line, nodes) = (record.line, check.nodes);
    let (seconds, speed) = (time.as_secs_f64(), millions(nodes, time));
    writeln!(out, "{line:>6} {depth:>5} {nodes:>15} {seconds:>10.3} {speed:>8.1}  {result}")
}

impl<'a> Report<'a> {
    fn add(&mut self, record: &'a EpdRecord, check: CheckResult, time: Duration) {
        self.positions += 1;
        self.nodes = self.nodes.saturating_add(check.nodes);
        self.time += time;
        self.skipped += check.skipped;
        self.interrupted |= !check.complete;
        self.mismatches.extend(check.mismatch.map(|mismatch| (record, mismatch)));
    }

    fn write(&self, out: &mut impl Write, session: &Session) -> io::Result<()> {
        if let Some((record, mismatch)) = self.mismatches.first() {
            let Mismatch { depth, expected, found, divide } = mismatch;
            writeln!(out, "\nFirst wrong count: line {}, depth {depth}", record.line)?;
            writeln!(out, "{}", record.fen)?;
            write_divide(out, &named_moves(&record.position, divide, session.notation))?;
            writeln!(out, "\nNodes searched: {found}, should be {expected}")?;
        }
        let wrong = match self.mismatches.len() {
            0 => "all right".to_owned(),
            wrong => format!("{wrong} WRONG"),
        };
        let partial = if self.interrupted { " (partial: stopped)" } else { "" };
        let skipped = match self.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} counts left out"),
        };
        writeln!(out, "\nPositions: {}, {wrong}{skipped}{partial}", self.positions)?;
        writeln!(out, "Nodes searched: {}", self.nodes)?;
        writeln!(out, "Time: {}", effort_to_text(session, self.nodes, self.time))
    }

    fn to_json(&self, path: &Path, session: &Session) -> Value {
        let mismatch = |(record, mismatch): &(&EpdRecord, Mismatch)| {
            let divide = named_moves(&record.position, &mismatch.divide, session.notation);
            json!({
                "line": record.line,
                "fen": record.fen,
                "depth": mismatch.depth.plies(),
                "expected": mismatch.expected,
                "found": count_to_json(mismatch.found),
                "divide": counts_to_json(divide),
            })
        };
        let mismatches: Value = self.mismatches.iter().map(mismatch).collect();
        let mut object = effort_to_json(session, self.nodes, self.time);
        object["suite"] = path.to_string_lossy().into();
        object["positions"] = self.positions.into();
        object["left_out"] = self.skipped.into();
        object["partial"] = self.interrupted.into();
        object["mismatches"] = mismatches;
        object
    }
}
