//! What a piece can go to and what it guards, for evaluators.

use super::Position;
use super::placement::{Placement, Playable};
use super::sight::{WithoutAttacks, holds};
use crate::board::{Set, Square};
use crate::game::Game;
use crate::program::{Op, OpKind};
use crate::requirement::TestKind;

/// The squares that matter to a piece, on a board of `WORDS` words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Scope<const WORDS: usize = 4> {
    /// The targets of its pseudo-legal moves; of those with conditions about attacks none.
    pub moves: Set<WORDS>,
    /// Where it could capture now: on empty squares if an opponent stood there, and on friends if
    /// they were the opponent's. Captures that look closer at what stands on their target are there
    /// only if they can be played.
    pub attacks: Set<WORDS>,
}

/// What the operations of a game's programs say about captures: which of them emit moves that never
/// capture on their target.
#[derive(Clone, Debug)]
pub struct Scopes {
    quiet: Vec<bool>,
    /// Tests after which nothing but the owner of the target stands between it and its capture.
    guards: Vec<bool>,
}

impl Scopes {
    /// Looks at the programs of a game.
    pub fn new(game: &Game) -> Self {
        let mut quiet = vec![false; game.ops.len()];
        for program in &game.programs {
            // The tests that hold where the program is: squares that are empty, and up to where.
            let mut empty: Vec<(Square, usize)> = Vec::new();
            let first = program.start as usize;
            for (i, op) in game.ops[first..program.end as usize].iter().enumerate() {
                let at = first + i;
                empty.retain(|&(_, end)| end > at);
                match op.kind {
                    OpKind::Test(TestKind::Empty) => empty.push((op.square, op.skip as usize)),
                    OpKind::Emit | OpKind::EmitOnce => {
                        quiet[at] = empty.iter().any(|&(square, _)| square == op.square);
                    }
                    _ => {}
                }
            }
        }
        let is_last = |(at, op): (usize, &Op)| {
            let of_owner =
                matches!(op.kind, OpKind::Test(TestKind::NotFriend | TestKind::Opponent));
            let emits = |next: &Op| matches!(next.kind, OpKind::Emit | OpKind::EmitOnce);
            let next = game.ops.get(at + 1);
            of_owner && next.is_some_and(|next| emits(next) && next.square == op.square)
        };
        let guards = game.ops.iter().enumerate().map(is_last).collect();
        Self { quiet, guards }
    }
}

impl Position {
    /// What the piece on a square can go to and what it guards; nothing for an empty square.
    /// `scopes` are those of the position's game, whose board has at most `WORDS` words.
    #[inline]
    pub fn scope<const WORDS: usize>(&self, square: Square, scopes: &Scopes) -> Scope<WORDS> {
        self.state.placement().scope(&self.game, square, scopes)
    }
}

impl Placement {
    fn scope<const W: usize>(&self, game: &Game, from: Square, scopes: &Scopes) -> Scope<W> {
        let code = self.code(from);
        let Some(color) = code.color() else { return Scope::default() };
        let me = code.0 & 3;
        let program = game.program(code, from);
        let leaps = program.leaps;
        let (own, theirs) = self.sides(color);
        let reached = game.reached(program, own.or(theirs));
        let mut scope = Scope {
            moves: leaps.targets(own, theirs).or(reached.minus(own)),
            attacks: leaps.free.first().or(leaps.capture.first()).or(reached),
        };
        let sight = WithoutAttacks { game, placement: self };
        let (mut counter, end) = (program.rest as usize, program.end as usize);
        while counter < end {
            let (at, op) = (counter, game.ops[counter]);
            counter += 1;
            match op.kind {
                OpKind::Ride => {
                    let code = self.code(op.square).0;
                    scope.attacks.insert(op.square);
                    if code & 3 != me {
                        scope.moves.insert(op.square);
                    }
                    if code != 0 {
                        counter = op.skip as usize;
                    }
                }
                OpKind::Emit | OpKind::EmitOnce => {
                    scope.moves.insert(op.square);
                    if !scopes.quiet[at] {
                        scope.attacks.insert(op.square);
                    }
                }
                OpKind::Test(kind) => {
                    if !holds(&sight, kind, op.square, op.argument, me) {
                        if scopes.guards[at] {
                            scope.attacks.insert(op.square);
                        }
                        counter = op.skip as usize;
                    }
                }
            }
        }
        scope
    }
}
