//! What of the help beside the game is on, and how far it is.

use tamarin_game::position::Position;
use tamarin_game::search::Searcher;

/// What comes unasked.
#[derive(Default)]
pub struct Assistance {
    /// Whether threats are named.
    pub has_threats: bool,
    /// Whether each turn begins with a hint.
    pub has_hints: bool,
    /// Whether lines are shown for the position on the board.
    pub has_lines: bool,
    /// Whether they are followed while they grow, as on a screen, or asked for once.
    pub is_live: bool,
    /// Whether the moves that the engine considers are shown.
    pub shows_thoughts: bool,
    /// The position for which warnings and hints were given.
    pub shown: Option<Position>,
    /// That for which there are lines.
    pub analyzed: Option<Position>,
    /// What finds them on a screen, once it was needed.
    pub analyst: Option<Searcher>,
}

impl Assistance {
    /// Whether threats are named, turns begin with hints, and lines are shown.
    pub fn new([has_threats, has_hints, has_lines]: [bool; 3]) -> Self {
        Self { has_threats, has_hints, has_lines, ..Self::default() }
    }
}
