//! Static exchange evaluation (SEE): captures on one square, by the attacks that were compiled.

use super::Position;
use super::hands::dropped;
use super::placement::{Placement, Playable};
use super::sight::{Sight, opens};
use crate::board::{Code, Color, Move, Set, Square};
use crate::game::{Game, sized};
use crate::requirement::Test;

impl Position {
    /// Whether the side to move has not lost by a pseudo-legal move when all captures on its target
    /// are over. `balance` is what it is ahead by right after the move, in the unit of `values`: what
    /// a piece of each kind costs when it is captured, 0 for royal ones.
    ///
    /// Both sides go on capturing, each time with the least valuable piece that attacks the square
    /// then, or stop if that is better for them; royal pieces capture last, and only what is not
    /// defended. Pins, promotions by recaptures and everything that captures do beside the square
    /// are left out.
    ///
    /// Source: <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>.
    #[inline]
    pub fn holds_exchange(&self, m: Move, values: &[i32], balance: i32) -> bool {
        if balance < 0 {
            return false;
        }
        let (game, placement, mover) = (&*self.game, self.state.placement(), self.side_to_move());
        // Where captures explode nothing stands there any more.
        if game.has_explosions() && placement.captures(game, m) {
            return true;
        }
        if m.has_effects() {
            let mut after = *placement;
            after.play(game, m, mover);
            let arrived = after.code(m.to);
            return sized!(game, after, exchange(game, (m, arrived), mover, values, balance));
        }
        let arrived = dropped(m, mover).unwrap_or_else(|| placement.code(m.from));
        sized!(game, placement, exchange(game, (m, arrived), mover, values, balance))
    }
}

impl Placement {
    /// Whether `mover` holds its balance after a move, the board being the one before it or after it.
    fn exchange<const W: usize>(
        &self,
        game: &Game,
        (m, arrived): (Move, Code),
        mover: Color,
        values: &[i32],
        balance: i32,
    ) -> bool {
        let value = |code: Code| values.get(code.piece()).copied().unwrap_or(0);
        let mut balance = balance - if arrived == Code::EMPTY { 0 } else { value(arrived) };
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied().first::<W>();
        if !m.has_effects() {
            occupied.remove(m.from);
        }
        occupied.insert(m.to);
        let mut exchange =
            Exchange { game, placement: self, values, square: m.to, standing: arrived, occupied };
        let mut side = mover.other();
        while let Some((from, code)) = exchange.least_valuable_attacker(side) {
            exchange.occupied.remove(from);
            exchange.standing = code;
            side = side.other();
            // The balance of the side that has captured, if its piece is captured in turn.
            balance = -balance - 1 - value(code);
            if balance >= 0 {
                // A royal piece may not capture what is defended: its side had to stop instead.
                let royal = game.royal[usize::from(code.0)];
                if royal && exchange.least_valuable_attacker(side).is_some() {
                    side = side.other();
                }
                break;
            }
        }
        // `side` cannot capture, or does not gain by it.
        side != mover
    }
}

/// An exchange on a square under way.
struct Exchange<'a, const W: usize> {
    game: &'a Game,
    placement: &'a Placement,
    values: &'a [i32],
    square: Square,
    /// What has captured there last.
    standing: Code,
    /// Where pieces stand: without those that have captured, but with the square.
    occupied: Set<W>,
}

impl<const W: usize> Exchange<'_, W> {
    /// Where it stands, and what it is; royal pieces come last.
    fn least_valuable_attacker(&self, side: Color) -> Option<(Square, Code)> {
        let &Self { game, placement, square, occupied, .. } = self;
        let places = game.attackers[side.index()][usize::from(square)].first::<W>();
        let places = places.and(placement.side(side).first()).and(occupied);
        let mut least = (i32::MAX, None);
        for from in places.iter().filter(|&from| from != square) {
            let code = placement.code(from);
            let value = match game.royal[usize::from(code.0)] {
                true => i32::MAX - 1,
                false => self.values.get(code.piece()).copied().unwrap_or(0),
            };
            if value < least.0
                && let Some(attack) = game.attack(code, from, square)
                && opens(self, game, attack, occupied, side)
            {
                least = (value, Some((from, code)));
            }
        }
        least.1
    }
}

impl<const W: usize> Sight for Exchange<'_, W> {
    #[inline]
    fn code(&self, square: Square) -> Code {
        match square {
            _ if square == self.square => self.standing,
            _ if self.occupied.has(square) => self.placement.code(square),
            _ => Code::EMPTY,
        }
    }

    #[inline]
    fn flags(&self, square: Square) -> u8 {
        let stays = square != self.square && self.occupied.has(square);
        if stays { self.placement.flags(square) & !self.game.transient } else { 0 }
    }

    fn attacked(&self, _: Square, _: u8) -> Option<bool> {
        None
    }

    fn group(&self, number: u16) -> &[Test] {
        &self.game.groups[usize::from(number)]
    }
}
