//! The evaluation of a position term by term, as text and as JSON.

use serde_json::{Value, json};
use tamarin_eval::network::{Network, NetworkBreakdown, PieceValue};
use tamarin_eval::{Breakdown, FamilyValues, TermUnit, TermValue, TermValues};
use tamarin_eval::{Score, ScoreValue, UNITS_PER_PAWN, pawns};
use tamarin_movegen::{CastlingStyle, Color, Position, Square};

use crate::evaluator::{self, EvaluatorKind};

/// What is shown of a position beside the hand-crafted terms.
pub struct Shown<'a> {
    /// The network that is loaded.
    pub network: &'a Network,
    /// What the search evaluates by.
    pub searches_with: EvaluatorKind,
}

/// The evaluation by the network, piece by piece, as a table of families of hand-crafted terms,
/// and last that of the evaluator that the search uses, by all of its terms.
pub fn to_text(position: &Position, shown: &Shown<'_>) -> String {
    let Some(pieces) = NetworkBreakdown::new(shown.network, position) else {
        return "No evaluation: the side to move is in check".to_owned();
    };
    let terms = Breakdown::new(position);
    let score = match shown.searches_with {
        EvaluatorKind::Network => pieces.white_score(),
        EvaluatorKind::HandCrafted | EvaluatorKind::Small(_) => terms.white_score(),
    };
    format!(
        "{}\n\n{pieces}\n\nHand-crafted terms\n\n{terms}\n\n\
         Final evaluation: {:+.2} (White's view, {})",
        evaluator::describe(shown.network),
        pawns(score.units()),
        shown.searches_with.name()
    )
}

/// The evaluation as one JSON object, in engine units and from White's point of view. `score` is
/// that of the evaluator the search uses; it is missing in check, but the hand-crafted terms are
/// there.
pub fn to_json(position: &Position, shown: &Shown<'_>) -> Value {
    let terms = by_terms(position);
    let network = by_network(shown.network, position);
    let score = match shown.searches_with {
        EvaluatorKind::Network => network["score"].clone(),
        EvaluatorKind::HandCrafted | EvaluatorKind::Small(_) => terms["score"].clone(),
    };
    json!({
        "fen": position.fen(CastlingStyle::Standard),
        "side_to_move": match position.side_to_move() {
            Color::White => "white",
            Color::Black => "black",
        },
        "point_of_view": "white",
        "units_per_pawn": UNITS_PER_PAWN,
        "in_check": position.in_check(),
        "evaluator": shown.searches_with.name(),
        "score": score,
        "hand_crafted": terms,
        "network": network,
    })
}

/// The hand-crafted terms; in check without a score.
fn by_terms(position: &Position) -> Value {
    let breakdown = Breakdown::new(position);
    let families: Vec<Value> = breakdown.values().iter().map(family).collect();
    let (phase, full_phase) = breakdown.phase();
    let (scale, full_scale) = breakdown.scale();
    json!({
        "score": if position.in_check() { Value::Null } else { score(breakdown.white_score()) },
        "known_endgame": breakdown.is_known_endgame(),
        "phase": { "value": phase, "full": full_phase },
        "scale_factor": { "value": scale, "full": full_scale },
        "families": families,
        "sum": values(&breakdown.sum()),
    })
}

fn score(score: Score) -> Value {
    // An evaluation is never a mate score.
    let centipawns = match score.to_uci() {
        ScoreValue::Centipawns(centipawns) => Some(centipawns),
        ScoreValue::Mate(_) => None,
    };
    json!({ "units": score.units(), "centipawns": centipawns })
}

/// The network, and its evaluation of a position that is not in check.
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
