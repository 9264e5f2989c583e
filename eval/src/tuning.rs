//! Fitting the weights to the results of games (Texel's method): reading positions
//! into counts, gradient descent over them, and writing the weights back as source.
//!
//! Source of the method: P. Österlund's Texel, see
//! <https://www.chessprogramming.org/Texel%27s_Tuning_Method>; of gradients over
//! counts: A. Grant, "Evaluation & Tuning in Chess Engines".

pub mod data;
pub mod optimizer;
pub mod scale;
pub mod seed;
pub mod writer;

/// One weight while it is being fitted: middlegame and endgame, in engine units.
pub type Pair = [f32; 2];

/// The weights in force.
#[must_use]
pub fn current() -> Vec<Pair> {
    crate::weights::WEIGHTS
        .iter()
        .map(|weight| [weight.middlegame() as f32, weight.endgame() as f32])
        .collect()
}

#[cfg(test)]
mod tests;
