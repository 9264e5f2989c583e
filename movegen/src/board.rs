//! [`Board`]: everything that decides which moves are legal, and the board after each move.

use crate::castling::{castling_targets, home_rank, lost_castling_rights};
use crate::side_to_move::{SideToMove, for_side_to_move};
use crate::{
    Bitboard, Color, Move, MoveKind, PerSquare, Piece, PieceKind, Square, bishop_attacks,
    king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};

/// Pieces, side to move, castling rights and en-passant square.
///
/// A small value to copy: no keys, no clocks, no history. Perft works on it; games and
/// searches use [`crate::Position`], which contains one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// `[kind]`, both colors.
    kinds: [Bitboard; 6],
    /// `[color]`, all kinds.
    colors: [Bitboard; 2],
    /// The rooks that may still castle, of both colors.
    castling: Bitboard,
    /// Set only when a legal capture en passant exists.
    en_passant: Option<Square>,
    side_to_move: Color,
}

impl Board {
    /// A board of these parts, unchecked, except that an en-passant square without a legal
    /// capture is dropped.
    pub(crate) fn from_parts(
        pieces: &PerSquare<Option<Piece>>,
        side_to_move: Color,
        castling: Bitboard,
        en_passant: Option<Square>,
    ) -> Self {
        let mut board = Self {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            castling,
            en_passant: None,
            side_to_move,
        };
        for square in Square::ALL {
            if let Some(piece) = pieces[square] {
                board.toggle(piece.color(), piece.kind(), square.bitboard());
            }
        }
        board.en_passant = en_passant.filter(
            |&target| for_side_to_move!(side_to_move, Us => board.can_capture_en_passant::<Us>(target)),
        );
        board
    }

    /// The side whose turn it is.
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The pieces of one kind, of both colors.
    pub const fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// The pieces of one color.
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The pieces of one color and kind.
    pub const fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        Bitboard(self.kinds[kind as usize].0 & self.colors[color as usize].0)
    }

    /// Bishops and queens of one color.
    #[inline]
    pub const fn diagonal_sliders(&self, color: Color) -> Bitboard {
        let both = self.pieces(PieceKind::Bishop).0 | self.pieces(PieceKind::Queen).0;
        Bitboard(both & self.colors[color as usize].0)
    }

    /// Rooks and queens of one color.
    #[inline]
    pub const fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        let both = self.pieces(PieceKind::Rook).0 | self.pieces(PieceKind::Queen).0;
        Bitboard(both & self.colors[color as usize].0)
    }

    /// Every square with a piece on it.
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// The piece on a square. [`crate::Position::piece_at`] is faster.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.colors[0].has(square) {
            Color::White
        } else if self.colors[1].has(square) {
            Color::Black
        } else {
            return None;
        };
        let kind = PieceKind::ALL.into_iter().find(|&kind| self.pieces(kind).has(square))?;
        Some(Piece::new(color, kind))
    }

    /// Where the king of a side stands.
    pub const fn king(&self, color: Color) -> Square {
        self.of(color, PieceKind::King).lowest()
    }

    /// The squares of the rooks that may still castle, of both sides. A rook on a higher
    /// file than its king castles king-side.
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The en-passant square, behind a pawn that has just made a double push; only if a legal
    /// en-passant capture exists.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let us = self.side_to_move;
        self.attackers_to(self.king(us), self.occupied()) & self.color(!us)
    }

    /// The pieces of both colors that attack `square`, sliders seeing up to the first of the
    /// `occupied` squares.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        (pawn_attacks(Color::Black, square) & pawns & self.colors[0])
            | (pawn_attacks(Color::White, square) & pawns & self.colors[1])
            | (knight_attacks(square) & knights)
            | (king_attacks(square) & kings)
            | (bishop_attacks(square, occupied) & (bishops | queens))
            | (rook_attacks(square, occupied) & (rooks | queens))
    }

    /// The board after a legal move.
    pub fn play(&self, mv: Move) -> Self {
        for_side_to_move!(self.side_to_move, Us => self.play_of::<Us>(mv))
    }

    fn play_of<Us: SideToMove>(&self, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        match (mv.kind(), mv.promotion()) {
            (_, Some(kind)) => self.after_promotion::<Us>(from, to, kind),
            (MoveKind::Castle, _) => self.after_castling::<Us>(from, to),
            (MoveKind::EnPassant, _) => self.after_en_passant::<Us>(from, to),
            (MoveKind::DoublePush, _) => self.after_double_push::<Us>(from, to),
            _ => {
                let kind = self.piece_at(from).map_or(PieceKind::Pawn, Piece::kind);
                self.after_move::<Us>(kind, from, to)
            }
        }
    }
}

/// Copy-make: each function returns the board after one kind of legal move.
impl Board {
    /// Adds pieces of one color and kind on empty squares, removes them from others.
    #[inline]
    pub(crate) fn toggle(&mut self, color: Color, kind: PieceKind, squares: Bitboard) {
        self.kinds[kind as usize] ^= squares;
        self.colors[color as usize] ^= squares;
    }

    /// The board with the other side to move and no en-passant square.
    #[inline]
    fn with_turn_passed<Us: SideToMove>(&self) -> Self {
        Self { side_to_move: Us::Them::COLOR, en_passant: None, ..*self }
    }

    /// The same with any enemy piece on `target` removed.
    #[inline]
    fn with_captured<Us: SideToMove>(&self, target: Bitboard) -> Self {
        let mut board = self.with_turn_passed::<Us>();
        // From all six sets, without asking which piece it is: branches would be mispredicted.
        for kind in &mut board.kinds {
            *kind -= target;
        }
        board.colors[Us::Them::COLOR as usize] -= target;
        board
    }

    /// A quiet move or capture, neither promotion nor double push.
    #[inline]
    pub(crate) fn after_move<Us: SideToMove>(
        &self,
        kind: PieceKind,
        from: Square,
        to: Square,
    ) -> Self {
        let mut board = self.with_captured::<Us>(to.bitboard());
        board.toggle(Us::COLOR, kind, from.bitboard() | to.bitboard());
        board.castling = self.castling_after::<Us>(kind, from, to);
        board
    }

    #[inline]
    pub(crate) fn after_double_push<Us: SideToMove>(&self, from: Square, to: Square) -> Self {
        let mut board = self.with_turn_passed::<Us>();
        board.toggle(Us::COLOR, PieceKind::Pawn, from.bitboard() | to.bitboard());
        board.set_en_passant::<Us::Them>(to);
        board
    }

    /// Sets the en-passant square after a double push to `to`, if side `Us`, now to move, has
    /// a legal en-passant capture. Returns it.
    #[inline]
    pub(crate) fn set_en_passant<Us: SideToMove>(&mut self, to: Square) -> Option<Square> {
        let neighbors = to.bitboard().east() | to.bitboard().west();
        if (neighbors & self.of(Us::COLOR, PieceKind::Pawn)).any() {
            let target = Us::forward(to);
            self.en_passant =
                Some(target).filter(|&target| self.can_capture_en_passant::<Us>(target));
        }
        self.en_passant
    }

    #[inline]
    pub(crate) fn after_promotion<Us: SideToMove>(
        &self,
        from: Square,
        to: Square,
        kind: PieceKind,
    ) -> Self {
        let mut board = self.with_captured::<Us>(to.bitboard());
        board.toggle(Us::COLOR, PieceKind::Pawn, from.bitboard());
        board.toggle(Us::COLOR, kind, to.bitboard());
        board.castling -= to.bitboard();
        board
    }

    pub(crate) fn after_en_passant<Us: SideToMove>(&self, from: Square, to: Square) -> Self {
        let mut board = self.with_turn_passed::<Us>();
        board.toggle(Us::COLOR, PieceKind::Pawn, from.bitboard() | to.bitboard());
        board.toggle(Us::Them::COLOR, PieceKind::Pawn, Us::Them::forward(to).bitboard());
        board
    }

    pub(crate) fn after_castling<Us: SideToMove>(&self, king: Square, rook: Square) -> Self {
        let (king_to, rook_to) = castling_targets(king, rook);
        let mut board = self.with_turn_passed::<Us>();
        // Both are removed first: in Chess960 one may land where the other stood.
        board.toggle(Us::COLOR, PieceKind::King, king.bitboard());
        board.toggle(Us::COLOR, PieceKind::Rook, rook.bitboard());
        board.toggle(Us::COLOR, PieceKind::King, king_to.bitboard());
        board.toggle(Us::COLOR, PieceKind::Rook, rook_to.bitboard());
        board.castling -= home_rank(Us::COLOR);
        board
    }

    #[inline]
    fn castling_after<Us: SideToMove>(
        &self,
        kind: PieceKind,
        from: Square,
        to: Square,
    ) -> Bitboard {
        self.castling - lost_castling_rights(Us::COLOR, kind, from, to)
    }

    pub(crate) fn remove_castling(&mut self, rooks: Bitboard) {
        self.castling -= rooks;
    }

    /// Passes the turn and clears the en-passant square. Returns the side that had the move.
    #[inline]
    pub(crate) fn pass_turn(&mut self) -> Color {
        let us = self.side_to_move;
        self.side_to_move = !us;
        self.en_passant = None;
        us
    }

    /// Returns `true` if side `Us`, to move, has a legal en-passant capture on `target`.
    pub(crate) fn can_capture_en_passant<Us: SideToMove>(&self, target: Square) -> bool {
        let capturers = pawn_attacks(Us::Them::COLOR, target) & self.of(Us::COLOR, PieceKind::Pawn);
        capturers.into_iter().any(|from| self.is_en_passant_safe::<Us>(from, target))
    }

    /// Returns `true` if the king of `Us` is safe after the en-passant capture from `from`. Two
    /// pawns leave their squares at once, which pin masks do not cover, so the attackers are
    /// computed with the occupancy after the capture.
    pub(crate) fn is_en_passant_safe<Us: SideToMove>(&self, from: Square, target: Square) -> bool {
        let captured = Us::Them::forward(target).bitboard();
        let occupied = (self.occupied() - from.bitboard() - captured).with(target);
        let attackers = self.attackers_to(self.king(Us::COLOR), occupied);
        (attackers & (self.color(Us::Them::COLOR) - captured)).is_empty()
    }
}

const _: () = assert!(size_of::<Board>() <= 80);
