//! What the tablebases know, for programs that show it.

use tamarin_movegen::Position;

use super::{TablebaseReport, Tablebases, Wdl};

/// Tablebases that are asked without a search.
pub struct TablebaseProbe(Tablebases);

/// What the tablebases know of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// For the side to move: 2 wins, 1 wins but for the fifty-move rule, 0 is a draw, -1 and -2 the
    /// same for the other side.
    pub wdl: i32,
    /// Plies to the next capture or pawn move, positive for the winning side.
    pub dtz: Option<i32>,
}

impl TablebaseProbe {
    /// The tablebases of these folders, and what was found there.
    #[must_use]
    pub fn load(path: &str) -> (Self, TablebaseReport) {
        let (tablebases, report) = Tablebases::load(path);
        (Self(tablebases), report)
    }

    /// What they know of a position; `None` where no table knows it.
    #[must_use]
    pub fn known(&self, position: &Position) -> Option<Known> {
        let wdl = match self.0.wdl(position)? {
            Wdl::Win => 2,
            Wdl::CursedWin => 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1,
            Wdl::Loss => -2,
        };
        Some(Known { wdl, dtz: self.0.dtz(position) })
    }
}
