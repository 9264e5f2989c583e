//! Which pieces stand where, with which flags.

use super::hands::dropped;
use crate::board::{Code, Color, Move, Square, SquareSet};
use crate::definition::Kinds;
use crate::game::{Game, SQUARES};
use crate::instance::Act;

/// The flag `unmoved`.
pub(super) const UNMOVED: u8 = 1;

/// The pieces on the board and their flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placement {
    codes: [Code; SQUARES],
    flags: [u8; SQUARES],
    sides: [SquareSet; 2],
    royals: [SquareSet; 2],
    /// Squares whose piece has a flag that goes away.
    transient: SquareSet,
}

impl Placement {
    pub(super) const EMPTY: Self = Self {
        codes: [Code::EMPTY; SQUARES],
        flags: [0; SQUARES],
        sides: [SquareSet::EMPTY; 2],
        royals: [SquareSet::EMPTY; 2],
        transient: SquareSet::EMPTY,
    };

    #[inline]
    pub(super) fn code(&self, square: Square) -> Code {
        self.codes[usize::from(square)]
    }

    #[inline]
    pub(super) fn flags(&self, square: Square) -> u8 {
        self.flags[usize::from(square)]
    }

    #[inline]
    pub(super) fn side(&self, color: Color) -> SquareSet {
        self.sides[color.index()]
    }

    #[inline]
    pub(super) fn occupied(&self) -> SquareSet {
        self.sides[0].or(self.sides[1])
    }

    #[inline]
    pub(super) fn royals(&self, color: Color) -> SquareSet {
        self.royals[color.index()]
    }

    #[inline]
    pub(super) fn transient(&self) -> SquareSet {
        self.transient
    }

    /// Puts a piece with flags on a square, or empties it. All sets follow.
    #[inline]
    pub(super) fn put(&mut self, game: &Game, square: Square, code: Code, flags: u8) {
        let old = self.code(square);
        if let Some(color) = old.color() {
            self.sides[color.index()].remove(square);
            if game.royal[usize::from(old.0)] {
                self.royals[color.index()].remove(square);
            }
        }
        if let Some(color) = code.color() {
            self.sides[color.index()].insert(square);
            if game.royal[usize::from(code.0)] {
                self.royals[color.index()].insert(square);
            }
        }
        self.codes[usize::from(square)] = code;
        self.flags[usize::from(square)] = flags;
        if game.transient != 0 {
            self.transient.remove(square);
            if flags & game.transient != 0 {
                self.transient.insert(square);
            }
        }
    }
}

/// Something whose squares a move changes.
pub(super) trait Playable {
    fn placement(&self) -> &Placement;

    /// Puts a piece with flags on a square, or empties it.
    fn change(&mut self, game: &Game, square: Square, code: Code, flags: u8);

    /// Puts a piece from the hand on a square that is left. On a board that is only looked at it stays
    /// in hand: it may not shield a royal piece that its move leaves in danger.
    fn gate(&mut self, _: &Game, _: Square, _: Code) {}

    /// Plays a move of `mover`: the flags that go away do so, the piece moves, then the effects
    /// happen in order. True if that cannot be undone by further moves.
    #[inline]
    fn play(&mut self, game: &Game, m: Move, mover: Color) -> bool {
        if game.transient != 0 {
            for square in self.placement().transient().iter() {
                let (code, flags) = (self.placement().code(square), self.placement().flags(square));
                self.change(game, square, code, flags & !game.transient);
            }
        }
        let explodes = game.rules.explosion.filter(|_| self.placement().captures(game, m));
        let mut progress = false;
        let code = match dropped(m, mover) {
            None => {
                let code = self.placement().code(m.from);
                let flags = self.placement().flags(m.from) & !UNMOVED;
                if m.from != m.to {
                    progress |= self.placement().code(m.to) != Code::EMPTY;
                    self.change(game, m.from, Code::EMPTY, 0);
                }
                self.change(game, m.to, code, flags);
                code
            }
            Some(code) => {
                progress = true;
                self.change(game, m.to, code, 0);
                code
            }
        };
        if let Some(info) = game.effects(code, m) {
            for &act in game.acts(info) {
                progress |= self.act(game, act, mover);
            }
        }
        if let Some(spared) = explodes {
            self.explode(game, m.to, spared);
        }
        progress
    }

    /// Removes the piece on a square and those next to it but of the kinds spared.
    fn explode(&mut self, game: &Game, at: Square, spared: Kinds) {
        let near = game.explosions[usize::from(at)].and(self.placement().occupied());
        for square in near.iter() {
            if square == at || !spared.has(self.placement().code(square).piece()) {
                self.change(game, square, Code::EMPTY, 0);
            }
        }
    }

    /// Carries out an effect; true if that cannot be undone by further moves. What changes nothing
    /// need not be undone.
    fn act(&mut self, game: &Game, act: Act, mover: Color) -> bool {
        match act {
            Act::Put(piece, square) => {
                let code = piece.map_or(Code::EMPTY, |piece| Code::new(mover, usize::from(piece)));
                if code == Code::EMPTY && self.placement().code(square) == Code::EMPTY {
                    return false;
                }
                self.change(game, square, code, 0);
                true
            }
            Act::Shift(from, to) => {
                let code = self.placement().code(from);
                let flags = self.placement().flags(from) & !UNMOVED;
                let captures = self.placement().code(to) != Code::EMPTY;
                self.change(game, from, Code::EMPTY, 0);
                self.change(game, to, code, flags);
                captures
            }
            Act::Set(square, flag) => {
                let (code, flags) = (self.placement().code(square), self.placement().flags(square));
                if code == Code::EMPTY || flags & flag == flag {
                    return false;
                }
                self.change(game, square, code, flags | flag);
                flag & game.transient == 0
            }
            Act::Clear(square, flag) => {
                let (code, flags) = (self.placement().code(square), self.placement().flags(square));
                if flags & flag == 0 {
                    return false;
                }
                self.change(game, square, code, flags & !flag);
                flag & game.transient == 0
            }
            Act::Gate(kind, square) => {
                self.gate(game, square, Code::new(mover, usize::from(kind)));
                true
            }
            Act::NoMate => false,
        }
    }
}

impl Playable for Placement {
    #[inline]
    fn placement(&self) -> &Placement {
        self
    }

    #[inline]
    fn change(&mut self, game: &Game, square: Square, code: Code, flags: u8) {
        self.put(game, square, code, flags);
    }
}
