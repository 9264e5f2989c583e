//! Counts how often moves were played, in bounded memory.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tamarin_game::book::entry::MoveCode;

/// A move in a position, the latter by its key.
pub type Place = (u64, MoveCode);

/// How often a move was played and what came of it for the side that played it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Count {
    pub games: u32,
    /// Those of them that were won.
    pub wins: u32,
    /// Those of them that were drawn; the others were lost.
    pub draws: u32,
}

impl Count {
    /// The sum; numbers above 2^32 - 1 stay there.
    const fn plus(self, other: Self) -> Self {
        Self {
            games: self.games.saturating_add(other.games),
            wins: self.wins.saturating_add(other.wins),
            draws: self.draws.saturating_add(other.draws),
        }
    }
}

/// Bytes that a place with its count takes in memory: 28 in the table, which may be less than half
/// full, and both tables while it grows.
const BYTES_IN_MEMORY: usize = 96;

/// Runs on disk that are merged into one: few files may be open.
const MAX_RUNS: usize = 32;

/// Counts of moves: those of the last games in memory; when these are too many they are sorted and
/// written to a run on disk (external merge sort). The runs have no names, so nothing is left of
/// them whatever happens.
pub struct Tally {
    counts: HashMap<Place, Count>,
    capacity: usize,
    runs: Vec<File>,
    folder: PathBuf,
}

impl Tally {
    /// A tally that takes about `mebibytes` MiB of memory and writes its runs to `folder`.
    pub fn new(mebibytes: usize, folder: &Path) -> Self {
        Self::with_capacity((mebibytes << 20) / BYTES_IN_MEMORY, folder)
    }

    fn with_capacity(capacity: usize, folder: &Path) -> Self {
        Self { counts: HashMap::new(), capacity, runs: Vec::new(), folder: folder.to_owned() }
    }

    pub fn add(&mut self, place: Place, count: Count) -> io::Result<()> {
        let entry = self.counts.entry(place).or_default();
        *entry = entry.plus(count);
        if self.counts.len() >= self.capacity {
            let sorted = self.sorted();
            let run = self.write(sorted.into_iter().map(Ok))?;
            self.runs.push(run);
            if self.runs.len() >= MAX_RUNS {
                let runs = std::mem::take(&mut self.runs);
                let merged = self.write(Merge::new(runs, Vec::new())?)?;
                self.runs.push(merged);
            }
        }
        Ok(())
    }

    /// How many runs were written to disk and not merged.
    #[cfg(test)]
    fn runs(&self) -> usize {
        self.runs.len()
    }

    /// All places with their counts, in order.
    pub fn finish(mut self) -> io::Result<Merge> {
        let sorted = self.sorted();
        Merge::new(self.runs, sorted)
    }

    /// Takes what is in memory.
    fn sorted(&mut self) -> Vec<(Place, Count)> {
        let mut sorted: Vec<_> = self.counts.drain().collect();
        sorted.sort_unstable();
        sorted
    }

    /// Writes a run to a file without a name.
    fn write(&self, sorted: impl Iterator<Item = io::Result<(Place, Count)>>) -> io::Result<File> {
        let mut run = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for item in sorted {
            run.write_all(&to_bytes(item?))?;
        }
        let mut run = run.into_inner().map_err(io::IntoInnerError::into_error)?;
        run.rewind()?;
        Ok(run)
    }
}

const RECORD: usize = 22;

fn to_bytes(((key, code), count): (Place, Count)) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..10].copy_from_slice(&code.0.to_le_bytes());
    for (field, value) in bytes[10..].chunks_mut(4).zip([count.games, count.wins, count.draws]) {
        field.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

fn from_bytes(bytes: &[u8; RECORD]) -> (Place, Count) {
    let number = |at: usize, length: usize| {
        bytes[at..at + length].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let count = |at| u32::try_from(number(at, 4)).expect("invariant: four bytes");
    let code = u16::try_from(number(8, 2)).expect("invariant: two bytes");
    let count = Count { games: count(10), wins: count(14), draws: count(18) };
    ((number(0, 8), MoveCode(code)), count)
}

/// What a run or the memory has next.
type Head = Reverse<((Place, Count), usize)>;

/// Merges sorted runs; the same place in several of them comes once, with the sum.
pub struct Merge {
    runs: Vec<BufReader<File>>,
    memory: std::vec::IntoIter<(Place, Count)>,
    heads: BinaryHeap<Head>,
}

impl Merge {
    fn new(runs: Vec<File>, memory: Vec<(Place, Count)>) -> io::Result<Self> {
        let runs: Vec<_> = runs.into_iter().map(BufReader::new).collect();
        let mut merge = Self { runs, memory: memory.into_iter(), heads: BinaryHeap::new() };
        for source in 0..=merge.runs.len() {
            merge.refill(source)?;
        }
        Ok(merge)
    }

    /// Takes the next of a run; the number after the last run is the memory.
    fn refill(&mut self, source: usize) -> io::Result<()> {
        let next = match self.runs.get_mut(source) {
            Some(run) => {
                let mut bytes = [0; RECORD];
                match run.read_exact(&mut bytes) {
                    Ok(()) => Some(from_bytes(&bytes)),
                    Err(error) if error.kind() == ErrorKind::UnexpectedEof => None,
                    Err(error) => return Err(error),
                }
            }
            None => self.memory.next(),
        };
        self.heads.extend(next.map(|item| Reverse((item, source))));
        Ok(())
    }

    fn pop(&mut self) -> io::Result<Option<(Place, Count)>> {
        let Some(Reverse((item, source))) = self.heads.pop() else { return Ok(None) };
        self.refill(source)?;
        Ok(Some(item))
    }
}

impl Iterator for Merge {
    type Item = io::Result<(Place, Count)>;

    fn next(&mut self) -> Option<Self::Item> {
        let (place, mut sum) = match self.pop() {
            Ok(first) => first?,
            Err(error) => return Some(Err(error)),
        };
        while self.heads.peek().is_some_and(|Reverse(((other, _), _))| *other == place) {
            match self.pop() {
                Ok(Some((_, count))) => sum = sum.plus(count),
                Ok(None) => break,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok((place, sum)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Count, Place, Tally, from_bytes, to_bytes};
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use std::collections::BTreeMap;
    use tamarin_game::book::entry::MoveCode;

    #[test]
    fn records_survive_the_way_through_bytes() {
        let count = Count { games: u32::MAX, wins: 0x0102_0304, draws: 7 };
        let item = ((0xfedc_ba98_7654_3210, MoveCode(0xabcd)), count);
        assert_eq!(from_bytes(&to_bytes(item)), item);
    }

    #[test]
    fn any_capacity_gives_the_same_sums_in_order() {
        for capacity in [1, 2, 7, 100, 5_000] {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
            let mut tally = Tally::with_capacity(capacity, &std::env::temp_dir());
            let mut wanted: BTreeMap<Place, Count> = BTreeMap::new();
            let mut most_runs = 0;
            for _ in 0..2_000 {
                let place = (random.random_range(0..40) << 58, MoveCode(random.random_range(0..5)));
                let wins = random.random_range(0..2);
                let count = Count { games: 1, wins, draws: 0 };
                tally.add(place, count).unwrap();
                let sum = wanted.entry(place).or_default();
                *sum = sum.plus(count);
                most_runs = most_runs.max(tally.runs());
            }
            assert!(most_runs < super::MAX_RUNS);
            assert_eq!(most_runs > 1, capacity <= 100, "capacity {capacity}");
            let found: Vec<_> = tally.finish().unwrap().map(Result::unwrap).collect();
            assert_eq!(found, wanted.into_iter().collect::<Vec<_>>(), "capacity {capacity}");
        }
    }
}
