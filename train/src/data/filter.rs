//! Which positions of a game are fit to learn from.

use tamarin_movegen::{Color, Position};

use super::Ply;

/// Leaves out what a static evaluation cannot or need not judge.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Leave out the first plies of the game, random ones and book included
    #[arg(long, default_value_t = 16, value_name = "N")]
    pub min_ply: u32,

    /// Leave out scores further from zero than this, in engine units
    #[arg(long, default_value_t = 1_500, value_name = "UNITS")]
    pub max_score: u16,

    /// Keep positions in check
    #[arg(long)]
    pub checks: bool,

    /// Keep positions whose best move is a capture or a promotion
    #[arg(long)]
    pub noisy: bool,
}

impl Filter {
    /// Whether the position, in which `ply` was played, is kept.
    #[must_use]
    pub fn keeps(&self, position: &Position, ply: Ply) -> bool {
        game_ply(position) >= self.min_ply
            && ply.score.unsigned_abs() <= self.max_score
            && (self.checks || !position.in_check())
            && (self.noisy || !ply.mv.is_noisy())
    }
}

/// The plies before a position by its move number, as a FEN tells it.
fn game_ply(position: &Position) -> u32 {
    let moves = u32::from(position.fullmove_number()) - 1;
    2 * moves + u32::from(position.side_to_move() == Color::Black)
}

#[cfg(test)]
mod tests {
    use tamarin_movegen::Move;

    use super::*;

    const FILTER: Filter = Filter { min_ply: 16, max_score: 1_500, checks: false, noisy: false };

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
        let check = "4k3/8/8/8/8/5n2/4P3/4K3 w - - 0 9";
        assert!(!keeps(FILTER, check, "Kf2", 0));
        assert!(keeps(Filter { checks: true, ..FILTER }, check, "Kf2", 0));
    }

    #[test]
    fn plies_are_counted_from_the_start_of_the_game() {
        let at = |side, number| format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 {number}");
        assert!(!keeps(FILTER, &at('w', 8), "Kf2", 0));
        assert!(!keeps(FILTER, &at('b', 8), "Kf8", 0));
        assert!(keeps(FILTER, &at('w', 9), "Kf2", 0));
        let filter = Filter { min_ply: 15, ..FILTER };
        assert!(keeps(filter, &at('b', 8), "Kf8", 0));
    }
}
