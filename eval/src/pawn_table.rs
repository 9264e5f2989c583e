//! The pawn hash table of one thread: the score of everything that depends on pawns and kings
//! only.

use tamarin_movegen::{Bitboard, Color, PerColor, PieceKind, Position};

use crate::perspective::Perspective;
use crate::score_sum::ScoreSum;
use crate::sink::TermSink;
use crate::tapered::S;
use crate::terms::{king_shelter, passed, pawns};

/// Entries of a table: about seven of eight probes hit, and the table fits in the second-level
/// cache of the processor. A power of two.
const ENTRIES: usize = 1 << 13;

/// What the table keeps of the pawns and kings of a position.
#[derive(Clone, Copy, Default)]
pub(crate) struct PawnEntry {
    /// White's score less Black's.
    pub(crate) score: S,
    /// The passed pawns of each side, as that side sees the board.
    pub(crate) passed: PerColor<Bitboard>,
}

impl PawnEntry {
    /// Evaluates the pawns and kings of a position.
    fn new(sides: &PerColor<Perspective>) -> Self {
        let passed = PerColor(Color::ALL.map(|color| passed::find(&sides[color])));
        let total = |color| {
            let mut sum = ScoreSum::default();
            pawns_and_kings(&sides[color], passed[color], &mut sum);
            sum.total()
        };
        Self { score: total(Color::White) - total(Color::Black), passed }
    }
}

/// Counts what depends on pawns and kings only, for one side. `passed` are its passed pawns.
pub(crate) fn pawns_and_kings<T: TermSink>(us: &Perspective, passed: Bitboard, sink: &mut T) {
    let areas = us.king_areas();
    for square in us.own[PieceKind::Pawn] {
        sink.add_piece(areas, PieceKind::Pawn, square);
    }
    sink.add_piece(areas, PieceKind::King, us.king);
    pawns::pawns(us, passed, sink);
    passed::kings(us, passed, sink);
    king_shelter::shelter(us, sink);
    king_shelter::pawns(us, sink);
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    entry: PawnEntry,
}

/// Keeps what depends on pawns and kings. What it holds never changes a result.
pub(crate) struct PawnTable {
    slots: Box<[Slot]>,
}

impl PawnTable {
    /// An empty table.
    pub(crate) fn new() -> Self {
        // No key is zero, so an empty slot matches nothing.
        Self { slots: vec![Slot::default(); ENTRIES].into_boxed_slice() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    /// The entry of a position, evaluated now if the table does not hold it. `sides` are both
    /// sides' views of it.
    #[inline]
    pub(crate) fn probe(
        &mut self,
        position: &Position,
        sides: &PerColor<Perspective>,
    ) -> PawnEntry {
        let key = key(position);
        let slot = &mut self.slots[(key >> 32) as usize % ENTRIES];
        if slot.key != key {
            *slot = Slot { key, entry: PawnEntry::new(sides) };
        }
        slot.entry
    }
}

/// The pawn key with both kings' squares mixed in; never zero.
#[inline]
fn key(position: &Position) -> u64 {
    let kings = position.king(Color::White).index() << 6 | position.king(Color::Black).index();
    // Multiplying by an odd number spreads the 12 bits over the upper half of the key
    // (Fibonacci hashing: 2^64 over the golden ratio).
    let spread = (kings as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (position.pawn_key() ^ spread) | 1
}
