//! The sinks of the generator: counting moves, listing them, visiting the boards after them.

use core::marker::PhantomData;

use super::{GenerationType, Masks, Sink};
use crate::side_to_move::SideToMove;
use crate::{Bitboard, Board, Color, Move, MoveKind, MoveList, PieceKind, Square};

/// The origin of a pawn that moved to `to`.
pub(super) fn origin(to: Square, step: i8) -> Square {
    Square::from_masked((to as i8).wrapping_sub(step) as u8)
}

/// Counts moves.
pub(crate) struct CountMoves(pub(crate) u64);

impl Sink for CountMoves {
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

/// Appends moves to a list. `M` is the generation type: noisy moves of pieces are captures,
/// quiet ones go to empty squares, and of all moves the target decides.
pub(crate) struct ListMoves<'a, M> {
    list: &'a mut MoveList,
    enemies: Bitboard,
    generation_type: PhantomData<M>,
}

impl<'a, M: GenerationType> ListMoves<'a, M> {
    pub(crate) fn new(board: &Board, list: &'a mut MoveList) -> Self {
        Self { list, enemies: board.color(!board.side_to_move()), generation_type: PhantomData }
    }
}

impl<M: GenerationType> Sink for ListMoves<'_, M> {
    #[inline(always)]
    fn piece(&mut self, _kind: PieceKind, from: Square, targets: Bitboard) {
        if M::NOISY {
            for to in if M::QUIET { targets & self.enemies } else { targets } {
                self.list.push(Move::new(from, to, MoveKind::Capture));
            }
        }
        if M::QUIET {
            for to in if M::NOISY { targets - self.enemies } else { targets } {
                self.list.push(Move::new(from, to, MoveKind::Quiet));
            }
        }
    }

    /// Not inlined, so that one copy serves both sides: half the instruction cache misses of
    /// a search, 11 a node instead of 20 (callgrind).
    #[inline(never)]
    fn king_and_piece_moves<T: GenerationType>(
        &mut self,
        board: &Board,
        masks: &Masks,
        us: Color,
    ) -> Bitboard {
        super::king_and_piece_moves::<T, Self>(board, masks, us, self)
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        // Pushes never capture, diagonal steps always do.
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
pub(crate) struct VisitChildren<'a, Us, V> {
    board: &'a Board,
    visit: V,
    side: PhantomData<Us>,
}

impl<'a, Us: SideToMove, V: FnMut(&Board)> VisitChildren<'a, Us, V> {
    pub(crate) fn new(board: &'a Board, visit: V) -> Self {
        Self { board, visit, side: PhantomData }
    }
}

impl<Us: SideToMove, V: FnMut(&Board)> Sink for VisitChildren<'_, Us, V> {
    #[inline(always)]
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard) {
        for to in targets {
            (self.visit)(&self.board.after_move::<Us>(kind, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            let from = origin(to, step);
            (self.visit)(&self.board.after_move::<Us>(PieceKind::Pawn, from, to));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            (self.visit)(&self.board.after_double_push::<Us>(origin(to, step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: i8, targets: Bitboard) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                (self.visit)(&self.board.after_promotion::<Us>(origin(to, step), to, kind));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        (self.visit)(&self.board.after_en_passant::<Us>(from, to));
    }

    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square) {
        (self.visit)(&self.board.after_castling::<Us>(king, rook));
    }
}
