//! The games of a run, kept in a file so that the same command goes on where it was cut off.
//!
//! A line for each game, with blanks between its words:
//!
//! ```text
//! tamarin-learning 1 rules 0123456789abcdef seed 1 nodes 500 games 900
//! g 1 17 4 W 61234 120345 3,4,5,6,7 10,-20,30
//! e g 1 130000
//! ```
//!
//! `g` is a game to learn from, `m` one of a match; then come generation, number, random moves,
//! ending (`W` and `B` have won, `D` drawn, `U` undecided), nodes, milliseconds since the run
//! began, each move as its number among the legal ones, and scores for White. `e` ends a phase.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::variant::source::Failure;
use tamarin_base::files::{Appender, Reader, Target, read_own};
use tamarin_variant::{Color, Game};
use tamarin_variant_search::learn::{Budget, Ending, GENERATIONS, Known, Phase, Record, Settings};

/// Such a file is at most so large, in MiB.
const MOST_MIB: u64 = 4096;

/// What a run is about: the first line of the file.
pub(super) struct Header<'a> {
    pub(super) game: &'a Arc<Game>,
    pub(super) settings: &'a Settings,
}

impl fmt::Display for Header<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { seed, nodes, budget, .. } = self.settings;
        let rules = self.game.fingerprint();
        write!(f, "tamarin-learning 1 rules {rules:016x} seed {seed} nodes {nodes} ")?;
        match budget {
            Budget::Time(time) => write!(f, "seconds {}", time.as_secs()),
            Budget::Games(games) => write!(f, "games {games}"),
            Budget::Nodes(nodes) => write!(f, "total {nodes}"),
        }
    }
}

/// The file of games.
pub(super) struct Log {
    path: PathBuf,
    file: Appender,
}

impl Log {
    /// Opens the file, and reads what an earlier run has left. A last line that was not finished is
    /// removed, but nothing is changed in a file that is not of this run.
    pub(super) fn open(path: &Path, header: &Header<'_>) -> Result<(Self, Known), Failure> {
        let fail = |source| Failure::Path { path: path.to_owned(), source };
        let target = Target::of_program(path).map_err(fail)?;
        let text = match target.old() {
            Some(_) => read_own(path, MOST_MIB).map_err(fail)?,
            None => Vec::new(),
        };
        let other = |line| Failure::OtherRun { path: path.to_owned(), line };
        let text = String::from_utf8(text).map_err(|_| other(1))?;
        let first = format!("{header}\n");
        let (lines, _) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
        let mut known = Known::default();
        let kept = if lines.is_empty() {
            if !first.starts_with(&text) {
                return Err(other(1));
            }
            0
        } else {
            let rest = lines.strip_prefix(&first).ok_or_else(|| other(1))?;
            for (i, line) in rest.lines().enumerate() {
                read_line(line, header.game, &mut known).ok_or_else(|| other(i + 2))?;
            }
            lines.len()
        };
        let mut file = target.append(Reader::Awaited).map_err(fail)?;
        file.cut(kept as u64).map_err(fail)?;
        let mut log = Self { path: path.to_owned(), file };
        if kept == 0 {
            log.write(&first)?;
        }
        Ok((log, known))
    }

    /// Keeps a game.
    pub(super) fn add(
        &mut self,
        phase: Phase,
        number: u32,
        record: &Record,
        elapsed: Duration,
    ) -> Result<(), Failure> {
        let ending = match record.ending {
            Ending::Won(Color::White) => 'W',
            Ending::Won(Color::Black) => 'B',
            Ending::Drawn => 'D',
            Ending::Undecided => 'U',
        };
        let (word, generation) = words(phase);
        let Record { opening, nodes, .. } = record;
        let (moves, scores) = (list(&record.moves), list(&record.scores));
        let elapsed = elapsed.as_millis();
        self.write(&format!(
            "{word} {generation} {number} {opening} {ending} {nodes} {elapsed} {moves} {scores}\n"
        ))
    }

    pub(super) fn end(&mut self, phase: Phase, elapsed: Duration) -> Result<(), Failure> {
        let (word, generation) = words(phase);
        self.write(&format!("e {word} {generation} {}\n", elapsed.as_millis()))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let path = &self.path;
        let fail = |source| Failure::Path { path: path.clone(), source };
        self.file.append(text.as_bytes()).map_err(fail)
    }
}

fn words(phase: Phase) -> (char, u32) {
    match phase {
        Phase::Games(generation) => ('g', generation),
        Phase::Match(generation) => ('m', generation),
    }
}

/// Numbers with commas between them; none is a stroke.
fn list<T: ToString>(numbers: &[T]) -> String {
    match numbers {
        [] => "-".to_owned(),
        _ => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    }
}

fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    match text {
        "-" => Some(Vec::new()),
        _ => text.split(',').map(|word| word.parse().ok()).collect(),
    }
}

/// Adds what a line says; `None` if it says nothing.
fn read_line(line: &str, game: &Arc<Game>, known: &mut Known) -> Option<()> {
    let words: Vec<&str> = line.split(' ').collect();
    let (phase, elapsed) = match words.as_slice() {
        ["e", kind, generation, elapsed] => {
            let phase = phase(kind, generation)?;
            known.ended.push(phase);
            (phase, elapsed)
        }
        [kind, generation, number, opening, ending, nodes, elapsed, moves, scores] => {
            let phase = phase(kind, generation)?;
            let record = Record {
                opening: opening.parse().ok()?,
                moves: numbers(moves)?,
                scores: numbers(scores)?,
                ending: match *ending {
                    "W" => Ending::Won(Color::White),
                    "B" => Ending::Won(Color::Black),
                    "D" => Ending::Drawn,
                    "U" => Ending::Undecided,
                    _ => return None,
                },
                nodes: nodes.parse().ok()?,
            };
            let fits = record.opening + record.scores.len() == record.moves.len();
            record.replay(game, |_, _, _| ()).filter(|()| fits)?;
            known.records.entry(phase).or_default().insert(number.parse().ok()?, record);
            (phase, elapsed)
        }
        _ => return None,
    };
    let elapsed = Duration::from_millis(elapsed.parse().ok()?);
    known.spent = known.spent.max(elapsed);
    (1..=GENERATIONS).contains(&phase.generation()).then_some(())
}

fn phase(kind: &str, generation: &str) -> Option<Phase> {
    let generation = generation.parse().ok()?;
    match kind {
        "g" => Some(Phase::Games(generation)),
        "m" => Some(Phase::Match(generation)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tamarin_variant::load;

    use super::*;

    const SETTINGS: Settings =
        Settings { seed: 7, nodes: 50, threads: 1, budget: Budget::Games(30) };

    fn game() -> Arc<Game> {
        load("@royal k\nk W1\nr W\n\nk . . .\n. . . .\n. . . .\n. . R K\n", None)
            .expect("a game")
            .game
    }

    fn record(moves: &[u16], ending: Ending) -> Record {
        let scores = moves.iter().skip(1).map(|&number| i16::from(number == 0) * 30 - 20).collect();
        Record { opening: 1, moves: moves.to_vec(), scores, ending, nodes: 99 }
    }

    #[test]
    fn what_was_kept_comes_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("small.eval.games");
        let game = game();
        let header = Header { game: &game, settings: &SETTINGS };
        let (mut log, known) = Log::open(&path, &header).expect("a new file");
        assert_eq!(known, Known::default());
        let mut expected = Known { spent: Duration::from_millis(90), ..Known::default() };
        let phases = [Phase::Games(1), Phase::Match(1), Phase::Games(2)];
        let records = [
            record(&[0, 0, 1], Ending::Won(Color::White)),
            record(&[1, 0], Ending::Won(Color::Black)),
            record(&[0], Ending::Undecided),
        ];
        for (i, (phase, record)) in phases.into_iter().zip(records).enumerate() {
            let number = i as u32 * 3;
            log.add(phase, number, &record, Duration::from_millis(10)).expect("room");
            expected.records.entry(phase).or_default().insert(number, record);
        }
        log.end(Phase::Games(1), Duration::from_millis(90)).expect("room");
        expected.ended.push(Phase::Games(1));
        drop(log);
        let whole = fs::read_to_string(&path).expect("a file");
        assert_eq!(Log::open(&path, &header).expect("the same run").1, expected);
        // A line that was not finished is cut off, and only that.
        fs::write(&path, format!("{whole}g 2 1 1 D")).expect("the folder is ours");
        assert_eq!(Log::open(&path, &header).expect("the same run").1, expected);
        assert_eq!(fs::read_to_string(&path).expect("a file"), whole);
        // The first line may be cut off too; what is not ours stays.
        fs::write(&path, "tam").expect("the folder is ours");
        assert_eq!(Log::open(&path, &header).expect("the same run").1, Known::default());
        fs::write(&path, "nonsense").expect("the folder is ours");
        assert!(matches!(Log::open(&path, &header), Err(Failure::OtherRun { line: 1, .. })));
        assert_eq!(fs::read_to_string(&path).expect("a file"), "nonsense");
        fs::write(&path, &whole).expect("the folder is ours");
        // Another run, moves that there are not, and lines that say nothing.
        let other = Settings { seed: 8, ..SETTINGS };
        let other = Header { game: &game, settings: &other };
        assert!(matches!(Log::open(&path, &other), Err(Failure::OtherRun { line: 1, .. })));
        for line in ["g 2 1 1 D 9 9 0,99 5", "g 2 1 1 D 9 9 0,0 5,5", "g 9 1 1 D 9 9 0,0 5", "x"] {
            fs::write(&path, format!("{whole}{line}\n")).expect("the folder is ours");
            let error = Log::open(&path, &header).err().expect("it is refused");
            assert!(matches!(error, Failure::OtherRun { line: 6, .. }), "{line}: {error}");
            assert_eq!(fs::read_to_string(&path).expect("a file"), format!("{whole}{line}\n"));
        }
    }
}
