//! Quiet history (butterfly history): how good a quiet move was, whatever came before it.

use bytemuck::Zeroable;
use tamarin_base::params::QUIET_HISTORY_LIMIT;
use tamarin_movegen::{Bitboard, Color, Move};

use super::counter::Bounded;

type Counter = Bounded<QUIET_HISTORY_LIMIT>;

/// The counters of one side: `[from threatened, to threatened][from, to]`.
#[derive(Zeroable)]
pub(crate) struct ColorHistory([[Counter; 4096]; 4]);

impl ColorHistory {
    /// The index of a move's origin and target, and whether the opponent attacks them.
    #[inline]
    fn indices(mv: Move, threats: Bitboard) -> (usize, usize) {
        let (from, to) = (mv.from(), mv.to());
        let threatened = usize::from(threats.has(from)) * 2 + usize::from(threats.has(to));
        (threatened, from.index() * 64 + to.index())
    }

    /// The value of a quiet move, within plus and minus [`QUIET_HISTORY_LIMIT`]; `threats` are the opponent's attacks.
    #[inline]
    pub fn value(&self, threats: Bitboard, mv: Move) -> i32 {
        let (threatened, squares) = Self::indices(mv, threats);
        self.0[threatened & 3][squares & 4095].value()
    }

    /// Adds a bonus, or a malus if it is negative.
    #[inline]
    pub fn update(&self, threats: Bitboard, mv: Move, bonus: i32) {
        let (threatened, squares) = Self::indices(mv, threats);
        self.0[threatened & 3][squares & 4095].update(bonus);
    }
}

/// The counters of both sides.
#[derive(Zeroable)]
pub(crate) struct QuietHistory([ColorHistory; 2]);

impl QuietHistory {
    /// The counters of the moves of `color`.
    pub fn of(&self, color: Color) -> &ColorHistory {
        &self.0[color.index()]
    }

    /// All counters, always in the same order.
    pub fn counters(&self) -> impl Iterator<Item = &Counter> {
        self.0.iter().flat_map(|color| color.0.as_flattened())
    }
}
