//! Puzzles and lessons on the board, one after the other, as `play` has them.

use serde_json::{Value, json};
use tamarin_game::pgn::Outcome;
use tamarin_game::position::{Move, Position, castling_of};
use tamarin_game::tree::Tree;
use tamarin_movegen as chess;
use tamarin_play::puzzles::{self, Course, Goal, Progress, Puzzle, Solved, Verdict};

use super::Session;
use super::begin::Rules;
use crate::error::BoardError;
use crate::protocol::{Kind, PuzzleStep};

/// Puzzles, and how the one on the board goes.
pub(super) struct Solving {
    course: Course,
    /// What was said last.
    said: String,
    is_solved: bool,
}

impl Solving {
    pub(super) fn json(&self) -> Value {
        let (number, count) = self.course.number();
        let puzzle = self.course.current();
        json!({
            "word": self.course.word(),
            "number": number,
            "count": count,
            "name": puzzle.map(|puzzle| &puzzle.name),
            "task": puzzle.map(Puzzle::task),
            "lesson": puzzle.and_then(|puzzle| puzzle.lesson.as_ref()),
            "said": self.said,
            "solved": self.is_solved,
            "over": puzzle.is_none(),
        })
    }
}

fn classic(position: &chess::Position) -> Position {
    Position::Chess(Box::new(position.clone()), castling_of(position))
}

impl Session {
    /// Begins the lessons, or the puzzles of a text. Those that were solved before are left out.
    pub(super) fn begin_puzzles(&mut self, text: Option<&str>) -> Result<(), BoardError> {
        if self.kind() != Kind::Analyse || matches!(self.rules, Rules::Variant(..)) {
            return Err(BoardError::Kind("a puzzle"));
        }
        let puzzles = match text {
            None => puzzles::lessons(),
            Some(text) => {
                let (found, bad) = puzzles::parse(text);
                if found.is_empty() {
                    let why = bad.first().map_or("the text is empty", String::as_str);
                    return Err(BoardError::Begin(format!("no line is a puzzle: {why}")));
                }
                found
            }
        };
        let folder = self.resources.results.as_ref();
        let progress = folder.and_then(|folder| Progress::open(folder).ok());
        let course = Course::new(puzzles, progress, Solved::LeftOut);
        self.save_copy();
        self.file = None;
        self.solving = Some(Solving { course, said: String::new(), is_solved: false });
        self.place_puzzle()
    }

    /// Puts the puzzle on the board, with the move of the opponent that led to it.
    fn place_puzzle(&mut self) -> Result<(), BoardError> {
        let puzzle = self.solving.as_ref().and_then(|solving| solving.course.current());
        let Some(puzzle) = puzzle else { return Ok(()) };
        let tree = match &puzzle.before {
            None => Tree::new(classic(&puzzle.position)),
            Some((before, mv)) => {
                let before = classic(before);
                let mut tree = Tree::new(before.clone());
                tree.add(0, Move::Chess(*mv), &before)?;
                tree
            }
        };
        self.put_tree(tree, Vec::new(), Outcome::Unknown);
        self.analysis.turn_off();
        self.at = self.tree.tip();
        Ok(())
    }

    /// The puzzle that is to be solved, with the position of its solution and the plies before that.
    fn to_solve(&self) -> Option<(&Puzzle, chess::Position, usize)> {
        let solving = self.solving.as_ref().filter(|solving| !solving.is_solved)?;
        let puzzle = solving.course.current()?;
        let plies = self.tree.main_line().len() - 1 - puzzle.lead();
        Some((puzzle, self.tree.position(self.tree.tip()).chess()?.clone(), plies))
    }

    /// Judges a move where a puzzle is to be solved: wrong ones are not played. Whether one is.
    pub(super) fn try_solution(&mut self, text: &str) -> Result<bool, BoardError> {
        let Some((puzzle, before, plies)) = self.to_solve() else { return Ok(false) };
        if self.at != self.tree.tip() {
            return Err(BoardError::NotAtTip);
        }
        let position = self.tree.position(self.at);
        let mv = position.find(text).map_err(BoardError::Move)?;
        let Move::Chess(own) = mv else { return Ok(false) };
        let verdict = match puzzle.judge(&before, plies, own) {
            Verdict::Ask(within) if puzzles::is_proven(&before, own, within) => Verdict::Solved,
            Verdict::Ask(_) => Verdict::Wrong,
            verdict => verdict,
        };
        let san = position.san(mv);
        let said = match (verdict, &puzzle.advice) {
            (Verdict::Wrong, Some(advice)) => format!("{san} is not the solution. {advice}"),
            (Verdict::Wrong, None) => format!("{san} is not the solution. Try again."),
            _ => format!("Right: {san}."),
        };
        if verdict != Verdict::Wrong {
            self.at = self.tree.add(self.at, mv, &position)?;
        }
        if let Verdict::Answer(answer) = verdict {
            let position = self.tree.position(self.at);
            self.at = self.tree.add(self.at, Move::Chess(answer), &position)?;
        }
        let Some(solving) = &mut self.solving else { return Ok(true) };
        solving.said = said;
        match verdict {
            Verdict::Wrong => solving.course.count_wrong(),
            Verdict::Answer(_) => solving.course.go_on(),
            _ => solving.is_solved = true,
        }
        Ok(true)
    }

    /// Helps with the puzzle, or goes on to the next one.
    pub(super) fn puzzle_step(&mut self, step: PuzzleStep) -> Result<(), BoardError> {
        let none = BoardError::Kind("a puzzle");
        let is_over = |solving: &Solving| solving.course.current().is_none();
        if self.solving.as_ref().is_none_or(is_over) {
            return Err(none);
        }
        let hints = self.solving.as_ref().map_or(0, |solving| solving.course.hints_here());
        let said = match (step, self.to_solve()) {
            (PuzzleStep::Hint, Some((puzzle, position, plies))) => {
                let found =
                    || Some(puzzles::hint_text(&position, mating(puzzle, &position)?, hints + 1));
                puzzle.hint(&position, plies, hints + 1).or_else(found)
            }
            (PuzzleStep::Solution, Some((puzzle, position, _))) => {
                let found = || Some(position.san(mating(puzzle, &position)?).to_string());
                puzzle.solution().or_else(found).map(|text| format!("The solution: {text}."))
            }
            _ => None,
        };
        let Some(solving) = &mut self.solving else { return Err(none) };
        match step {
            PuzzleStep::Hint => solving.course.count_hint(),
            PuzzleStep::Solution => solving.course.show(),
            PuzzleStep::Next => {
                let is_solved = std::mem::take(&mut solving.is_solved);
                solving.said = solving.course.next(is_solved).unwrap_or_default();
                if solving.course.current().is_none() {
                    solving.said = solving.course.summary();
                }
                return self.place_puzzle();
            }
        }
        solving.said = said.unwrap_or_else(|| "There is nothing to say.".to_owned());
        Ok(())
    }
}

/// The first move of the mate that a puzzle asks for.
fn mating(puzzle: &Puzzle, position: &chess::Position) -> Option<chess::Move> {
    match puzzle.goal {
        Goal::Mate(within) => puzzles::proven_move(position, within),
        _ => None,
    }
}
