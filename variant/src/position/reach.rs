//! Looking at a single piece: where it goes, and how many tests that takes.

use super::hands::Hands;
use super::placement::{Placement, UNMOVED};
use super::state::State;
use crate::board::{Code, Color, Move, Square, SquareSet};
use crate::game::Game;
use crate::program::{OpKind, Program};

/// How a piece gets to a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    pub square: Square,
    /// Whether it gets there on an empty board.
    pub quiet: bool,
    /// Whether it captures a lone piece there.
    pub capture: bool,
}

impl Game {
    /// The squares that a piece of White gets to from a square: those it moves to, those it
    /// captures on, and those that it gets to only with other pieces around (neither). `None` if
    /// there is no such piece or square.
    pub fn reach(&self, piece: &str, from: Square) -> Option<Vec<Reach>> {
        let number = self.pieces.iter().position(|other| other.name.value == piece)?;
        if usize::from(from) >= self.squares() {
            return None;
        }
        let code = Code::new(Color::White, number);
        let definition = &self.pieces[number];
        let at_home = self.start[usize::from(from)] == code;
        let unmoved = if at_home && definition.carries_unmoved { UNMOVED } else { 0 };
        let mut placement = Placement::EMPTY;
        placement.put(self, from, code, definition.start_flags | unmoved);
        let mut quiet = Vec::new();
        placement.pseudo_legal(self, Color::White, &mut quiet);
        let goes = |moves: &[Move], square| moves.iter().any(|m| m.to == square);
        let victim = Code::new(Color::Black, number);
        let mut found = Vec::new();
        for square in self.targets(code, from).iter() {
            let mut captures = Vec::new();
            if square != from {
                placement.put(self, square, victim, 0);
                placement.pseudo_legal(self, Color::White, &mut captures);
                placement.put(self, square, Code::EMPTY, 0);
            }
            let (quiet, capture) = (goes(&quiet, square), goes(&captures, square));
            found.push(Reach { square, quiet, capture });
        }
        Some(found)
    }

    /// Where a piece of White can be dropped on an empty board; nowhere if it cannot be held in hand.
    /// `None` if there is no such piece.
    pub fn drop_targets(&self, piece: &str) -> Option<SquareSet> {
        let number = self.pieces.iter().position(|other| other.name.value == piece)?;
        let mut hands = Hands::EMPTY;
        hands.set(self, Color::White, number as u8, 1);
        let mut moves = Vec::new();
        State::bare(Placement::EMPTY, hands, Color::White).drops(self, Color::White, &mut moves);
        Some(moves.iter().map(|m| m.to).collect())
    }

    /// The targets of all moves that a piece has from a square.
    fn targets(&self, code: Code, from: Square) -> SquareSet {
        let Program { leaps, start, end, .. } = self.program(code, from);
        let ops = self.ops[*start as usize..*end as usize].iter();
        let leaps = leaps.free.or(leaps.quiet).or(leaps.capture);
        let others = ops.filter(|op| !matches!(op.kind, OpKind::Test(_))).map(|op| op.square);
        leaps.or(others.collect())
    }
}
