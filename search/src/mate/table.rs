//! What the prover remembers of positions.

use tamarin_base::memory::available;
use tamarin_movegen::{Board, PieceKind};

/// Entries that a position may be in.
const WAYS: usize = 4;

/// A position of the tree with the attacker's moves that are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub board: Board,
    /// Plies since the last capture or pawn move, or 0 where the fifty-move rule cannot matter.
    pub clock: u16,
    /// How many moves the attacker has left.
    pub moves: u8,
}

/// What is known of a position. It is compared as a whole, so that no other one is taken for it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    board: Board,
    clock: u16,
    /// A mate in this number of moves is proven; [`NEVER`] if none is.
    proven: u8,
    /// No mate in this number of moves; 0 if that is not known.
    refuted: u8,
    /// The moves that `numbers` are about.
    moves: u8,
    numbers: Numbers,
    /// How much work is in it.
    work: u32,
}

const NEVER: u8 = u8::MAX;

/// A table of bounded size; what was found with the most work stays longest.
pub(crate) struct Table {
    entries: Vec<Option<Entry>>,
    mask: usize,
}

/// There is no memory for the positions of a prover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for {mib} MiB of positions")]
pub struct MateMemoryError {
    /// The size asked for, in MiB.
    pub mib: usize,
}

impl Table {
    /// A table of at most `mib` MiB.
    pub fn new(mib: usize) -> Result<Self, MateMemoryError> {
        let refused = MateMemoryError { mib };
        let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
        if available().is_some_and(|available| bytes as u64 > available) {
            return Err(refused);
        }
        // The greatest power of two that fits.
        let count = (bytes / size_of::<Option<Entry>>()).max(WAYS);
        let count = 1 << count.ilog2();
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).map_err(|_| refused)?;
        entries.resize(count, None);
        Ok(Self { entries, mask: count / WAYS - 1 })
    }

    /// What is known of a node.
    pub fn numbers(&self, node: &Node) -> Option<Numbers> {
        let entry = self.find(node)?;
        if entry.proven <= node.moves {
            Some(Numbers::PROVEN)
        } else if entry.refuted >= node.moves {
            Some(Numbers::REFUTED)
        } else {
            (entry.moves == node.moves).then_some(entry.numbers)
        }
    }

    /// The fewest moves in which a mate is proven, however many the node has left.
    pub fn proven_in(&self, node: &Node) -> Option<u8> {
        self.find(node).map(|entry| entry.proven).filter(|moves| *moves != NEVER)
    }

    /// The most moves in which a mate is refuted, however many the node has left; 0 if none is known.
    pub fn refuted_in(&self, node: &Node) -> u8 {
        self.find(node).map_or(0, |entry| entry.refuted)
    }

    /// Remembers what was found with so much work.
    pub fn store(&mut self, node: &Node, numbers: Numbers, work: u32) {
        let bucket = self.bucket(node);
        let is_same = |entry: &Entry| entry.board == node.board && entry.clock == node.clock;
        let slots = &mut self.entries[bucket..bucket + WAYS];
        let effort = |slot: &Option<Entry>| match slot {
            Some(entry) if is_same(entry) => None,
            Some(entry) => Some(u64::from(entry.work) + 1),
            None => Some(0),
        };
        // The same position first (`None`), then an empty slot, then the least work.
        let Some(slot) = slots.iter_mut().min_by_key(|slot| effort(slot)) else { return };
        let old = slot.filter(|entry| is_same(entry));
        let mut entry = Entry {
            board: node.board,
            clock: node.clock,
            proven: old.map_or(NEVER, |old| old.proven),
            refuted: old.map_or(0, |old| old.refuted),
            moves: node.moves,
            numbers,
            work: old.map_or(0, |old| old.work).saturating_add(work),
        };
        if numbers.is_proven() {
            entry.proven = entry.proven.min(node.moves);
        } else if numbers.is_refuted() {
            entry.refuted = entry.refuted.max(node.moves);
        }
        *slot = Some(entry);
    }

    fn find(&self, node: &Node) -> Option<&Entry> {
        let bucket = self.bucket(node);
        let slots = self.entries[bucket..bucket + WAYS].iter().flatten();
        slots.into_iter().find(|entry| entry.board == node.board && entry.clock == node.clock)
    }

    /// The first slot that a position may be in.
    fn bucket(&self, node: &Node) -> usize {
        let board = &node.board;
        let state = board.castling().0
            ^ u64::from(board.side_to_move() as u8) << 8
            ^ board.en_passant().map_or(0, |square| square as u64 + 1) << 16
            ^ u64::from(node.clock) << 24;
        let kinds = PieceKind::ALL.map(|kind| board.pieces(kind).0);
        let colors = board.color(tamarin_movegen::Color::White).0;
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(MULTIPLIER).rotate_left(29);
        let hash = kinds.into_iter().chain([colors, state]).fold(0, mix);
        ((hash ^ hash >> 32) as usize & self.mask) * WAYS
    }
}

/// An odd number without structure: 2^64 over the golden ratio.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// How many leaves at least have to be solved to prove or refute a mate.
///
/// Source: L. V. Allis, M. van der Meulen, H. J. van den Herik, "Proof-number search",
/// Artificial Intelligence 66, 1994.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbers {
    /// Leaves to prove it; 0 if it is proven.
    pub proof: u32,
    /// Leaves to refute it; 0 if it is refuted.
    pub disproof: u32,
}

/// No number of leaves is enough.
pub(crate) const INFINITE: u32 = 1 << 30;

impl Numbers {
    pub const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    pub const REFUTED: Self = Self { proof: INFINITE, disproof: 0 };
    /// As a limit: go on until it is solved.
    pub const UNTIL_SOLVED: Self = Self { proof: INFINITE, disproof: INFINITE };

    pub const fn is_proven(self) -> bool {
        self.proof == 0
    }

    pub const fn is_refuted(self) -> bool {
        self.disproof == 0
    }

    pub const fn is_solved(self) -> bool {
        self.is_proven() || self.is_refuted()
    }

    /// The same for the other side.
    pub const fn swapped(self) -> Self {
        Self { proof: self.disproof, disproof: self.proof }
    }

    /// Of a node whose side to move needs one child to be proven.
    pub fn of_any(children: impl Iterator<Item = Self>) -> Self {
        let mut numbers = Self::REFUTED;
        for child in children {
            numbers.proof = numbers.proof.min(child.proof);
            numbers.disproof = sum(numbers.disproof, child.disproof);
        }
        numbers
    }
}

/// Infinite if one of them is, and less if none is.
fn sum(a: u32, b: u32) -> u32 {
    if a >= INFINITE || b >= INFINITE { INFINITE } else { (a + b).min(INFINITE - 1) }
}

#[cfg(test)]
mod tests {
    use super::{Node, Table};
    use crate::mate::table::Numbers;
    use tamarin_movegen::Position;

    #[test]
    fn proofs_hold_for_more_moves_and_refutations_for_fewer() {
        let mut table = Table::new(1).unwrap();
        let node = |moves| Node { board: *Position::startpos().board(), clock: 0, moves };
        assert_eq!(table.numbers(&node(3)), None);
        table.store(&node(3), Numbers::REFUTED, 1);
        assert_eq!(table.numbers(&node(2)), Some(Numbers::REFUTED));
        assert_eq!(table.numbers(&node(4)), None);
        let open = Numbers { proof: 2, disproof: 7 };
        table.store(&node(5), open, 1);
        assert_eq!((table.numbers(&node(5)), table.numbers(&node(4))), (Some(open), None));
        table.store(&node(6), Numbers::PROVEN, 1);
        assert_eq!(table.numbers(&node(9)), Some(Numbers::PROVEN));
        assert_eq!(table.numbers(&node(5)), None);
        assert_eq!(table.proven_in(&node(1)), Some(6));
        assert_eq!(table.numbers(&node(3)), Some(Numbers::REFUTED));
    }
}
