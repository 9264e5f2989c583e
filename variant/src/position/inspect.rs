//! Looking at positions from outside: pieces, moves of either side, what moves capture and change.

use super::hands::dropped;
use super::placement::{Placement, Playable};
use super::sight::{Again, Plain};
use super::{Outcome, Position, Reason};
use crate::ast::{Judged, Verdict};
use crate::board::{Code, Color, Move, Piece, Square, SquareSet};
use crate::game::{Game, sized};
use crate::instance::Act;
use crate::program::{Leaps, OpKind, Program};

/// What stands on a square: a piece, if any, and the bits of its flags.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Occupant {
    /// The piece; `None` on an empty square.
    pub piece: Option<Piece>,
    /// Its flags: bit `i` is the flag number `i`; bit 0 is `unmoved`.
    pub flags: u8,
}

/// How a move changed a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareChange {
    pub square: Square,
    /// What stood there before the move.
    pub before: Occupant,
    /// What stands there after it.
    pub after: Occupant,
}

impl Position {
    /// The piece on a square, by number.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.state.code(square).as_piece()
    }

    /// The piece on a square and its flags.
    #[inline]
    pub fn occupant(&self, square: Square) -> Occupant {
        Occupant { piece: self.piece_at(square), flags: self.state.flags(square) }
    }

    /// The squares of the pieces of a side.
    #[inline]
    pub fn side(&self, color: Color) -> SquareSet {
        self.state.placement().side(color)
    }

    /// The squares of the royal pieces of a side.
    #[inline]
    pub fn royals(&self, color: Color) -> SquareSet {
        self.state.placement().royals(color)
    }

    /// Replaces the contents of `moves` with the pseudo-legal moves of a side: those that break no
    /// rule but that of royal pieces.
    pub fn pseudo_legal_moves_into(&self, color: Color, moves: &mut Vec<Move>) {
        moves.clear();
        self.state.pseudo_legal(&self.game, color, moves);
    }

    /// The same without drops: only they may capture.
    pub fn pseudo_legal_board_moves_into(&self, color: Color, moves: &mut Vec<Move>) {
        moves.clear();
        self.state.placement().pseudo_legal(&self.game, color, moves);
    }

    /// Replaces the contents of `moves` with those pseudo-legal moves of the side to move, without
    /// drops, that go to a square of the opponent, or that create or shift other pieces: among them
    /// all captures and promotions.
    pub fn noisy_moves_into(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let mover = self.side_to_move();
        sized!(self.game, self.state.placement(), noisy(&self.game, mover, moves));
    }

    /// The piece of a move of this position, and its owner.
    #[inline]
    pub fn mover(&self, m: Move) -> Option<Piece> {
        self.state.moving(m).as_piece()
    }

    /// How many pieces of a kind a side holds in hand.
    pub fn hand_count(&self, color: Color, kind: u8) -> u8 {
        self.state.hands.count(&self.game, color, kind)
    }

    /// The kinds of pieces that a side holds in hand, each with how many, in the order of the file.
    pub fn hand(&self, color: Color) -> impl Iterator<Item = (u8, u8)> {
        self.state.hands.of(&self.game, color)
    }

    /// The position with `count` pieces of a kind in a side's hand, for setting up before anything
    /// is played. Kinds that cannot be held are left out.
    #[must_use]
    pub fn with_hand(mut self, color: Color, kind: u8, count: u8) -> Self {
        self.state.hold(&self.game, color, kind, count);
        self
    }

    /// How many pseudo-legal moves a side has, without drops.
    pub fn count_pseudo_legal_moves(&self, color: Color) -> u32 {
        sized!(self.game, self.state.placement(), count_pseudo_legal(&self.game, color))
    }

    /// Returns `true` if a move captures: on its target, or by an effect.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        let mut captures = false;
        self.for_each_captured(m, |_, _| captures = true);
        captures
    }

    /// Calls `found` with the square and the piece of everything that a move of this position
    /// captures, on its target or by effects.
    #[inline]
    pub fn for_each_captured(&self, m: Move, mut found: impl FnMut(Square, Piece)) {
        let placement = self.state.placement();
        placement.for_each_captured(&self.game, m, self.side_to_move(), &mut found);
    }

    /// Returns `true` if a move does more than go to its target.
    #[inline]
    pub fn has_effects(&self, m: Move) -> bool {
        m.index != 0
    }

    /// Calls `found` with the square and the number of every piece that a move creates.
    #[inline]
    pub fn for_each_created(&self, m: Move, mut found: impl FnMut(Square, u8)) {
        let Some(info) = self.game.effects(self.state.moving(m), m) else { return };
        for &act in self.game.acts(info) {
            if let Act::Put(Some(kind), square) = act {
                found(square, kind);
            }
        }
    }

    /// Passes: the other side is to move, and the flags that live for one move go away. Taken back
    /// by [`unmake`](Self::unmake), which then returns nothing. No position before it counts as
    /// repeated after it.
    pub fn make_null(&mut self) {
        self.state.make_null(&self.game);
    }

    /// Calls `found` with every square that the last move changed.
    #[inline]
    pub fn for_each_change(&self, mut found: impl FnMut(SquareChange)) {
        self.state.for_each_change(|square, code, flags| {
            let before = Occupant { piece: code.as_piece(), flags };
            found(SquareChange { square, before, after: self.occupant(square) });
        });
    }

    /// Calls `found` with the owner and the kind of every piece whose number in a hand the last move
    /// changed, and how many there were before it.
    #[inline]
    pub fn for_each_hand_change(&self, found: impl FnMut(Color, u8, u8)) {
        self.state.for_each_hand_change(found);
    }

    /// The end of the game by repetition or by moves without progress; checkmate and stalemate
    /// come first and have to be ruled out by the caller.
    pub fn rule_outcome(&self) -> Option<Outcome> {
        self.rule_outcome_within(0)
    }

    /// The same where repetition draws and a position that has occurred within the last `plies` plies
    /// counts as repeated often enough: in a search, who can repeat once can do it again.
    pub fn rule_outcome_within(&self, plies: usize) -> Option<Outcome> {
        let rules = self.game.rules;
        let (times, repeated, _) = rules.repetition;
        let (moves, drawn) = rules.move_limit;
        if times > 0 {
            let soon = |before| repeated == Verdict::Draw && before <= plies;
            let mut count = 1;
            for before in self.earlier_occurrences() {
                count += 1;
                if count >= times || soon(before) {
                    let perpetual = self.perpetual_check(before);
                    return perpetual.or_else(|| Some(self.repetition()));
                }
            }
            if count >= times {
                return Some(self.repetition());
            }
        }
        let over = moves > 0 && self.halfmoves() >= moves * 2;
        over.then(|| self.verdict(Reason::MoveLimit, drawn))
    }

    /// The end by repetition.
    fn repetition(&self) -> Outcome {
        let (_, verdict, judged) = self.game.rules.repetition;
        let side = match judged {
            Judged::Mover => self.side_to_move(),
            Judged::First => Color::White,
            Judged::Second => Color::Black,
        };
        let winner = self.state.winner(&self.game, verdict, side);
        Outcome { reason: Reason::Repetition, winner }
    }

    /// The end by perpetual check, now that the position of so many plies before is there again: the
    /// side loses that alone has given check with each of its moves since then, if the rules say so.
    fn perpetual_check(&self, plies: usize) -> Option<Outcome> {
        if self.game.rules.perpetual == Verdict::Draw {
            return None;
        }
        let mut earlier = self.clone();
        // Of the side to move and of its opponent: whether it was in check at each of its turns.
        let mut checked = [true; 2];
        for ply in 0..plies {
            checked[ply % 2] &= earlier.in_check();
            if checked == [false; 2] {
                return None;
            }
            earlier.unmake();
        }
        let winner = match checked {
            [true, false] => self.side_to_move(),
            [false, true] => self.side_to_move().other(),
            _ => return None,
        };
        Some(Outcome { reason: Reason::PerpetualCheck, winner: Some(winner) })
    }

    /// How the game has ended if the side to move has no legal move.
    pub fn outcome_without_moves(&self) -> Outcome {
        if let Some(outcome) = self.decided() {
            return outcome;
        }
        match self.in_check() {
            true => self.verdict(Reason::Checkmate, self.game.rules.checkmate),
            false => self.verdict(Reason::Stalemate, self.game.rules.stalemate),
        }
    }

    fn verdict(&self, reason: Reason, verdict: Verdict) -> Outcome {
        let winner = self.state.winner(&self.game, verdict, self.side_to_move());
        Outcome { reason, winner }
    }
}

impl Placement {
    /// Calls `found` with everything that a move captures; `side` is whose move it is if that is a
    /// drop.
    #[inline]
    pub(super) fn for_each_captured(
        &self,
        game: &Game,
        m: Move,
        side: Color,
        found: &mut impl FnMut(Square, Piece),
    ) {
        let code = dropped(m, side).unwrap_or_else(|| self.code(m.from));
        let mover = code.color();
        let mut look = |square: Square| match self.code(square).as_piece() {
            Some(piece) if Some(piece.color) != mover => found(square, piece),
            _ => {}
        };
        if m.from != m.to {
            look(m.to);
        }
        let Some(info) = game.effects(code, m) else { return };
        // A piece that an effect has moved away is not captured where it stood.
        let mut left = SquareSet::EMPTY;
        for &act in game.acts(info) {
            if let Act::Shift(source, _) = act {
                left.insert(source);
            }
            match act {
                Act::Put(_, square) | Act::Shift(_, square)
                    if square != m.to && !left.has(square) =>
                {
                    look(square);
                }
                _ => {}
            }
        }
    }

    /// Adds the moves of `mover` that go to a square of the opponent, or create or shift others.
    fn noisy<const W: usize>(&self, game: &Game, mover: Color, out: &mut Vec<Move>) {
        let me = mover as u8 + 1;
        let (own, theirs) = self.sides::<W>(mover);
        let sight = Plain::<W>::new(game, self);
        for from in own.iter() {
            let program = game.program(self.code(from), from);
            let first = out.len();
            let Leaps { free, capture, .. } = &program.leaps;
            let leaps = free.first::<W>().or(capture.first()).and(theirs);
            out.extend(leaps.iter().map(|to| Move { from, to, index: 0 }));
            for ray in game.rays(program) {
                let captures = ray.reach(own.or(theirs)).and(theirs);
                out.extend(captures.iter().map(|to| Move { from, to, index: 0 }));
            }
            sight.moves(from, program, me, |found, again| {
                let noisy = theirs.has(found.to) || game.changes_others(program, found);
                if noisy && (again == Again::Never || !out[first..].contains(&found)) {
                    out.push(found);
                }
            });
        }
    }

    /// How many pseudo-legal moves `mover` has.
    fn count_pseudo_legal<const W: usize>(&self, game: &Game, mover: Color) -> u32 {
        let me = mover as u8 + 1;
        let (own, theirs) = self.sides::<W>(mover);
        let sight = Plain::<W>::new(game, self);
        let mut count = 0;
        let mut found: Vec<Move> = Vec::new();
        for from in own.iter() {
            let program = game.program(self.code(from), from);
            let plain = game.plain_targets(program, own, theirs);
            count += plain.len() as u32;
            if program.repeats {
                found.clear();
                found.extend(plain.iter().map(|to| Move { from, to, index: 0 }));
                let first = found.len();
                sight.moves(from, program, me, |m, again| {
                    if again == Again::Never || !found.contains(&m) {
                        found.push(m);
                    }
                });
                count += (found.len() - first) as u32;
            } else {
                sight.moves(from, program, me, |_, _| count += 1);
            }
        }
        count
    }
}

impl Game {
    /// Whether a move of a program creates, removes or shifts pieces.
    #[inline]
    fn changes_others(&self, program: &Program, m: Move) -> bool {
        let Some(number) = m.index.checked_sub(1) else { return false };
        let info = &self.moves[program.base as usize + usize::from(number)];
        self.acts(info).iter().any(|act| matches!(act, Act::Put(..) | Act::Shift(..)))
    }

    /// A bound of the number of moves that a piece has from any square.
    pub fn most_moves(&self, kind: u8) -> usize {
        let squares = self.squares();
        let first = usize::from(kind) * 2 * squares;
        let programs = self.programs[first..first + 2 * squares].iter();
        let moves = |program: &Program| {
            let Leaps { free, quiet, capture } = program.leaps;
            let ops = &self.ops[program.start as usize..program.end as usize];
            let emits = ops.iter().filter(|op| !matches!(op.kind, OpKind::Test(_))).count();
            free.or(quiet).or(capture).len() + emits
        };
        programs.map(moves).max().unwrap_or(0)
    }
}

/// A board that pieces are put on at will, to see how a piece moves outside of games. Royal pieces
/// may be in danger or missing, and conditions about attacked squares fail.
#[derive(Clone, Copy, Debug)]
pub struct SetupBoard<'a> {
    game: &'a Game,
    placement: Placement,
}

impl<'a> SetupBoard<'a> {
    /// An empty board.
    pub fn empty(game: &'a Game) -> Self {
        Self { game, placement: Placement::EMPTY }
    }

    /// The board of a position.
    pub fn of(position: &'a Position) -> Self {
        Self { game: &position.game, placement: *position.state.placement() }
    }

    /// Puts a piece with flags on a square, whatever stood there.
    pub fn put(&mut self, square: Square, piece: Piece, flags: u8) {
        let code = Code::new(piece.color, usize::from(piece.kind));
        self.placement.put(self.game, square, code, flags);
    }

    /// Puts something on a square that belongs to a side, can be captured and jumped over, but is
    /// no piece of the game.
    pub fn put_obstacle(&mut self, square: Square, color: Color) {
        self.placement.put(self.game, square, Code::new(color, Piece::OBSTACLE.into()), 0);
    }

    /// Empties a square.
    pub fn clear(&mut self, square: Square) {
        self.placement.put(self.game, square, Code::EMPTY, 0);
    }

    /// What stands on a square; an obstacle has the number [`Piece::OBSTACLE`].
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.placement.code(square).as_piece()
    }

    /// The flags of the piece on a square.
    pub fn flags(&self, square: Square) -> u8 {
        self.placement.flags(square)
    }

    /// The squares of the pieces of a side.
    pub fn side(&self, color: Color) -> SquareSet {
        self.placement.side(color)
    }

    /// Replaces the contents of `moves` with the moves of the piece on a square.
    pub fn moves_from(&self, square: Square, moves: &mut Vec<Move>) {
        moves.clear();
        let code = self.placement.code(square);
        if let Some(color) = code.color()
            && code.piece() != usize::from(Piece::OBSTACLE)
        {
            self.placement.moves_of_one(self.game, color, square, moves);
        }
    }

    /// Plays a move that [`moves_from`](Self::moves_from) gave.
    pub fn play(&mut self, m: Move) {
        if let Some(color) = self.placement.code(m.from).color() {
            self.placement.play(self.game, m, color);
        }
    }

    /// Squares of the board.
    pub fn squares(&self) -> usize {
        self.game.squares()
    }

    /// Returns `true` if a move does more than go to its target.
    pub fn has_effects(&self, m: Move) -> bool {
        m.index != 0
    }

    /// The squares of what a move captures, on its target or by effects.
    pub fn captured(&self, m: Move) -> SquareSet {
        let mut squares = SquareSet::EMPTY;
        let found = &mut |square, _| squares.insert(square);
        self.placement.for_each_captured(self.game, m, Color::White, found);
        squares
    }
}
