//! How well evaluations expect the results of games.

use tamarin_eval::network::{Network, UNITS_PER_LOGIT};

use super::model::Shape;
use super::pass::{POSITIONS, Pass};
use super::record::Record;
use crate::data::expected;
use crate::parallel::map_chunks;

/// Texel's K per engine unit, which the output scale of the network fixes.
pub const K: f32 = 1.0 / UNITS_PER_LOGIT as f32;

/// What the network is to say of a position, in points: a share of `lambda` from
/// the game's result, the rest from the score.
pub fn target(record: &Record, lambda: f32) -> f32 {
    let by_score = expected(f32::from(record.score), K);
    let mixed = |points| lambda * points + (1.0 - lambda) * by_score;
    record.points().map_or(by_score, mixed)
}

/// The mean squared error of the results that `scores` expect, in engine units, the side to
/// move's view.
pub fn error(records: &[Record], scores: &[f32], lambda: f32) -> f64 {
    let squared = |(record, &score): (&Record, &f32)| {
        f64::from(expected(score, K) - target(record, lambda)).powi(2)
    };
    records.iter().zip(scores).map(squared).sum::<f64>() / records.len().max(1) as f64
}

/// What a network of real numbers says of positions, in engine units.
pub fn scores(shape: Shape, values: &[f32], records: &[Record], threads: usize) -> Vec<f32> {
    let chunks = map_chunks(records, threads, |chunk| -> Vec<f32> {
        let mut pass = Pass::new(shape);
        let mut scores = Vec::with_capacity(chunk.len());
        for records in chunk.chunks(POSITIONS) {
            let outputs = pass.forward(values, records).iter();
            scores.extend(outputs.map(|output| UNITS_PER_LOGIT as f32 * output));
        }
        scores
    });
    chunks.concat()
}

/// What a network of integers says of positions, in engine units.
pub fn quantized_scores(network: &Network, records: &[Record], threads: usize) -> Vec<f32> {
    let score = |record: &Record| {
        let position = record.position().expect("invariant: a record is made of a position");
        network.evaluate_from_scratch(position.board()) as f32
    };
    let chunks =
        map_chunks(records, threads, |chunk| -> Vec<f32> { chunk.iter().map(score).collect() });
    chunks.concat()
}
