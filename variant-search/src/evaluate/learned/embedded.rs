//! Learned evaluators that come with the program.

use std::sync::Arc;

use tamarin_variant::Game;

use super::evaluator::Learned;

/// Built-in games and the texts of their evaluators. docs/variants.md has the recipe.
pub(super) const EMBEDDED: &[(&str, &str)] = &[];

impl Learned {
    /// The evaluator that comes with the program for a game with these rules, if there is one.
    pub fn embedded(game: &Arc<Game>) -> Option<Self> {
        let rules = format!("\nrules {:016x}\n", game.fingerprint());
        let (_, text) = EMBEDDED.iter().find(|(_, text)| text.contains(&rules))?;
        let learned = Self::parse(game, text);
        Some(learned.expect("invariant: what comes with the program fits its games"))
    }
}
