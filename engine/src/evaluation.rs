//! `tamarin eval`, and the evaluation of a position as JSON.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};
use tamarin_eval::network::{Network, NetworkBreakdown, PieceValue};
use tamarin_eval::{Breakdown, FamilyValues, TermUnit, TermValue, TermValues};
use tamarin_eval::{Score, UNITS_PER_PAWN, UciScore};
use tamarin_movegen::{CastlingStyle, Color, FenError, Position, Square};

use crate::evaluator::{self, EvaluatorArguments, EvaluatorError, EvaluatorKind};
use crate::message::{complain, with_causes};

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "Exit codes: 0 evaluated, or in check; 2 bad input or unwritable output.")]
pub struct Arguments {
    /// A FEN, quoted or not [default: the start position]
    #[arg(value_name = "FEN")]
    words: Vec<String>,

    /// Print a JSON object: terms and pieces in engine units, scores from White's point of view
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    evaluator: EvaluatorArguments,
}

/// What there is to evaluate a position with, beside the hand-crafted terms.
pub struct Evaluators<'a> {
    /// The network there is.
    pub network: Option<&'a Network>,
    /// What the search uses.
    pub in_force: EvaluatorKind,
}

impl<'a> Evaluators<'a> {
    /// Only what the search uses: a network, or the hand-crafted terms.
    pub const fn in_force(network: Option<&'a Network>) -> Self {
        let in_force = match network {
            Some(_) => EvaluatorKind::Network,
            None => EvaluatorKind::HandCrafted,
        };
        Self { network, in_force }
    }
}

/// Why nothing is printed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Does what the command line says.
pub fn run(arguments: &Arguments) -> ExitCode {
    match print(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&format!("error: {}", with_causes(&failure)));
            ExitCode::from(2)
        }
    }
}

fn print(arguments: &Arguments) -> Result<(), Failure> {
    let position = match arguments.words.as_slice() {
        [] => Position::startpos(),
        words => Position::from_fen(&words.join(" "))?,
    };
    let choice = arguments.evaluator.choice()?;
    let network = choice.network();
    let evaluators = Evaluators { network: Some(&network), in_force: choice.kind };
    let text = match arguments.json {
        true => to_json(&position, &evaluators).to_string(),
        false => to_text(&position, &evaluators),
    };
    let mut out = io::stdout().lock();
    Ok(writeln!(out, "{text}").and_then(|()| out.flush())?)
}

/// The evaluation by the network, piece by piece, if there is one, and as a table of families of
/// hand-crafted terms.
pub fn to_text(position: &Position, evaluators: &Evaluators<'_>) -> String {
    if position.in_check() {
        return "No evaluation: the side to move is in check".to_owned();
    }
    let terms = Breakdown::new(position);
    let by_network = |network| Some((network, NetworkBreakdown::new(network, position)?));
    let Some((network, pieces)) = evaluators.network.and_then(by_network) else {
        return terms.to_string();
    };
    let in_force = match evaluators.in_force {
        EvaluatorKind::Network => "the network",
        EvaluatorKind::HandCrafted => "the hand-crafted terms",
    };
    format!(
        "{}\n\n{pieces}\n\nHand-crafted terms\n\n{terms}\n\nThe search uses {in_force}.",
        evaluator::describe(network)
    )
}

/// The evaluation as one JSON object, in engine units and from White's point of view. In check
/// there is no score, but the hand-crafted terms are there. `score` is that of these terms.
pub fn to_json(position: &Position, evaluators: &Evaluators<'_>) -> Value {
    let breakdown = Breakdown::new(position);
    let families: Vec<Value> = breakdown.values().iter().map(family).collect();
    let (phase, full_phase) = breakdown.phase();
    let (scale, full_scale) = breakdown.scale();
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
        "score": if position.in_check() { Value::Null } else { score(breakdown.white_score()) },
        "evaluator": match evaluators.in_force {
            EvaluatorKind::Network => "network",
            EvaluatorKind::HandCrafted => "hand-crafted",
        },
        "network": evaluators.network.map(|network| by_network(network, position)),
    })
}

fn score(score: Score) -> Value {
    // An evaluation is never a mate score.
    let centipawns = match score.to_uci() {
        UciScore::Centipawns(centipawns) => Some(centipawns),
        UciScore::MateIn(_) | UciScore::MatedIn(_) => None,
    };
    json!({ "units": score.units(), "centipawns": centipawns })
}

/// The network, and what it makes of a position that is not in check.
fn by_network(network: &Network, position: &Position) -> Value {
    let breakdown = NetworkBreakdown::new(network, position);
    let piece = |square: Square, value: PieceValue| {
        json!({
            "square": square.to_string(),
            "piece": value.piece.to_char().to_string(),
            "units": value.units,
        })
    };
    let pieces = |of: &NetworkBreakdown| -> Vec<Value> {
        let on = |square| Some(piece(square, of.piece(square)?));
        Square::ALL.into_iter().filter_map(on).collect()
    };
    json!({
        "description": network.description(),
        "width": network.width(),
        "buckets": network.buckets(),
        "bucket": breakdown.as_ref().map(NetworkBreakdown::bucket),
        "known_endgame": breakdown.as_ref().map(NetworkBreakdown::is_known_endgame),
        "score": breakdown.as_ref().map(|found| score(found.white_score())),
        "pieces": breakdown.as_ref().map(pieces),
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
