//! The pieces that the players hold in hand.

use crate::board::{Code, Color, Move};
use crate::definition::MAX_HELD;
use crate::game::{Game, SQUARES};

/// How many pieces of each kind each side holds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Hands([[u8; MAX_HELD]; 2]);

impl Hands {
    pub(super) const EMPTY: Self = Self([[0; MAX_HELD]; 2]);

    /// How many pieces of a kind a side holds.
    pub(super) fn count(&self, game: &Game, color: Color, kind: u8) -> u8 {
        place(game, kind).map_or(0, |place| self.0[color.index()][place])
    }

    /// Sets how many pieces of a kind a side holds, and returns what changes in the key. Kinds that
    /// cannot be held are left out.
    pub(super) fn set(&mut self, game: &Game, color: Color, kind: u8, count: u8) -> u64 {
        let Some(place) = place(game, kind) else { return 0 };
        let held = &mut self.0[color.index()][place];
        let row = (place * 2 + color.index()) * SQUARES;
        let key = |count: u8| game.hand_keys[row + usize::from(count)];
        let change = key(*held) ^ key(count);
        *held = count;
        change
    }

    /// The kinds that a side holds, with how many, in the order of the file.
    pub(super) fn of<'a>(
        &'a self,
        game: &'a Game,
        color: Color,
    ) -> impl Iterator<Item = (u8, u8)> + 'a {
        let kinds = game.held.iter().copied().zip(self.0[color.index()]);
        kinds.filter(|&(_, count)| count > 0)
    }

    /// Returns `true` if a side holds a piece of what the code says.
    pub(super) fn has(&self, game: &Game, code: Code) -> bool {
        code.as_piece().is_some_and(|piece| self.count(game, piece.color, piece.kind) > 0)
    }
}

fn place(game: &Game, kind: u8) -> Option<usize> {
    game.held.iter().position(|&held| held == kind)
}

/// The piece that comes from the hand of a side in a move.
#[inline]
pub(super) fn dropped(m: Move, mover: Color) -> Option<Code> {
    m.dropped().map(|kind| Code::new(mover, usize::from(kind)))
}
