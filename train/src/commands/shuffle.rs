//! `shuffle`: games in random order, in as much memory as is allowed.

use core::ops::Range;
use std::fs;
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_files::Target;

use crate::data::{FileError, GameReader, GamesError, Sink, for_each_game, total_size};
use crate::report::report;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The file to write; it must not be there yet. Parts lie beside it for a while
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Seed of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Memory for games, in MiB
    #[arg(long, default_value_t = 1_024, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

/// Writes all games, each checked, in an order in which every one is equally likely.
///
/// First the games are dealt out at random to parts that fit into memory, then one part
/// after the other is shuffled. The same files and seed give the same order where the number
/// of parts is the same.
pub fn run(arguments: &Arguments) -> Result<(), GamesError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed);
    let mut sink = Sink::create(&arguments.out)?;
    // Half of the memory, because parts are of random size and games need a little more.
    let part_size = (arguments.memory << 20) / 2;
    let parts = total_size(&arguments.files)?.div_ceil(part_size).max(1);
    let mut count = 0;
    if parts == 1 {
        let mut games = Games::default();
        for_each_game(&arguments.files, |raw, _| {
            games.push(&raw.bytes);
            Ok::<(), GamesError>(())
        })?;
        count += games.write(&mut random, &mut sink)?;
    } else {
        let parts = Parts::deal(arguments, parts, &mut random)?;
        for path in &parts.0 {
            let mut games = Games::default();
            let mut reader = GameReader::open(path)?;
            while let Some(raw) = reader.next_raw()? {
                games.push(&raw.bytes);
            }
            count += games.write(&mut random, &mut sink)?;
        }
    }
    sink.finish()?;
    report!("{count} games in {}", arguments.out.display());
    Ok(())
}

/// Files with a part of the games each, removed in the end.
struct Parts(Vec<PathBuf>);

impl Parts {
    fn deal(
        arguments: &Arguments,
        count: u64,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<Self, GamesError> {
        let out = Target::of_user(&arguments.out).map_err(FileError::on(&arguments.out))?;
        let mut parts = Self(Vec::new());
        let mut sinks = Vec::new();
        for number in 0..count {
            let path = part_path(out.path(), number);
            sinks.push(Sink::create(&path)?);
            parts.0.push(path);
        }
        for_each_game(&arguments.files, |raw, _| {
            let chosen = random.random_range(0..sinks.len());
            Ok::<(), GamesError>(sinks[chosen].write(&raw.bytes)?)
        })?;
        sinks.into_iter().try_for_each(Sink::finish)?;
        Ok(parts)
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        for path in &self.0 {
            // What cannot be removed stays where it is, for the user to see.
            let _ = fs::remove_file(path);
        }
    }
}

fn part_path(out: &Path, number: u64) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(format!(".part{number}"));
    PathBuf::from(name)
}

/// Games in memory, one after the other.
#[derive(Default)]
struct Games {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Games {
    fn push(&mut self, game: &[u8]) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(game);
        self.places.push(begin..self.bytes.len());
    }

    /// Writes the games in random order; gives how many there are.
    fn write(mut self, random: &mut Xoshiro256PlusPlus, sink: &mut Sink) -> Result<u64, FileError> {
        self.places.shuffle(random);
        for place in &self.places {
            sink.write(&self.bytes[place.clone()])?;
        }
        Ok(self.places.len() as u64)
    }
}
