//! Legal moves: which moves pieces have, and which of them leave royal pieces safe.

use super::placement::{Placement, Playable};
use super::sight::{Again, Plain};
use crate::board::{Color, Move, SquareSet};
use crate::game::Game;
use crate::instance::Act;

/// What the royal pieces of the side to move have to fear.
#[derive(Clone, Copy, Debug)]
pub struct Danger {
    /// Squares whose pieces matter to their safety, their own included.
    watched: SquareSet,
    /// No move is safe without a closer look: a royal piece is attacked now, or more than pieces
    /// on squares matters.
    look: bool,
}

impl Placement {
    /// Adds the moves of `mover` that break no rule but that of royal pieces.
    pub(super) fn pseudo_legal(&self, game: &Game, mover: Color, out: &mut Vec<Move>) {
        let me = mover as u8 + 1;
        let (own, theirs) = (self.side(mover), self.side(mover.other()));
        let sight = Plain::new(game, self);
        for from in own.iter() {
            let program = game.program(self.code(from), from);
            let first = out.len();
            let leaps = program.leaps.targets(own, theirs);
            out.extend(leaps.iter().map(|to| Move { from, to, index: 0 }));
            sight.moves(from, program, me, |found, again| {
                if again == Again::Never || !out[first..].contains(&found) {
                    out.push(found);
                }
            });
        }
    }

    /// How many legal moves `mover` has. Leaps to squares that do not matter to the safety of
    /// royal pieces are counted all at once.
    pub(super) fn count_legal(&self, game: &Game, mover: Color) -> u64 {
        let me = mover as u8 + 1;
        let (own, theirs) = (self.side(mover), self.side(mover.other()));
        let sight = Plain::new(game, self);
        let danger = self.danger(game, mover);
        let mut count = 0;
        for from in own.iter() {
            let program = game.program(self.code(from), from);
            let leaps = program.leaps.targets(own, theirs);
            if danger.look || danger.watched.has(from) || program.repeats {
                let mut moves: Vec<Move> =
                    leaps.iter().map(|to| Move { from, to, index: 0 }).collect();
                sight.moves(from, program, me, |found, again| {
                    if again == Again::Never || !moves.contains(&found) {
                        moves.push(found);
                    }
                });
                let legal = |&&m: &&Move| self.is_legal(game, m, mover, &danger);
                count += moves.iter().filter(legal).count() as u64;
                continue;
            }
            count += leaps.minus(danger.watched).len() as u64;
            for to in leaps.and(danger.watched).iter() {
                let m = Move { from, to, index: 0 };
                count += u64::from(self.is_legal(game, m, mover, &danger));
            }
            sight.moves(from, program, me, |m, _| {
                count += u64::from(self.is_legal(game, m, mover, &danger));
            });
        }
        count
    }

    /// What the royal pieces of `mover` have to fear.
    pub(super) fn danger(&self, game: &Game, mover: Color) -> Danger {
        let royals = self.royals(mover);
        let by = mover.other();
        let mut danger = Danger { watched: royals, look: false };
        for square in royals.iter() {
            for attack in self.attackers(game, square, by) {
                danger.watched = danger.watched.or(attack.watched);
                danger.look |= attack.volatile || self.is_open(game, attack, by);
            }
        }
        danger
    }

    /// Whether a move of `mover` that breaks no other rule leaves its royal pieces safe. What
    /// changes no watched square cannot open an attack, which spares most moves a closer look.
    #[inline]
    pub(super) fn is_legal(&self, game: &Game, m: Move, mover: Color, danger: &Danger) -> bool {
        let watched = |square| danger.watched.has(square);
        if !danger.look && !watched(m.from) && !watched(m.to) {
            let Some(info) = game.effects(self.code(m.from), m) else { return true };
            let touches = |act: &Act| match *act {
                Act::Put(_, square) | Act::Set(square, _) | Act::Clear(square, _) => {
                    watched(square)
                }
                Act::Shift(from, to) => watched(from) || watched(to),
            };
            if !info.intricate && !game.acts(info).iter().any(touches) {
                return true;
            }
        }
        self.is_safe_after(game, m, mover)
    }

    /// Whether the royal pieces of `mover` cannot be captured after its move. Nobody may remove
    /// his own last royal piece.
    #[inline(never)]
    fn is_safe_after(&self, game: &Game, m: Move, mover: Color) -> bool {
        let mut after = *self;
        after.play(game, m, mover);
        let lost = !self.royals(mover).is_empty() && after.royals(mover).is_empty();
        !lost && !after.can_take_royal(game, mover.other())
    }
}
