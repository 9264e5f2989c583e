//! What the tablebases know, for programs that show it.

use core::fmt;
use std::sync::Arc;

use tamarin_movegen::Position;

use super::{TablebaseReport, Tablebases, Wdl};

/// Tablebases that are asked without a search, and that any number of engines can use. Clones share
/// the tables.
#[derive(Clone, Default)]
pub struct TablebaseProbe {
    tables: Arc<Tablebases>,
    /// The folders they are from.
    path: String,
}

impl fmt::Debug for TablebaseProbe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.path, f)
    }
}

/// There are no tablebases in the given folders.
#[derive(Debug, thiserror::Error)]
#[error("no tablebases in {path}{left_out}")]
pub struct NoTablebases {
    path: String,
    /// What was left out there, after a semicolon.
    left_out: String,
}

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
    pub fn load(path: &str) -> (Self, TablebaseReport) {
        let (tablebases, report) = Tablebases::load(path);
        (Self { tables: Arc::new(tablebases), path: path.to_owned() }, report)
    }

    /// The tablebases of the given folders, and what was left out there, for people. An
    /// empty path has none.
    ///
    /// # Errors
    /// If none can be used.
    pub fn required(path: &str) -> Result<(Self, Option<String>), NoTablebases> {
        let (found, report) = Self::load(path);
        let left_out = report.left_out_text();
        if report.wdl == 0 && !path.is_empty() {
            let left_out = left_out.map_or(String::new(), |text| format!("; {text}"));
            return Err(NoTablebases { path: path.to_owned(), left_out });
        }
        Ok((found, left_out))
    }

    /// The folders that they are from, separated as in [`Self::load`].
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How a game ends from a position on: 1 if the side to move wins, 0 for a draw, -1 if it
    /// loses. Wins that the fifty-move rule makes draws, by the clock of the position, are draws.
    ///
    /// `None` where no table knows the position, or, once the clock runs, where none knows for
    /// certain whether a win comes in time.
    pub fn result(&self, position: &Position) -> Option<i32> {
        let wdl = self.tables.wdl_by_clock(position)?;
        Some(match wdl {
            Wdl::Win => 1,
            Wdl::Loss => -1,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => 0,
        })
    }

    pub(crate) fn tables(&self) -> Arc<Tablebases> {
        Arc::clone(&self.tables)
    }

    /// What they know of a position; `None` where no table knows it.
    pub fn known(&self, position: &Position) -> Option<Known> {
        let wdl = match self.tables.wdl(position)? {
            Wdl::Win => 2,
            Wdl::CursedWin => 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1,
            Wdl::Loss => -2,
        };
        Some(Known { wdl, dtz: self.tables.dtz(position) })
    }
}
