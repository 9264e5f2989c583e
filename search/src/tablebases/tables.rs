//! The tables that are loaded, and probing them.

use core::fmt;
use core::num::NonZeroU32;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, Position as _, PositionError,
    Setup, Square,
};
use shakmaty_syzygy::{Dtz, Metric, ProbeError, SyzygyError, Tablebase, Wdl};
use tamarin_movegen::{PieceKind, Position};

use super::files::{TableFiles, is_shortage};
use super::material::MaterialKey;

/// A set of tables, which any number of threads may probe.
pub(crate) struct Tablebases {
    library: Tablebase<Chess>,
    files: Arc<TableFiles>,
    pub(super) paths: HashMap<(Metric, MaterialKey), PathBuf>,
    /// The greatest number of pieces of a table; 0 without tables.
    pieces: u32,
    /// Tables found damaged, which are left out.
    damaged: Mutex<HashSet<(Metric, MaterialKey)>>,
    /// Whether there are any.
    any_damaged: AtomicBool,
    /// Their files, as far as they are not reported yet.
    unreported: Mutex<Vec<PathBuf>>,
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
    pub(super) fn new(
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
            unreported: Mutex::default(),
        }
    }

    /// The greatest number of pieces of a table; 0 without tables.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The value of a position as if it came right after a capture or pawn move; `None` if the
    /// probe fails.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        let wdl =
            |library: &Tablebase<Chess>, chess: &Chess| library.probe_wdl_after_zeroing(chess);
        self.probe_position(position, &[Metric::Wdl], wdl)
    }

    /// The value of a position with its clock of the fifty-move rule. Once that runs it takes the
    /// DTZ table; `None` also where the DTZ, which may be one ply too small, leaves open whether
    /// the next capture or pawn move comes in time.
    pub fn wdl_by_clock(&self, position: &Position) -> Option<Wdl> {
        if position.halfmove_clock() == 0 {
            return self.wdl(position);
        }
        let wdl = |library: &Tablebase<Chess>, chess: &Chess| library.probe_wdl(chess);
        self.probe_position(position, &[Metric::Wdl, Metric::Dtz], wdl)?.unambiguous()
    }

    /// The distance to zeroing (DTZ): plies to the next capture or pawn move with best play,
    /// positive for the winning side, 0 for a draw, 100 more where the fifty-move rule makes
    /// the win a draw; it may be one ply too small. `None` if the probe fails.
    pub fn dtz(&self, position: &Position) -> Option<i32> {
        let dtz = |library: &Tablebase<Chess>, chess: &Chess| library.probe_dtz(chess);
        self.probe_position(position, &[Metric::Wdl, Metric::Dtz], dtz)
            .map(|dtz| dtz.ignore_rounding().0)
    }

    /// The DTZ of the move that led to a position, for the side that made it: the move itself
    /// counts. `None` if the probe fails.
    pub fn dtz_of_move(&self, after: &Position) -> Option<i32> {
        if after.halfmove_clock() == 0 {
            return self.wdl(after).map(|wdl| Dtz::before_zeroing(-wdl).0);
        }
        if after.in_check() && !after.has_legal_move() {
            return Some(1);
        }
        let dtz = -self.dtz(after)?;
        Some(dtz + dtz.signum())
    }

    pub(super) fn probe_position<T>(
        &self,
        position: &Position,
        metrics: &[Metric],
        probe: impl FnOnce(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        if position.occupied().len() > self.pieces || position.castling().any() {
            return None;
        }
        let chess = to_chess(position)?;
        if self.any_damaged.load(Ordering::Relaxed) && self.is_left_out(&chess, metrics) {
            return None;
        }
        self.probe(&chess, |library| probe(library, &chess))
    }

    /// Whether one of the tables of the material is left out. The library may still hold its
    /// header, which is all it needs for a table with one value.
    #[cold]
    fn is_left_out(&self, chess: &Chess, metrics: &[Metric]) -> bool {
        let Some(key) = MaterialKey::of_board(chess.board()) else { return false };
        let damaged = self.damaged.lock();
        metrics.iter().any(|&metric| damaged.contains(&(metric, key.clone())))
    }

    /// Probes; a file that turns out to be damaged, or that cannot be read, is left out from then on,
    /// unless it may be read later.
    pub(super) fn probe<T>(
        &self,
        chess: &Chess,
        probe: impl FnOnce(&Tablebase<Chess>) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        // What the library makes of a damaged file may be out of its bounds.
        match catch_unwind(AssertUnwindSafe(|| probe(&self.library))) {
            Ok(Ok(value)) => Some(value),
            Ok(Err(SyzygyError::ProbeFailed { metric, material, error })) => {
                if matches!(&*error, ProbeError::Read { error } if is_shortage(error)) {
                    return None;
                }
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
    pub(super) fn leave_out(&self, table: Option<(Metric, MaterialKey)>) {
        let Some(table) = table else { return };
        let Some(path) = self.paths.get(&table) else { return };
        self.files.leave_out(path);
        if self.damaged.lock().insert(table) {
            self.unreported.lock().push(path.clone());
            self.any_damaged.store(true, Ordering::Relaxed);
        }
    }

    /// The files found damaged since the last call.
    pub fn take_damaged(&self) -> Vec<PathBuf> {
        let mut damaged = core::mem::take(&mut *self.unreported.lock());
        damaged.sort_unstable();
        damaged
    }
}

/// The position for a probe: without castling rights, which no table knows. `None` if the
/// library takes it for impossible.
///
/// Both number the squares a1, b1 to h8.
pub(super) fn to_chess(position: &Position) -> Option<Chess> {
    use tamarin_movegen::Color::{Black, White};
    let kind = |kind: PieceKind| Bitboard(position.pieces(kind).0);
    let roles = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let colors = ByColor {
        black: Bitboard(position.color(Black).0),
        white: Bitboard(position.color(White).0),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        promoted: Bitboard::EMPTY,
        pockets: None,
        turn: Color::from_white(position.side_to_move() == White),
        castling_rights: Bitboard::EMPTY,
        ep_square: position.en_passant().map(|square| Square::new(square.index() as u32)),
        remaining_checks: None,
        halfmoves: u32::from(position.halfmove_clock()),
        fullmoves: NonZeroU32::MIN,
    };
    // The library doubts some positions of problems, which have a value all the same.
    setup
        .position::<Chess>(CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}
