//! Learned evaluators that come with the program.

use std::sync::Arc;

use tamarin_variant::Game;

use super::evaluator::Learned;
use super::text;

/// The texts of evaluators by the names of their games.
macro_rules! texts {
    ($($game:literal)*) => {
        &[$(($game, include_str!(concat!("embedded/", $game, ".eval")))),*]
    };
}

/// Built-in games and the texts of their evaluators, as `tamarin variant learn` has written them:
/// each names its recipe. docs/variants.md has their matches.
pub(super) const EMBEDDED: &[(&str, &str)] = texts![
    "almost" "amazon" "asean" "capablanca" "clobberers" "courier" "crazyhouse" "embassy" "fide"
    "fide_thesis" "grasshopper" "hoppelpoppel" "janus" "knightmate" "locusts" "locusts12"
    "locusts_thesis" "losalamos" "makruk" "minishogi" "minixiangqi" "newzealand" "nightrider"
    "nuttyknights" "shatranj" "shogi" "shogi_nodrop" "shogi_thesis" "xiangqi"
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
