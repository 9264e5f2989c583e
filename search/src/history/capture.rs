//! Capture history: how good a capture or promotion was.

use bytemuck::Zeroable;
use tamarin_base::params::CAPTURE_HISTORY_LIMIT;
use tamarin_movegen::{Piece, PieceKind, Square};

use super::counter::Bounded;

type Counter = Bounded<CAPTURE_HISTORY_LIMIT>;

/// `[piece that moves][to][kind captured]`; a promotion without capture counts as
/// the capture of a king, which no move does.
#[derive(Zeroable)]
pub(crate) struct CaptureHistory([[[Counter; 6]; 64]; 12]);

impl CaptureHistory {
    /// The value, within plus and minus [`CAPTURE_HISTORY_LIMIT`].
    #[inline]
    pub fn value(&self, piece: Piece, to: Square, captured: Option<PieceKind>) -> i32 {
        let captured = captured.unwrap_or(PieceKind::King);
        self.0[piece.index()][to.index()][captured.index()].value()
    }

    /// Adds a bonus, or a malus if it is negative.
    #[inline]
    pub fn update(&self, piece: Piece, to: Square, captured: Option<PieceKind>, bonus: i32) {
        let captured = captured.unwrap_or(PieceKind::King);
        self.0[piece.index()][to.index()][captured.index()].update(bonus);
    }

    /// All counters, always in the same order.
    pub fn counters(&self) -> impl Iterator<Item = &Counter> {
        self.0.as_flattened().as_flattened().iter()
    }
}
