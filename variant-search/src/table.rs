//! The transposition table of a search of any game.

use std::sync::atomic::{AtomicU8, Ordering};

use tamarin_base::params::Params;
use tamarin_base::replacement::{Merits, next_generation};
use tamarin_base::{Bound, Buckets, Score, Slot};
use tamarin_variant::Move;

/// The numbers that replacement depends on.
const PARAMS: Params = Params::new();

/// A move as the table keeps it: exact for moves without effects, a hash of 16 bits for others. It has
/// to be looked for among the moves of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveCode(u16);

impl MoveCode {
    /// Stands for "no move".
    const NONE: u16 = u16::MAX;

    #[inline]
    pub fn of(m: Move) -> Self {
        let bits = m.bits();
        // An odd number spreads the number of the move over all bits.
        let effects = ((bits >> 16) as u16).wrapping_mul(0x9E37);
        Self((bits as u16 ^ effects).min(Self::NONE - 1))
    }
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    /// The score, and how it relates to the true one; `None` if only the evaluation is known. Wins
    /// count from the node.
    pub result: Option<(Score, Bound)>,
    /// As the evaluator gave it for the side to move; `None` in check, or if it was not asked.
    pub evaluation: Option<Score>,
    /// The best move, if one was found.
    pub best: Option<MoveCode>,
    /// The remaining depth of the search, in plies.
    pub depth: i32,
    /// Whether the node is or was on a principal variation.
    pub principal: bool,
}

impl TableEntry {
    /// The score, if it decides that the node is at least beta, or below it.
    #[inline]
    pub fn decides(&self, beta: Score) -> Option<Score> {
        let (score, bound) = self.result?;
        let decides = if score >= beta { bound.is_lower() } else { bound.is_upper() };
        decides.then_some(score)
    }
}

/// Entries of 64 bits that threads share without locks.
///
/// ```text
///  63..59      58         57..56  55..48  47..32  31..16      15..0
///  generation  principal  bound   depth   score   evaluation  move
/// ```
pub(crate) struct Table {
    buckets: Buckets,
    generation: AtomicU8,
}

impl Table {
    /// A table of `mib` MiB, or `None` if there is no memory for it.
    pub fn new(mib: usize) -> Option<Self> {
        let buckets = Buckets::of_size(mib, 0).ok()?;
        Some(Self { buckets, generation: AtomicU8::new(0) })
    }

    pub fn clear(&self) {
        self.buckets.as_slice().as_flattened().iter().for_each(Slot::clear);
    }

    /// All entries get one search older.
    pub fn begin_search(&self) {
        let next = next_generation(self.generation.load(Ordering::Relaxed));
        self.generation.store(next, Ordering::Relaxed);
    }

    /// The entry of a position, with wins as they count at `ply`.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        let slots = self.buckets.of(key).iter();
        let data = slots.map(Slot::load).find(|&(found, data)| found == key && data != 0)?.1;
        Some(unpack(data, ply))
    }

    /// Keeps an entry, in place of the same position's (but not of a much deeper one of this
    /// search) or of the least valuable one: shallow, and of an old search.
    pub fn store(&self, key: u64, ply: usize, mut entry: TableEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let new = Merits {
            depth: entry.depth,
            bound: entry.result.map(|(_, bound)| bound),
            principal: entry.principal,
            generation,
        };
        let bucket = self.buckets.of(key);
        let mut replaced = (&bucket[0], i32::MAX);
        for slot in bucket {
            let (found, data) = slot.load();
            if found == key && data != 0 {
                if !new.replaces(merits(data), &PARAMS) {
                    return;
                }
                entry.best = entry.best.or(unpack(data, 0).best);
                replaced = (slot, 0);
                break;
            }
            let value = if data == 0 { i32::MIN } else { merits(data).worth(generation, &PARAMS) };
            if value < replaced.1 {
                replaced = (slot, value);
            }
        }
        replaced.0.store(key, pack(&entry, ply, generation));
    }

    /// How full the table is with what this search wrote, in permille of a sample.
    pub fn permille_full(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let buckets = self.buckets.as_slice();
        let sample = buckets[..buckets.len().min(250)].as_flattened();
        let used = sample.iter().filter(|slot| {
            let data = slot.load().1;
            data != 0 && generation_of(data) == generation
        });
        (used.count() * 1000 / sample.len()) as u32
    }
}

/// Stands for an evaluation that is not known.
const NO_EVALUATION: i16 = i16::MIN;

fn pack(entry: &TableEntry, ply: usize, generation: u8) -> u64 {
    let ply = ply as i32;
    let (score, bound) = match entry.result {
        None => (0, 0),
        Some((score, bound)) if score.is_win() => ((score + ply).units(), bound as u64),
        Some((score, bound)) if score.is_loss() => ((score - ply).units(), bound as u64),
        Some((score, bound)) => (score.units(), bound as u64),
    };
    let evaluation = entry.evaluation.map_or(NO_EVALUATION, |score| score.units() as i16);
    u64::from(entry.best.map_or(MoveCode::NONE, |code| code.0))
        | u64::from(evaluation as u16) << 16
        | u64::from(score as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | bound << 56
        | u64::from(entry.principal) << 58
        | u64::from(generation) << 59
}

fn unpack(data: u64, ply: usize) -> TableEntry {
    let (score, ply) = (Score::new(i32::from((data >> 32) as i16)), ply as i32);
    let score = match score {
        score if score.is_win() => score - ply,
        score if score.is_loss() => score + ply,
        score => score,
    };
    let evaluation = (data >> 16) as i16;
    let known = (evaluation != NO_EVALUATION).then(|| Score::new(i32::from(evaluation)));
    let code = data as u16;
    TableEntry {
        result: bound_of(data).map(|bound| (score, bound)),
        evaluation: known,
        best: (code != MoveCode::NONE).then_some(MoveCode(code)),
        depth: depth_of(data),
        principal: is_principal(data),
    }
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

fn bound_of(data: u64) -> Option<Bound> {
    Bound::from_bits((data >> 56) as u8)
}

fn is_principal(data: u64) -> bool {
    data >> 58 & 1 != 0
}

fn generation_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// What decides whether a packed entry is replaced.
fn merits(data: u64) -> Merits {
    Merits {
        depth: depth_of(data),
        bound: bound_of(data),
        principal: is_principal(data),
        generation: generation_of(data),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(bits: u32) -> Option<MoveCode> {
        Some(MoveCode::of(Move::from_bits(bits)))
    }

    fn entry(score: Score, bound: Bound, depth: i32) -> TableEntry {
        let result = Some((score, bound));
        TableEntry { result, evaluation: None, best: None, depth, principal: false }
    }

    #[test]
    fn entries_come_back() {
        let table = Table::new(1).unwrap();
        table.begin_search();
        let evaluations = [Some(-777), None, Some(0)].map(|units| units.map(Score::new));
        let scores = [Score::new(-250), Score::mate_in(5), Score::mated_in(9)];
        for (i, key) in [7, 1 << 40, u64::MAX].into_iter().enumerate() {
            let entry = TableEntry {
                best: code(0x0003_1C0C),
                evaluation: evaluations[i],
                principal: i == 1,
                ..entry(scores[i], Bound::Lower, 9)
            };
            table.store(key, 4, entry);
            assert_eq!(table.probe(key, 4), Some(entry));
        }
        // A win counts from the node.
        assert_eq!(table.probe(1 << 40, 6).unwrap().result.unwrap().0, Score::mate_in(7));
        assert_eq!(table.probe(8, 0), None);
        assert!(table.permille_full() > 0);
        table.clear();
        assert_eq!(table.probe(7, 4), None);
    }

    #[test]
    fn a_known_move_is_kept() {
        let table = Table::new(1).unwrap();
        let best = code(0x0000_1C0C);
        table.store(7, 0, TableEntry { best, ..entry(Score::new(1), Bound::Lower, 3) });
        table.store(7, 0, entry(Score::new(2), Bound::Exact, 4));
        assert_eq!(table.probe(7, 0).unwrap().best, best);
        // A shallow bound does not push out a deep one.
        table.store(7, 0, entry(Score::new(3), Bound::Upper, 0));
        assert_eq!(table.probe(7, 0).unwrap().result.unwrap().0, Score::new(2));
    }

    #[test]
    fn an_evaluation_alone_decides_nothing() {
        let table = Table::new(1).unwrap();
        let evaluation = Some(Score::new(31));
        let alone = TableEntry { result: None, evaluation, ..entry(Score::DRAW, Bound::Exact, 0) };
        table.begin_search();
        table.store(7, 3, alone);
        assert_eq!(table.probe(7, 3), Some(alone));
        assert_eq!(alone.decides(Score::new(-500)), None);
        let known = entry(Score::new(40), Bound::Lower, 1);
        assert_eq!(known.decides(Score::new(40)), Some(Score::new(40)));
        assert_eq!(known.decides(Score::new(41)), None);
    }

    #[test]
    fn plain_moves_have_codes_of_their_own_and_effects_change_them() {
        let plain = |from: u32, to: u32| code(to << 8 | from).unwrap();
        let codes: std::collections::BTreeSet<u16> =
            (0..192).flat_map(|from| (0..192).map(move |to| plain(from, to).0)).collect();
        assert_eq!(codes.len(), 192 * 192);
        let effects: std::collections::BTreeSet<u16> =
            (0..200).map(|index| code(index << 16 | 0x1C0C).unwrap().0).collect();
        assert_eq!(effects.len(), 200);
        assert_ne!(code(0xFFFF).unwrap().0, MoveCode::NONE);
    }
}
