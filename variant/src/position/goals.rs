//! How a game is won or lost while pieces can move: goals, counted checks, extinction; and what
//! explosions remove.

use std::cmp::Ordering;

use super::placement::{Placement, Playable};
use super::state::State;
use super::{Outcome, Position, Reason};
use crate::ast::{Checks, Verdict};
use crate::board::{Code, Color, Move, Piece, Square, SquareSet};
use crate::definition::{Goal, Kinds};
use crate::game::{Game, sized};

impl Position {
    /// How the game has ended by a goal, counted checks or extinction, if it has: no move is legal
    /// then.
    #[inline]
    pub fn decided(&self) -> Option<Outcome> {
        self.state.decided(&self.game)
    }

    /// Returns `true` if the side to move is not free to do as it likes: it is in check, has to
    /// capture, or its opponent could win with the next move, by a goal or by an explosion next to a
    /// royal piece.
    #[inline]
    pub fn is_pressed(&self) -> bool {
        let game = &*self.game;
        let special = game.has_goals || game.has_filters;
        self.in_check() || (special && self.is_pressed_by_rules(game))
    }

    fn is_pressed_by_rules(&self, game: &Game) -> bool {
        self.state.must_capture(game)
            || sized!(game, self.state.placement(), is_threatened(game, self.side_to_move()))
    }

    /// How many checks a side has given; 0 where the game does not count them.
    pub fn checks(&self, color: Color) -> u8 {
        self.state.checks[color.index()]
    }

    /// How many checks a side has still to give to win; `None` where the game does not count them.
    pub fn checks_to_win(&self, color: Color) -> Option<u8> {
        let Checks::Counted(limit) = self.game.rules.checks else { return None };
        Some(limit.saturating_sub(self.checks(color)))
    }

    /// The position with so many checks given by a side, for setting up before anything is played.
    #[must_use]
    pub fn with_checks(mut self, color: Color, count: u8) -> Self {
        self.state.count_checks(&self.game, color, count);
        self
    }

    /// Calls `found` with the square and the piece of everything that a capture of this position
    /// removes beside what it captures, the piece that captures too.
    pub fn for_each_exploded(&self, m: Move, mut found: impl FnMut(Square, Piece)) {
        let placement = self.state.placement();
        if self.game.rules.explosion.is_none() || !placement.captures(&self.game, m) {
            return;
        }
        let captured = placement.code(m.to).as_piece();
        let mut after = *placement;
        after.play(&self.game, m, self.side_to_move());
        for square in self.game.explosions[usize::from(m.to)].iter() {
            let gone =
                |&piece: &Piece| square != m.from && after.code(square).as_piece() != Some(piece);
            if let Some(piece) = placement.code(square).as_piece().filter(gone)
                && (square != m.to || Some(piece) != captured)
            {
                found(square, piece);
            }
        }
        if let Some(mover) = placement.code(m.from).as_piece() {
            found(m.to, mover);
        }
    }
}

impl State {
    /// How the game has ended while pieces can move, if it has.
    #[inline]
    pub(super) fn decided(&self, game: &Game) -> Option<Outcome> {
        if game.has_goals { self.decided_by_rules(game) } else { None }
    }

    fn decided_by_rules(&self, game: &Game) -> Option<Outcome> {
        let rules = &game.rules;
        let sides = [self.side_to_move.other(), self.side_to_move];
        if let Checks::Counted(limit) = rules.checks {
            let winner = sides.into_iter().find(|side| self.checks[side.index()] >= limit);
            if winner.is_some() {
                return Some(Outcome { reason: Reason::Checks, winner });
            }
        }
        if let Some((verdict, kinds)) = rules.extinction
            && let Some(side) = sides.into_iter().rev().find(|&side| self.lacks(game, side, kinds))
        {
            let winner = self.winner(game, verdict, side);
            return Some(Outcome { reason: Reason::Extinction, winner });
        }
        if let Some(outcome) = self.ended_by_passes(game) {
            return Some(outcome);
        }
        let goal = rules.goal.as_ref()?;
        let reached = |&side: &Color| self.placement().has_reached(goal, side);
        let reason = Reason::Goal;
        if !goal.last {
            let winner = sides.into_iter().find(|side| reached(side))?;
            return Some(Outcome { reason, winner: Some(winner) });
        }
        let winner = match [Color::White, Color::Black].map(|side| reached(&side)) {
            [false, false] => return None,
            [true, true] => None,
            [false, true] => Some(Color::Black),
            [true, false] if self.can_reach(game, goal) => return None,
            [true, false] => Some(Color::White),
        };
        Some(Outcome { reason, winner })
    }

    /// Who wins if a side gets this; who has more points if they are counted.
    pub(super) fn winner(&self, game: &Game, verdict: Verdict, side: Color) -> Option<Color> {
        match verdict {
            Verdict::Win => Some(side),
            Verdict::Loss => Some(side.other()),
            Verdict::Draw => None,
            Verdict::Points => {
                let (points, second) = &game.points;
                let value = |kind: usize| points.get(kind).copied().map_or(0, u32::from);
                let [white, black] = Color::ALL.map(|color| {
                    let board = self.placement().side(color);
                    let board = board.iter().map(|square| value(self.code(square).piece()));
                    let hand = self.hands.of(game, color);
                    let hand = hand.map(|(kind, count)| value(kind.into()) * u32::from(count));
                    board.chain(hand).sum::<u32>()
                });
                match white.cmp(&(black + u32::from(*second))) {
                    Ordering::Greater => Some(Color::White),
                    Ordering::Equal => None,
                    Ordering::Less => Some(Color::Black),
                }
            }
        }
    }

    /// The end by passes: one while royal pieces face each other, or as many as the rules say.
    fn ended_by_passes(&self, game: &Game) -> Option<Outcome> {
        // Passes leave the board as it is: what passed is what stands there now.
        let passes = |m: &Option<Move>| m.is_some_and(|m| self.placement().passes(game, m));
        let moves = self.undos.iter().rev().map(|undo| undo.played);
        let passes = moves.take_while(passes).count() as u32;
        let (limit, counted) = game.rules.passes;
        let (reason, verdict) = match game.rules.facing {
            _ if passes == 0 => return None,
            Some(verdict) if self.placement().faces(game) => (Reason::Facing, verdict),
            _ if limit > 0 && passes >= limit => (Reason::Passes, counted),
            _ => return None,
        };
        Some(Outcome { reason, winner: self.winner(game, verdict, self.side_to_move) })
    }

    /// Whether a side has no piece of one of these kinds left; no piece at all if they are none.
    fn lacks(&self, game: &Game, side: Color, kinds: Kinds) -> bool {
        let own = self.placement().side(side);
        let mut held = self.hands.of(game, side);
        if kinds.is_empty() {
            return own.is_empty() && held.next().is_none();
        }
        let mut left: u64 = held.fold(0, |set, (kind, _)| set | 1 << kind);
        for square in own.iter() {
            left |= 1 << self.code(square).piece();
        }
        kinds.iter().any(|kind| left >> kind & 1 == 0)
    }

    /// Whether the side that moves second has a move that reaches the goal.
    fn can_reach(&self, game: &Game, goal: &Goal) -> bool {
        if self.side_to_move == Color::White {
            return false;
        }
        let danger = self.danger_within(game);
        let mut moves = Vec::new();
        self.pseudo_legal(game, Color::Black, &mut moves);
        moves.into_iter().any(|m| {
            let mut after = *self.placement();
            self.is_legal(game, m, &danger) && {
                after.play(game, m, Color::Black);
                after.has_reached(goal, Color::Black)
            }
        })
    }
}

impl Placement {
    /// Whether the opponent of a side could win with its next move, had it to move: by a goal, or by
    /// an explosion next to a royal piece.
    fn is_threatened<const W: usize>(&self, game: &Game, side: Color) -> bool {
        let by = side.other();
        let could_go = |goal: &Goal, to: Square| {
            let mut attackers = self.attackers::<W>(game, to, by);
            self.code(to).color() != Some(by)
                && attackers.any(|(from, attack)| {
                    let code = self.code(from);
                    let royal = game.royal[usize::from(code.0)];
                    goal.kinds.has(code.piece())
                        && self.is_open::<W>(game, attack, by)
                        && !(royal && self.is_attacked::<W>(game, to, side))
                })
        };
        let goal = game.rules.goal.as_ref();
        goal.is_some_and(|goal| goal.squares[by.index()].iter().any(|to| could_go(goal, to)))
            || game.has_explosions()
                && self.royals(side).iter().any(|royal| {
                    let mut near = game.explosions[usize::from(royal)].and(self.side(side)).iter();
                    near.any(|to| to != royal && self.is_attacked::<W>(game, to, by))
                })
    }

    /// Whether royal pieces of both sides stand on one column with nothing between them.
    pub(super) fn faces(&self, game: &Game) -> bool {
        let columns = game.columns;
        let open = |a: Square, b: Square| {
            let mut between = (a.min(b)..a.max(b)).step_by(usize::from(columns)).skip(1);
            a % columns == b % columns && !between.any(|square| self.code(square) != Code::EMPTY)
        };
        let [white, black] = Color::ALL.map(|color| self.royals(color));
        white.iter().any(|a| black.iter().any(|b| open(a, b)))
    }

    /// Whether a move changes nothing but whose turn it is.
    pub(super) fn passes(&self, game: &Game, m: Move) -> bool {
        let acts = |m: Move| game.effects(self.code(m.from), m).map_or(&[][..], |i| game.acts(i));
        m.origin() == Some(m.to) && acts(m).is_empty()
    }

    fn has_reached(&self, goal: &Goal, side: Color) -> bool {
        let there = goal.squares[side.index()].and(self.side(side));
        there.iter().any(|square| goal.kinds.has(self.code(square).piece()))
    }

    /// Returns `true` if a move captures: on its target, or by an effect.
    pub(super) fn captures(&self, game: &Game, m: Move) -> bool {
        let mut captures = false;
        // A drop captures nothing.
        if let Some(mover) = m.origin().and_then(|from| self.code(from).color()) {
            self.for_each_captured(game, m, mover, &mut |_, _| captures = true);
        }
        captures
    }

    /// Whether a capture on a square does not also remove the last royal pieces of the side `by`,
    /// whose piece comes from `from`: explosions may.
    #[inline]
    pub(super) fn survives(&self, game: &Game, from: Square, to: Square, by: Color) -> bool {
        let Some(spared) = game.rules.explosion else { return true };
        let royals = self.royals(by);
        let stays = |square: Square| {
            let is_spared = spared.has(self.code(square).piece());
            square != from && (is_spared || !game.explosions[usize::from(to)].has(square))
        };
        royals.is_empty() || royals.iter().any(stays)
    }
}

/// For each square of a board those that an explosion on it reaches: itself and those next to it.
pub(crate) fn explosions(rows: u8, columns: u8) -> Vec<SquareSet> {
    let squares = 0..rows * columns;
    let near = |a: Square, b: Square| {
        (a / columns).abs_diff(b / columns) <= 1 && (a % columns).abs_diff(b % columns) <= 1
    };
    squares.clone().map(|at| squares.clone().filter(|&other| near(at, other)).collect()).collect()
}
