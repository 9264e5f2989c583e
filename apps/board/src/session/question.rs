//! Questions to the engine that are being thought about.

use tamarin_analysis::explain::Inquiry;

use tamarin_game::tree::NodeId;

/// A question that is being thought about.
pub enum Asked {
    /// A good move in a position.
    Hint {
        /// How much of it to say.
        step: u8,
        node: NodeId,
        /// What is to be explained after it.
        then: Option<(NodeId, Box<Inquiry>)>,
    },
    /// Why a move is good or bad.
    Why {
        node: NodeId,
        /// As far as it has come.
        inquiry: Box<Inquiry>,
    },
}
