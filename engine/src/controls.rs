//! What reaches a running search from other threads, whatever game it is about.

use std::sync::Arc;

use tamarin_variant_search::Signals;

/// Ends a search, or tells it that the expected move was played.
#[derive(Clone)]
pub enum Controls {
    /// Of a search of standard chess.
    Chess(tamarin_search::Controls),
    /// Of a search of a variant.
    Variant(Arc<Signals>),
}

impl Controls {
    /// The search has to answer now.
    pub fn stop(&self) {
        match self {
            Self::Chess(controls) => controls.stop(),
            Self::Variant(signals) => signals.stop(),
        }
    }

    /// A pondering search goes on as an ordinary one.
    pub fn ponder_hit(&self) {
        match self {
            Self::Chess(controls) => controls.ponder_hit(),
            Self::Variant(signals) => signals.ponder_hit(),
        }
    }
}
