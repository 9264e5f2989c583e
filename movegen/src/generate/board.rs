//! What a [`Board`] asks of the generator.

use super::replies::count_replies;
use super::{AllMoves, CountMoves, ListMoves, Masks, VisitChildren, generate};
use crate::side_to_move::{SideToMove, for_side_to_move};
use crate::{Board, MoveList};

impl Board {
    /// How many legal moves there are, without listing them.
    pub fn count_moves(&self) -> u64 {
        for_side_to_move!(self.side_to_move(), Us => self.count_moves_of::<Us>())
    }

    /// Not inlined: one copy for all that count, half the instructions to load.
    #[inline(never)]
    pub(super) fn count_moves_of<Us: SideToMove>(&self) -> u64 {
        let mut count = CountMoves(0);
        generate::<Us, AllMoves, _>(self, &Masks::of(self, Us::COLOR), &mut count);
        count.0
    }

    /// Calls `visit` with the board after each legal move: the fastest way through the
    /// tree of moves, for those who need not know the moves themselves.
    ///
    /// ```
    /// use tamarin_movegen::{Board, Position};
    /// fn perft(board: &Board, depth: u32) -> u64 {
    ///     let mut n = 0;
    ///     board.for_each_child(|child| n += if depth == 1 { 1 } else { perft(child, depth - 1) });
    ///     n
    /// }
    /// assert_eq!(perft(Position::startpos().board(), 3), 8_902);
    /// ```
    pub fn for_each_child(&self, visit: impl FnMut(&Self)) {
        for_side_to_move!(self.side_to_move(), Us => self.for_each_child_of::<Us>(visit));
    }

    /// How many sequences of two legal moves there are: the sum of [`Self::count_moves`] over the
    /// boards after each move, most of which are counted by their difference to a pass.
    pub fn count_replies(&self) -> u64 {
        for_side_to_move!(self.side_to_move(), Us => count_replies::<Us>(self))
    }

    #[inline]
    pub(super) fn for_each_child_of<Us: SideToMove>(&self, visit: impl FnMut(&Self)) {
        let mut children = VisitChildren::<Us, _>::new(self, visit);
        generate::<Us, AllMoves, _>(self, &Masks::of(self, Us::COLOR), &mut children);
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let sink = &mut ListMoves::<AllMoves>::new(self, &mut list);
        for_side_to_move!(self.side_to_move(), Us => {
            generate::<Us, AllMoves, _>(self, &Masks::of(self, Us::COLOR), sink);
        });
        list
    }
}
