//! Commands that copy files of games: `export` as text, `merge`, and `shuffle` in as much memory as
//! is allowed.

use core::ops::Range;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, IntoInnerError, Seek as _, Write};
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_base::files::Target;
use tamarin_movegen::CastlingStyle;

use crate::data::{FilterWithChecks, GameReader, Packer, Sink, for_each_game, total_size};
use crate::error::{Context, Result, TrainError, reject};
use crate::net::MOST_PARTS;
use crate::report::report;

#[derive(clap::Args, Clone, Debug)]
pub struct ExportArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The text to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    filter: FilterWithChecks,
}

/// Writes a line `FEN | score | result` for each position that is kept: the score in engine
/// units and the result (1.0, 0.5 or 0.0), both from White's point of view.
pub fn export(arguments: &ExportArguments) -> Result<()> {
    let mut file = arguments.out.as_deref().map(Sink::create).transpose()?;
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for_each_game(&arguments.files, |_, game| {
        let result = game.outcome.for_white();
        game.replay(|position, ply| {
            if !arguments.filter.keeps(position, ply) {
                return Ok(());
            }
            let fen = position.fen(CastlingStyle::Standard);
            let line = format!("{fen} | {} | {result:.1}\n", ply.score);
            match &mut file {
                Some(file) => file.write(line.as_bytes()),
                None => stdout.write_all(line.as_bytes()).map_err(TrainError::Output),
            }
        })
    })?;
    match file {
        Some(file) => file.finish(),
        None => stdout.flush().map_err(TrainError::Output),
    }
}

#[derive(clap::Args, Clone, Debug)]
pub struct MergeArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The file to write; it must not be there yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes all games one after the other in viriformat, each checked. Holds one game in memory.
pub fn merge(arguments: &MergeArguments) -> Result<()> {
    let mut sink = Sink::create(&arguments.out)?;
    let mut count = 0_u64;
    for_each_game(&arguments.files, |raw, _| {
        count += 1;
        sink.write(raw)
    })?;
    sink.finish()?;
    report!("{count} games in {}", arguments.out.display());
    Ok(())
}

/// Writes all games packed.
pub fn pack(arguments: &MergeArguments) -> Result<()> {
    pack_into(Sink::create(&arguments.out)?, &arguments.out, &arguments.files)
}

/// Writes all games packed to `sink`, and makes sure of each chunk that it is read as it has to be
/// before it is written. Holds one chunk in memory.
pub fn pack_into(mut sink: Sink, path: &Path, files: &[PathBuf]) -> Result<()> {
    let mut packer = Packer::default();
    let (mut count, mut plies, mut bytes) = (0_u64, 0, 0);
    // The games of the chunk as they are to be read.
    let mut expected = Vec::new();
    let mut write = |chunk: Vec<u8>, expected: &mut Vec<u8>| {
        let mut found = Vec::with_capacity(expected.len());
        let mut reader = GameReader::new(chunk.as_slice(), path);
        while let Some(raw) = reader.next_raw()? {
            found.extend(raw);
        }
        if found != *expected {
            reject!("{}: packing has changed games; nothing was written", path.display());
        }
        expected.clear();
        bytes += chunk.len();
        sink.write(&chunk)
    };
    for_each_game(files, |_, game| {
        count += 1;
        plies += game.plies.len();
        let (packed, chunk) = packer.add(&game).context(path.display())?;
        expected.extend(packed.encode()?);
        chunk.map_or(Ok(()), |chunk| write(chunk, &mut expected))
    })?;
    if let Some(chunk) = packer.finish() {
        write(chunk, &mut expected)?;
    }
    sink.finish()?;
    let rate = bytes as f64 / plies.max(1) as f64;
    report!("{count} games, {plies} plies, {rate:.3} bytes each, in {}", path.display());
    Ok(())
}

/// The buffer of a part, in bytes.
const BUFFER: usize = 1 << 16;

#[derive(clap::Args, Clone, Debug)]
pub struct ShuffleArguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The file to write; it must not be there yet. Its folder needs twice the room for a while
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
pub fn shuffle(arguments: &ShuffleArguments) -> Result<()> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed);
    let mut sink = Sink::create(&arguments.out)?;
    // Half of the memory, because parts are of random size and games need a little more.
    let part_size = (arguments.memory << 20) / 2;
    let parts = total_size(&arguments.files)?.div_ceil(part_size).max(1);
    if parts > MOST_PARTS as u64 {
        let needed = parts * arguments.memory / MOST_PARTS as u64 + 1;
        reject!(
            "{parts} parts would be needed, which is too many: give --memory {needed} at least"
        );
    }
    let mut count = 0;
    if parts == 1 {
        let mut games = Games::default();
        for_each_game(&arguments.files, |raw, _| {
            games.push(raw);
            Ok(())
        })?;
        count += games.write(&mut random, &mut sink)?;
    } else {
        for file in deal(arguments, parts as usize, &mut random)? {
            let mut games = Games::default();
            let mut reader = GameReader::new(BufReader::new(file), &arguments.out);
            while let Some(raw) = reader.next_raw()? {
                games.push(&raw);
            }
            count += games.write(&mut random, &mut sink)?;
        }
    }
    sink.finish()?;
    report!("{count} games in {}", arguments.out.display());
    Ok(())
}

/// Deals the games out to files without names, which the system frees however the process ends.
fn deal(
    arguments: &ShuffleArguments,
    count: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Vec<File>> {
    let path = arguments.out.display();
    let folder = Target::of_user(&arguments.out).context(&path)?.folder();
    let part =
        |_| tempfile::tempfile_in(&folder).map(|file| BufWriter::with_capacity(BUFFER, file));
    let mut parts: Vec<_> = (0..count).map(part).collect::<io::Result<_>>().context(&path)?;
    for_each_game(&arguments.files, |raw, _| {
        parts[random.random_range(0..count)].write_all(raw).context(&path)
    })?;
    let whole = |part: BufWriter<File>| {
        let mut file = part.into_inner().map_err(IntoInnerError::into_error)?;
        file.rewind().map(|()| file)
    };
    parts.into_iter().map(whole).collect::<io::Result<_>>().context(&path)
}

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
    fn write(mut self, random: &mut Xoshiro256PlusPlus, sink: &mut Sink) -> Result<u64> {
        self.places.shuffle(random);
        for place in &self.places {
            sink.write(&self.bytes[place.clone()])?;
        }
        Ok(self.places.len() as u64)
    }
}
