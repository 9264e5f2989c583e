//! Histories: which quiet moves have caused cutoffs, to try those first.

use tamarin_variant::{Game, Move, Piece};

use super::evaluations::Evaluations;

/// No entry is greater or smaller.
const LIMIT: i32 = 1 << 14;
/// Continuation histories with more entries would not fit the caches; such games do without.
const MAX_CONTINUATIONS: usize = 1 << 22;

/// A piece and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo {
    pub piece: Piece,
    pub to: u8,
    /// Whether the piece comes from the hand.
    pub dropped: bool,
}

/// The histories of a thread.
pub(crate) struct Histories {
    squares: usize,
    /// Slots of pieces.
    slots: usize,
    /// Slots of pieces times squares; twice as many where pieces come from the hand.
    moves: usize,
    /// By piece, owner and target.
    quiet: Vec<i16>,
    /// By the same of the move before, then of the move; empty for very large games.
    continuation: Vec<i16>,
    /// By piece, owner and target of the move before: the quiet move that refuted it.
    counter: Vec<Option<Move>>,
    /// Not of moves, but also of positions searched before.
    pub evaluations: Evaluations,
}

impl Histories {
    pub fn new(game: &Game) -> Self {
        let squares = game.squares();
        let slots = game.piece_count() * 2;
        let moves = slots * squares * if game.has_hands() { 2 } else { 1 };
        let continuations = moves * moves;
        Self {
            squares,
            slots,
            moves,
            quiet: vec![0; moves],
            continuation: vec![
                0;
                if continuations <= MAX_CONTINUATIONS { continuations } else { 0 }
            ],
            counter: vec![None; moves],
            evaluations: Evaluations::new(),
        }
    }

    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(0);
        self.counter.fill(None);
        self.evaluations.clear();
    }

    fn index(&self, m: PieceTo) -> usize {
        let slot = m.piece.slot() + if m.dropped { self.slots } else { 0 };
        slot * self.squares + usize::from(m.to)
    }

    /// How well a quiet move has done, also after the move before.
    #[inline]
    pub fn score(&self, m: PieceTo, before: Option<PieceTo>) -> i32 {
        let index = self.index(m);
        let row = before.map_or(0, |before| self.index(before) * self.moves);
        let continuation = match before {
            Some(_) => self.continuation.get(row + index).copied().unwrap_or(0),
            None => 0,
        };
        i32::from(self.quiet[index]) + i32::from(continuation)
    }

    /// The quiet move that refuted this one last.
    #[inline]
    pub fn counter(&self, before: Option<PieceTo>) -> Option<Move> {
        self.counter[self.index(before?)]
    }

    pub fn set_counter(&mut self, before: Option<PieceTo>, m: Move) {
        if let Some(before) = before {
            let index = self.index(before);
            self.counter[index] = Some(m);
        }
    }

    /// A quiet move did well (positive) or badly.
    pub fn update(&mut self, m: PieceTo, before: Option<PieceTo>, bonus: i32) {
        let index = self.index(m);
        gravitate(&mut self.quiet[index], bonus);
        if let Some(before) = before {
            let row = self.index(before) * self.moves;
            if let Some(entry) = self.continuation.get_mut(row + index) {
                gravitate(entry, bonus);
            }
        }
    }
}

/// Moves an entry by the bonus, the less the nearer it is to the limit.
fn gravitate(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// The bonus of a cutoff at that depth.
pub(crate) fn bonus(depth: i32) -> i32 {
    (160 * depth - 100).clamp(40, 1800)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_within_their_limit() {
        let mut entry = 0;
        for _ in 0..1000 {
            gravitate(&mut entry, 1800);
        }
        assert!(i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 3 / 4);
        for _ in 0..1000 {
            gravitate(&mut entry, -1800);
        }
        assert!(i32::from(entry) >= -LIMIT && i32::from(entry) < -LIMIT * 3 / 4);
    }
}
