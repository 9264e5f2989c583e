//! `tamarin eval`, and the evaluation of a position as JSON.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use tamarin_eval::{Breakdown, FamilyValues, TermUnit, TermValue, TermValues};
use tamarin_eval::{UNITS_PER_PAWN, UciScore};
use tamarin_movegen::{CastlingStyle, Color, FenError, Position};

use crate::message::complain;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Exit codes: 0 evaluated, or in check; 2 bad input or unwritable output.")]
pub struct Arguments {
    /// A FEN, quoted or not [default: the start position]
    #[arg(value_name = "FEN")]
    words: Vec<String>,

    /// Print a JSON object: every term in engine units, scores from White's point of view
    #[arg(long)]
    json: bool,
}

/// Why nothing is printed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> ExitCode {
    match print(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&format!("error: {failure}"));
            ExitCode::from(2)
        }
    }
}

fn print(arguments: &Arguments) -> Result<(), Failure> {
    let position = match arguments.words.as_slice() {
        [] => Position::startpos(),
        words => Position::from_fen(&words.join(" "))?,
    };
    let text = if arguments.json { to_json(&position).to_string() } else { to_text(&position) };
    let mut out = io::stdout().lock();
    Ok(writeln!(out, "{text}").and_then(|()| out.flush())?)
}

/// The evaluation as a table of families of terms.
pub fn to_text(position: &Position) -> String {
    if position.in_check() {
        "No evaluation: the side to move is in check".to_owned()
    } else {
        Breakdown::new(position).to_string()
    }
}

/// The evaluation as one JSON object, in engine units and from White's point of view. In check
/// there is no score, but the terms are there.
pub fn to_json(position: &Position) -> Value {
    let breakdown = Breakdown::new(position);
    let families: Vec<Value> = breakdown.values().iter().map(family).collect();
    let (phase, full_phase) = breakdown.phase();
    let (scale, full_scale) = breakdown.scale();
    let score = breakdown.white_score();
    // An evaluation is never a mate score.
    let centipawns = match score.to_uci() {
        UciScore::Centipawns(centipawns) => Some(centipawns),
        UciScore::MateIn(_) | UciScore::MatedIn(_) => None,
    };
    let score = json!({ "units": score.units(), "centipawns": centipawns });
    json!({
        "fen": position.fen(CastlingStyle::Standard),
        "side_to_move": match position.side_to_move() {
            Color::White => "white",
            Color::Black => "black",
        },
        "point_of_view": "white",
        "units_per_pawn": UNITS_PER_PAWN,
        "in_check": position.in_check(),
        "known_endgame": breakdown.is_known_endgame(),
        "phase": { "value": phase, "full": full_phase },
        "scale_factor": { "value": scale, "full": full_scale },
        "families": families,
        "sum": values(&breakdown.sum()),
        "score": if position.in_check() { Value::Null } else { score },
    })
}

fn family(family: &FamilyValues) -> Value {
    let mut object = values(&family.sum);
    object["terms_unit"] = match family.unit {
        TermUnit::Score => json!("score"),
        TermUnit::Danger => json!("danger"),
        TermUnit::Bounded => json!("bounded score"),
    };
    object["terms"] = family.terms.iter().map(values).collect();
    object
}

fn values(values: &TermValues) -> Value {
    let value = |value: TermValue| {
        json!({
            "middlegame": value.middlegame,
            "endgame": value.endgame,
            "tapered": value.tapered,
        })
    };
    json!({
        "name": values.name,
        "white": value(values.white),
        "black": value(values.black),
        "total": value(values.total),
    })
}
