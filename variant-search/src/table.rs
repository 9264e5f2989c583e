//! Moves of any game in the transposition table.

use core::num::NonZeroU16;

use tamarin_variant::Move;

/// A move as the table keeps it: exact for moves without effects, a hash of 16 bits for others. It has
/// to be looked for among the moves of the position.
pub(crate) type MoveCode = NonZeroU16;

#[inline]
pub(crate) fn move_code(m: Move) -> MoveCode {
    let bits = m.bits();
    // An odd number spreads the number of the move over all bits.
    let effects = ((bits >> 16) as u16).wrapping_mul(0x9E37);
    MoveCode::MIN.saturating_add(bits as u16 ^ effects)
}

pub(crate) type TableEntry = tamarin_base::tt::TableEntry<MoveCode>;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn plain_moves_have_codes_of_their_own_and_effects_change_them() {
        let code = |bits| move_code(Move::from_bits(bits));
        let plain = |from: u32| (0..192).map(move |to| code(to << 8 | from));
        assert_eq!((0..192).flat_map(plain).collect::<BTreeSet<_>>().len(), 192 * 192);
        let effects: BTreeSet<_> = (0..200).map(|index| code(index << 16 | 0x1C0C)).collect();
        assert_eq!(effects.len(), 200);
    }
}
