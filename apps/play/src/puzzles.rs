//! Positions to solve.

use std::io;
use std::path::Path;

use tamarin_movegen::{FenError, Move, Position};

use super::moves;
use tamarin_notation::epd::Epd;

/// The largest file of puzzles.
const MAX_MEBIBYTES: u64 = 256;

/// What solves a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Goal {
    /// One of these moves.
    Best(Vec<Move>),
    /// Any other move.
    Avoid(Vec<Move>),
    /// This line; every other move of it is the opponent's.
    Line(Vec<Move>),
    /// A mate in so many moves.
    Mate(u32),
}

/// A position to solve.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// What it is called.
    pub name: String,
    /// The position.
    pub position: Position,
    goal: Goal,
}

/// What a move is to a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It solves it.
    Solved,
    /// It is right; the opponent answers, and the line goes on.
    Answer(Move),
    /// It is wrong.
    Wrong,
    /// The engine has to find out whether it mates in so many moves.
    Ask(u32),
}

/// Why there are no puzzles.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// No line of the file is a puzzle.
    #[error("no line is a puzzle (a position with bm, am, dm or pv); {0}")]
    Empty(String),
}

/// Why a line is no puzzle.
#[derive(Debug, thiserror::Error)]
enum BadLine {
    #[error("{0}")]
    Position(#[from] FenError),
    #[error("{code}: {text:?} is no legal move")]
    Move { code: &'static str, text: String },
    #[error("neither bm nor am, dm or pv")]
    NoGoal,
}

/// The puzzles of a file, and what is wrong with its other lines.
///
/// # Errors
/// If it cannot be read or has none.
pub fn read(path: &Path) -> Result<(Vec<Puzzle>, Vec<String>), PuzzleError> {
    let bytes = tamarin_files::read_stream(path, MAX_MEBIBYTES)?;
    let text = tamarin_notation::pgn::decoded(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut puzzles = Vec::new();
    let mut bad = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        match Puzzle::parse(line, index + 1) {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(error) => bad.push(format!("line {}: {error}", index + 1)),
        }
    }
    if puzzles.is_empty() {
        let reason = bad.first().cloned().unwrap_or_else(|| "the file is empty".to_owned());
        return Err(PuzzleError::Empty(reason));
    }
    Ok((puzzles, bad))
}

impl Puzzle {
    fn parse(line: &str, number: usize) -> Result<Self, BadLine> {
        let epd = Epd::parse(line)?;
        let goal = Self::goal(&epd)?;
        let name = epd.operand("id").map_or_else(|| format!("line {number}"), str::to_owned);
        Ok(Self { name, position: epd.position, goal })
    }

    fn goal(epd: &Epd) -> Result<Goal, BadLine> {
        let read = |code: &'static str| -> Result<Option<Vec<Move>>, BadLine> {
            let Some(texts) = epd.operands(code) else { return Ok(None) };
            let mut found = Vec::new();
            for text in texts {
                let bad = |_| BadLine::Move { code, text: text.chars().take(24).collect() };
                found.push(moves::read(&epd.position, text).map_err(bad)?);
            }
            Ok((!found.is_empty()).then_some(found))
        };
        if let Some(texts) = epd.operands("pv").filter(|texts| !texts.is_empty()) {
            return line_of(&epd.position, texts).map(Goal::Line);
        }
        if let Some(best) = read("bm")? {
            return Ok(Goal::Best(best));
        }
        if let Some(avoid) = read("am")? {
            return Ok(Goal::Avoid(avoid));
        }
        let mate = epd.operand("dm").and_then(|text| text.parse().ok());
        mate.filter(|moves| (1..=50).contains(moves)).map(Goal::Mate).ok_or(BadLine::NoGoal)
    }

    /// What is asked for.
    pub fn task(&self) -> String {
        let mover = self.position.side_to_move();
        match &self.goal {
            Goal::Mate(1) => format!("{mover:?} to move mates in one move."),
            Goal::Mate(moves) => format!("{mover:?} to move mates in {moves} moves."),
            Goal::Avoid(_) => format!("{mover:?} to move: which move loses nothing?"),
            Goal::Best(_) | Goal::Line(_) => format!("{mover:?} to move: find the best move."),
        }
    }

    /// What `mv` is, after so many plies of the solution.
    pub fn judge(&self, plies: usize, mv: Move) -> Verdict {
        let solved = |is_right| if is_right { Verdict::Solved } else { Verdict::Wrong };
        match &self.goal {
            Goal::Best(best) => solved(best.contains(&mv)),
            Goal::Avoid(avoid) => solved(!avoid.contains(&mv)),
            Goal::Mate(moves) => Verdict::Ask(*moves),
            Goal::Line(line) if line.get(plies) != Some(&mv) => Verdict::Wrong,
            Goal::Line(line) => match line.get(plies + 1) {
                // A line that ends with the opponent's move is solved before it.
                Some(answer) if line.len() > plies + 2 => Verdict::Answer(*answer),
                _ => Verdict::Solved,
            },
        }
    }

    /// A move that is right after so many plies, if the puzzle says one.
    fn right_move(&self, plies: usize) -> Option<Move> {
        match &self.goal {
            Goal::Best(best) => best.first().copied(),
            Goal::Line(line) => line.get(plies).copied(),
            Goal::Avoid(_) | Goal::Mate(_) => None,
        }
    }

    /// The `count`th hint in a position of the solution, from 1: the piece, where it stands, where
    /// it goes. `None` if the puzzle does not say the move.
    pub fn hint(&self, position: &Position, plies: usize, count: usize) -> Option<String> {
        let mv = self.right_move(plies)?;
        let piece = format!("{:?}", position.moved_piece(mv).kind()).to_lowercase();
        Some(match count {
            1 => format!("Hint: the {piece} moves."),
            2 => format!("Hint: the {piece} on {} moves.", mv.from()),
            _ => format!("Hint: {}.", position.san(mv)),
        })
    }

    /// The solution, if the puzzle says it.
    pub fn solution(&self) -> Option<String> {
        match &self.goal {
            Goal::Best(best) => {
                let sans: Vec<String> =
                    best.iter().map(|mv| self.position.san(*mv).to_string()).collect();
                Some(sans.join(" or "))
            }
            Goal::Line(line) => Some(moves::line(&self.position, line)),
            Goal::Avoid(avoid) => {
                let sans: Vec<String> =
                    avoid.iter().map(|mv| self.position.san(*mv).to_string()).collect();
                Some(format!("any move but {}", sans.join(" and ")))
            }
            Goal::Mate(_) => None,
        }
    }
}

fn line_of(start: &Position, texts: &[String]) -> Result<Vec<Move>, BadLine> {
    let mut position = start.clone();
    let mut line = Vec::new();
    for text in texts {
        // Some programs write move numbers.
        if text.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let mv = moves::read(&position, text)
            .map_err(|_| BadLine::Move { code: "pv", text: text.chars().take(24).collect() })?;
        position.make(mv);
        line.push(mv);
    }
    if line.is_empty() { Err(BadLine::NoGoal) } else { Ok(line) }
}

/// How the puzzles of a file go.
#[derive(Clone, Debug)]
pub struct Course {
    puzzles: Vec<Puzzle>,
    index: usize,
    /// Hints given for this puzzle.
    hints: usize,
    /// Wrong moves at this puzzle.
    wrong: usize,
    is_shown: bool,
    solved: usize,
    clean: usize,
    tried: usize,
}

impl Course {
    /// Puzzles from the first on. There must be one.
    pub const fn new(puzzles: Vec<Puzzle>) -> Self {
        Self {
            puzzles,
            index: 0,
            hints: 0,
            wrong: 0,
            is_shown: false,
            solved: 0,
            clean: 0,
            tried: 0,
        }
    }

    /// The puzzle on the board; `None` after the last.
    pub fn current(&self) -> Option<&Puzzle> {
        self.puzzles.get(self.index)
    }

    /// Its number, from 1, and how many there are.
    pub const fn number(&self) -> (usize, usize) {
        (self.index + 1, self.puzzles.len())
    }

    /// Counts a hint and gives its number.
    pub const fn count_hint(&mut self) -> usize {
        self.hints += 1;
        self.hints
    }

    /// Counts a wrong move.
    pub const fn count_wrong(&mut self) {
        self.wrong += 1;
    }

    /// The solution was shown.
    pub const fn show(&mut self) {
        self.is_shown = true;
    }

    /// Goes on to the next puzzle; this one was solved or not.
    pub fn next(&mut self, solved: bool) {
        let solved = solved && !self.is_shown;
        let was_tried = solved || self.hints + self.wrong > 0 || self.is_shown;
        self.tried += usize::from(was_tried);
        self.solved += usize::from(solved);
        self.clean += usize::from(solved && self.hints + self.wrong == 0);
        self.index += 1;
        self.hints = 0;
        self.wrong = 0;
        self.is_shown = false;
    }

    /// How it went so far.
    pub fn summary(&self) -> String {
        format!(
            "{} of {} puzzles tried, {} solved, {} of them without a hint or a wrong move.",
            self.tried,
            self.puzzles.len(),
            self.solved,
            self.clean
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Course, Puzzle, Verdict, read};
    use std::io::Write;

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

    fn puzzle(operations: &str) -> Puzzle {
        Puzzle::parse(&format!("{BACK_RANK} {operations}"), 7).unwrap_or_else(|e| panic!("{e}"))
    }

    fn judge(puzzle: &Puzzle, plies: usize, text: &str) -> Verdict {
        puzzle.judge(plies, puzzle.position.parse_san(text).unwrap())
    }

    #[test]
    fn moves_are_judged_by_the_kind_of_puzzle() {
        let best = puzzle("bm Rd8#; id \"back rank\";");
        assert_eq!(judge(&best, 0, "Rd8#"), Verdict::Solved);
        assert_eq!(judge(&best, 0, "Rd7"), Verdict::Wrong);
        assert_eq!(best.name, "back rank");
        let avoid = puzzle("am Rd7 Rd6;");
        assert_eq!(judge(&avoid, 0, "Rd7"), Verdict::Wrong);
        assert_eq!(judge(&avoid, 0, "Rd8"), Verdict::Solved);
        assert_eq!(avoid.name, "line 7");
        assert_eq!(judge(&puzzle("dm 1;"), 0, "Rd7"), Verdict::Ask(1));
    }

    #[test]
    fn lines_are_played_to_their_end() {
        let line = puzzle("pv 1. Rd7 Kf8 2. Rd8+ Ke7;");
        let Verdict::Answer(answer) = judge(&line, 0, "Rd7") else { panic!() };
        let mut position = line.position.clone();
        position.make(position.parse_san("Rd7").unwrap());
        assert_eq!(position.san(answer).as_str(), "Kf8");
        position.make(answer);
        assert_eq!(line.judge(2, position.parse_san("Rd8+").unwrap()), Verdict::Solved);
        assert_eq!(line.judge(2, position.parse_san("Rd6").unwrap()), Verdict::Wrong);
        assert_eq!(line.solution().as_deref(), Some("1. Rd7 Kf8 2. Rd8+ Ke7"));
    }

    #[test]
    fn hints_tell_more_each_time() {
        let puzzle = puzzle("bm Rd8#;");
        let hint = |count| puzzle.hint(&puzzle.position, 0, count).unwrap();
        assert_eq!(
            [hint(1), hint(2), hint(3)],
            ["Hint: the rook moves.", "Hint: the rook on d1 moves.", "Hint: Rd8#."]
        );
    }

    #[test]
    fn bad_lines_are_told_and_the_others_used() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "\u{feff}# comment\n\n{BACK_RANK} bm Rd8#;\n{BACK_RANK} bm Rd9;\n8/8 w\n")
            .unwrap();
        writeln!(file, "{BACK_RANK} c0 \"nothing\";").unwrap();
        let (puzzles, bad) = read(file.path()).unwrap();
        assert_eq!(puzzles.len(), 1);
        assert_eq!(bad.len(), 3, "{bad:?}");
        assert!(bad[0].starts_with("line 4: bm: \"Rd9\""), "{bad:?}");
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert!(read(empty.path()).unwrap_err().to_string().contains("empty"));
    }

    #[test]
    fn the_summary_counts_what_was_done_alone() {
        let mut course = Course::new(vec![puzzle("bm Rd8#;"); 4]);
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
