//! A per-thread cache of everything that depends on pawns and kings only.

use tamarin_movegen::{Bitboard, Color, PerColor, PieceKind, Position};

use crate::side::Side;
use crate::tally::{Play, Tally};
use crate::tapered::S;
use crate::terms::{king, passed, pawns};

/// Entries in a cache: more than a search of a minute needs, small enough for the
/// second-level cache of the processor. A power of two.
const ENTRIES: usize = 1 << 13;

/// What the cache keeps of a position's pawns and kings.
#[derive(Clone, Copy, Default)]
pub(crate) struct PawnFamily {
    /// The family's score, White's less Black's.
    pub(crate) score: S,
    /// The passed pawns of each side, as that side sees the board.
    pub(crate) passed: PerColor<Bitboard>,
}

impl PawnFamily {
    /// Works the family out.
    pub(crate) fn new(white: &Side, black: &Side) -> Self {
        let passed = PerColor([passed::find(white), passed::find(black)]);
        let (mut for_white, mut for_black) = (Play::default(), Play::default());
        tally(white, passed[Color::White], &mut for_white);
        tally(black, passed[Color::Black], &mut for_black);
        Self { score: for_white.total() - for_black.total(), passed }
    }
}

/// Counts the family of one side.
pub(crate) fn tally<T: Tally>(us: &Side, passed: Bitboard, t: &mut T) {
    let table = us.table();
    for square in us.own[PieceKind::Pawn] {
        t.place(table, PieceKind::Pawn, square);
    }
    t.place(table, PieceKind::King, us.king);
    pawns::pawns(us, passed, t);
    passed::passed_and_kings(us, passed, t);
    king::shelter(us, t);
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    family: PawnFamily,
}

/// One thread's cache for [`crate::evaluate`].
///
/// A pure cache: what it holds never changes a result. Takes 256 KiB.
pub struct PawnTable {
    entries: Box<[Entry]>,
}

impl PawnTable {
    /// An empty cache.
    #[must_use]
    pub fn new() -> Self {
        // No key is zero, so an empty entry matches nothing.
        Self { entries: vec![Entry::default(); ENTRIES].into_boxed_slice() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// The family of a position, from the cache if it is there.
    #[inline]
    pub(crate) fn family(&mut self, position: &Position, sides: (&Side, &Side)) -> PawnFamily {
        let key = key(position);
        let index = (key >> 32) as usize % ENTRIES;
        let entry = &mut self.entries[index];
        if entry.key != key {
            *entry = Entry { key, family: PawnFamily::new(sides.0, sides.1) };
        }
        entry.family
    }
}

impl Default for PawnTable {
    fn default() -> Self {
        Self::new()
    }
}

/// The pawn key with both kings' squares mixed in; never zero.
#[inline]
fn key(position: &Position) -> u64 {
    let kings = position.king(Color::White).index() << 6 | position.king(Color::Black).index();
    // Multiplying by an odd number spreads the 12 bits over the upper half of the key.
    let spread = (kings as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (position.pawn_key() ^ spread) | 1
}
