//! Legal moves: which moves pieces have, and which of them leave royal pieces safe.

use super::hands::dropped;
use super::placement::{Placement, Playable, UNMOVED};
use super::sight::{AfterMove, Again, Plain, opens};
use super::state::State;
use crate::ast::{Captures, Checks};
use crate::board::{Code, Color, Move, Set, Square, SquareSet};
use crate::game::{Game, sized};
use crate::program::Program;

/// How many moves that may not give mate are examined, each the answer to the one before: such
/// moves may answer each other without an end. Those beyond count as legal.
const MATE_ANSWERS: u32 = 4;

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
    /// The rules ask more than safety of every move.
    Filtered,
    /// The same, and only captures are legal.
    Compelled,
    /// The game is over: no move is legal.
    Over,
}

impl Placement {
    /// Adds the moves of `mover` that break no rule but that of royal pieces.
    pub(super) fn pseudo_legal(&self, game: &Game, mover: Color, out: &mut Vec<Move>) {
        sized!(game, self, pseudo_legal_sized(game, mover, out));
    }

    fn pseudo_legal_sized<const W: usize>(&self, game: &Game, mover: Color, out: &mut Vec<Move>) {
        let me = mover as u8 + 1;
        let (own, theirs) = self.sides::<W>(mover);
        let sight = Plain::<W>::new(game, self);
        for from in own.iter() {
            let program = game.program(self.code(from), from);
            let first = out.len();
            game.for_each_plain(program, from, [own, theirs], |m| out.push(m));
            sight.moves(from, program, me, |found, again| {
                if again == Again::Never || !out[first..].contains(&found) {
                    out.push(found);
                }
            });
        }
    }

    /// The squares of a side and of the other.
    #[inline]
    pub(super) fn sides<const W: usize>(&self, color: Color) -> (Set<W>, Set<W>) {
        (self.side(color).first(), self.side(color.other()).first())
    }

    /// What the royal pieces of `mover` have to fear.
    #[inline]
    fn danger_sized<const W: usize>(&self, game: &Game, mover: Color) -> Danger {
        let mut watched = self.royals(mover).first::<W>();
        let by = mover.other();
        let mut alarm = Alarm::None;
        for square in watched.iter() {
            for (from, attack) in self.attackers::<W>(game, square, by) {
                watched = watched.or(attack.watched.first());
                if attack.volatile {
                    alarm = Alarm::Volatile;
                } else if self.is_open::<W>(game, attack, by) {
                    watched.insert(from);
                    alarm = alarm.max(Alarm::Attacked);
                }
            }
        }
        Danger { watched: watched.whole(), alarm }
    }

    /// Returns `true` if a move of `mover` that breaks no other rule leaves its royal pieces safe.
    /// What changes no watched square cannot open an attack, which spares most moves a closer look.
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
            Alarm::Filtered => self.obeys(game, m, mover),
            Alarm::Compelled => self.captures(game, m) && self.obeys(game, m, mover),
            Alarm::Over => false,
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
        info.intricate || !info.touched.and(danger.watched).is_empty()
    }

    /// Whether the royal pieces of `mover` cannot be captured after its move. No side may remove
    /// his own last royal piece.
    #[inline(never)]
    fn is_safe_after(&self, game: &Game, m: Move, mover: Color) -> bool {
        match m.has_effects() {
            true => self.is_safe_when_played(game, m, mover),
            false => sized!(game, self, is_safe_after_plain(game, m, mover)),
        }
    }

    /// The same for a move without effects: its board is only looked at as it would be.
    fn is_safe_after_plain<const W: usize>(&self, game: &Game, m: Move, mover: Color) -> bool {
        let (code, flags) = match dropped(m, mover) {
            Some(code) => (code, 0),
            None => (self.code(m.from), self.flags(m.from) & !UNMOVED),
        };
        let mut royals = self.royals(mover).first::<W>();
        let had_royals = !royals.is_empty();
        royals.remove(m.from);
        royals.remove(m.to);
        if game.royal[usize::from(code.0)] {
            royals.insert(m.to);
        }
        if had_royals && royals.is_empty() {
            return false;
        }
        let (own, mut theirs) = self.sides::<W>(mover);
        let mut occupied = own.or(theirs);
        theirs.remove(m.to);
        occupied.remove(m.from);
        occupied.insert(m.to);
        let by = mover.other();
        let sight = AfterMove { game, placement: self, m, arrived: (code, flags) };
        for square in royals.iter() {
            let places = game.attackers[by.index()][usize::from(square)].first::<W>().and(theirs);
            for from in places.iter() {
                let Some(attack) = game.attack(self.code(from), from, square) else { continue };
                if attack.volatile {
                    return self.is_safe_when_played(game, m, mover);
                }
                if opens(&sight, game, attack, occupied, by) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a move of `mover` breaks none of the rules of a game that asks more of moves than that
    /// royal pieces are safe.
    #[inline(never)]
    fn obeys(&self, game: &Game, m: Move, mover: Color) -> bool {
        let opponent = mover.other();
        let mut after = *self;
        after.play(game, m, mover);
        if !self.royals(mover).is_empty() && after.royals(mover).is_empty() {
            return false;
        }
        // While royal pieces face each other a pass is legal even in check, another move has to end it.
        if game.rules.facing.is_some() && self.faces(game) {
            if self.passes(game, m) {
                return true;
            }
            if after.faces(game) {
                return false;
            }
        }
        // Who blows up the last royal piece of the opponent need not fear for his own.
        let wins = game.rules.explosion.is_some()
            && !self.royals(opponent).is_empty()
            && after.royals(opponent).is_empty();
        let checks = || {
            game.rules.checks == Checks::Forbidden
                && self.after(game, m, mover).takes_royal(game, mover)
        };
        wins || !after.takes_royal(game, opponent) && !checks()
    }

    /// The board after a move, with the piece that it gates.
    fn after(&self, game: &Game, m: Move, mover: Color) -> Self {
        let mut after = *self;
        after.play(game, m, mover);
        let code = dropped(m, mover).unwrap_or_else(|| self.code(m.from));
        if let Some((kind, square)) = game.effects(code, m).and_then(|info| info.gates) {
            after.put(game, square, Code::new(mover, usize::from(kind)), 0);
        }
        after
    }

    fn is_safe_when_played(&self, game: &Game, m: Move, mover: Color) -> bool {
        let mut after = *self;
        after.play(game, m, mover);
        let lost = !self.royals(mover).is_empty() && after.royals(mover).is_empty();
        !lost && !after.takes_royal(game, mover.other())
    }

    /// Returns `true` if `by` can capture a royal piece of the other side.
    pub(super) fn takes_royal(&self, game: &Game, by: Color) -> bool {
        sized!(game, self, can_take_royal(game, by))
    }

    /// Returns `true` if `by` could capture a piece of the other side that stood on the square.
    pub(super) fn attacks(&self, game: &Game, square: Square, by: Color) -> bool {
        sized!(game, self, is_attacked(game, square, by))
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
        let sight = Plain::<4>::new(game, placement);
        let (own, theirs) = placement.sides::<4>(mover);
        for (kind, _) in self.hands.of(game, mover) {
            let program = &game.drops[Code::new(mover, usize::from(kind)).slot()];
            let from = Move::HAND + kind;
            let first = out.len();
            game.for_each_plain(program, from, [own, theirs], |m| out.push(m));
            sight.moves(from, program, mover as u8 + 1, |found, again| {
                if again == Again::Never || !out[first..].contains(&found) {
                    out.push(found);
                }
            });
        }
    }

    /// Returns `true` if a pseudo-legal move of the side to move is legal; `danger` is that of this
    /// position.
    #[inline]
    pub(super) fn is_legal(&self, game: &Game, m: Move, danger: &Danger) -> bool {
        self.is_legal_within(game, m, danger, MATE_ANSWERS)
    }

    /// The same where only so many moves in a line are examined for a mate that they may not give.
    #[inline]
    fn is_legal_within(&self, game: &Game, m: Move, danger: &Danger, answers: u32) -> bool {
        self.placement().is_legal(game, m, self.side_to_move, danger)
            && !(game.has_conditional && m.has_effects() && self.is_barred(game, m, answers))
    }

    /// Whether a move needs a piece in hand that is not there, or gives mate and may not.
    #[inline(never)]
    fn is_barred(&self, game: &Game, m: Move, answers: u32) -> bool {
        let Some(info) = game.effects(self.moving(m), m) else { return false };
        let missing = |kind| self.hands.count(game, self.side_to_move, kind) == 0;
        info.gates.is_some_and(|(kind, _)| missing(kind))
            || (answers > 0 && info.no_mate && self.mates_against_rule(game, m, answers - 1))
    }

    /// Whether a move gives mate.
    fn mates_against_rule(&self, game: &Game, m: Move, answers: u32) -> bool {
        let mover = self.side_to_move;
        let after = self.placement().after(game, m, mover);
        if !after.takes_royal(game, mover) {
            return false;
        }
        let mut hands = self.hands;
        let gated = game.effects(self.moving(m), m).and_then(|info| info.gates);
        for kind in m.dropped().into_iter().chain(gated.map(|(kind, _)| kind)) {
            hands.set(game, mover, kind, hands.count(game, mover, kind).saturating_sub(1));
        }
        !Self::bare(after, hands, mover.other()).can_move_within(game, answers)
    }

    /// What separates the legal moves from the pseudo-legal ones.
    pub(super) fn danger(&self, game: &Game) -> Danger {
        sized!(game, self, danger_sized(game))
    }

    #[inline]
    fn danger_sized<const W: usize>(&self, game: &Game) -> Danger {
        match game.has_goals || game.has_filters {
            true => self.danger_by_rules(game),
            false => self.placement().danger_sized::<W>(game, self.side_to_move),
        }
    }

    #[inline(never)]
    fn danger_by_rules(&self, game: &Game) -> Danger {
        match self.decided(game) {
            Some(_) => Danger { watched: SquareSet::EMPTY, alarm: Alarm::Over },
            None => self.danger_within(game),
        }
    }

    /// The same while the game is not over.
    pub(super) fn danger_within(&self, game: &Game) -> Danger {
        if !game.has_filters {
            return self.placement().danger_sized::<4>(game, self.side_to_move);
        }
        let alarm = if self.can_capture(game) { Alarm::Compelled } else { Alarm::Filtered };
        Danger { watched: SquareSet::EMPTY, alarm }
    }

    /// Whether captures are compulsory and the side to move has a legal one.
    fn can_capture(&self, game: &Game) -> bool {
        if game.rules.captures == Captures::Optional {
            return false;
        }
        let (placement, mover) = (self.placement(), self.side_to_move);
        let mut moves = Vec::new();
        placement.pseudo_legal(game, mover, &mut moves);
        moves.iter().any(|&m| placement.captures(game, m) && placement.obeys(game, m, mover))
    }

    /// Whether the side to move has to capture.
    pub(super) fn must_capture(&self, game: &Game) -> bool {
        game.has_filters && self.decided(game).is_none() && self.can_capture(game)
    }

    /// Whether the side to move has a legal move.
    pub(super) fn can_move(&self, game: &Game) -> bool {
        self.can_move_within(game, MATE_ANSWERS)
    }

    fn can_move_within(&self, game: &Game, answers: u32) -> bool {
        sized!(game, self, can_move_sized(game, answers))
    }

    fn can_move_sized<const W: usize>(&self, game: &Game, answers: u32) -> bool {
        let mover = self.side_to_move;
        let placement = self.placement();
        let (own, theirs) = placement.sides::<W>(mover);
        let danger = self.danger_sized::<W>(game);
        let sight = Plain::<W>::new(game, placement);
        let is_legal = |m: Move| self.is_legal_within(game, m, &danger, answers);
        let any = |from: Square, program: &Program| {
            let mut plain = game.plain_targets(program, own, theirs).iter();
            plain.any(|to| is_legal(Move { from, to, index: 0 }))
                || sight.any_move(from, program, mover as u8 + 1, is_legal)
        };
        own.iter().any(|from| any(from, game.program(self.code(from), from)))
            || self.hands.of(game, mover).any(|(kind, _)| {
                let code = Code::new(mover, usize::from(kind));
                any(Move::HAND + kind, &game.drops[code.slot()])
            })
    }

    /// How many legal moves the side to move has. Leaps and moves along rays to squares that do not
    /// matter to the safety of royal pieces are counted all at once.
    pub(super) fn count_legal(&self, game: &Game) -> u64 {
        sized!(game, self, count_legal_sized(game))
    }

    fn count_legal_sized<const W: usize>(&self, game: &Game) -> u64 {
        let mover = self.side_to_move;
        let placement = self.placement();
        let (own, theirs) = placement.sides::<W>(mover);
        let danger = self.danger_sized::<W>(game);
        let counter = Counter {
            state: self,
            game,
            sight: Plain::<W>::new(game, placement),
            watched: danger.watched.first(),
            unwatched: Set::FULL.minus(danger.watched.first()),
            danger,
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
struct Counter<'a, const W: usize> {
    state: &'a State,
    game: &'a Game,
    sight: Plain<'a, W>,
    danger: Danger,
    /// The watched squares of the danger.
    watched: Set<W>,
    /// All others.
    unwatched: Set<W>,
    /// The squares of the mover and of its opponent.
    sides: [Set<W>; 2],
}

impl<const W: usize> Counter<'_, W> {
    /// The legal moves from a square, or the drops from the hand.
    #[inline(always)]
    fn count(&self, from: Square, program: &Program) -> u64 {
        let &Self { watched, sides: [own, theirs], .. } = self;
        let me = self.state.side_to_move as u8 + 1;
        if program.repeats {
            return self.count_different(from, program);
        }
        let plain = self.game.plain_targets(program, own, theirs);
        let royal = from.checked_sub(Move::HAND).is_some_and(|kind| self.game.is_royal(kind));
        let mut count = 0;
        // The targets that a plain move can have without a closer look.
        let (safe, doubtful) = match self.danger.alarm {
            _ if royal || watched.has(from) => (Set::EMPTY, plain),
            Alarm::Volatile | Alarm::Filtered | Alarm::Compelled | Alarm::Over => {
                (Set::EMPTY, plain)
            }
            // What leaves all watched squares alone does not help.
            Alarm::Attacked => (Set::EMPTY, plain.and(watched)),
            Alarm::None => (self.unwatched, plain.and(watched)),
        };
        count += plain.and(safe).len() as u64;
        for to in doubtful.iter() {
            count += u64::from(self.is_legal(Move { from, to, index: 0 }));
        }
        if program.rest == program.end {
            return count;
        }
        let effects = &self.game.moves[program.base as usize..];
        self.sight.moves(from, program, me, |m, _| {
            let harmless = || match m.index.checked_sub(1) {
                None => true,
                Some(number) => effects[usize::from(number)].is_harmless(watched),
            };
            count += u64::from((safe.has(m.to) && harmless()) || self.is_legal(m));
        });
        count
    }

    #[inline(never)]
    fn is_legal(&self, m: Move) -> bool {
        self.state.is_legal(self.game, m, &self.danger)
    }

    /// The same where moves may be found several times.
    fn count_different(&self, from: Square, program: &Program) -> u64 {
        let me = self.state.side_to_move as u8 + 1;
        let mut moves = Vec::new();
        self.game.for_each_plain(program, from, self.sides, |m| moves.push(m));
        self.sight.moves(from, program, me, |found, again| {
            if again == Again::Never || !moves.contains(&found) {
                moves.push(found);
            }
        });
        moves.into_iter().filter(|&m| self.is_legal(m)).count() as u64
    }
}
