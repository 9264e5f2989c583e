//! The positions to learn from, in memory or dealt out at random to files, and their order in an
//! epoch.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_base::Fnv1a;
use tamarin_base::files::open_own;

use super::load::{Source, Summary, Validation, most_for_validation};
use super::record::{PACKED, Record};
use super::training::Scores;
use crate::data::Filter;
use crate::error::{Context, Result, reject};
use crate::saved::{Checkpoint, agree, beside};

pub struct Data {
    pub positions: Positions,
    pub validation: Validation,
    pub summary: Summary,
    /// What says that the files of positions are complete.
    dealt: Option<Checkpoint<DealRecipe>>,
}

/// All that the content of files of positions depends on, besides the games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct DealRecipe {
    filter: Filter,
    scores: Scores,
    random_plies: u32,
    mean_of: u16,
    seed: u64,
    parts: usize,
}

#[derive(Serialize, Deserialize)]
struct Dealt {
    summary: Summary,
    parts: Vec<Content>,
}

impl Data {
    /// Loads the positions, or deals them out to files if memory is limited and they may not fit. If
    /// an interrupted training has left such files, complete ones are used again.
    /// `out` is the network to be trained, `memory` the limit in MiB.
    pub fn load(source: &Source<'_>, out: &Path, memory: Option<u64>) -> Result<Self> {
        let most = memory.map_or(usize::MAX, most_for_validation);
        let parts = memory.map_or(Ok(0), |mib| source.parts(mib))?;
        if parts > 0 {
            return Self::deal(source, out, most, parts);
        }
        let mut records = Vec::new();
        let take = |mut more| {
            records.append(&mut more);
            Ok(())
        };
        let (validation, summary) = source.load(most, take)?;
        Ok(Self { positions: Positions::Memory(records), validation, summary, dealt: None })
    }

    fn deal(source: &Source<'_>, out: &Path, most: usize, parts: usize) -> Result<Self> {
        let Source { method, filter, .. } = *source;
        let recipe = DealRecipe {
            filter: *filter,
            scores: method.scores,
            random_plies: method.random_plies,
            mean_of: method.mean_of,
            seed: method.seed,
            parts,
        };
        let dealt = Checkpoint::beside(out, ".positions.json", recipe);
        let (validation, summary, parts) = if let Some(before) = dealt.read::<Dealt>()? {
            let (validation, summary) = source.load(most, |_| Ok(()))?;
            let summary = Summary { parts, ..summary };
            agree(dealt.path(), "summary of games", &before.summary, &summary)?;
            (validation, summary, Parts { out: out.to_owned(), contents: before.parts })
        } else {
            let mut dealer = Dealer::new(out, parts, method.seed)?;
            let take = |records: Vec<_>| dealer.deal(&records);
            let (validation, summary) = source.load(most, take)?;
            let summary = Summary { parts, ..summary };
            let files = dealer.finish()?;
            dealt.write(&Dealt { summary, parts: files.contents.clone() })?;
            (validation, summary, files)
        };
        Ok(Self { positions: Positions::Disk(parts), validation, summary, dealt: Some(dealt) })
    }

    /// Removes the files of positions: the training is at its end.
    pub fn remove(&self) {
        if let (Some(dealt), Positions::Disk(parts)) = (&self.dealt, &self.positions) {
            dealt.remove();
            parts.remove();
        }
    }
}

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

/// Parts, at most: while positions or games are dealt out as many files are open.
pub const MOST_PARTS: usize = 512;

const BUFFER: usize = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Content {
    positions: usize,
    /// The FNV-1a of its bytes.
    checksum: u64,
}

impl Content {
    /// Appends the positions of the file to a list; false if it has another content.
    fn read(self, path: &Path, records: &mut Vec<Record>) -> io::Result<bool> {
        let file = File::open(path)?;
        if file.metadata()?.len() != (self.positions * PACKED) as u64 {
            return Ok(false);
        }
        let mut input = BufReader::with_capacity(BUFFER, file);
        let mut checksum = Fnv1a::default();
        records.reserve_exact(self.positions);
        for _ in 0..self.positions {
            let mut bytes = [0; PACKED];
            input.read_exact(&mut bytes)?;
            checksum.write(&bytes);
            records.push(Record::unpack(&bytes));
        }
        Ok(checksum.finish() == self.checksum)
    }
}

/// Files of positions, complete, beside the network they are for.
#[derive(Clone, PartialEq, Debug)]
pub struct Parts {
    pub out: PathBuf,
    pub contents: Vec<Content>,
}

impl Parts {
    pub fn count(&self) -> usize {
        self.contents.len()
    }

    pub fn positions(&self) -> usize {
        self.contents.iter().map(|content| content.positions).sum()
    }

    pub fn read(&self, number: usize, records: &mut Vec<Record>) -> Result<()> {
        let path = path(&self.out, number);
        let content = self.contents[number];
        if !content.read(&path, records).context(path.display())? {
            let path = path.display();
            reject!("{path} is damaged; remove {path} and the file that ends in .positions.json");
        }
        Ok(())
    }

    pub fn remove(&self) {
        for number in 0..self.count() {
            // If it stays, the next training overwrites it.
            let _ = fs::remove_file(path(&self.out, number));
        }
    }
}

pub struct Dealer {
    out: PathBuf,
    random: Xoshiro256PlusPlus,
    files: Vec<OpenPart>,
}

struct OpenPart {
    output: BufWriter<File>,
    positions: usize,
    checksum: Fnv1a,
}

impl Dealer {
    /// Creates `count` files beside a network; what was left of a work that was cut off is gone.
    pub fn new(out: &Path, count: usize, seed: u64) -> Result<Self> {
        let open = |number| {
            let path = path(out, number);
            let file = open_own(&path).context(path.display())?;
            file.set_len(0).context(path.display())?;
            let output = BufWriter::with_capacity(BUFFER, file);
            Ok(OpenPart { output, positions: 0, checksum: Fnv1a::default() })
        };
        let files = (0..count).map(open).collect::<Result<_>>()?;
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Self { out: out.to_owned(), random, files })
    }

    pub fn deal(&mut self, records: &[Record]) -> Result<()> {
        for record in records {
            let number = self.random.random_range(0..self.files.len());
            let part = &mut self.files[number];
            let bytes = record.pack();
            part.checksum.write(&bytes);
            part.positions += 1;
            let written = part.output.write_all(&bytes);
            written.context(path(&self.out, number).display())?;
        }
        Ok(())
    }

    /// The files, whose content no interruption can lose any more.
    pub fn finish(self) -> Result<Parts> {
        let Self { out, files, .. } = self;
        let mut contents = Vec::new();
        for (number, mut part) in files.into_iter().enumerate() {
            let done = part.output.flush().and_then(|()| part.output.get_ref().sync_all());
            done.context(path(&out, number).display())?;
            let OpenPart { positions, checksum, .. } = part;
            contents.push(Content { positions, checksum: checksum.finish() });
        }
        Ok(Parts { out, contents })
    }
}

fn path(out: &Path, number: usize) -> PathBuf {
    beside(out, &format!(".positions.{number}"))
}
