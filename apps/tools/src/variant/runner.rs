//! Playing a contest: several games at a time, with results that a later run goes on from.

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use serde_json::Value;
use tamarin_base::files::{Appender, Reader, open_plain};

use super::contest::{FIRST_KEY, Pairing, Record};
use super::player::PlayerCache;
use super::source::{Failure, target, write};

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
    /// Print the points of each pair of players in each game too
    #[arg(long)]
    pub(super) pairs: bool,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(super) json: bool,
}

/// The results so far: memory, and the file unless a write has failed.
struct Results {
    records: Vec<Option<Record>>,
    file: Option<(PathBuf, Appender)>,
}

/// What the threads that play games share.
struct Contest<'a> {
    pairings: &'a [Pairing],
    /// The numbers of the pairings that are to be played.
    missing: Vec<usize>,
    /// The index in `missing` of the game that is begun next.
    next: AtomicUsize,
    results: Mutex<Results>,
    bar: ProgressBar,
}

/// Plays all games that the file of results does not have. `rules` is the file that was read.
pub(super) fn play_all(
    pairings: &[Pairing],
    arguments: &RunArguments,
    rules: Option<&Path>,
) -> Result<Vec<Record>, Failure> {
    let players = pairings.iter().flat_map(|pairing| &pairing.players);
    let evaluators: BTreeSet<&Path> =
        players.filter_map(|player| player.evaluator.file()).collect();
    let inputs: Vec<&Path> = rules.into_iter().chain(evaluators).collect();
    let pgn = match &arguments.pgn {
        Some(path) => Some((path, target(path, inputs.iter().chain(&arguments.out.as_deref()))?)),
        None => None,
    };
    if let Some(path) = &arguments.out {
        target(path, &inputs)?;
    }
    let contest = Contest::new(pairings, open(pairings, arguments)?);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    contest.play(arguments.concurrency.map_or(cores, usize::from))?;
    contest.bar.finish_and_clear();
    let records = contest.results.into_inner().records.into_iter().flatten().collect::<Vec<_>>();
    if let Some((path, target)) = pgn {
        let text: String = pairings.iter().zip(&records).map(|(p, record)| p.pgn(record)).collect();
        write(target, path, &text)?;
    }
    Ok(records)
}

impl<'a> Contest<'a> {
    fn new(pairings: &'a [Pairing], results: Results) -> Self {
        let missing: Vec<usize> =
            (0..pairings.len()).filter(|&i| results.records[i].is_none()).collect();
        let bar = bar(pairings.len(), pairings.len() - missing.len());
        Self { pairings, missing, next: AtomicUsize::new(0), results: Mutex::new(results), bar }
    }

    /// Plays the missing games, `concurrency` at a time. After an error no other game is begun.
    fn play(&self, concurrency: usize) -> Result<(), Failure> {
        let threads = concurrency.min(self.missing.len().max(1));
        let work = || {
            let result = self.work();
            if result.is_err() {
                self.next.store(self.missing.len(), Ordering::Relaxed);
            }
            result
        };
        thread::scope(|scope| {
            let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let threads: Vec<_> = (1..threads).map_while(start).collect();
            work()?;
            let ends = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            ends.collect::<Result<Vec<()>, _>>()
        })?;
        Ok(())
    }

    /// Plays one game after the other.
    fn work(&self) -> Result<(), Failure> {
        let mut cache = PlayerCache::default();
        while let Some(&i) = self.missing.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let pairing = &self.pairings[i];
            let [white, black] = &pairing.players;
            let mut players =
                [cache.take(&pairing.game, white)?, cache.take(&pairing.game, black)?];
            let record = pairing.play(&mut players)?;
            cache.put(&pairing.players, players);
            self.results.lock().add(i, pairing, record)?;
            self.bar.inc(1);
        }
        Ok(())
    }
}

fn bar(games: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(games as u64).with_position(done as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn failed(path: &Path, source: io::Error) -> Failure {
    Failure::Path { path: path.to_owned(), source }
}

/// Reads the results of an earlier run. A last line that was not finished is removed, but nothing
/// is changed in a file that is not of this contest.
fn open(pairings: &[Pairing], arguments: &RunArguments) -> Result<Results, Failure> {
    let mut records = vec![None; pairings.len()];
    let Some(path) = &arguments.out else { return Ok(Results { records, file: None }) };
    let fail = |source| failed(path, source);
    let target = target(path, None::<&Path>)?;
    let mut text = String::new();
    if target.old().is_some() {
        open_plain(path).and_then(|mut file| file.read_to_string(&mut text)).map_err(fail)?;
    }
    let (lines, unfinished) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
    let other = |line| Failure::OtherContest { path: path.clone(), line };
    for (i, line) in lines.lines().enumerate() {
        let object: Value = serde_json::from_str(line).map_err(|_| other(i + 1))?;
        let number = object["number"].as_u64().and_then(|number| usize::try_from(number).ok());
        let pairing = number.and_then(|number| pairings.get(number)).ok_or_else(|| other(i + 1))?;
        records[pairing.number] = Some(pairing.record(&object).ok_or_else(|| other(i + 1))?);
    }
    if !unfinished.starts_with(FIRST_KEY) && !FIRST_KEY.starts_with(unfinished) {
        return Err(other(lines.lines().count() + 1));
    }
    let mut file = target.append(Reader::Awaited).map_err(fail)?;
    file.cut(lines.len() as u64).map_err(fail)?;
    Ok(Results { records, file: Some((path.clone(), file)) })
}

impl Results {
    /// Keeps a result. After an error nothing more is written, so that the file ends there.
    fn add(&mut self, i: usize, pairing: &Pairing, record: Record) -> Result<(), Failure> {
        if let Some((path, mut file)) = self.file.take() {
            let line = format!("{}\n", pairing.json(&record));
            file.append(line.as_bytes()).map_err(|source| failed(&path, source))?;
            self.file = Some((path, file));
        }
        self.records[i] = Some(record);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::super::contest::{Opening, fingerprints};
    use super::super::player::{Effort, PlayerName};
    use super::*;
    use tamarin_variant::load;
    use tamarin_variant_search::evaluate::learned::Learned;

    const SMALL: &str = "@royal k\nk W1\nr W\n\nk . r\n. . .\nR . K\n";

    fn pairings(count: usize) -> Vec<Pairing> {
        let game = load(SMALL, None).expect("a game").game;
        let pairing = |number| Pairing {
            number,
            game: Arc::clone(&game),
            game_name: "small".to_owned(),
            tag: "small".to_owned(),
            variant: None,
            players: ["sme", "imm"].map(|name| name.parse().expect("a player")),
            fingerprints: [None; 2],
            labels: ["a", "b"].map(str::to_owned),
            effort: Effort::depth(1),
            opening: Opening { plies: 2, seed: number as u64, balance: None },
        };
        (0..count).map(pairing).collect()
    }

    fn arguments(out: PathBuf) -> RunArguments {
        RunArguments { concurrency: Some(2), out: Some(out), pgn: None, pairs: false, json: false }
    }

    #[test]
    fn a_file_that_is_of_no_contest_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("notes.txt");
        let pairings = pairings(2);
        let arguments = arguments(path.clone());
        play_all(&pairings, &arguments, None).expect("all is played");
        let played = fs::read_to_string(&path).expect("a file");
        let line = played.lines().next().expect("a game");
        for (text, number) in [
            ("a note".to_owned(), 1),
            ("a note\nand one".to_owned(), 1),
            (format!("{line}\na note"), 2),
            ("{}".to_owned(), 1),
        ] {
            fs::write(&path, &text).expect("it can be written");
            let error = play_all(&pairings, &arguments, None).expect_err("another file");
            assert!(matches!(error, Failure::OtherContest { line, .. } if line == number));
            assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        }
        // What a cut-off run leaves is replaced.
        for end in ["", "{\"bla", &line[..40]] {
            fs::write(&path, format!("{line}\n{end}")).expect("it can be written");
            play_all(&pairings, &arguments, None).expect("all is played");
            let again = fs::read_to_string(&path).expect("a file");
            assert!(again.starts_with(&format!("{line}\n")), "it is not played again");
            let sorted = [&played, &again].map(|text| text.lines().collect::<BTreeSet<_>>());
            assert_eq!(sorted[0], sorted[1], "the same games with the same moves");
        }
    }

    #[test]
    fn other_rules_and_other_evaluators_are_contests_of_their_own() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let eval = folder.path().join("small.eval");
        let pairings = |rules: &str, value: &str| {
            let game = load(rules, None).expect("a game").game;
            let text = Learned::seed(&game).text();
            let line = text.lines().find(|line| line.starts_with("r value")).expect("a line");
            let text = text.replace(line, &format!("r value {value}"));
            fs::write(&eval, text).expect("it can be written");
            let name: PlayerName = eval.display().to_string().parse().expect("a player");
            let mut pairings = pairings(2);
            for pairing in &mut pairings {
                pairing.game = Arc::clone(&game);
                pairing.players[1] = name.clone();
                pairing.fingerprints = fingerprints(&game, &pairing.players).expect("it is read");
            }
            let [first, second] = pairings.try_into().expect("two games");
            vec![first, second.swapped()]
        };
        let arguments = arguments(folder.path().join("games.jsonl"));
        let first = pairings(SMALL, "500/500");
        play_all(&first, &arguments, None).expect("all is played");
        let titled = format!("@name Small\n{SMALL}");
        play_all(&pairings(&titled, "500/500"), &arguments, None).expect("all is there");
        let stalemate = format!("@stalemate win\n{SMALL}");
        for other in [pairings(SMALL, "500/501"), pairings(&stalemate, "500/500")] {
            let error = play_all(&other, &arguments, None).expect_err("another contest");
            assert!(matches!(error, Failure::OtherContest { line: 1, .. }), "{error}");
            assert!(error.to_string().ends_with("the same arguments, rules and evaluators"));
        }
    }

    #[test]
    fn games_replace_no_evaluator_that_plays() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let eval = folder.path().join("small.eval");
        let mut pairings = pairings(1);
        let text = Learned::seed(&pairings[0].game).text();
        fs::write(&eval, &text).expect("it can be written");
        let name: PlayerName = eval.display().to_string().parse().expect("a player");
        pairings[0].players[0] = name;
        let pgn = RunArguments { pgn: Some(eval.clone()), out: None, ..arguments(PathBuf::new()) };
        for arguments in [pgn, arguments(eval.clone())] {
            let error = play_all(&pairings, &arguments, None).expect_err("it is in use");
            assert!(error.to_string().contains("it is the same file as"), "{error}");
            assert_eq!(fs::read_to_string(&eval).expect("a file"), text);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_failed_write_ends_the_contest() {
        let path = PathBuf::from("/dev/full");
        let pairings = pairings(12);
        let full = target(&path, None::<&Path>).and_then(|target| {
            target.append(Reader::Awaited).map_err(|source| failed(&path, source))
        });
        let full = full.expect("Linux has it");
        let results = Results { records: vec![None; 12], file: Some((path, full)) };
        let contest = Contest::new(&pairings, results);
        assert!(matches!(contest.play(2), Err(Failure::Path { .. })));
        let results = contest.results.into_inner();
        assert!(results.file.is_none());
        assert!(results.records.iter().flatten().count() < 6);
    }
}
