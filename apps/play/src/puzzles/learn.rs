//! The lessons of `tamarin play --learn`.

use tamarin_game::epd::Epd;

use super::puzzle::Puzzle;
use super::read;

/// The rules and the first mates. `c0` explains, `c1` is said after a wrong move.
const LESSONS: &str = include_str!("learn.epd");

/// All lessons in their order.
pub fn lessons() -> Vec<Puzzle> {
    let (puzzles, _) = read::parse(LESSONS);
    puzzles.into_iter().zip(LESSONS.lines()).map(|(puzzle, line)| explained(puzzle, line)).collect()
}

fn explained(puzzle: Puzzle, line: &str) -> Puzzle {
    let epd = Epd::parse(line).ok();
    let text = |code| epd.as_ref().and_then(|epd| epd.operand(code)).map(str::to_owned);
    Puzzle { lesson: text("c0"), advice: text("c1"), ..puzzle }
}

#[cfg(test)]
mod tests {
    use super::{LESSONS, lessons};
    use crate::puzzles::puzzle::Verdict;
    use crate::puzzles::read;

    #[test]
    fn every_lesson_is_sound() {
        let (puzzles, bad) = read::parse(LESSONS);
        assert_eq!(bad, Vec::<String>::new());
        assert_eq!(puzzles.len(), LESSONS.lines().count());
        let lessons = lessons();
        assert_eq!(lessons.len(), 15);
        for lesson in &lessons {
            assert!(lesson.lesson.is_some() && lesson.advice.is_some(), "{}", lesson.name);
            let asks_for_mate =
                lesson.lesson.as_ref().is_some_and(|text| text.contains("ate in one move"));
            // Where a mate is asked for, exactly the moves that give one are right.
            for mv in lesson.position.legal_moves() {
                let mut after = lesson.position.clone();
                after.make(mv);
                let is_mate = after.in_check() && !after.has_legal_move();
                let is_right = lesson.judge(&lesson.position, 0, mv) == Verdict::Solved;
                let san = lesson.position.san(mv);
                assert!(!asks_for_mate || is_mate == is_right, "{}: {san}", lesson.name);
            }
        }
    }
}
