//! What must hold for a file of puzzles of any bytes: each line is a puzzle or is reported, and
//! each puzzle can be solved by its own solution, with hints on the way. Shared by the fuzz target
//! and the tests.

use tamarin_game::pgn::decoded;
use tamarin_movegen::Position;
use tamarin_play::puzzles::{Goal, Puzzle, Verdict, parse};

/// The longest message about a line, in bytes.
const LONGEST: usize = 500;

/// Panics if reading these bytes as a file of puzzles breaks a promise.
pub fn check(bytes: &[u8]) {
    let text = decoded(bytes);
    let (puzzles, bad) = parse(&text);
    assert!(puzzles.len() + bad.len() <= text.lines().count(), "more puzzles than lines");
    for reason in &bad {
        assert!(reason.starts_with("line ") && reason.len() < LONGEST, "{reason:?}");
    }
    let keys = |puzzles: &[Puzzle]| puzzles.iter().map(Puzzle::key).collect::<Vec<_>>();
    assert_eq!(keys(&puzzles), keys(&parse(&text).0), "the same puzzles each time");
    puzzles.iter().for_each(check_puzzle);
}

fn check_puzzle(puzzle: &Puzzle) {
    assert!(puzzle.task().contains("to move"));
    assert!(puzzle.position.has_legal_move(), "nothing can be played in {:?}", puzzle.position);
    assert_eq!(puzzle.lead(), usize::from(puzzle.before.is_some()));
    if let Some((before, mv)) = &puzzle.before {
        assert!(before.is_legal(*mv), "{mv:?} in {before:?}");
        let mut after = before.clone();
        after.make(*mv);
        assert_eq!(after.key(), puzzle.position.key(), "{before:?} and {mv:?}");
    }
    let position = &puzzle.position;
    match &puzzle.goal {
        Goal::Best(moves) => {
            assert!(moves.iter().all(|&mv| puzzle.judge(position, 0, mv) == Verdict::Solved));
            check_hints(puzzle, position, 0);
        }
        Goal::Avoid(moves) => {
            assert!(moves.iter().all(|&mv| puzzle.judge(position, 0, mv) == Verdict::Wrong));
        }
        Goal::Mate(moves) => {
            assert!((1..=50).contains(moves));
            let mv = position.legal_moves()[0];
            assert_eq!(puzzle.judge(position, 0, mv), Verdict::Ask(*moves));
        }
        Goal::Line(_) => check_line(puzzle),
    }
    let is_said = !matches!(puzzle.goal, Goal::Mate(_));
    assert_eq!(puzzle.solution().is_some_and(|text| !text.is_empty()), is_said);
}

/// Plays a line as its solver does, to its end.
fn check_line(puzzle: &Puzzle) {
    let Goal::Line(line) = &puzzle.goal else { return };
    let mut position = puzzle.position.clone();
    for plies in (0..line.len()).step_by(2) {
        check_hints(puzzle, &position, plies);
        match puzzle.judge(&position, plies, line[plies]) {
            Verdict::Solved => {
                assert!(plies + 2 >= line.len(), "solved after {plies} plies of {line:?}");
                return;
            }
            Verdict::Answer(answer) => {
                position.make(line[plies]);
                assert!(position.is_legal(answer), "{answer:?} in {position:?}");
                position.make(answer);
            }
            verdict => panic!("{verdict:?} after {plies} plies of {line:?}"),
        }
    }
    panic!("{line:?} has no end");
}

/// There are three hints, and the last one says the move.
fn check_hints(puzzle: &Puzzle, position: &Position, plies: usize) {
    for count in 1..=4 {
        let hint = puzzle.hint(position, plies, count);
        assert!(hint.is_some_and(|hint| hint.starts_with("Hint: ") && hint.ends_with('.')));
    }
}
