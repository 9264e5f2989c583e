//! Puzzles in a session.

use tamarin_movegen as chess;

use super::command::{Done, refused};
use super::{Message, Session};
use crate::advice::Question;
use crate::players::EngineError;
use crate::puzzles::{self, Course, Goal, Puzzle, Verdict};
use tamarin_game::game::Game;
use tamarin_game::position::Move;

impl Session {
    /// Puts the current puzzle on the board.
    pub(super) fn place_puzzle(&mut self) {
        if let Some(puzzle) = self.course.as_ref().and_then(Course::current) {
            self.game = match &puzzle.before {
                None => Game::new(puzzle.position.clone().into(), None),
                Some((before, mv)) => {
                    let mut game = Game::new(before.clone().into(), None);
                    game.replay(Move::Chess(*mv), None);
                    game
                }
            };
            self.view.look = None;
            self.value = None;
        }
    }

    /// What the current puzzle asks for.
    pub fn task(&self) -> Option<String> {
        let course = self.course.as_ref()?;
        let puzzle = course.current()?;
        let (number, count) = course.number();
        let what = if puzzle.lesson.is_some() { "Lesson" } else { "Puzzle" };
        let lesson = puzzle.lesson.as_ref().map_or(String::new(), |text| format!("\n{text}"));
        Some(format!("{what} {number} of {count}, {}: {}{lesson}", puzzle.name, puzzle.task()))
    }

    /// The same, a message a line.
    pub fn task_lines(&self) -> impl Iterator<Item = String> + use<> {
        let task = self.task().unwrap_or_default();
        task.lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
    }

    fn solution_plies(&self) -> usize {
        let puzzle = self.course.as_ref().and_then(Course::current);
        self.game.turns().len().saturating_sub(puzzle.map_or(0, Puzzle::lead))
    }

    /// The position of the puzzle's solution that is on the board.
    fn puzzle_position(&self) -> chess::Position {
        self.game.position().chess().cloned().unwrap_or_else(chess::Position::startpos)
    }

    pub(super) fn try_solution(&mut self, mv: chess::Move) -> Result<(), EngineError> {
        let plies = self.solution_plies();
        let position = self.puzzle_position();
        let puzzle = self.course.as_ref().and_then(Course::current);
        match puzzle.map(|puzzle| puzzle.judge(&position, plies, mv)) {
            None => {}
            Some(Verdict::Ask(within)) => {
                return self.ask(Question::Mates { mv, within }, position.into());
            }
            Some(Verdict::Answer(answer)) => {
                self.say(format!("Right: {}.", position.san(mv)));
                self.game.play(Move::Chess(mv), self.now);
                self.make(Move::Chess(answer));
                self.course.iter_mut().for_each(Course::go_on);
            }
            Some(verdict) => return self.judged(mv, verdict == Verdict::Solved),
        }
        Ok(())
    }

    /// A move was found to solve the puzzle, or not.
    pub(super) fn judged(&mut self, mv: chess::Move, is_right: bool) -> Result<(), EngineError> {
        let position = self.puzzle_position();
        let san = position.san(mv);
        if is_right {
            self.say(format!("Right: {san}."));
            self.game.play(Move::Chess(mv), self.now);
            self.go_to_next(true);
            return Ok(());
        }
        let Some(course) = &mut self.course else { return Ok(()) };
        course.count_wrong();
        let advice = course.current().and_then(|puzzle| puzzle.advice.clone());
        let more = "Try again, or say hint, solution or next.";
        self.messages.push(Message::Refused(format!("{san} is not the solution. {more}")));
        if let Some(advice) = advice {
            self.say(advice);
            return Ok(());
        }
        let mut after = position.clone();
        after.make(mv);
        if after.has_legal_move() {
            return self.ask(Question::Refute { mv, before: Box::new(position) }, after.into());
        }
        let end = if after.in_check() { "checkmate" } else { "stalemate" };
        self.say(format!("{san} is {end}."));
        Ok(())
    }

    pub(super) fn next_puzzle(&mut self) -> Done {
        if self.course.is_none() {
            return refused("There are no puzzles; start with --puzzles FILE.");
        }
        self.go_to_next(false);
        Ok(())
    }

    /// Goes on to the next puzzle, or ends after the last; this one was solved or not.
    fn go_to_next(&mut self, solved: bool) {
        let Some(course) = &mut self.course else { return };
        self.messages.extend(course.next(solved).map(Message::Refused));
        if course.current().is_none() {
            self.messages.extend([Message::Text(course.summary()), Message::Quit]);
            return;
        }
        self.drop_question();
        self.place_puzzle();
        self.messages.extend(self.task_lines().map(Message::Text));
        self.messages.push(Message::Board);
    }

    /// The next hint of the puzzle, at once or once the engine has found the move.
    pub(super) fn puzzle_hint(&mut self) -> Result<(), EngineError> {
        let (plies, position) = (self.solution_plies(), self.puzzle_position());
        let Some(course) = &mut self.course else { return Ok(()) };
        course.count_hint();
        let count = course.hints_here();
        let said = course.current().and_then(|puzzle| puzzle.hint(&position, plies, count));
        let found = || course.found().map(|mv| puzzles::hint_text(&position, mv, count));
        if let Some(text) = said.or_else(found) {
            self.say(text);
            return Ok(());
        }
        let (within, among) = match course.current().map(|puzzle| &puzzle.goal) {
            Some(Goal::Mate(within)) => (Some(*within), Vec::new()),
            Some(Goal::Avoid(avoid)) => {
                let moves = position.legal_moves().into_iter();
                (None, moves.filter(|mv| !avoid.contains(mv)).collect())
            }
            _ => (None, Vec::new()),
        };
        self.ask(Question::Solve { within, among }, position.into())
    }

    /// The engine has found a move that solves the puzzle.
    pub(super) fn found(&mut self, mv: chess::Move) {
        let position = self.puzzle_position();
        let Some(course) = &mut self.course else { return };
        course.find(mv);
        let text = puzzles::hint_text(&position, mv, course.hints_here());
        self.say(text);
    }

    pub(super) fn solution(&mut self) -> Done {
        let Some(course) = &mut self.course else {
            return refused("There is no puzzle; say hint.");
        };
        let solution = course.current().and_then(Puzzle::solution);
        if solution.is_some() {
            course.show();
        }
        let text = match solution {
            Some(solution) => format!("The solution: {solution}. Say next to go on."),
            None => format!("The {} does not say it; hint asks the engine.", course.word()),
        };
        self.say(text);
        Ok(())
    }
}
