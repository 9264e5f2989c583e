//! Positions on disk: each lies in one of several files, chosen at random, so that the file is a
//! sample of them all and fits into memory.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_base::files::open_own;

use super::record::{PACKED, Record};
use crate::data::Fnv1a;
use crate::error::{Context, Result, reject};
use crate::saved::beside;

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
