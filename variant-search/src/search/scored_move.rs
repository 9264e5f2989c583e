//! A move with what its order depends on.

use tamarin_variant::Move;

/// What a capture or promotion brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Noise {
    /// What it gains, in score units, with everything that it creates.
    pub gain: i32,
    /// The kind of the first piece that it captures.
    pub captured: Option<u8>,
}

/// A pseudo-legal move of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    pub m: Move,
    pub score: i32,
    /// `None` for quiet moves.
    pub noise: Option<Noise>,
}

impl ScoredMove {
    #[inline]
    pub fn is_noisy(&self) -> bool {
        self.noise.is_some()
    }

    /// What it gains, in score units.
    #[inline]
    pub fn gain(&self) -> i32 {
        self.noise.map_or(0, |noise| noise.gain)
    }
}
