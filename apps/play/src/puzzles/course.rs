//! Puzzles one after the other, how they go, and which were solved on earlier days.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use tamarin_base::counted;
use tamarin_base::files::{read_own, write_own};
use tamarin_movegen::Move;

use super::puzzle::Puzzle;

/// No such file is larger.
const MAX_MEBIBYTES: u64 = 64;

/// The first line of the file, with the version of what follows.
const HEADER: &str = "tamarin puzzles 1";

/// The name of the file in the folder of saved games.
pub const FILE_NAME: &str = "puzzles.txt";

/// What is known of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Entry {
    pub is_solved: bool,
    /// How often it was tried.
    pub tries: u32,
}

/// The puzzles that were tried, in a file.
#[derive(Clone, Debug)]
pub struct Progress {
    path: PathBuf,
    entries: BTreeMap<u64, Entry>,
}

impl Progress {
    /// Reads the file in this folder; without one there is no progress yet.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written here. It stays as it is.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let path = folder.join(FILE_NAME);
        let entries = match read_own(&path, MAX_MEBIBYTES) {
            Ok(bytes) => parse(&bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error),
        };
        Ok(Self { path, entries })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the puzzle with this key was solved.
    pub fn is_solved(&self, key: u64) -> bool {
        self.entries.get(&key).is_some_and(|entry| entry.is_solved)
    }

    /// A puzzle was tried once more; writes the file. What other processes have written meanwhile
    /// is kept.
    ///
    /// # Errors
    /// If it cannot be written, or has become something else. It stays as it is.
    pub fn record(&mut self, key: u64, is_solved: bool) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        self.entries = Self::open(folder)?.entries;
        let entry = self.entries.entry(key).or_default();
        entry.is_solved |= is_solved;
        entry.tries = entry.tries.saturating_add(1);
        write_own(&self.path, self.text().as_bytes())
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for (key, entry) in &self.entries {
            let word = if entry.is_solved { "solved" } else { "open" };
            text.push_str(&format!("{key:016x} {word} {}\n", entry.tries));
        }
        text
    }
}

fn parse(bytes: &[u8]) -> io::Result<BTreeMap<u64, Entry>> {
    let broken = |line: usize| {
        let what = "is not what this program writes; move the file away to begin anew";
        io::Error::other(format!("line {line} {what}"))
    };
    let text = std::str::from_utf8(bytes).map_err(|_| broken(1))?;
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) || !text.ends_with('\n') {
        return Err(broken(1));
    }
    let entry = |(index, line): (usize, &str)| entry(line).ok_or_else(|| broken(index + 2));
    lines.enumerate().map(entry).collect()
}

/// `0123456789abcdef solved 3`
fn entry(line: &str) -> Option<(u64, Entry)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [key, word, tries] = words.as_slice() else { return None };
    let is_solved = match *word {
        "solved" => true,
        "open" => false,
        _ => return None,
    };
    let key = u64::from_str_radix(key, 16).ok().filter(|_| key.len() == 16)?;
    Some((key, Entry { is_solved, tries: tries.parse().ok()? }))
}

/// How the puzzles of a file go.
#[derive(Clone, Debug)]
pub struct Course {
    puzzles: Vec<Puzzle>,
    /// What messages call one of them.
    word: &'static str,
    index: usize,
    attempt: Attempt,
    solved: usize,
    clean: usize,
    tried: usize,
    /// How many were solved on earlier days.
    solved_before: usize,
    /// Whether those are asked too.
    asks_again: bool,
    progress: Option<Progress>,
}

/// What was done about the puzzle on the board.
#[derive(Clone, Default, Debug)]
struct Attempt {
    hints: usize,
    /// Those of them for the move that is due.
    hints_here: usize,
    /// That move, if the engine had to find it.
    found: Option<Move>,
    /// Wrong moves.
    wrong: usize,
    /// Whether the solution was shown.
    is_shown: bool,
}

impl Attempt {
    const fn is_begun(&self) -> bool {
        self.hints + self.wrong > 0 || self.is_shown
    }
}

/// What becomes of puzzles that were solved before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solved {
    /// They are left out, unless all are solved.
    LeftOut,
    /// They are asked for again.
    Again,
}

impl Course {
    /// Puzzles from the first on; those that were solved before are left out, unless they are all
    /// that there are. There must be one.
    pub fn new(all: Vec<Puzzle>, progress: Option<Progress>, solved: Solved) -> Self {
        let is_open = |puzzle: &&Puzzle| {
            !progress.as_ref().is_some_and(|progress| progress.is_solved(puzzle.key()))
        };
        let open: Vec<Puzzle> = all.iter().filter(is_open).cloned().collect();
        let solved_before = all.len() - open.len();
        let asks_again = solved == Solved::Again || open.is_empty();
        let teaches = all.iter().all(|puzzle| puzzle.lesson.is_some());
        Self {
            word: if teaches { "lesson" } else { "puzzle" },
            puzzles: if asks_again { all } else { open },
            index: 0,
            attempt: Attempt::default(),
            solved: 0,
            clean: 0,
            tried: 0,
            solved_before,
            asks_again,
            progress,
        }
    }

    /// What became of earlier days, if there is anything to say.
    pub fn welcome(&self) -> Option<String> {
        let (count, word) = (self.solved_before, self.word);
        let (were, they_are, them) = match count {
            0 => return None,
            1 => (" was", "it is", "it"),
            _ => ("s were", "they are", "them"),
        };
        let more = match self.asks_again {
            true => "asked again".to_owned(),
            false => format!("left out; --again asks {them} too"),
        };
        Some(format!("{count} {word}{were} solved before: {they_are} {more}."))
    }

    /// What messages call one of them: a puzzle or a lesson.
    pub const fn word(&self) -> &'static str {
        self.word
    }

    /// The puzzle on the board; `None` after the last.
    pub fn current(&self) -> Option<&Puzzle> {
        self.puzzles.get(self.index)
    }

    /// Its number, from 1, and how many there are.
    pub const fn number(&self) -> (usize, usize) {
        (self.index + 1, self.puzzles.len())
    }

    pub const fn count_hint(&mut self) {
        self.attempt.hints += 1;
        self.attempt.hints_here += 1;
    }

    /// How many hints were given for the move that is due.
    pub const fn hints_here(&self) -> usize {
        self.attempt.hints_here
    }

    /// The move that is due, if the engine has found it.
    pub const fn found(&self) -> Option<Move> {
        self.attempt.found
    }

    pub const fn find(&mut self, mv: Move) {
        self.attempt.found = Some(mv);
    }

    /// The next move of the puzzle is due.
    pub const fn go_on(&mut self) {
        (self.attempt.hints_here, self.attempt.found) = (0, None);
    }

    pub const fn count_wrong(&mut self) {
        self.attempt.wrong += 1;
    }

    pub const fn show(&mut self) {
        self.attempt.is_shown = true;
    }

    /// Goes on to the next puzzle; this one was solved or not. Why that cannot be kept, once.
    pub fn next(&mut self, solved: bool) -> Option<String> {
        let attempt = std::mem::take(&mut self.attempt);
        let solved = solved && !attempt.is_shown;
        let was_tried = solved || attempt.is_begun();
        self.tried += usize::from(was_tried);
        self.solved += usize::from(solved);
        self.clean += usize::from(solved && attempt.hints + attempt.wrong == 0);
        let key = self.current().filter(|_| was_tried).map(Puzzle::key);
        self.index += 1;
        let (progress, key) = self.progress.as_mut().zip(key)?;
        let error = progress.record(key, solved).err()?;
        let text = format!("Progress is not kept: {}: {error}", progress.path().display());
        self.progress = None;
        Some(text)
    }

    /// How it went so far, the puzzle on the board included.
    pub fn summary(&self) -> String {
        format!(
            "{} of {} tried, {} solved, {} of them without a hint or a wrong move.",
            self.tried + usize::from(self.attempt.is_begun()),
            counted(self.puzzles.len(), self.word, &format!("{}s", self.word)),
            self.solved,
            self.clean
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Course, FILE_NAME, Progress, Solved};
    use crate::puzzles::puzzle::Puzzle;
    use crate::puzzles::read::parse;
    use std::fs;

    #[test]
    fn progress_is_kept_and_joined_with_that_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Progress::open(folder.path()).unwrap();
        let mut second = Progress::open(folder.path()).unwrap();
        first.record(7, true).unwrap();
        second.record(8, false).unwrap();
        let again = Progress::open(folder.path()).unwrap();
        assert!(again.is_solved(7) && !again.is_solved(8) && !again.is_solved(9));
        // A puzzle that was solved once stays solved.
        second.record(7, false).unwrap();
        let text = fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        let lines = ["tamarin puzzles 1", "0000000000000007 solved 2", "0000000000000008 open 1"];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn a_broken_file_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        for (text, line) in [
            ("", 1),
            ("something else\n", 1),
            ("tamarin puzzles 1", 1),
            ("tamarin puzzles 1\n0000000000000007 solved 1\n7 solved 1\n", 3),
            ("tamarin puzzles 1\n0000000000000007 perhaps 1\n", 2),
        ] {
            fs::write(&path, text).unwrap();
            let error = Progress::open(folder.path()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line} ")), "{text:?}: {error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        // One that breaks while puzzles are solved is not written over.
        fs::remove_file(&path).unwrap();
        let mut progress = Progress::open(folder.path()).unwrap();
        fs::write(&path, "noise").unwrap();
        assert!(progress.record(1, true).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "noise");
    }

    fn puzzle(operations: &str) -> Puzzle {
        let (mut puzzles, bad) = parse(&format!("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - {operations}"));
        assert!(bad.is_empty(), "{bad:?}");
        puzzles.remove(0)
    }

    #[test]
    fn solved_puzzles_are_left_out_on_the_next_day() {
        let folder = tempfile::tempdir().unwrap();
        let puzzles = vec![puzzle("bm Rd8#;"), puzzle("dm 1; id \"other\";")];
        let course = |solved| {
            let progress = Progress::open(folder.path()).unwrap();
            Course::new(puzzles.clone(), Some(progress), solved)
        };
        let mut first = course(Solved::LeftOut);
        assert_eq!((first.welcome(), first.number()), (None, (1, 2)));
        assert_eq!(first.next(true), None);
        let mut second = course(Solved::LeftOut);
        assert_eq!(second.current().unwrap().name, "other");
        let welcome = second.welcome().unwrap();
        assert_eq!(welcome, "1 puzzle was solved before: it is left out; --again asks it too.");
        let again = course(Solved::Again);
        assert_eq!(again.number(), (1, 2));
        let welcome = again.welcome().unwrap();
        assert_eq!(welcome, "1 puzzle was solved before: it is asked again.");
        // One that was not tried is not written down.
        assert_eq!(second.next(false), None);
        assert_eq!(course(Solved::LeftOut).number(), (1, 1));
        course(Solved::LeftOut).next(true);
        let all = course(Solved::LeftOut);
        assert_eq!(all.number(), (1, 2));
        assert!(all.welcome().unwrap().ends_with("they are asked again."));
    }

    #[test]
    fn the_summary_counts_what_was_done_alone() {
        let mut course = Course::new(vec![puzzle("bm Rd8#;"); 4], None, Solved::LeftOut);
        course.next(true);
        course.count_hint();
        course.next(true);
        course.show();
        course.next(true);
        course.next(false);
        assert!(course.current().is_none());
        let text = course.summary();
        assert_eq!(
            text,
            "3 of 4 puzzles tried, 2 solved, 1 of them without a hint or a wrong move."
        );
    }
}
