//! Correction history: how far the static evaluation was from the scores of searches, in positions
//! that share a key.

use tamarin_base::params::{CORRECTION_HISTORY_LIMIT, CORRECTION_HISTORY_SIZE as SIZE, Params};
use tamarin_variant::{Color, Game, Piece, Position, Square};

use super::continuation::ContinuationKey;
use super::entry::gravitate;

/// The keys of parts of a position: the pieces that promote, and the others of White and Black.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Structure([u64; 3]);

impl Structure {
    /// That of an empty board.
    pub const NONE: Self = Self([0; 3]);

    /// Adds a piece, or takes it away.
    #[inline]
    fn toggle(&mut self, game: &Game, promotes: &[bool], (piece, square): (Piece, Square)) {
        let part = match promotes[usize::from(piece.kind)] {
            true => 0,
            false => 1 + piece.color.index(),
        };
        let number = piece.slot() * game.squares() + usize::from(square) + 1;
        // The finalizer of SplitMix64 makes a random number of it.
        let mut key = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        self.0[part] ^= key ^ key >> 27;
    }

    /// The keys of a position; `promotes` says by kind which pieces promote.
    pub fn of(position: &Position, promotes: &[bool]) -> Self {
        let mut structure = Self::default();
        for square in Color::ALL.iter().flat_map(|&color| position.side(color).iter()) {
            if let Some(piece) = position.piece_at(square) {
                structure.toggle(position.game(), promotes, (piece, square));
            }
        }
        structure
    }

    /// The keys after the last move, from those before it.
    #[inline]
    pub fn after(mut self, position: &Position, promotes: &[bool]) -> Self {
        position.for_each_change(|change| {
            for occupant in [change.before, change.after] {
                if let Some(piece) = occupant.piece {
                    self.toggle(position.game(), promotes, (piece, change.square));
                }
            }
        });
        self
    }
}

const TABLES: usize = 4;

/// The indices of a position in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionKeys([usize; TABLES]);

impl CorrectionKeys {
    /// The indices of a position with that structure, reached by the `last` move after the side to
    /// move's `own`.
    #[inline]
    pub fn new(
        color: Color,
        structure: Structure,
        last: ContinuationKey,
        own: ContinuationKey,
    ) -> Self {
        let [promoting, white, black] = structure.0;
        let keys = [promoting, white, black, last.mixed_with(own)];
        let mut table = 0;
        Self(keys.map(|key| {
            table += 1;
            ((table - 1) * 2 + color.index()) * SIZE + (key as usize & (SIZE - 1))
        }))
    }
}

/// Four tables, `[color][key]`: by the pieces that promote, by the others of each side, and by the
/// last two moves.
pub(crate) struct Correction(Vec<i16>);

impl Correction {
    pub fn new() -> Self {
        Self(vec![0; TABLES * 2 * SIZE])
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// What to add to the static evaluation, in 1/128 units.
    #[inline]
    pub fn value(&self, params: &Params, keys: &CorrectionKeys) -> i32 {
        let [promoting, white, black, moves] = keys.0.map(|index| i32::from(self.0[index]));
        params.correction_pawn() * promoting
            + params.correction_non_pawn() * (white + black)
            + params.correction_moves() * moves
    }

    /// Adds a bonus: positive if the evaluation should have been higher, negative if lower.
    pub fn update(&mut self, keys: &CorrectionKeys, bonus: i32) {
        for index in keys.0 {
            gravitate::<CORRECTION_HISTORY_LIMIT>(&mut self.0[index], bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use tamarin_variant::builtin;

    use super::*;

    #[test]
    fn keys_follow_the_moves() {
        for name in ["fide", "xiangqi", "crazyhouse"] {
            let game = builtin(name).unwrap();
            let promotes: Vec<bool> = (0..game.piece_count() as u8)
                .map(|kind| !game.promotions(kind).is_empty())
                .collect();
            let mut position = Position::start(&game);
            let mut structure = Structure::of(&position, &promotes);
            for turn in 0..60 {
                let moves = position.legal_moves();
                let Some(&m) = moves.get(turn * 7 % moves.len().max(1)) else { break };
                position.make(m);
                structure = structure.after(&position, &promotes);
                assert_eq!(structure, Structure::of(&position, &promotes), "{name} {turn}");
            }
        }
    }

    #[test]
    fn corrections_are_kept_by_side() {
        let mut correction = Correction::new();
        let none = ContinuationKey::NONE;
        let keys = |color| CorrectionKeys::new(color, Structure([1, 2, 3]), none, none);
        let params = &Params::new();
        correction.update(&keys(Color::White), 100);
        assert!(correction.value(params, &keys(Color::White)) > 0);
        assert_eq!(correction.value(params, &keys(Color::Black)), 0);
        correction.clear();
        assert_eq!(correction.value(params, &keys(Color::White)), 0);
    }
}
