//! The game of a variant.

use tamarin_variant_search::BestMove;

use crate::variant_game::VariantGame;

/// The game of a variant, and what the last search for a move of it found.
pub struct VariantState {
    /// The game.
    pub game: VariantGame,
    /// What was found.
    pub last: Option<BestMove>,
    /// The last `setboard` gave no legal position: moves are refused until a good one.
    pub rejected: bool,
}
