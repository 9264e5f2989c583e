//! The count of one position.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde_json::Value;
use tamarin_movegen::Position;

use crate::cli::arguments::Arguments;
use crate::cli::output::{
    divide_to_json, effort_to_json, effort_to_text, named_moves, write_divide,
};
use crate::cli::session::{Ending, PerftCommandError, Session};
use crate::cli::watch::watch;
use crate::depth::Depth;
use crate::run::{Outcome, run};

pub(super) fn execute(depth: Depth, arguments: &Arguments) -> Result<Ending, PerftCommandError> {
    let position = read_position(&arguments.fen)?;
    let session = Session::new(arguments)?;
    session.listen_for_interrupt();
    let (outcome, time) = watch(&session.control, || {
        let start = Instant::now();
        let outcome = run(position.board(), depth, &session.options(), &session.control);
        (outcome, start.elapsed())
    });
    outcome.exact_nodes(depth)?;
    let answer = Answer { position: &position, depth, outcome: &outcome, time };
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", answer.to_json(&session))?;
    } else {
        let detail = if arguments.divide { Detail::Divide } else { Detail::Total };
        answer.write(&mut out, &session, detail)?;
    }
    out.flush()?;
    Ok(if outcome.complete { Ending::Good } else { Ending::Interrupted })
}

fn read_position(words: &[String]) -> Result<Position, PerftCommandError> {
    let fen = words.join(" ");
    match fen.trim() {
        "" | "startpos" => Ok(Position::startpos()),
        fen => Position::from_fen(fen)
            .map_err(|error| PerftCommandError::Input(format!("bad position {fen:?}: {error}"))),
    }
}

/// How much of the answer is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Total,
    Divide,
}

/// A count and what was asked.
struct Answer<'a> {
    position: &'a Position,
    depth: Depth,
    outcome: &'a Outcome,
    time: Duration,
}

impl Answer<'_> {
    fn moves(&self, session: &Session) -> Vec<(String, u64)> {
        named_moves(self.position, &self.outcome.divide, session.notation)
    }

    fn write(&self, out: &mut impl Write, session: &Session, detail: Detail) -> io::Result<()> {
        if detail == Detail::Divide {
            write_divide(out, &self.moves(session))?;
            writeln!(out)?;
        }
        let nodes = self.outcome.nodes();
        let partial = if self.outcome.complete { "" } else { " (partial: stopped)" };
        writeln!(out, "Nodes searched: {nodes}{partial}")?;
        writeln!(out, "Time: {}", effort_to_text(session, nodes, self.time))
    }

    fn to_json(&self, session: &Session) -> Value {
        let mut object = effort_to_json(session, self.outcome.nodes(), self.time);
        object.extend([
            ("fen".to_owned(), self.position.fen(session.notation.rights).into()),
            ("depth".to_owned(), self.depth.plies().into()),
            ("partial".to_owned(), (!self.outcome.complete).into()),
            ("divide".to_owned(), divide_to_json(self.moves(session))),
        ]);
        Value::Object(object)
    }
}
