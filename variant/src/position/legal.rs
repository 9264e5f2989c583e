//! Legal moves: which moves pieces have, and which of them leave royal pieces safe.

use super::hands::dropped;
use super::placement::{Placement, Playable};
use super::sight::{Again, Plain};
use super::state::State;
use crate::board::{Code, Color, Move, Square, SquareSet};
use crate::game::{Game, Program};
use crate::instance::Act;

/// What the royal pieces of the side to move have to fear.
#[derive(Clone, Copy, Debug)]
pub struct Danger {
    /// Squares whose pieces matter to their safety, their own included, and those that attack them
    /// now.
    watched: SquareSet,
    alarm: Alarm,
}

/// What moves have to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Alarm {
    /// Moves that leave watched squares as they are are safe.
    None,
    /// A royal piece is attacked: moves that leave watched squares as they are are not safe.
    Attacked,
    /// More than the pieces on squares matters: no move is safe or unsafe without a closer look.
    Volatile,
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

    /// What the royal pieces of `mover` have to fear.
    pub(super) fn danger(&self, game: &Game, mover: Color) -> Danger {
        let royals = self.royals(mover);
        let by = mover.other();
        let mut danger = Danger { watched: royals, alarm: Alarm::None };
        for square in royals.iter() {
            for (from, attack) in self.attackers(game, square, by) {
                danger.watched = danger.watched.or(attack.watched);
                if attack.volatile {
                    danger.alarm = Alarm::Volatile;
                } else if self.is_open(game, attack, by) {
                    danger.watched.insert(from);
                    danger.alarm = danger.alarm.max(Alarm::Attacked);
                }
            }
        }
        danger
    }

    /// Whether a move of `mover` that breaks no other rule leaves its royal pieces safe. What
    /// changes no watched square cannot open an attack, which spares most moves a closer look.
    #[inline]
    pub(super) fn is_legal(&self, game: &Game, m: Move, mover: Color, danger: &Danger) -> bool {
        match danger.alarm {
            Alarm::None => {
                !self.touches(game, m, mover, danger) || self.is_safe_after(game, m, mover)
            }
            Alarm::Attacked => {
                self.touches(game, m, mover, danger) && self.is_safe_after(game, m, mover)
            }
            Alarm::Volatile => self.is_safe_after(game, m, mover),
        }
    }

    /// Whether a move may change something on a watched square, or which royal pieces there are.
    #[inline]
    fn touches(&self, game: &Game, m: Move, mover: Color, danger: &Danger) -> bool {
        let watched = |square| danger.watched.has(square);
        let dropped = dropped(m, mover);
        let from = match dropped {
            None => watched(m.from),
            Some(code) => game.royal[usize::from(code.0)],
        };
        if from || watched(m.to) {
            return true;
        }
        let code = dropped.unwrap_or_else(|| self.code(m.from));
        let Some(info) = game.effects(code, m) else { return false };
        let touches = |act: &Act| match *act {
            Act::Put(_, square) | Act::Set(square, _) | Act::Clear(square, _) => watched(square),
            Act::Shift(from, to) => watched(from) || watched(to),
            Act::NoMate => false,
        };
        info.intricate || game.acts(info).iter().any(touches)
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

impl State {
    /// Adds the moves and drops of `mover` that break no rule but that of royal pieces.
    pub(super) fn pseudo_legal(&self, game: &Game, mover: Color, out: &mut Vec<Move>) {
        self.placement().pseudo_legal(game, mover, out);
        if game.has_hands() {
            self.drops(game, mover, out);
        }
    }

    /// Adds the drops of what `mover` has in hand.
    pub(super) fn drops(&self, game: &Game, mover: Color, out: &mut Vec<Move>) {
        let placement = self.placement();
        let sight = Plain::new(game, placement);
        let (own, theirs) = (placement.side(mover), placement.side(mover.other()));
        for (kind, _) in self.hands.of(game, mover) {
            let program = &game.drops[Code::new(mover, usize::from(kind)).slot()];
            let from = Move::HAND + kind;
            let first = out.len();
            let leaps = program.leaps.targets(own, theirs);
            out.extend(leaps.iter().map(|to| Move { from, to, index: 0 }));
            sight.moves(from, program, mover as u8 + 1, |found, again| {
                if again == Again::Never || !out[first..].contains(&found) {
                    out.push(found);
                }
            });
        }
    }

    /// Whether a pseudo-legal move of the side to move is legal; `danger` is that of this position.
    #[inline]
    pub(super) fn is_legal(&self, game: &Game, m: Move, danger: &Danger) -> bool {
        self.placement().is_legal(game, m, self.side_to_move, danger)
            && !(game.forbids_mate && m.has_effects() && self.mates_against_rule(game, m))
    }

    /// Whether a move gives mate that may not.
    #[inline(never)]
    fn mates_against_rule(&self, game: &Game, m: Move) -> bool {
        if !game.effects(self.moving(m), m).is_some_and(|info| info.no_mate) {
            return false;
        }
        let mover = self.side_to_move;
        let mut after = *self.placement();
        after.play(game, m, mover);
        if !after.can_take_royal(game, mover) {
            return false;
        }
        let mut hands = self.hands;
        if let Some(kind) = m.dropped() {
            hands.set(game, mover, kind, hands.count(game, mover, kind).saturating_sub(1));
        }
        !Self::bare(after, hands, mover.other()).can_move(game)
    }

    /// Whether the side to move has a legal move.
    fn can_move(&self, game: &Game) -> bool {
        let mut moves = Vec::new();
        self.pseudo_legal(game, self.side_to_move, &mut moves);
        let danger = self.placement().danger(game, self.side_to_move);
        moves.into_iter().any(|m| self.is_legal(game, m, &danger))
    }

    /// How many legal moves the side to move has. Leaps to squares that do not matter to the safety
    /// of royal pieces are counted all at once.
    pub(super) fn count_legal(&self, game: &Game) -> u64 {
        let mover = self.side_to_move;
        let placement = self.placement();
        let (own, theirs) = (placement.side(mover), placement.side(mover.other()));
        let counter = Counter {
            state: self,
            game,
            sight: Plain::new(game, placement),
            danger: placement.danger(game, mover),
            sides: [own, theirs],
        };
        let mut count = 0;
        for from in own.iter() {
            count += counter.count(from, game.program(self.code(from), from));
        }
        for (kind, _) in self.hands.of(game, mover) {
            let code = Code::new(mover, usize::from(kind));
            count += counter.count(Move::HAND + kind, &game.drops[code.slot()]);
        }
        count
    }
}

/// What it takes to count legal moves.
struct Counter<'a> {
    state: &'a State,
    game: &'a Game,
    sight: Plain<'a>,
    danger: Danger,
    /// The squares of the mover and of its opponent.
    sides: [SquareSet; 2],
}

impl Counter<'_> {
    /// The legal moves from a square, or the drops from the hand.
    #[inline]
    fn count(&self, from: Square, program: &Program) -> u64 {
        let Self { danger, sides: [own, theirs], .. } = self;
        let me = self.state.side_to_move as u8 + 1;
        let leaps = program.leaps.targets(*own, *theirs);
        let legal = |m: Move| self.state.is_legal(self.game, m, danger);
        let royal = from.checked_sub(Move::HAND).is_some_and(|kind| self.game.is_royal(kind));
        if danger.alarm != Alarm::None || danger.watched.has(from) || program.repeats || royal {
            let mut moves: Vec<Move> = leaps.iter().map(|to| Move { from, to, index: 0 }).collect();
            self.sight.moves(from, program, me, |found, again| {
                if again == Again::Never || !moves.contains(&found) {
                    moves.push(found);
                }
            });
            return moves.into_iter().filter(|&m| legal(m)).count() as u64;
        }
        let mut count = leaps.minus(danger.watched).len() as u64;
        for to in leaps.and(danger.watched).iter() {
            count += u64::from(legal(Move { from, to, index: 0 }));
        }
        self.sight.moves(from, program, me, |m, _| count += u64::from(legal(m)));
        count
    }
}
