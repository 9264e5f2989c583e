//! The order of moves.

use tamarin_variant::{Move, Piece, Square};

use super::history::PieceTo;
use super::worker::Worker;

const BEST: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 26;
const KILLERS: [i32; 2] = [1 << 25, (1 << 25) - 1];
const COUNTER: i32 = (1 << 25) - 2;
const BAD_CAPTURE: i32 = -(1 << 26);

/// Returns `true` if a score is that of a capture or promotion that does not lose material at once.
pub(super) fn is_good_capture(score: i32) -> bool {
    score >= GOOD_CAPTURE - (1 << 24)
}

impl Worker<'_> {
    /// The value of a piece in centipawns.
    #[inline]
    pub fn value(&self, piece: Piece) -> i32 {
        self.shared.piece_values[usize::from(piece.kind)]
    }

    /// What a captured piece is worth in the hand of its capturer, in centipawns.
    #[inline]
    fn value_in_hand(&self, square: Square, piece: Piece) -> i32 {
        let game = self.position.game();
        if !game.has_hands() {
            return 0;
        }
        let kind = game.in_hand(piece.kind, self.position.occupant(square).flags);
        kind.map_or(0, |kind| self.value(Piece { kind, ..piece }))
    }

    /// What a move that captures or promotes gains, in centipawns, with everything that it creates;
    /// `None` for other moves.
    #[inline]
    pub fn gain(&self, m: Move) -> Option<i32> {
        let mut gain = 0;
        let mut noisy = false;
        self.position.for_each_captured(m, |square, piece| {
            gain += self.value(piece) + self.value_in_hand(square, piece);
            noisy = true;
        });
        if !self.position.has_effects(m) {
            return noisy.then_some(gain);
        }
        let mover = self.position.mover(m)?;
        self.position.for_each_created(m, |square, kind| {
            let mut more = self.value(Piece { kind, ..mover });
            if square == m.to {
                more -= self.value(mover);
                noisy |= more > 0;
            }
            gain += more;
        });
        noisy.then_some(gain)
    }

    /// Returns `true` if a capture that gains so much loses material if it is answered by a capture
    /// of what then stands on its target: the piece that has moved, or the one that it has become.
    pub fn loses_material(&self, m: Move, gain: i32) -> bool {
        let Some(mover) = self.position.mover(m) else { return false };
        let mut arrived = mover;
        if self.position.has_effects(m) {
            self.position.for_each_created(m, |square, kind| {
                if square == m.to {
                    arrived.kind = kind;
                }
            });
        }
        self.value(arrived) > gain && self.position.is_attacked(m.to, mover.color.other())
    }

    /// The piece of a move and where it goes.
    #[inline]
    pub fn piece_to(&self, m: Move) -> Option<PieceTo> {
        let dropped = m.dropped().is_some();
        Some(PieceTo { piece: self.position.mover(m)?, to: m.to, dropped })
    }

    /// Scores for trying moves: the table's move, captures by gain, killers, the counter move,
    /// other moves by history, captures that lose material.
    pub fn score_moves(&self, ply: usize, best: Option<Move>, moves: &mut [(i32, Move)]) {
        let before = self.before(ply);
        let counter = self.histories.counter(before);
        let killers = self.stack[ply].killers;
        for (score, m) in moves {
            *score = if Some(*m) == best {
                BEST
            } else if let Some(gain) = self.gain(*m) {
                let base = if self.loses_material(*m, gain) { BAD_CAPTURE } else { GOOD_CAPTURE };
                let mover = self.position.mover(*m).map_or(0, |piece| self.value(piece));
                base + gain.clamp(-100_000, 100_000) * 64 - mover.min(6000)
            } else if killers[0] == Some(*m) {
                KILLERS[0]
            } else if killers[1] == Some(*m) {
                KILLERS[1]
            } else if counter == Some(*m) {
                COUNTER
            } else {
                self.piece_to(*m).map_or(0, |piece| self.histories.score(piece, before))
            };
        }
    }
}

/// Brings the move with the highest score to the place `at`; of equal ones the first.
#[inline]
pub(super) fn pick(moves: &mut [(i32, Move)], at: usize) -> (i32, Move) {
    let mut best = at;
    for (i, (score, _)) in moves.iter().enumerate().skip(at + 1) {
        if *score > moves[best].0 {
            best = i;
        }
    }
    // Turning keeps the order of the others, which makes ties independent of what came before.
    moves[at..=best].rotate_right(1);
    moves[at]
}
