//! The positions to learn from, in memory or on disk, and their order in an epoch.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::parts::Parts;
use super::record::Record;
use crate::error::Result;

pub enum Positions {
    Memory(Vec<Record>),
    /// Dealt out at random to files, of which one at a time is in memory.
    Disk(Parts),
}

#[derive(Clone, Copy)]
pub struct Batch<'a> {
    pub records: &'a [Record],
    pub order: &'a [u32],
}

impl Positions {
    pub fn count(&self) -> usize {
        match self {
            Self::Memory(records) => records.len(),
            Self::Disk(parts) => parts.positions(),
        }
    }

    /// Shows every position once, in batches of `size`, the last one smaller: in an order that
    /// depends on nothing but the seed. In memory, every order is as likely as any other. On disk,
    /// the positions of a part come together, but which ones are in a part is random, too.
    pub fn for_each_batch(
        &self,
        seed: u64,
        size: usize,
        mut visit: impl FnMut(Batch<'_>),
    ) -> Result<()> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let parts = match self {
            Self::Memory(records) => {
                let order = shuffled(records.len(), &mut random);
                order.chunks(size).for_each(|order| visit(Batch { records, order }));
                return Ok(());
            }
            Self::Disk(parts) => parts,
        };
        let turns = shuffled(parts.count(), &mut random);
        let mut records = Vec::new();
        for (turn, &part) in turns.iter().enumerate() {
            parts.read(part as usize, &mut records)?;
            let order = shuffled(records.len(), &mut random);
            let is_last = turn + 1 == turns.len();
            // What does not fill a batch waits for the next part.
            let now = if is_last { order.len() } else { order.len() / size * size };
            let (order, rest) = order.split_at(now);
            order.chunks(size).for_each(|order| visit(Batch { records: &records, order }));
            let rest: Vec<_> = rest.iter().map(|&index| records[index as usize]).collect();
            records.clear();
            records.extend(rest);
        }
        Ok(())
    }
}

/// The numbers below `count` in random order.
fn shuffled(count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.shuffle(random);
    order
}
