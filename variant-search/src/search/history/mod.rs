//! The histories of a thread: how good moves were in the nodes searched so far.
//!
//! | table | keys | limit | used for |
//! |---|---|---|---|
//! | quiet | color, from, to | 8192 | ordering, LMR, history pruning |
//! | piece | piece, to | 8192 | ordering |
//! | capture | piece, to, captured | 8192 | ordering, LMR and pruning of captures |
//! | [`Continuation`] | earlier move, piece, to | 16384 | ordering, LMR, history pruning |
//! | [`Correction`] | color, some key of the position | 1024 | static evaluation |

mod continuation;
mod correction;
mod entry;

pub(crate) use continuation::{Context, Continuation, ContinuationKey};
pub(crate) use correction::{Correction, CorrectionKeys, Structure};
pub(crate) use entry::PieceTo;

use entry::gravitate;
use tamarin_base::params::{CAPTURE_HISTORY_LIMIT, PAWN_HISTORY_LIMIT, QUIET_HISTORY_LIMIT};
use tamarin_variant::{Color, Game, Move};

/// The histories of a thread.
pub(crate) struct Histories {
    squares: usize,
    kinds: usize,
    /// Squares, and kinds of pieces in hand.
    origins: usize,
    quiet: Vec<i16>,
    piece: Vec<i16>,
    capture: Vec<i16>,
    pub continuation: Continuation,
    pub correction: Correction,
}

impl Histories {
    pub fn new(game: &Game) -> Self {
        let (squares, kinds) = (game.squares(), game.piece_count());
        let origins = squares + if game.has_hands() { kinds } else { 0 };
        Self {
            squares,
            kinds,
            origins,
            quiet: vec![0; 2 * origins * squares],
            piece: vec![0; 2 * kinds * squares],
            capture: vec![0; 2 * kinds * squares * (kinds + 1)],
            continuation: Continuation::new(game),
            correction: Correction::new(),
        }
    }

    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.piece.fill(0);
        self.capture.fill(0);
        self.continuation.clear();
        self.correction.clear();
    }

    #[inline]
    fn quiet_index(&self, color: Color, m: Move) -> usize {
        let from = match m.dropped() {
            None => usize::from(m.from),
            Some(kind) => self.squares + usize::from(kind),
        };
        (color.index() * self.origins + from) * self.squares + usize::from(m.to)
    }

    #[inline]
    fn piece_index(&self, moved: PieceTo) -> usize {
        moved.piece.slot() * self.squares + usize::from(moved.to)
    }

    #[inline]
    fn capture_index(&self, moved: PieceTo, captured: Option<u8>) -> usize {
        let captured = captured.map_or(self.kinds, usize::from);
        self.piece_index(moved) * (self.kinds + 1) + captured
    }

    /// How well a quiet move has done, by where it comes from and goes to.
    #[inline]
    pub fn quiet(&self, color: Color, m: Move) -> i32 {
        i32::from(self.quiet[self.quiet_index(color, m)])
    }

    /// The same by its piece and target.
    #[inline]
    pub fn piece(&self, moved: PieceTo) -> i32 {
        i32::from(self.piece[self.piece_index(moved)])
    }

    /// How well a capture or promotion has done.
    #[inline]
    pub fn capture(&self, moved: PieceTo, captured: Option<u8>) -> i32 {
        i32::from(self.capture[self.capture_index(moved, captured)])
    }

    /// A quiet move did well (positive) or badly.
    pub fn update_quiet(&mut self, context: &Context, m: Move, moved: PieceTo, bonus: i32) {
        let (quiet, piece) = (self.quiet_index(moved.piece.color, m), self.piece_index(moved));
        gravitate::<QUIET_HISTORY_LIMIT>(&mut self.quiet[quiet], bonus);
        gravitate::<PAWN_HISTORY_LIMIT>(&mut self.piece[piece], bonus);
        self.continuation.update(context, moved, bonus);
    }

    /// A capture or promotion did well (positive) or badly.
    pub fn update_capture(&mut self, moved: PieceTo, captured: Option<u8>, bonus: i32) {
        let index = self.capture_index(moved, captured);
        gravitate::<CAPTURE_HISTORY_LIMIT>(&mut self.capture[index], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_their_limit() {
        const LIMIT: i32 = 1 << 14;
        for bonus in [1800, 90_000] {
            let mut counter = 0;
            for sign in [1, -1] {
                for _ in 0..1000 {
                    gravitate::<LIMIT>(&mut counter, sign * bonus);
                }
                let value = i32::from(counter) * sign;
                assert!(value <= LIMIT && value > LIMIT * 3 / 4, "{value}");
            }
        }
    }
}
