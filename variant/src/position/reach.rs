//! Looking at a single piece: where it goes, and how many tests that takes.

use std::collections::HashSet;

use super::state::State;
use super::{Position, sight};
use crate::board::{Code, Color, Move, Square};
use crate::game::{Game, OpKind};
use crate::instance::TestKind;

/// How a piece gets to a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The square.
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
        let unmoved = u8::from(self.start[usize::from(from)] == code);
        let mut state = State::empty();
        state.write(self, from, code, self.pieces[number].start_flags | unmoved);
        let mut quiet = Vec::new();
        state.pseudo_legal(self, &mut quiet);
        let goes = |moves: &[Move], square| moves.iter().any(|m| m.to == square);
        let victim = Code::new(Color::Black, number);
        let mut found = Vec::new();
        for square in 0..self.squares() as Square {
            let base = self.program(code, from).base as usize;
            let next = self.program_end(code, from);
            let known = self.moves[base..next].iter().any(|info| info.to == square);
            if !known {
                continue;
            }
            let mut captures = Vec::new();
            if square != from {
                state.write(self, square, victim, 0);
                state.pseudo_legal(self, &mut captures);
                state.write(self, square, Code::EMPTY, 0);
            }
            let (quiet, capture) = (goes(&quiet, square), goes(&captures, square));
            found.push(Reach { square, quiet, capture });
        }
        Some(found)
    }

    /// Index behind the last move of a piece from a square.
    fn program_end(&self, code: Code, from: Square) -> usize {
        let index = code.slot() * self.squares() + usize::from(from);
        self.programs.get(index + 1).map_or(self.moves.len(), |next| next.base as usize)
    }
}

impl Position {
    /// For the piece on a square: how many tests it takes to find its moves in this position, and
    /// how many different tests its definition has there.
    pub fn count_tests(&self, square: Square) -> (usize, usize) {
        let code = self.state.code(square);
        if code.color().is_none() {
            return (0, 0);
        }
        let program = self.game.program(code, square);
        let ops = &self.game.ops[program.start as usize..program.end as usize];
        let mut distinct = HashSet::new();
        for op in ops {
            match op.kind {
                OpKind::Test(kind) => {
                    distinct.insert((kind, op.square, op.argument));
                }
                OpKind::Ride => {
                    distinct.insert((TestKind::NotFriend, op.square, 0));
                    distinct.insert((TestKind::Empty, op.square, 0));
                }
                OpKind::Emit | OpKind::EmitOnce => {}
            }
        }
        (sight::count_tests(&self.state, &self.game, square), distinct.len())
    }
}
