//! The count of one position.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use serde_json::Value;
use tamarin_base::process::shutdown::INTERRUPTED;
use tamarin_movegen::Position;

use crate::cli::Arguments;
use crate::cli::output::{
    divide_to_json, effort_to_json, effort_to_text, named_moves, write_divide,
};
use crate::cli::session::{PerftCommandError, Session, watch};
use crate::run::run;

pub(super) fn execute(arguments: &Arguments) -> Result<ExitCode, PerftCommandError> {
    let depth = arguments.depth.expect("invariant: the depth is required without a suite");
    let position = read_position(&arguments.fen)?;
    let session = Session::new(arguments)?;
    session.listen_for_interrupt();
    let (outcome, time) = watch(&session.control, || {
        let start = Instant::now();
        let outcome = run(position.board(), depth, &session.options(), &session.control);
        (outcome, start.elapsed())
    });
    let nodes = outcome.exact_nodes(depth)?;
    let moves = named_moves(&position, &outcome.divide, session.notation);
    let mut out = io::stdout().lock();
    if arguments.json {
        let mut object = effort_to_json(&session, nodes, time);
        object.extend([
            ("fen".to_owned(), position.fen(session.notation.rights).into()),
            ("depth".to_owned(), depth.plies().into()),
            ("partial".to_owned(), (!outcome.complete).into()),
            ("divide".to_owned(), divide_to_json(moves)),
        ]);
        writeln!(out, "{}", Value::Object(object))?;
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

fn read_position(words: &[String]) -> Result<Position, PerftCommandError> {
    let fen = words.join(" ");
    match fen.trim() {
        "" | "startpos" => Ok(Position::startpos()),
        fen => Position::from_fen(fen)
            .map_err(|error| PerftCommandError::Input(format!("bad position {fen:?}: {error}"))),
    }
}
