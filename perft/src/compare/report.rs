//! What a comparison prints.

use core::fmt::{Debug, Write as _};

use serde_json::{Value, json};

use crate::compare::Results;
use crate::compare::driver::{Driver, Form, Protocol, has_places};
use crate::compare::find::Finding;

/// How the engine is asked, in a line.
pub fn heading(driver: &Driver) -> String {
    let protocol = match driver.protocol {
        Protocol::Uci => "speaks UCI",
        Protocol::Xboard => "speaks XBoard",
        Protocol::Args => "takes arguments",
    };
    let answer = match driver.form {
        Form::Total { cumulative: true } => "totals of all depths added",
        Form::Total { .. } => "totals",
        Form::Lines { .. } | Form::Refusals => "its moves",
        _ => "the count of each move",
    };
    let command = driver.command.replace("{depth}", "N").replace('\n', ", ");
    let is_asked = driver.protocol != Protocol::Args && !has_places(&driver.launch);
    let asked = if is_asked { format!(", \"{command}\"") } else { String::new() };
    format!("{} {protocol}{asked}, gives {answer}", driver.name())
}

/// A wrong count beside the right one.
fn counts(depth: u8, yours: u64, correct: u64) -> String {
    let words = match yours.cmp(&correct) {
        core::cmp::Ordering::Greater => format!("{} too many", yours - correct),
        core::cmp::Ordering::Less => format!("{} too few", correct - yours),
        core::cmp::Ordering::Equal => "other moves".to_owned(),
    };
    let width = yours.max(correct).to_string().len().max(7);
    format!(
        "depth  {:>width$}  {:>width$}\n{depth:>5}  {yours:>width$}  {correct:>width$}   {words}",
        "yours", "correct"
    )
}

fn finding_text(finding: &Finding) -> String {
    let mut text = format!("\n{}\n", finding.root.fen(finding.chess960));
    if let Some(yours) = finding.yours {
        let _ = writeln!(text, "{}", counts(finding.depth, yours, finding.correct));
    }
    let (root, moves) = finding.place.text(finding.chess960);
    let whereabouts = match (moves.is_empty(), finding.place.root == finding.root.root) {
        (true, true) => String::new(),
        (true, false) => format!("in {root}: "),
        (false, true) => format!("after {}: ", moves.join(" ")),
        (false, false) => format!("after {} from {root}: ", moves.join(" ")),
    };
    let mut wrong: Vec<String> = Vec::new();
    for (moves, one, many) in [
        (&finding.missing, "is missing", "are missing"),
        (&finding.illegal, "is illegal", "are illegal"),
        (&finding.twice, "is listed twice", "are listed twice"),
    ] {
        if !moves.is_empty() {
            let verb = if moves.len() == 1 { one } else { many };
            wrong.push(format!("{} {verb}", moves.join(" ")));
        }
    }
    if !wrong.is_empty() {
        let _ = writeln!(text, "{whereabouts}{}", wrong.join("; "));
    } else if !whereabouts.is_empty() {
        let _ = writeln!(text, "{whereabouts}wrong");
    }
    match &finding.rule {
        Some(rule) => {
            let _ = writeln!(text, "  {rule}");
        }
        None if finding.causes.is_empty() => text += "  unnamed\n",
        None => {
            let _ = writeln!(text, "  possible causes:\n    {}", finding.causes.join("\n    "));
        }
    }
    if !finding.note.is_empty() {
        let _ = writeln!(text, "  {}", finding.note);
    }
    if let Some(place) = &finding.smallest {
        let (fen, moves) = place.text(finding.chess960);
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let pieces = place.root.pieces.0.iter().flatten().count();
        let _ = writeln!(text, "{fen}{moves}    smallest position found ({pieces} pieces)");
    }
    if finding.yours.is_none() {
        let _ = writeln!(text, "commands:\n  {}", finding.commands.join("\n  "));
    }
    text
}

/// The findings, and how much was compared.
pub fn text(results: &Results) -> String {
    let mut text: String = results.findings.iter().map(finding_text).collect();
    let number = results.positions.len();
    let verdict = match results.wrong {
        0 if number == 0 => "nothing compared".to_owned(),
        0 => "all agree".to_owned(),
        wrong => format!("{wrong} wrong"),
    };
    let left_out = match results.left_out {
        0 => String::new(),
        left_out => format!(", {left_out} left out"),
    };
    let partial = if results.interrupted { " (partial: stopped)" } else { "" };
    let _ = write!(text, "\nPositions: {number}, {verdict}{left_out}{partial}");
    text
}

/// The name of a value.
fn lower(value: impl Debug) -> String {
    format!("{value:?}").to_lowercase()
}

fn finding_json(finding: &Finding) -> Value {
    let (root, moves) = finding.place.text(finding.chess960);
    let smallest = finding.smallest.as_ref().map(|place| {
        let (fen, moves) = place.text(finding.chess960);
        json!({ "fen": fen, "moves": moves })
    });
    json!({
        "cause": lower(finding.cause),
        "rule": finding.rule,
        "note": finding.note,
        "causes": finding.causes,
        "fen": finding.root.fen(finding.chess960),
        "depth": finding.depth,
        "yours": finding.yours,
        "correct": finding.correct,
        "position": root,
        "moves": moves,
        "missing": finding.missing,
        "illegal": finding.illegal,
        "twice": finding.twice,
        "smallest": smallest,
        "commands": finding.commands,
    })
}

/// All of it as one object.
pub fn json(driver: &Driver, results: &Results) -> Value {
    json!({
        "engine": driver.name(),
        "protocol": lower(driver.protocol),
        "command": driver.command,
        "asked": driver.asked,
        "positions": results.positions.len(),
        "left_out": results.left_out,
        "wrong": results.wrong,
        "partial": results.interrupted,
        "findings": results.findings.iter().map(finding_json).collect::<Vec<_>>(),
    })
}

/// A test suite with a case for each position, as JUnit writes it.
pub fn junit(driver: &Driver, results: &Results) -> String {
    let escape = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"perft {}\" tests=\"{}\" failures=\"{}\" skipped=\"0\">\n",
        escape(&driver.name()),
        results.positions.len(),
        results.wrong
    );
    for position in &results.positions {
        let name = escape(&format!("{} {}", position.name, position.fen));
        let _ = write!(text, "<testcase name=\"{}\" time=\"{:.3}\"", name.trim(), position.seconds);
        let _ = match &position.fault {
            Some(fault) => writeln!(text, "><failure message=\"{}\"/></testcase>", escape(fault)),
            None => writeln!(text, "/>"),
        };
    }
    text + "</testsuite>\n"
}
