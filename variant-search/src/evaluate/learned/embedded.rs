//! Learned evaluators that come with the program.

use std::sync::Arc;

use tamarin_variant::Game;

use super::evaluator::Learned;
use super::text;

/// Built-in games and the texts of their evaluators, as `tamarin variant learn` has written them:
/// each names its recipe. docs/variants.md has their matches.
pub(super) const EMBEDDED: &[(&str, &str)] = &[
    ("capablanca", include_str!("embedded/capablanca.eval")),
    ("clobberers", include_str!("embedded/clobberers.eval")),
    ("knightmate", include_str!("embedded/knightmate.eval")),
    ("minixiangqi", include_str!("embedded/minixiangqi.eval")),
    ("nuttyknights", include_str!("embedded/nuttyknights.eval")),
    ("shogi_nodrop", include_str!("embedded/shogi_nodrop.eval")),
    ("xiangqi", include_str!("embedded/xiangqi.eval")),
];

impl Learned {
    /// The evaluator that comes with the program for a game with these rules, if there is one. Of
    /// the others only the first lines are looked at.
    pub fn embedded(game: &Arc<Game>) -> Option<Self> {
        let rules = game.fingerprint();
        let (_, text) = EMBEDDED.iter().find(|(_, text)| text::rules_of(text) == Some(rules))?;
        let learned = Self::parse(game, text);
        Some(learned.expect("invariant: what comes with the program fits its games"))
    }
}
