//! Running programs: which moves pieces have and which squares are attacked.

use std::cell::Cell;

use super::placement::Placement;
use crate::board::{Code, Color, Move, Piece, Set, Square};
use crate::game::{Attack, Game};
use crate::program::{Op, OpKind, Program};
use crate::requirement::{Test, TestKind};

/// What tests see.
pub(super) trait Sight {
    fn code(&self, square: Square) -> Code;
    fn flags(&self, square: Square) -> u8;
    /// Whether the opponent of `me` attacks a square; `None` if that is not asked.
    fn attacked(&self, square: Square, me: u8) -> Option<bool>;
    fn group(&self, number: u16) -> &[Test];
}

/// The board as it is.
pub(super) struct Plain<'a, const W: usize> {
    game: &'a Game,
    placement: &'a Placement,
    /// Squares of which it is known whether they are attacked, and those that are.
    known: Cell<[Set<W>; 2]>,
}

impl<'a, const W: usize> Plain<'a, W> {
    pub(super) fn new(game: &'a Game, placement: &'a Placement) -> Self {
        Self { game, placement, known: Cell::new([Set::EMPTY; 2]) }
    }

    /// Calls `found` with the moves of the piece on a square that are neither leaps nor along rays;
    /// the flag says whether a move may have been found before.
    #[inline]
    pub(super) fn moves(
        &self,
        from: Square,
        program: &Program,
        me: u8,
        mut found: impl FnMut(Move, Again),
    ) {
        run(self, &self.game.ops, (program.rest, program.end), me, |op| {
            let again = if op.kind == OpKind::EmitOnce { Again::Maybe } else { Again::Never };
            found(Move { from, to: op.square, index: op.argument }, again);
            false
        });
    }

    /// Whether `wanted` says so of a move of the piece on a square that is neither a leap nor along
    /// a ray.
    pub(super) fn any_move(
        &self,
        from: Square,
        program: &Program,
        me: u8,
        mut wanted: impl FnMut(Move) -> bool,
    ) -> bool {
        run(self, &self.game.ops, (program.rest, program.end), me, |op| {
            wanted(Move { from, to: op.square, index: op.argument })
        })
    }
}

/// Whether a program may find a move several times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Again {
    Never,
    Maybe,
}

/// The board with a piece of the defender, of no type and without flags, on a square. Questions
/// about attacks have no answer here, so that an attack never depends on another.
struct WithPhantom<'a> {
    game: &'a Game,
    placement: &'a Placement,
    square: Square,
    phantom: Code,
}

/// The board as it is, where questions about attacks have no answer.
pub(super) struct WithoutAttacks<'a> {
    pub(super) game: &'a Game,
    pub(super) placement: &'a Placement,
}

impl Sight for WithoutAttacks<'_> {
    fn code(&self, square: Square) -> Code {
        self.placement.code(square)
    }

    fn flags(&self, square: Square) -> u8 {
        self.placement.flags(square)
    }

    fn attacked(&self, _: Square, _: u8) -> Option<bool> {
        None
    }

    fn group(&self, number: u16) -> &[Test] {
        &self.game.groups[usize::from(number)]
    }
}

impl<const W: usize> Sight for Plain<'_, W> {
    #[inline]
    fn code(&self, square: Square) -> Code {
        self.placement.code(square)
    }

    #[inline]
    fn flags(&self, square: Square) -> u8 {
        self.placement.flags(square)
    }

    fn attacked(&self, square: Square, me: u8) -> Option<bool> {
        let [mut known, mut attacked] = self.known.get();
        if !known.has(square) {
            let by = if me == 1 { Color::Black } else { Color::White };
            known.insert(square);
            if self.placement.is_attacked::<W>(self.game, square, by) {
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

/// The board after a move without effects, seen without playing it; without flags that go away.
/// Questions about attacks have no answer here.
pub(super) struct AfterMove<'a> {
    pub(super) game: &'a Game,
    pub(super) placement: &'a Placement,
    pub(super) m: Move,
    /// What stands on the target, and its flags.
    pub(super) arrived: (Code, u8),
}

impl Sight for AfterMove<'_> {
    #[inline]
    fn code(&self, square: Square) -> Code {
        match square {
            _ if square == self.m.to => self.arrived.0,
            _ if square == self.m.from => Code::EMPTY,
            _ => self.placement.code(square),
        }
    }

    #[inline]
    fn flags(&self, square: Square) -> u8 {
        let flags = match square {
            _ if square == self.m.to => self.arrived.1,
            _ if square == self.m.from => 0,
            _ => self.placement.flags(square),
        };
        flags & !self.game.transient
    }

    fn attacked(&self, _: Square, _: u8) -> Option<bool> {
        None
    }

    fn group(&self, number: u16) -> &[Test] {
        &self.game.groups[usize::from(number)]
    }
}

impl Sight for WithPhantom<'_> {
    #[inline]
    fn code(&self, square: Square) -> Code {
        if square == self.square { self.phantom } else { self.placement.code(square) }
    }

    #[inline]
    fn flags(&self, square: Square) -> u8 {
        if square == self.square { 0 } else { self.placement.flags(square) }
    }

    fn attacked(&self, _: Square, _: u8) -> Option<bool> {
        None
    }

    fn group(&self, number: u16) -> &[Test] {
        &self.game.groups[usize::from(number)]
    }
}

/// Returns `true` if a test holds for the side `me`, 1 for White and 2 for Black.
#[inline(always)]
pub(super) fn holds(
    sight: &impl Sight,
    kind: TestKind,
    square: Square,
    argument: u16,
    me: u8,
) -> bool {
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
        TestKind::NoType => code == 0 || u16::from(code >> 2) != argument,
        TestKind::Any => any(sight, argument, me),
        TestKind::Attacked => sight.attacked(square, me) == Some(true),
        TestKind::Unattacked => sight.attacked(square, me) == Some(false),
    }
}

#[inline(never)]
fn any(sight: &impl Sight, group: u16, me: u8) -> bool {
    sight.group(group).iter().any(|test| holds(sight, test.kind, test.square, test.argument, me))
}

/// Runs a program and calls `emit` with every operation whose move can be played. Stops when
/// `emit` says so and returns true then.
#[inline(always)]
fn run(
    sight: &impl Sight,
    ops: &[Op],
    range: (u32, u32),
    me: u8,
    mut emit: impl FnMut(Op) -> bool,
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
                if emit(op) {
                    return true;
                }
                if code != 0 {
                    counter = op.skip as usize;
                }
            }
            OpKind::Emit | OpKind::EmitOnce => {
                if emit(op) {
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

impl Placement {
    /// Adds the moves of the piece on a square; conditions about attacks fail.
    pub(super) fn moves_of_one(
        &self,
        game: &Game,
        color: Color,
        from: Square,
        out: &mut Vec<Move>,
    ) {
        let program = game.program(self.code(from), from);
        let sides = [self.side(color), self.side(color.other())];
        game.for_each_plain(program, from, sides, |m| out.push(m));
        let sight = WithoutAttacks { game, placement: self };
        run(&sight, &game.ops, (program.rest, program.end), color as u8 + 1, |op| {
            let m = Move { from, to: op.square, index: op.argument };
            if op.kind != OpKind::EmitOnce || !out.contains(&m) {
                out.push(m);
            }
            false
        });
    }

    /// Returns `true` if `by` could capture a piece of the other side that stood on the square.
    pub(super) fn is_attacked<const W: usize>(
        &self,
        game: &Game,
        square: Square,
        by: Color,
    ) -> bool {
        let phantom = Code::new(by.other(), usize::from(Piece::OBSTACLE));
        let sight = WithPhantom { game, placement: self, square, phantom };
        let occupied = self.occupied().first::<W>();
        let mut attackers = self.attackers::<W>(game, square, by);
        attackers.any(|(from, attack)| {
            opens(&sight, game, attack, occupied, by) && self.survives(game, from, square, by)
        })
    }

    /// The attacks that pieces of `by` have on a square if their tests hold, with their squares.
    #[inline]
    pub(super) fn attackers<'a, const W: usize>(
        &'a self,
        game: &'a Game,
        square: Square,
        by: Color,
    ) -> impl Iterator<Item = (Square, &'a Attack)> {
        let places = game.attackers[by.index()][usize::from(square)].first::<W>();
        let places = places.and(self.side(by).first());
        places
            .iter()
            .filter_map(move |from| Some((from, game.attack(self.code(from), from, square)?)))
    }

    /// Returns `true` if the tests of an attack by a piece of `by` hold.
    #[inline]
    pub(super) fn is_open<const W: usize>(&self, game: &Game, attack: &Attack, by: Color) -> bool {
        let occupied = self.occupied().first::<W>();
        opens(&Plain::<W>::new(game, self), game, attack, occupied, by)
    }

    /// Returns `true` if `by` can capture a royal piece of the other side.
    #[inline]
    pub(super) fn can_take_royal<const W: usize>(&self, game: &Game, by: Color) -> bool {
        let royals = self.royals(by.other()).first::<W>();
        royals.iter().any(|square| {
            let mut attackers = self.attackers::<W>(game, square, by);
            attackers.any(|(from, attack)| {
                self.is_open::<W>(game, attack, by) && self.survives(game, from, square, by)
            })
        })
    }
}

#[inline]
pub(super) fn opens<const W: usize>(
    sight: &impl Sight,
    game: &Game,
    attack: &Attack,
    occupied: Set<W>,
    by: Color,
) -> bool {
    if attack.plain {
        return attack.watched.first().and(occupied).is_empty();
    }
    run(sight, &game.attack_ops, (attack.start, attack.end), by as u8 + 1, |_| true)
}
