//! The count of one position.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use tamarin_base::process::shutdown::INTERRUPTED;
use tamarin_movegen::Position;

use crate::cli::Arguments;
use crate::cli::output::{
    counts_to_json, effort_to_json, effort_to_text, named_moves, write_divide,
};
use crate::cli::resume;
use crate::cli::session::{PerftCommandError, Session, watch};
use crate::details::{COLUMNS, Row, details};
use crate::run::{Depth, run};

pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, PerftCommandError> {
    let depth = arguments.depth.expect("invariant: the depth is required without a suite");
    let position = arguments.position(Position::from_fen)?;
    let session = Session::new(arguments)?;
    if arguments.details {
        return show_details(arguments, &session, &position, depth);
    }
    let (outcome, time) = watch(&session.control, || match &arguments.resume {
        Some(path) => resume::execute(path, &position, depth, &session),
        None => Ok(run(position.board(), depth, &session.options(), &session.control)),
    });
    let outcome = outcome?;
    let nodes = outcome.exact_nodes(depth)?;
    let moves = named_moves(&position, &outcome.divide, session.notation);
    let mut out = io::stdout().lock();
    if arguments.json {
        let mut object = effort_to_json(&session, nodes, time);
        object["fen"] = position.fen(session.notation.rights).into();
        object["depth"] = depth.plies().into();
        object["partial"] = (!outcome.complete).into();
        object["divide"] = counts_to_json(moves);
        writeln!(out, "{object}")?;
    } else {
        if arguments.divide {
            write_divide(&mut out, &moves)?;
            writeln!(out)?;
        }
        let partial = if outcome.complete { "" } else { " (partial: stopped)" };
        writeln!(out, "Nodes searched: {nodes}{partial}")?;
        writeln!(out, "Time: {}", effort_to_text(&session, nodes, time))?;
    }
    out.flush()?;
    Ok(if outcome.complete { ExitCode::SUCCESS } else { INTERRUPTED.into() })
}

fn show_details(
    arguments: &Arguments,
    session: &Session,
    position: &Position,
    depth: Depth,
) -> Result<ExitCode, PerftCommandError> {
    let (rows, _) = watch(&session.control, || {
        details(position.board(), depth, session.threads, &session.control)
    });
    let is_complete = !session.control.is_stopped();
    let mut out = io::stdout().lock();
    if arguments.json {
        let row = |row: &Row| counts_to_json(COLUMNS.into_iter().zip(*row));
        let object = json!({
            "fen": position.fen(session.notation.rights),
            "partial": !is_complete,
            "depths": rows.iter().map(row).collect::<Value>(),
        });
        writeln!(out, "{object}")?;
    } else {
        for (index, name) in COLUMNS.iter().enumerate() {
            write!(out, "{name:<18}")?;
            rows.iter().try_for_each(|row| write!(out, " {:>14}", row[index]))?;
            writeln!(out)?;
        }
        if !is_complete {
            writeln!(out, "(partial: stopped)")?;
        }
    }
    out.flush()?;
    Ok(if is_complete { ExitCode::SUCCESS } else { INTERRUPTED.into() })
}
