//! A position to solve, and what solves it.

use tamarin_base::Fnv1a;
use tamarin_movegen::{Move, Position};

use tamarin_game::moves::is_mate;
use tamarin_game::variation;

/// What solves a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    Best(Vec<Move>),
    /// Any other move.
    Avoid(Vec<Move>),
    /// This line; every other move of it is the opponent's.
    Line(Vec<Move>),
    /// A mate in this number of moves.
    Mate(u32),
}

/// A position to solve.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub name: String,
    pub position: Position,
    /// The position and the move of the opponent that led to it, if they are known.
    pub before: Option<(Position, Move)>,
    /// What is explained before it is asked for.
    pub lesson: Option<String>,
    /// What is said after a wrong move, instead of its refutation.
    pub advice: Option<String>,
    pub goal: Goal,
}

/// What a move is to a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Solved,
    /// It is right; the opponent answers, and the line goes on.
    Answer(Move),
    Wrong,
    /// The engine has to find out whether it mates in this number of moves.
    Ask(u32),
}

impl Puzzle {
    /// A puzzle without anything beside its position.
    pub const fn new(name: String, position: Position, goal: Goal) -> Self {
        Self { name, position, before: None, lesson: None, advice: None, goal }
    }

    /// Plies of a game with the puzzle that come before its position.
    pub fn lead(&self) -> usize {
        usize::from(self.before.is_some())
    }

    /// A number by which progress knows it, whatever file it is in and whatever it is called.
    pub fn key(&self) -> u64 {
        let goal = match &self.goal {
            Goal::Best(moves) => format!("bm {moves:?}"),
            Goal::Avoid(moves) => format!("am {moves:?}"),
            Goal::Line(moves) => format!("pv {moves:?}"),
            Goal::Mate(moves) => format!("dm {moves}"),
        };
        let text = format!("{} {goal}", self.position);
        Fnv1a::hash(text.as_bytes())
    }

    pub fn task(&self) -> String {
        let mover = self.position.side_to_move();
        match &self.goal {
            Goal::Mate(1) => format!("{mover:?} to move mates in one move."),
            Goal::Mate(moves) => format!("{mover:?} to move mates in {moves} moves."),
            Goal::Avoid(_) => format!("{mover:?} to move: which move loses nothing?"),
            // The lesson says what to find.
            _ if self.lesson.is_some() => format!("{mover:?} to move."),
            Goal::Best(_) | Goal::Line(_) => format!("{mover:?} to move: find the best move."),
        }
    }

    /// What `mv` is in a position of the solution, after `plies` plies of it. A line may end with
    /// any checkmate.
    pub fn judge(&self, position: &Position, plies: usize, mv: Move) -> Verdict {
        let solved = |is_right| if is_right { Verdict::Solved } else { Verdict::Wrong };
        match &self.goal {
            Goal::Best(best) => solved(best.contains(&mv)),
            Goal::Avoid(avoid) => solved(!avoid.contains(&mv)),
            Goal::Mate(moves) => Verdict::Ask(*moves),
            Goal::Line(line) if line.get(plies) != Some(&mv) => {
                solved(ends_in_mate(&self.position, line) && is_mate(position, mv))
            }
            Goal::Line(line) => match line.get(plies + 1) {
                // A line that ends with the opponent's move is solved before it.
                Some(answer) if line.len() > plies + 2 => Verdict::Answer(*answer),
                _ => Verdict::Solved,
            },
        }
    }

    /// A move that is right after `plies` plies, if the puzzle says one.
    fn right_move(&self, plies: usize) -> Option<Move> {
        match &self.goal {
            Goal::Best(best) => best.first().copied(),
            Goal::Line(line) => line.get(plies).copied(),
            Goal::Avoid(_) | Goal::Mate(_) => None,
        }
    }

    /// The `count`th hint in a position of the solution, from 1; `None` if the puzzle does not say
    /// the move.
    pub fn hint(&self, position: &Position, plies: usize, count: usize) -> Option<String> {
        Some(hint_text(position, self.right_move(plies)?, count))
    }

    /// The solution, if the puzzle says it.
    pub fn solution(&self) -> Option<String> {
        match &self.goal {
            Goal::Best(best) => {
                let sans: Vec<String> =
                    best.iter().map(|mv| self.position.san(*mv).to_string()).collect();
                Some(sans.join(" or "))
            }
            Goal::Line(line) => Some(variation::numbered(&self.position, line, usize::MAX)),
            Goal::Avoid(avoid) => {
                let sans: Vec<String> =
                    avoid.iter().map(|mv| self.position.san(*mv).to_string()).collect();
                Some(format!("any move but {}", sans.join(" and ")))
            }
            Goal::Mate(_) => None,
        }
    }
}

/// The `count`th hint at a right move, from 1: the piece, where it stands, where it goes.
pub fn hint_text(position: &Position, mv: Move, count: usize) -> String {
    let piece = format!("{:?}", position.moved_piece(mv).kind()).to_lowercase();
    match count {
        0 | 1 => format!("Hint: the {piece} moves."),
        2 => format!("Hint: the {piece} on {} moves.", mv.from()),
        _ => format!("Hint: {}.", position.san(mv)),
    }
}

fn ends_in_mate(start: &Position, line: &[Move]) -> bool {
    let Some((last, before)) = line.split_last() else { return false };
    let mut position = start.clone();
    before.iter().for_each(|mv| position.make(*mv));
    is_mate(&position, *last)
}
