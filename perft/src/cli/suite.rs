//! The check of a suite.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::output::{
    divide_to_json, effort_to_json, effort_to_text, millions, named_moves, write_divide,
};
use crate::cli::watch::watch;
use crate::cli::{Arguments, Ending, Failure, Session};
use crate::suite::{Entry, Limits, Mismatch, Suite, Verdict};

/// What was found in a whole suite.
#[derive(Default)]
struct Report<'a> {
    positions: usize,
    nodes: u64,
    time: Duration,
    skipped: usize,
    mismatches: Vec<(&'a Entry, Mismatch)>,
    interrupted: bool,
}

pub(super) fn execute(path: &Path, arguments: &Arguments) -> Result<Ending, Failure> {
    let suite = Suite::read(path)?;
    let session = Session::new(arguments)?;
    session.listen_for_interrupt();
    let limits = Limits { depth: arguments.depth, nodes: arguments.max_nodes };
    let mut out = io::stdout().lock();
    if !arguments.json {
        writeln!(
            out,
            "{:>6} {:>5} {:>15} {:>10} {:>8}  result",
            "line", "depth", "nodes", "seconds", "Mnps"
        )?;
    }
    let mut report = Report::default();
    for entry in suite.entries() {
        let start = Instant::now();
        let verdict =
            watch(&session.control, || entry.check(&limits, &session.options(), &session.control));
        let time = start.elapsed();
        if !arguments.json {
            write_row(&mut out, entry, &verdict, time)?;
            out.flush()?;
        }
        report.add(entry, verdict, time);
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
    Ok(report.ending())
}

fn write_row(
    out: &mut impl Write,
    entry: &Entry,
    verdict: &Verdict,
    time: Duration,
) -> io::Result<()> {
    let depth = verdict.depth.map_or("-".to_owned(), |depth| depth.to_string());
    let result = match verdict {
        Verdict { mismatch: Some(Mismatch { depth, expected, found, .. }), .. } => {
            format!("WRONG at depth {depth}: {found}, should be {expected}")
        }
        Verdict { complete: false, .. } => "stopped".to_owned(),
        Verdict { depth: None, .. } => "left out".to_owned(),
        _ => "ok".to_owned(),
    };
    let (line, nodes) = (entry.line, verdict.nodes);
    let (seconds, speed) = (time.as_secs_f64(), millions(nodes, time));
    writeln!(out, "{line:>6} {depth:>5} {nodes:>15} {seconds:>10.3} {speed:>8.1}  {result}")
}

impl<'a> Report<'a> {
    fn add(&mut self, entry: &'a Entry, verdict: Verdict, time: Duration) {
        self.positions += 1;
        self.nodes = self.nodes.saturating_add(verdict.nodes);
        self.time += time;
        self.skipped += verdict.skipped;
        self.interrupted |= !verdict.complete;
        self.mismatches.extend(verdict.mismatch.map(|mismatch| (entry, mismatch)));
    }

    fn ending(&self) -> Ending {
        if !self.mismatches.is_empty() {
            Ending::Mismatch
        } else if self.interrupted {
            Ending::Interrupted
        } else {
            Ending::Good
        }
    }

    fn write(&self, out: &mut impl Write, session: &Session) -> io::Result<()> {
        if let Some((entry, mismatch)) = self.mismatches.first() {
            let Mismatch { depth, expected, found, divide } = mismatch;
            writeln!(out, "\nFirst wrong count: line {}, depth {depth}", entry.line)?;
            writeln!(out, "{}", entry.fen)?;
            write_divide(out, &named_moves(&entry.position, divide, session.notation))?;
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
        let mismatches: Vec<Value> = self
            .mismatches
            .iter()
            .map(|(entry, mismatch)| {
                let divide = named_moves(&entry.position, &mismatch.divide, session.notation);
                json!({
                    "line": entry.line,
                    "fen": entry.fen,
                    "depth": mismatch.depth.plies(),
                    "expected": mismatch.expected,
                    "found": mismatch.found,
                    "divide": divide_to_json(divide),
                })
            })
            .collect();
        let mut object = effort_to_json(session, self.nodes, self.time);
        object.extend([
            ("suite".to_owned(), path.to_string_lossy().into()),
            ("positions".to_owned(), self.positions.into()),
            ("left_out".to_owned(), self.skipped.into()),
            ("partial".to_owned(), self.interrupted.into()),
            ("mismatches".to_owned(), mismatches.into()),
        ]);
        Value::Object(object)
    }
}
