//! Syzygy endgame tablebases: loading, probing, and ranking the moves of the root.
//!
//! Only this module knows the library that reads the files. A probe that fails for any reason
//! has no result: no table, a table that was left out, a position with castling rights.

mod convert;
mod files;
mod load;
mod material;
mod rank;

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{Metric, SyzygyError, Tablebase};
use tamarin_movegen::Position;

use files::TableFiles;
use material::MaterialKey;

pub use load::{LeftOut, TablebaseProblem, TablebaseReport};
pub(crate) use rank::{RootRank, RootRanking};
/// The value of a position in the tables if no move counted for the fifty-move rule yet: also
/// cursed wins and blessed losses, which that rule makes draws.
pub(crate) use shakmaty_syzygy::Wdl;

/// A set of tables, which any number of threads may probe.
pub(crate) struct Tablebases {
    library: Tablebase<Chess>,
    files: Arc<TableFiles>,
    paths: HashMap<(Metric, MaterialKey), PathBuf>,
    /// The greatest number of pieces of a table; 0 without tables.
    pieces: u32,
    /// Files found damaged and not reported yet.
    damaged: Mutex<HashSet<PathBuf>>,
    any_damaged: AtomicBool,
}

impl Default for Tablebases {
    fn default() -> Self {
        let files = Arc::new(TableFiles::default());
        let library = Tablebase::with_filesystem(Arc::clone(&files) as Arc<_>);
        Self::new(library, files, HashMap::new())
    }
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebases").field("paths", &self.paths).finish_non_exhaustive()
    }
}

impl Tablebases {
    fn new(
        library: Tablebase<Chess>,
        files: Arc<TableFiles>,
        paths: HashMap<(Metric, MaterialKey), PathBuf>,
    ) -> Self {
        Self {
            pieces: library.max_pieces() as u32,
            library,
            files,
            paths,
            damaged: Mutex::default(),
            any_damaged: AtomicBool::new(false),
        }
    }

    /// Loads the tables of all folders in `path`, which the platform's separator divides: `:`,
    /// on Windows `;`. Files and folders that cannot be used are left out and reported.
    pub fn load(path: &str) -> (Self, TablebaseReport) {
        load::load(path)
    }

    /// The greatest number of pieces of a table; 0 without tables.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The value of a position as if it came right after a capture or pawn move; `None` if the
    /// probe fails.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.probe_position(position, |library, chess| library.probe_wdl_after_zeroing(chess))
    }

    /// The distance to zeroing (DTZ): plies to the next capture or pawn move with best play,
    /// positive for the winning side, 0 for a draw, 100 more where the fifty-move rule makes
    /// the win a draw; it may be one ply too small. `None` if the probe fails.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let dtz = |library: &Tablebase<Chess>, chess: &Chess| library.probe_dtz(chess);
        self.probe_position(position, dtz).map(|dtz| dtz.ignore_rounding().0)
    }

    fn probe_position<T>(
        &self,
        position: &Position,
        probe: impl FnOnce(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        if position.occupied().len() > self.pieces || position.castling().any() {
            return None;
        }
        let chess = convert::to_chess(position)?;
        self.probe(&chess, |library| probe(library, &chess))
    }

    /// Probes; a file that turns out to be damaged is left out from then on.
    fn probe<T>(
        &self,
        chess: &Chess,
        probe: impl FnOnce(&Tablebase<Chess>) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        // What the library makes of a damaged file may be out of its bounds.
        match catch_unwind(AssertUnwindSafe(|| probe(&self.library))) {
            Ok(Ok(value)) => Some(value),
            Ok(Err(SyzygyError::ProbeFailed { metric, material, .. })) => {
                let key = MaterialKey::from_name(&material.to_string());
                self.leave_out(key.map(|key| (metric, key)));
                None
            }
            Ok(Err(_)) => None,
            Err(_) => {
                for metric in [Metric::Wdl, Metric::Dtz] {
                    let key = MaterialKey::of_board(chess.board());
                    self.leave_out(key.map(|key| (metric, key)));
                }
                None
            }
        }
    }

    #[cold]
    fn leave_out(&self, table: Option<(Metric, MaterialKey)>) {
        let Some(path) = table.and_then(|table| self.paths.get(&table)) else { return };
        if self.files.leave_out(path) {
            self.damaged.lock().insert(path.clone());
            self.any_damaged.store(true, Ordering::Relaxed);
        }
    }

    /// The files found damaged since the last call.
    pub fn take_damaged(&self) -> Vec<PathBuf> {
        if !self.any_damaged.swap(false, Ordering::Relaxed) {
            return Vec::new();
        }
        let mut damaged: Vec<_> = core::mem::take(&mut *self.damaged.lock()).into_iter().collect();
        damaged.sort_unstable();
        damaged
    }
}
