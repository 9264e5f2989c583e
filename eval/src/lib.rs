//! A position in, a score out: by a tapered, hand-crafted evaluation or by a [`network`].
//!
//! The hand-crafted evaluation is a linear function of weights: every term says how often each of its
//! weights counts for a side, the weights lie in one flat vector of middlegame and endgame
//! pairs, and the game phase interpolates between the two. Two parts are not linear: the king
//! danger, which grows faster than its parts, and the scale factor of drawish endgames.
//! Because terms only count, the same code plays, explains itself ([`Breakdown`]) and feeds
//! the tuner.

#![forbid(unsafe_code)]

mod breakdown;
mod endgame;
mod eval_cache;
mod evaluate;
mod evaluator;
mod kpk;
mod material_table;
pub mod network;
mod params;
mod pawn_table;
mod perspective;
mod rows;
mod scale;
mod score_sum;
mod sink;
mod tapered;
mod terms;
mod trace;
pub mod tuning;
pub mod wdl;
mod weights;

pub use breakdown::{Breakdown, FamilyValues, TermUnit, TermValue, TermValues};
pub use eval_cache::EvalCache;
pub use evaluate::evaluate;
pub use evaluator::Evaluator;
pub use tamarin_base::{Score, ScoreValue, UNITS_PER_PAWN, pawns};

use tamarin_movegen::Color;

/// The score of the side to move from White's point of view, or the other way round.
#[inline]
pub const fn white_view(score: Score, side_to_move: Color) -> Score {
    match side_to_move {
        Color::White => score,
        Color::Black => Score::new(-score.units()),
    }
}
