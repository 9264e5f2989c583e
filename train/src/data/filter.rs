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
    #[command(flatten)]
    pub filter: Filter,

    /// Keep positions in check
    #[arg(long)]
    pub checks: bool,
}

impl FilterWithChecks {
    /// Returns `true` if the position, in which `ply` was played, is kept.
    pub fn keeps(&self, position: &Position, ply: Ply) -> bool {
        (self.checks || !position.in_check()) && self.filter.allows(position, ply)
    }
}

/// The plies before a position by its move number, as a FEN has it.
fn game_ply(position: &Position) -> u32 {
    let moves = u32::from(position.fullmove_number()) - 1;
    2 * moves + u32::from(position.side_to_move() == Color::Black)
}
