//! The logistic curve between scores and results.

/// The result expected at a score in engine units, 0 to 1.
#[must_use]
pub(crate) fn expected(score: f32, k: f32) -> f32 {
    1.0 / (1.0 + (-k * score).exp())
}
