//! `tamarin book make`.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::BAD;
use crate::book::make::pgn::{self, Game};
use crate::book::make::tally::{Count, Tally};
use crate::book::make::weights::{self, Rules, Written};
use crate::error::Error;
use crate::progress::{Progress, Show};
use crate::rejected::{RejectedGames, free_beside};
use tamarin_base::complain;
use tamarin_base::counted;
use tamarin_base::files::{NewFile, Old, Target, open_stream, remove_unfinished_on_signal};
use tamarin_game::packed::unpacked;
use tamarin_game::pgn::Rejected;
use tamarin_game::pgn::games::{GameText, Games};

/// Bad games that are reported one by one.
const MAX_COMPLAINTS: u64 = 20;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Games in PGN, also packed with gzip
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,

    /// The book; an old one is replaced once the new one is complete
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Moves of each game that count, in plies
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    plies: u16,

    /// Where games that are left out go, with the reasons [default: FILE.rejected.pgn, or
    /// FILE.rejected-2.pgn and so on if that is there; nowhere if FILE is a device or a pipe]
    #[arg(long, value_name = "PGN")]
    rejected: Option<PathBuf>,

    #[command(flatten)]
    rules: Rules,

    /// Memory for counting, in MiB; what does not fit is sorted on disk beside the book
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
}

/// The file of the book and that of the games that are left out, neither of which is read nor the
/// other one.
fn targets(arguments: &Arguments) -> Result<(Target, Option<RejectedGames>), Error> {
    let Arguments { games, output, .. } = arguments;
    let book = Target::of_user(output)
        .and_then(|book| book.unlike(games).map(|()| book))
        .and_then(|book| book.check_writable().map(|()| book))
        .and_then(|book| book.check_folder().map(|()| book))
        .map_err(Error::file(output))?;
    let (path, rejected) = match &arguments.rejected {
        Some(path) => {
            let target = Target::of_user(path);
            (path.clone(), target.and_then(|target| target.check_folder().map(|()| target)))
        }
        None if book.is_stream() => return Ok((book, None)),
        None => free_beside(book.path(), ".pgn"),
    };
    let rejected = rejected
        .and_then(|target| target.unlike(games.iter().chain([output])).map(|()| target))
        .and_then(|target| target.check_writable().map(|()| target))
        .map_err(Error::file(&path))?;
    Ok((book, Some(RejectedGames::new(path, rejected))))
}

/// Makes the book.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    remove_unfinished_on_signal();
    let output = &arguments.output;
    let (target, rejected_games) = targets(arguments)?;
    let mut maker = Maker {
        plies: arguments.plies.into(),
        tally: Tally::new(arguments.memory as usize, &target.folder()),
        good: 0,
        bad: 0,
        rejected: rejected_games,
        progress: Progress::new(total_size(&arguments.games)?, 0, Show::Yes),
    };
    for path in &arguments.games {
        maker.read(path, output)?;
    }
    maker.progress.finish();
    if maker.bad > MAX_COMPLAINTS {
        complain(&format!("... and {} more", maker.bad - MAX_COMPLAINTS));
    }
    let mut place = String::new();
    if let Some(games) = maker.rejected.filter(|games| !games.is_empty()) {
        let path = games.path().to_owned();
        let old = games.finish().map_err(Error::file(&path))?;
        place = format!(": {}{}", path.display(), replaced(old));
    }
    let games = counted(maker.good, "game", "games");
    println_summary(&format!("{games}, {} more left out{place}", maker.bad))?;
    let file = target.create().map_err(Error::file(output))?;
    let written = write(maker.tally, &arguments.rules, file);
    let written = written.map_err(Error::file(output))?;
    let Some((Written { positions, entries }, old)) = written else {
        complain("error: no move is good enough for a book; none was written");
        return Ok(ExitCode::from(BAD));
    };
    println_summary(&format!(
        "{}: {} in {}{}",
        output.display(),
        counted(entries, "move", "moves"),
        counted(positions, "position", "positions"),
        replaced(old)
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads games and counts their moves.
struct Maker {
    plies: usize,
    tally: Tally,
    good: u64,
    bad: u64,
    rejected: Option<RejectedGames>,
    progress: Progress,
}

impl Maker {
    fn read(&mut self, path: &Path, output: &Path) -> Result<(), Error> {
        let unreadable = || Error::file(path);
        let file = self.progress.counting(open_stream(path).map_err(unreadable())?);
        let content = unpacked(BufReader::new(file)).map_err(unreadable())?;
        let mut games = Games::new(BufReader::with_capacity(1 << 18, content));
        while let Some(text) = games.next_game().map_err(unreadable())? {
            match pgn::read(&text, self.plies) {
                Ok(game) => {
                    self.count(&game).map_err(Error::file(output))?;
                    self.good += 1;
                }
                Err(reason) => self.reject(path, &text, &reason)?,
            }
            self.progress.game_done(0);
        }
        Ok(())
    }

    /// Tells of a game that is left out, and keeps it.
    fn reject(&mut self, path: &Path, text: &GameText, reason: &Rejected) -> Result<(), Error> {
        self.bad += 1;
        let line = format!("{}: line {}: {reason}", path.display(), text.line);
        if self.bad <= MAX_COMPLAINTS {
            self.progress.suspend(|| complain(&line));
        }
        let Some(rejected) = &mut self.rejected else { return Ok(()) };
        rejected.add(&line, text).map_err(Error::file(rejected.path()))
    }

    /// Counts each move once, also if the game repeats a position.
    fn count(&mut self, game: &Game) -> io::Result<()> {
        let mut counted = HashSet::new();
        for played in &game.moves {
            let place = (played.key, played.code);
            if !counted.insert(place) {
                continue;
            }
            let count = Count {
                games: 1,
                wins: u32::from(game.result == Some(played.color)),
                draws: u32::from(game.result.is_none()),
            };
            self.tally.add(place, count)?;
        }
        Ok(())
    }
}

/// What is said of a file that was replaced, behind its name.
fn replaced(old: Option<Old>) -> String {
    old.map_or(String::new(), |old| format!(" ({old})"))
}

/// Bytes of all files.
fn total_size(paths: &[PathBuf]) -> Result<u64, Error> {
    let mut sum = 0;
    for path in paths {
        sum += fs::metadata(path).map_err(Error::file(path))?.len();
    }
    Ok(sum)
}

fn println_summary(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// Writes the book and puts it in its place in one step, so that there is an old or a new book
/// whatever happens, never a part of one. Without any entry there is no book.
fn write(tally: Tally, rules: &Rules, file: NewFile) -> io::Result<Option<(Written, Option<Old>)>> {
    let mut output = BufWriter::new(file);
    let written = weights::write(tally.finish()?, rules, &mut output)?;
    let file = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    if written.entries == 0 {
        return Ok(None);
    }
    let old = file.finish()?;
    Ok(Some((written, old)))
}
