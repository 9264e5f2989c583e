//! What the tables of histories have in common: a key of theirs, and how their numbers move.

use tamarin_variant::Piece;

/// A piece and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo {
    pub piece: Piece,
    pub to: u8,
    /// Whether the piece comes from the hand.
    pub dropped: bool,
}

/// Moves a counter by the bonus, the less the nearer it is to its limit.
#[inline]
pub(super) fn gravitate<const LIMIT: i32>(counter: &mut i16, bonus: i32) {
    let (value, bonus) = (i32::from(*counter), bonus.clamp(-LIMIT, LIMIT));
    *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}
