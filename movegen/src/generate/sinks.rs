//! What can be done with generated moves: count them, list them, play them.

use core::marker::PhantomData;

use super::{Masks, Selection, Sink};
use crate::side::Side;
use crate::{Bitboard, Board, Color, Move, MoveKind, MoveList, PieceKind, Square};

/// Where a pawn came from that stepped to `to`.
#[inline]
fn origin(to: Square, step: i8) -> Square {
    Square::from_masked((to as i8).wrapping_sub(step) as u8)
}

/// Counts moves.
pub(crate) struct Count(pub(crate) u64);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _kind: PieceKind, _from: Square, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, _step: i8, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn double_pushes(&mut self, _step: i8, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, _step: i8, targets: Bitboard) {
        self.0 += u64::from(targets.len()) * 4;
    }

    #[inline(always)]
    fn en_passant(&mut self, _from: Square, _to: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castle(&mut self, _king: Square, _rook: Square) {
        self.0 += 1;
    }
}

/// Appends moves of the selection `W` to a list.
pub(crate) struct ListMoves<'a, W> {
    list: &'a mut MoveList,
    enemies: Bitboard,
    wanted: PhantomData<W>,
}

impl<'a, W: Selection> ListMoves<'a, W> {
    #[inline]
    pub(crate) fn new(board: &Board, list: &'a mut MoveList) -> Self {
        Self { list, enemies: board.color(!board.side_to_move()), wanted: PhantomData }
    }
}

impl<W: Selection> Sink for ListMoves<'_, W> {
    #[inline(always)]
    fn piece(&mut self, _kind: PieceKind, from: Square, targets: Bitboard) {
        if W::NOISY {
            for to in if W::QUIET { targets & self.enemies } else { targets } {
                self.list.push(Move::new(from, to, MoveKind::Capture));
            }
        }
        if W::QUIET {
            for to in if W::NOISY { targets - self.enemies } else { targets } {
                self.list.push(Move::new(from, to, MoveKind::Quiet));
            }
        }
    }

    /// Not inlined: one copy serves both sides, and what a search does next finds more of
    /// its code in the cache.
    #[inline(never)]
    fn king_and_piece_moves<M: Selection>(
        &mut self,
        board: &Board,
        masks: &Masks,
        us: Color,
    ) -> Option<Bitboard> {
        super::king_and_piece_moves::<M, Self>(board, masks, us, self)
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        // Steps ahead never capture, the others always do.
        let kind = if step & 7 == 0 { MoveKind::Quiet } else { MoveKind::Capture };
        for to in targets {
            self.list.push(Move::new(origin(to, step), to, kind));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            self.list.push(Move::new(origin(to, step), to, MoveKind::DoublePush));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let capture = self.enemies.has(to);
            for kind in PieceKind::PROMOTIONS {
                self.list.push(Move::new(origin(to, step), to, MoveKind::promotion(kind, capture)));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.list.push(Move::new(from, to, MoveKind::EnPassant));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        self.list.push(Move::new(king, rook, MoveKind::Castle));
    }
}

/// Plays each move on a copy of the board and shows the result to a visitor.
pub(crate) struct Children<'a, S, V> {
    board: &'a Board,
    visit: V,
    side: PhantomData<S>,
}

impl<'a, S: Side, V: FnMut(&Board)> Children<'a, S, V> {
    pub(crate) fn new(board: &'a Board, visit: V) -> Self {
        Self { board, visit, side: PhantomData }
    }
}

impl<S: Side, V: FnMut(&Board)> Sink for Children<'_, S, V> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            (self.visit)(&self.board.after_move::<S>(kind, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let from = origin(to, step);
            (self.visit)(&self.board.after_move::<S>(PieceKind::Pawn, from, to));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            (self.visit)(&self.board.after_double_push::<S>(origin(to, step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                (self.visit)(&self.board.after_promotion::<S>(origin(to, step), to, kind));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        (self.visit)(&self.board.after_en_passant::<S>(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        (self.visit)(&self.board.after_castling::<S>(king, rook));
    }
}
