//! Moves of any game in the transposition table.

use core::num::NonZeroU16;

use tamarin_variant::Move;

/// A move as the table keeps it: exact for moves without effects, a hash of 16 bits for others. It has
/// to be looked for among the moves of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveCode(NonZeroU16);

impl MoveCode {
    #[inline]
    pub fn of(m: Move) -> Self {
        let bits = m.bits();
        // An odd number spreads the number of the move over all bits.
        let effects = ((bits >> 16) as u16).wrapping_mul(0x9E37);
        Self(NonZeroU16::MIN.saturating_add(bits as u16 ^ effects))
    }
}

impl From<MoveCode> for NonZeroU16 {
    fn from(code: MoveCode) -> Self {
        code.0
    }
}

impl From<NonZeroU16> for MoveCode {
    fn from(bits: NonZeroU16) -> Self {
        Self(bits)
    }
}

pub(crate) type TableEntry = tamarin_base::tt::TableEntry<MoveCode>;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn plain_moves_have_codes_of_their_own_and_effects_change_them() {
        let code = |bits| MoveCode::of(Move::from_bits(bits)).0;
        let plain = |from: u32| (0..192).map(move |to| code(to << 8 | from));
        assert_eq!((0..192).flat_map(plain).collect::<BTreeSet<_>>().len(), 192 * 192);
        let effects: BTreeSet<_> = (0..200).map(|index| code(index << 16 | 0x1C0C)).collect();
        assert_eq!(effects.len(), 200);
    }
}
