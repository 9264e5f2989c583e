//! Which positions of a game are fit to learn from.

use serde::{Deserialize, Serialize};
use tamarin_movegen::{Color, Position};

use super::Ply;

/// Leaves out what a static evaluation cannot or need not judge: positions in check, and what the
/// options say.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Filter {
    /// Leave out the first plies of the game, random ones and book included
    #[arg(long, default_value_t = Filter::USUAL.min_ply, value_name = "N")]
    pub min_ply: u32,

    /// Leave out scores further from zero than this, in engine units
    #[arg(long, default_value_t = Filter::USUAL.max_score, value_name = "UNITS")]
    pub max_score: u16,

    /// Keep positions whose best move is a capture or a promotion
    #[arg(long)]
    pub noisy: bool,
}

impl Filter {
    /// The filter without any option.
    pub const USUAL: Self = Self { min_ply: 10, max_score: 1_500, noisy: false };

    /// Returns `true` if the position, in which `ply` was played, is kept.
    #[must_use]
    pub fn keeps(&self, position: &Position, ply: Ply) -> bool {
        !position.in_check() && self.allows(position, ply)
    }

    /// As [`Self::keeps`], whether the position is a check or not.
    fn allows(&self, position: &Position, ply: Ply) -> bool {
        game_ply(position) >= self.min_ply
            && ply.score.unsigned_abs() <= self.max_score
            && (self.noisy || !ply.mv.is_noisy())
    }
}

/// A [`Filter`] that can let checks through, where nothing is evaluated.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterWithChecks {
    /// The other conditions.
    #[command(flatten)]
    pub filter: Filter,

    /// Keep positions in check
    #[arg(long)]
    pub checks: bool,
}

impl FilterWithChecks {
    /// Returns `true` if the position, in which `ply` was played, is kept.
    #[must_use]
    pub fn keeps(&self, position: &Position, ply: Ply) -> bool {
        (self.checks || !position.in_check()) && self.filter.allows(position, ply)
    }
}

/// The plies before a position by its move number, as a FEN has it.
fn game_ply(position: &Position) -> u32 {
    let moves = u32::from(position.fullmove_number()) - 1;
    2 * moves + u32::from(position.side_to_move() == Color::Black)
}

#[cfg(test)]
mod tests {
    use tamarin_movegen::Move;

    use super::*;

    const FILTER: Filter = Filter::USUAL;

    fn keeps(filter: Filter, fen: &str, san: &str, score: i16) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let mv: Move = position.parse_san(san).unwrap();
        filter.keeps(&position, Ply { mv, score })
    }

    #[test]
    fn quiet_positions_after_the_opening_are_kept() {
        let quiet = "4k3/8/8/8/8/8/3nP3/4K2R w K - 0 9";
        assert!(keeps(FILTER, quiet, "Kf2", -1_500));
        assert!(!keeps(FILTER, quiet, "Kf2", -1_501));
        assert!(!keeps(FILTER, quiet, "Kf2", i16::MIN));
        assert!(!keeps(FILTER, quiet, "Kxd2", 0));
        assert!(keeps(Filter { noisy: true, ..FILTER }, quiet, "Kxd2", 0));
        let check = Position::from_fen("4k3/8/8/8/8/5n2/4P3/4K3 w - - 0 9").unwrap();
        let ply = Ply { mv: check.parse_san("Kf2").unwrap(), score: 0 };
        assert!(!FILTER.keeps(&check, ply));
        let with = |checks, filter| FilterWithChecks { checks, filter }.keeps(&check, ply);
        assert!(!with(false, FILTER) && with(true, FILTER));
        assert!(!with(true, Filter { min_ply: 17, ..FILTER }));
    }

    #[test]
    fn plies_are_counted_from_the_start_of_the_game() {
        let at = |side, number| format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 {number}");
        assert!(!keeps(FILTER, &at('w', 5), "Kf2", 0));
        assert!(!keeps(FILTER, &at('b', 5), "Kf8", 0));
        assert!(keeps(FILTER, &at('w', 6), "Kf2", 0));
        let filter = Filter { min_ply: 9, ..FILTER };
        assert!(keeps(filter, &at('b', 5), "Kf8", 0));
    }
}
