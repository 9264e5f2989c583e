//! `tamarin book make`.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use super::outcome::{Ending, Failure};
use crate::book::make::pgn::{self, Game};
use crate::book::make::tally::{Count, Tally};
use crate::book::make::weights::{self, Rules, Written};
use crate::message::complain;
use crate::new_file::{NewFile, folder};
use crate::pgn::games::Games;

/// Bad games that are told one by one.
const MAX_COMPLAINTS: u64 = 20;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Games in PGN
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,

    /// The book; an old one is replaced once the new one is complete
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Moves of each game that count, in plies
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    plies: u16,

    #[command(flatten)]
    rules: Rules,

    /// Memory for counting, in MiB; what does not fit is sorted on disk beside the book
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
}

/// Makes the book.
pub fn run(arguments: &Arguments) -> Result<Ending, Failure> {
    let output = &arguments.output;
    let unwritable = |source| Failure::File { path: output.clone(), source };
    let mut maker = Maker {
        plies: arguments.plies.into(),
        tally: Tally::new(arguments.memory as usize, folder(output)),
        good: 0,
        bad: 0,
        bar: bar(total_size(&arguments.games)?),
    };
    for path in &arguments.games {
        maker.read(path, output)?;
    }
    maker.bar.finish_and_clear();
    if maker.bad > MAX_COMPLAINTS {
        complain(&format!("... and {} more", maker.bad - MAX_COMPLAINTS));
    }
    println_summary(&format!("{} games, {} more left out", maker.good, maker.bad))?;
    // Made before the counts are merged: a folder that cannot be written is told at once.
    let file = NewFile::create(output).map_err(unwritable)?;
    let written = write(maker.tally, &arguments.rules, file).map_err(unwritable)?;
    let Some(Written { positions, entries }) = written else {
        complain("error: no move is good enough for a book; none was written");
        return Ok(Ending::Bad);
    };
    println_summary(&format!("{}: {entries} moves in {positions} positions", output.display()))?;
    Ok(Ending::Good)
}

/// Reads games and counts their moves.
struct Maker {
    plies: usize,
    tally: Tally,
    good: u64,
    bad: u64,
    bar: ProgressBar,
}

impl Maker {
    fn read(&mut self, path: &Path, output: &Path) -> Result<(), Failure> {
        let unreadable = |source| Failure::File { path: path.to_owned(), source };
        let file = File::open(path).map_err(unreadable)?;
        let mut games = Games::new(BufReader::with_capacity(1 << 18, file));
        let begin = self.bar.position();
        while let Some(text) = games.next().map_err(unreadable)? {
            match pgn::read(&text, self.plies) {
                Ok(game) => {
                    let counted = self.count(&game);
                    counted.map_err(|source| Failure::File { path: output.to_owned(), source })?;
                    self.good += 1;
                }
                Err(reason) => {
                    self.bad += 1;
                    if self.bad <= MAX_COMPLAINTS {
                        let place = format!("{}: byte {}", path.display(), text.offset);
                        self.bar.suspend(|| complain(&format!("{place}: {reason}")));
                    }
                }
            }
            self.bar.set_position(begin + games.offset());
            if (self.good + self.bad).is_multiple_of(256) {
                self.bar.set_message(format!("{} games", self.good));
            }
        }
        Ok(())
    }

    fn count(&mut self, game: &Game) -> io::Result<()> {
        for played in &game.moves {
            let count = Count {
                games: 1,
                wins: u32::from(game.result == Some(played.color)),
                draws: u32::from(game.result.is_none()),
            };
            self.tally.add((played.key, played.code), count)?;
        }
        Ok(())
    }
}

/// Bytes of all files.
fn total_size(paths: &[PathBuf]) -> Result<u64, Failure> {
    let mut sum = 0;
    for path in paths {
        let size = fs::metadata(path)
            .map_err(|source| Failure::File { path: path.clone(), source })?
            .len();
        sum += size;
    }
    Ok(sum)
}

/// A progress bar in bytes with rate and remaining time, if standard error is a terminal.
fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template(
        "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} [{elapsed} < {eta}] {msg}",
    );
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn println_summary(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Writes the book and puts it in its place in one step, so that there is an old or a new book
/// whatever happens, never a part of one. Without any entry there is no book.
fn write(tally: Tally, rules: &Rules, file: NewFile) -> io::Result<Option<Written>> {
    let mut output = BufWriter::new(file);
    let written = weights::write(tally.finish()?, rules, &mut output)?;
    let file = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    if written.entries == 0 {
        return Ok(None);
    }
    file.finish()?;
    Ok(Some(written))
}
