//! Playing a contest: several games at a time, with results that a later run goes on from.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use serde_json::Value;
use tamarin_variant_search::EngineError;

use super::contest::{Pairing, Record};
use super::player::Player;

/// Where results go, and how many games are played at a time.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct RunArguments {
    /// Games played at a time [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Write every finished game to this file, a JSON object a line; games that are there already
    /// are not played again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write all games to this file as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(super) json: bool,
}

/// Why a contest has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum ContestError {
    #[error("{path}: {source}")]
    File {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error(
        "{path}, line {line}: not a game of this contest; give another file, or the same arguments"
    )]
    OtherContest { path: String, line: usize },
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// The results so far: memory, and the file.
struct Results {
    records: Vec<Option<Record>>,
    file: Option<(PathBuf, File)>,
}

/// Plays all games that the file of results does not have.
pub(super) fn play_all(
    pairings: &[Pairing],
    arguments: &RunArguments,
) -> Result<Vec<Record>, ContestError> {
    let results = Mutex::new(open(pairings, arguments)?);
    let missing: Vec<usize> = {
        let results = results.lock();
        (0..pairings.len()).filter(|&i| results.records[i].is_none()).collect()
    };
    let bar = bar(pairings.len(), pairings.len() - missing.len());
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), ContestError> {
        // Players are made once for each game and name.
        let mut players: HashMap<(String, String), Player> = HashMap::new();
        while let Some(&i) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            let pairing = &pairings[i];
            let mut both = Vec::new();
            for (side, name) in pairing.players.iter().enumerate() {
                // One evaluator may play itself.
                let key = (pairing.game_name.clone(), format!("{side} {name}"));
                let player = match players.remove(&key) {
                    Some(player) => player,
                    None => Player::new(&pairing.game, name)?,
                };
                both.push((key, player));
            }
            let Ok([white, black]) = <[_; 2]>::try_from(both) else { continue };
            let mut sides = [white.1, black.1];
            let record = pairing.play(&mut sides);
            players.extend([white.0, black.0].into_iter().zip(sides));
            results.lock().add(i, pairing, record)?;
            bar.inc(1);
        }
        Ok(())
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.concurrency.map_or(cores, usize::from).min(missing.len().max(1));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ends = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        ends.collect::<Result<Vec<()>, _>>()
    })?;
    bar.finish_and_clear();
    let records = results.into_inner().records.into_iter().flatten().collect::<Vec<_>>();
    if let Some(path) = &arguments.pgn {
        let text: String = pairings.iter().zip(&records).map(|(p, record)| p.pgn(record)).collect();
        std::fs::write(path, text).map_err(|source| failed(path, source))?;
    }
    Ok(records)
}

fn bar(games: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(games as u64).with_position(done as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn failed(path: &Path, source: io::Error) -> ContestError {
    ContestError::File { path: path.display().to_string(), source }
}

/// Reads the results of an earlier run. A last line that was not finished is removed.
fn open(pairings: &[Pairing], arguments: &RunArguments) -> Result<Results, ContestError> {
    let mut records = vec![None; pairings.len()];
    let Some(path) = &arguments.out else { return Ok(Results { records, file: None }) };
    let fail = |source| failed(path, source);
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path);
    let mut file = file.map_err(fail)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(fail)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64).map_err(fail)?;
    file.seek(io::SeekFrom::End(0)).map_err(fail)?;
    for (i, line) in text[..whole].lines().enumerate() {
        let other = || ContestError::OtherContest { path: path.display().to_string(), line: i + 1 };
        let object: Value = serde_json::from_str(line).map_err(|_| other())?;
        let number = object["number"].as_u64().and_then(|number| usize::try_from(number).ok());
        let pairing = number.and_then(|number| pairings.get(number)).ok_or_else(other)?;
        records[pairing.number] = Some(pairing.record(&object).ok_or_else(other)?);
    }
    Ok(Results { records, file: Some((path.clone(), file)) })
}

impl Results {
    fn add(&mut self, i: usize, pairing: &Pairing, record: Record) -> Result<(), ContestError> {
        if let Some((path, file)) = &mut self.file {
            let line = format!("{}\n", pairing.json(&record));
            let written = file.write_all(line.as_bytes()).and_then(|()| file.flush());
            written.map_err(|source| failed(path, source))?;
        }
        self.records[i] = Some(record);
        Ok(())
    }
}
