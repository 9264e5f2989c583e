//! Running programs: which moves there are and which squares are attacked.

use std::cell::Cell;

use super::state::State;
use crate::board::{Code, Color, Move, Square, SquareSet};
use crate::game::{Attack, Game, Op, OpKind, Program};
use crate::instance::{Test, TestKind};

/// What tests see.
trait Sight {
    fn code(&self, square: Square) -> Code;
    fn flags(&self, square: Square) -> u8;
    /// Whether the opponent of `me` attacks a square; `None` if that is not asked.
    fn attacked(&self, square: Square, me: u8) -> Option<bool>;
    fn group(&self, number: u16) -> &[Test];
}

/// The board as it is.
struct Plain<'a> {
    game: &'a Game,
    state: &'a State,
    /// Squares of which it is known whether they are attacked, and those that are.
    known: Cell<[SquareSet; 2]>,
}

impl<'a> Plain<'a> {
    fn new(game: &'a Game, state: &'a State) -> Self {
        Self { game, state, known: Cell::new([SquareSet::EMPTY; 2]) }
    }
}

/// The board with a piece of the defender, of no type and without flags, on a square. Questions
/// about attacks have no answer here, so that an attack never depends on another.
struct WithPhantom<'a> {
    game: &'a Game,
    state: &'a State,
    square: Square,
    phantom: Code,
}

impl Sight for Plain<'_> {
    #[inline]
    fn code(&self, square: Square) -> Code {
        self.state.code(square)
    }

    #[inline]
    fn flags(&self, square: Square) -> u8 {
        self.state.flags(square)
    }

    fn attacked(&self, square: Square, me: u8) -> Option<bool> {
        let [mut known, mut attacked] = self.known.get();
        if !known.has(square) {
            let by = if me == 1 { Color::Black } else { Color::White };
            known.insert(square);
            if self.state.is_attacked(self.game, square, by) {
                attacked.insert(square);
            }
            self.known.set([known, attacked]);
        }
        Some(attacked.has(square))
    }

    fn group(&self, number: u16) -> &[Test] {
        &self.game.groups[usize::from(number)]
    }
}

impl Sight for WithPhantom<'_> {
    #[inline]
    fn code(&self, square: Square) -> Code {
        if square == self.square { self.phantom } else { self.state.code(square) }
    }

    #[inline]
    fn flags(&self, square: Square) -> u8 {
        if square == self.square { 0 } else { self.state.flags(square) }
    }

    fn attacked(&self, _: Square, _: u8) -> Option<bool> {
        None
    }

    fn group(&self, number: u16) -> &[Test] {
        &self.game.groups[usize::from(number)]
    }
}

/// Whether a test holds for the side `me`, 1 for White and 2 for Black.
#[inline]
fn holds(sight: &impl Sight, kind: TestKind, square: Square, argument: u16, me: u8) -> bool {
    let code = sight.code(square).0;
    match kind {
        TestKind::NotFriend => code & 3 != me,
        TestKind::Empty => code == 0,
        TestKind::Opponent => code & 3 == 3 - me,
        TestKind::Occupied => code != 0,
        TestKind::Friend => code & 3 == me,
        TestKind::Flag => u16::from(sight.flags(square)) & argument != 0,
        TestKind::NoFlag => u16::from(sight.flags(square)) & argument == 0,
        TestKind::Type => code != 0 && u16::from(code >> 2) == argument,
        TestKind::Any => any(sight, argument, me),
        TestKind::Attacked => sight.attacked(square, me) == Some(true),
        TestKind::Unattacked => sight.attacked(square, me) == Some(false),
    }
}

#[inline(never)]
fn any(sight: &impl Sight, group: u16, me: u8) -> bool {
    sight.group(group).iter().any(|test| holds(sight, test.kind, test.square, test.argument, me))
}

/// Runs a program and calls `emit` with the number of every move, and whether it may have been
/// found before. Stops when `emit` says so and returns true then.
#[inline]
fn run(
    sight: &impl Sight,
    ops: &[Op],
    range: (u32, u32),
    me: u8,
    mut emit: impl FnMut(u16, OpKind) -> bool,
) -> bool {
    let (mut counter, end) = (range.0 as usize, range.1 as usize);
    while counter < end {
        let op = ops[counter];
        counter += 1;
        match op.kind {
            OpKind::Ride => {
                let code = sight.code(op.square).0;
                if code & 3 == me {
                    counter = op.skip as usize;
                    continue;
                }
                if emit(op.argument, OpKind::Emit) {
                    return true;
                }
                if code != 0 {
                    counter = op.skip as usize;
                }
            }
            OpKind::Emit | OpKind::EmitOnce => {
                if emit(op.argument, op.kind) {
                    return true;
                }
            }
            OpKind::Test(kind) => {
                if !holds(sight, kind, op.square, op.argument, me) {
                    counter = op.skip as usize;
                }
            }
        }
    }
    false
}

/// What the royal pieces of the side to move have to fear.
pub(crate) struct Danger {
    /// Squares whose pieces matter to their safety, their own included.
    watched: SquareSet,
    /// No move is safe without a closer look: a royal piece is attacked now, or more than pieces
    /// on squares matters.
    look: bool,
    check: bool,
}

impl State {
    /// Adds the moves of the side to move that break no rule but that of royal pieces.
    pub(super) fn pseudo_legal(&self, game: &Game, out: &mut Vec<Move>) {
        let me = self.side_to_move as u8 + 1;
        let sight = Plain::new(game, self);
        for from in self.side(self.side_to_move).iter() {
            let Program { start, end, base } = game.program(self.code(from), from);
            let first = out.len();
            run(&sight, &game.ops, (start, end), me, |index, kind| {
                let to = game.moves[base as usize + usize::from(index)].to;
                let found = Move { from, to, index };
                if kind == OpKind::Emit || !out[first..].contains(&found) {
                    out.push(found);
                }
                false
            });
        }
    }

    /// Whether `by` could capture a piece of the other side that stood on the square.
    pub(super) fn is_attacked(&self, game: &Game, square: Square, by: Color) -> bool {
        let phantom = Code::new(by.other(), 63);
        let sight = WithPhantom { game, state: self, square, phantom };
        self.attackers(game, square, by).any(|attack| opens(&sight, game, attack, by))
    }

    /// Whether `by` can capture the piece on the square.
    fn is_capturable(&self, game: &Game, square: Square, by: Color) -> bool {
        let sight = Plain::new(game, self);
        self.attackers(game, square, by).any(|attack| opens(&sight, game, attack, by))
    }

    /// The attacks that pieces of `by` have on a square if their tests hold.
    fn attackers<'a>(
        &'a self,
        game: &'a Game,
        square: Square,
        by: Color,
    ) -> impl Iterator<Item = &'a Attack> {
        let places = game.attackers[by.index()][usize::from(square)].and(self.side(by));
        places.iter().filter_map(move |from| game.attack(self.code(from), from, square))
    }

    /// Whether `by` can capture a royal piece of the other side.
    pub(super) fn can_take_royal(&self, game: &Game, by: Color) -> bool {
        self.royals(by.other()).iter().any(|square| self.is_capturable(game, square, by))
    }

    /// What the royal pieces of the side to move have to fear.
    pub(super) fn danger(&self, game: &Game) -> Danger {
        let royals = self.royals(self.side_to_move);
        let by = self.side_to_move.other();
        let sight = Plain::new(game, self);
        let mut danger = Danger { watched: royals, look: false, check: false };
        for square in royals.iter() {
            for attack in self.attackers(game, square, by) {
                danger.watched = danger.watched.or(attack.watched);
                danger.look |= attack.volatile;
                danger.check |= opens(&sight, game, attack, by);
            }
        }
        danger.look |= danger.check;
        danger
    }

    /// Whether a pseudo-legal move leaves the royal pieces of its side safe. What changes no
    /// watched square can not open an attack, which spares most moves from being made.
    #[inline]
    pub(super) fn is_safe(&mut self, game: &Game, m: Move, danger: &Danger) -> bool {
        let base = game.program(self.code(m.from), m.from).base as usize;
        let plain = game.moves[base + usize::from(m.index)].plain;
        if plain && !danger.look && !danger.watched.has(m.from) && !danger.watched.has(m.to) {
            return true;
        }
        let mover = self.side_to_move;
        let had_royal = !self.royals(mover).is_empty();
        self.make(game, m);
        let lost = had_royal && self.royals(mover).is_empty();
        let safe = !lost && !self.can_take_royal(game, mover.other());
        self.unmake(game);
        safe
    }
}

#[inline]
fn opens(sight: &impl Sight, game: &Game, attack: &Attack, by: Color) -> bool {
    run(sight, &game.attack_ops, (attack.start, attack.end), by as u8 + 1, |_, _| true)
}

/// How many tests are made to find the moves of the piece on a square.
pub(super) fn count_tests(state: &State, game: &Game, from: Square) -> usize {
    let me = state.side_to_move as u8 + 1;
    let Program { start, end, .. } = game.program(state.code(from), from);
    let sight = Plain::new(game, state);
    let (mut counter, mut tests) = (start as usize, 0);
    while counter < end as usize {
        let op = game.ops[counter];
        counter += 1;
        match op.kind {
            OpKind::Test(kind) => {
                let attack = matches!(kind, TestKind::Attacked | TestKind::Unattacked);
                // An attack that is known is not looked for again.
                let known = attack && sight.known.get()[0].has(op.square);
                tests += usize::from(!known);
                if !holds(&sight, kind, op.square, op.argument, me) {
                    counter = op.skip as usize;
                }
            }
            OpKind::Ride => {
                let code = state.code(op.square);
                let friend = code.0 & 3 == me;
                tests += if friend { 1 } else { 2 };
                if code != Code::EMPTY {
                    counter = op.skip as usize;
                }
            }
            OpKind::Emit | OpKind::EmitOnce => {}
        }
    }
    tests
}
