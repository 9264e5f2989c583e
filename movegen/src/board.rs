//! The board: everything that decides which moves are legal, and nothing else.

use crate::generate::{Children, Count, Everything, ListMoves, Masks, generate};
use crate::side::{Side, for_side};
use crate::{
    Bitboard, Color, Move, MoveKind, MoveList, PerSquare, Piece, PieceKind, Rank, Square,
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};

/// Pieces, side to move, castling rights and en-passant square.
///
/// A small value to copy around: no keys, no clocks, no history. Perft walks it; a game
/// or a search wants a [`crate::Position`], which contains one.
///
/// ```
/// use tamarin_movegen::Position;
/// let start = *Position::startpos().board();
/// let mut replies = 0;
/// start.for_each_child(|child| replies += child.count_moves());
/// assert_eq!(replies, 400);
/// ```
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
    /// Puts the parts together unchecked, except that an en-passant square nobody can
    /// legally capture on is dropped.
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
            |&target| for_side!(side_to_move, S => board.can_capture_en_passant::<S>(target)),
        );
        board
    }

    /// The side whose turn it is.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position};
    /// assert_eq!(Position::startpos().board().side_to_move(), Color::White);
    /// ```
    #[inline]
    #[must_use]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The pieces of one kind, of both colors.
    ///
    /// ```
    /// use tamarin_movegen::{PieceKind, Position};
    /// assert_eq!(Position::startpos().board().pieces(PieceKind::Knight).len(), 4);
    /// ```
    #[inline]
    #[must_use]
    pub const fn pieces(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// The pieces of one color.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position, Rank};
    /// let white = Position::startpos().board().color(Color::White);
    /// assert_eq!(white, Rank::First.bitboard() | Rank::Second.bitboard());
    /// ```
    #[inline]
    #[must_use]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The pieces of one color and kind.
    ///
    /// ```
    /// use tamarin_movegen::{Color, PieceKind, Position, Rank};
    /// let pawns = Position::startpos().board().of(Color::Black, PieceKind::Pawn);
    /// assert_eq!(pawns, Rank::Seventh.bitboard());
    /// ```
    #[inline]
    #[must_use]
    pub const fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        Bitboard(self.kinds[kind as usize].0 & self.colors[color as usize].0)
    }

    /// Bishops and queens of one color.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position, Square};
    /// let sliders = Position::startpos().board().diagonal_sliders(Color::White);
    /// assert!(sliders.into_iter().eq([Square::C1, Square::D1, Square::F1]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn diagonal_sliders(&self, color: Color) -> Bitboard {
        let both = self.pieces(PieceKind::Bishop).0 | self.pieces(PieceKind::Queen).0;
        Bitboard(both & self.colors[color as usize].0)
    }

    /// Rooks and queens of one color.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position, Square};
    /// let sliders = Position::startpos().board().straight_sliders(Color::White);
    /// assert!(sliders.into_iter().eq([Square::A1, Square::D1, Square::H1]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn straight_sliders(&self, color: Color) -> Bitboard {
        let both = self.pieces(PieceKind::Rook).0 | self.pieces(PieceKind::Queen).0;
        Bitboard(both & self.colors[color as usize].0)
    }

    /// Every square with a piece on it.
    ///
    /// ```
    /// use tamarin_movegen::{Position, Rank};
    /// let occupied = Position::startpos().board().occupied();
    /// assert!(occupied.len() == 32 && (occupied & Rank::Fourth.bitboard()).is_empty());
    /// ```
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// The piece on a square. [`crate::Position::piece_at`] is faster.
    ///
    /// ```
    /// use tamarin_movegen::{Piece, Position, Square};
    /// assert_eq!(Position::startpos().board().piece_at(Square::D8), Some(Piece::BlackQueen));
    /// ```
    #[must_use]
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
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position, Square};
    /// assert_eq!(Position::startpos().board().king(Color::Black), Square::E8);
    /// ```
    #[inline]
    #[must_use]
    pub const fn king(&self, color: Color) -> Square {
        self.of(color, PieceKind::King).lowest()
    }

    /// The squares of the rooks that may still castle, of both sides. A rook on a higher
    /// file than its king castles king-side.
    ///
    /// ```
    /// use tamarin_movegen::{Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w K - 0 1").unwrap();
    /// assert_eq!(position.board().castling(), Square::H1.bitboard());
    /// ```
    #[inline]
    #[must_use]
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The square behind a pawn that has just moved two, if a legal capture en passant
    /// exists.
    ///
    /// ```
    /// use tamarin_movegen::{Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1").unwrap();
    /// assert_eq!(position.board().en_passant(), Some(Square::A3));
    /// ```
    #[inline]
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The pieces that give check to the side to move.
    ///
    /// ```
    /// use tamarin_movegen::{Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1").unwrap();
    /// assert_eq!(position.board().checkers(), Square::E4.bitboard());
    /// ```
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        let us = self.side_to_move;
        self.attackers_to(self.king(us), self.occupied()) & self.color(!us)
    }

    /// The pieces of both colors that attack `square` when `occupied` squares block lines.
    ///
    /// ```
    /// use tamarin_movegen::{Position, Square};
    /// let board = *Position::startpos().board();
    /// let attackers = board.attackers_to(Square::F3, board.occupied());
    /// assert!(attackers.into_iter().eq([Square::G1, Square::E2, Square::G2]));
    /// ```
    #[inline]
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds;
        (pawn_attacks(Color::Black, square) & pawns & self.colors[0])
            | (pawn_attacks(Color::White, square) & pawns & self.colors[1])
            | (knight_attacks(square) & knights)
            | (king_attacks(square) & kings)
            | (bishop_attacks(square, occupied) & (bishops | queens))
            | (rook_attacks(square, occupied) & (rooks | queens))
    }

    /// How many legal moves there are, without listing them.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// assert_eq!(Position::startpos().board().count_moves(), 20);
    /// ```
    #[inline]
    #[must_use]
    pub fn count_moves(&self) -> u64 {
        for_side!(self.side_to_move, S => self.count_moves_of::<S>())
    }

    #[inline]
    fn count_moves_of<S: Side>(&self) -> u64 {
        let mut count = Count(0);
        generate::<S, Everything, _>(self, &Masks::of(self, S::COLOR), &mut count);
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
    #[inline]
    pub fn for_each_child(&self, visit: impl FnMut(&Self)) {
        for_side!(self.side_to_move, S => self.for_each_child_of::<S>(visit));
    }

    #[inline]
    fn for_each_child_of<S: Side>(&self, visit: impl FnMut(&Self)) {
        let mut children = Children::<S, _>::new(self, visit);
        generate::<S, Everything, _>(self, &Masks::of(self, S::COLOR), &mut children);
    }

    /// All legal moves.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let board = *Position::startpos().board();
    /// assert!(board.legal_moves().into_iter().all(|m| board.play(m).count_moves() == 20));
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        for_side!(self.side_to_move, S => {
            generate::<S, Everything, _>(self, &Masks::of(self, S::COLOR), &mut ListMoves::<Everything>::new(self, &mut list));
        });
        list
    }

    /// The board after a legal move.
    ///
    /// ```
    /// use tamarin_movegen::{Piece, Position, Square};
    /// let position = Position::startpos();
    /// let after = position.board().play(position.parse_san("e4").unwrap());
    /// assert_eq!(after.piece_at(Square::E4), Some(Piece::WhitePawn));
    /// ```
    #[must_use]
    pub fn play(&self, m: Move) -> Self {
        for_side!(self.side_to_move, S => self.play_of::<S>(m))
    }

    fn play_of<S: Side>(&self, m: Move) -> Self {
        let (from, to) = (m.from(), m.to());
        match (m.kind(), m.promotion()) {
            (_, Some(kind)) => self.after_promotion::<S>(from, to, kind),
            (MoveKind::Castle, _) => self.after_castling::<S>(from, to),
            (MoveKind::EnPassant, _) => self.after_en_passant::<S>(from, to),
            (MoveKind::DoublePush, _) => self.after_double_push::<S>(from, to),
            _ => {
                let kind = self.piece_at(from).map_or(PieceKind::Pawn, Piece::kind);
                self.after_move::<S>(kind, from, to)
            }
        }
    }
}

/// Making moves. Each function returns the board after one sort of legal move.
impl Board {
    /// Puts pieces on empty squares and takes them off others.
    #[inline]
    pub(crate) fn toggle(&mut self, color: Color, kind: PieceKind, squares: Bitboard) {
        self.kinds[kind as usize] ^= squares;
        self.colors[color as usize] ^= squares;
    }

    /// The other side moves next, and nothing can be captured en passant.
    #[inline]
    fn next<S: Side>(&self) -> Self {
        Self { side_to_move: S::Them::COLOR, en_passant: None, ..*self }
    }

    /// `self` with whatever stands on `target` removed, the other side to move.
    #[inline]
    fn cleared<S: Side>(&self, target: Bitboard) -> Self {
        let mut board = self.next::<S>();
        // Without a branch: most targets are empty, but not predictably so.
        for kind in &mut board.kinds {
            *kind -= target;
        }
        board.colors[S::Them::COLOR as usize] -= target;
        board
    }

    /// A move of one piece to a square that is empty or holds an enemy.
    #[inline]
    pub(crate) fn after_move<S: Side>(&self, kind: PieceKind, from: Square, to: Square) -> Self {
        let mut board = self.cleared::<S>(to.bitboard());
        board.toggle(S::COLOR, kind, from.bitboard() | to.bitboard());
        board.castling = self.castling_after::<S>(kind, from, to);
        board
    }

    #[inline]
    pub(crate) fn after_double_push<S: Side>(&self, from: Square, to: Square) -> Self {
        let mut board = self.next::<S>();
        board.toggle(S::COLOR, PieceKind::Pawn, from.bitboard() | to.bitboard());
        board.open_en_passant::<S::Them>(to);
        board
    }

    /// A pawn has just moved two squares to `to`: if side `S` can legally capture it in
    /// passing, the square to do it on is noted and returned.
    #[inline]
    pub(crate) fn open_en_passant<S: Side>(&mut self, to: Square) -> Option<Square> {
        let neighbors = to.bitboard().east() | to.bitboard().west();
        if (neighbors & self.of(S::COLOR, PieceKind::Pawn)).any() {
            let passed = S::ahead(to);
            self.en_passant = Some(passed).filter(|&to| self.can_capture_en_passant::<S>(to));
        }
        self.en_passant
    }

    #[inline]
    pub(crate) fn after_promotion<S: Side>(
        &self,
        from: Square,
        to: Square,
        kind: PieceKind,
    ) -> Self {
        let mut board = self.cleared::<S>(to.bitboard());
        board.toggle(S::COLOR, PieceKind::Pawn, from.bitboard());
        board.toggle(S::COLOR, kind, to.bitboard());
        board.castling -= to.bitboard();
        board
    }

    pub(crate) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Self {
        let mut board = self.next::<S>();
        board.toggle(S::COLOR, PieceKind::Pawn, from.bitboard() | to.bitboard());
        board.toggle(S::Them::COLOR, PieceKind::Pawn, S::Them::ahead(to).bitboard());
        board
    }

    pub(crate) fn after_castling<S: Side>(&self, king: Square, rook: Square) -> Self {
        let (king_to, rook_to) = castling_targets(king, rook);
        let mut board = self.next::<S>();
        // Taken off before they are put down: in Chess960 one may land on the other.
        board.toggle(S::COLOR, PieceKind::King, king.bitboard());
        board.toggle(S::COLOR, PieceKind::Rook, rook.bitboard());
        board.toggle(S::COLOR, PieceKind::King, king_to.bitboard());
        board.toggle(S::COLOR, PieceKind::Rook, rook_to.bitboard());
        board.castling -= home_rank(S::COLOR);
        board
    }

    #[inline]
    fn castling_after<S: Side>(&self, kind: PieceKind, from: Square, to: Square) -> Bitboard {
        self.castling - castling_lost(S::COLOR, kind, from, to)
    }

    #[inline]
    pub(crate) fn remove_castling(&mut self, rooks: Bitboard) {
        self.castling -= rooks;
    }

    /// The other side moves next, and nothing can be captured en passant. Returns who
    /// would have moved.
    #[inline]
    pub(crate) fn pass_turn(&mut self) -> Color {
        let us = self.side_to_move;
        self.side_to_move = !us;
        self.en_passant = None;
        us
    }

    /// Can side `S`, to move, legally capture en passant on `target`?
    pub(crate) fn can_capture_en_passant<S: Side>(&self, target: Square) -> bool {
        let capturers = pawn_attacks(S::Them::COLOR, target) & self.of(S::COLOR, PieceKind::Pawn);
        capturers.into_iter().any(|from| self.is_en_passant_safe::<S>(from, target))
    }

    /// Does the capture en passant from `from` leave the king of `S` out of check? Two
    /// pawns leave their squares at once, so pins do not tell; the board afterwards does.
    pub(crate) fn is_en_passant_safe<S: Side>(&self, from: Square, target: Square) -> bool {
        let captured = S::Them::ahead(target).bitboard();
        let occupied = (self.occupied() - from.bitboard() - captured).with(target);
        let attackers = self.attackers_to(self.king(S::COLOR), occupied);
        (attackers & (self.color(S::Them::COLOR) - captured)).is_empty()
    }
}

/// The squares whose rooks lose the right to castle: a rook that leaves or is taken, and
/// every rook of a king that moves.
#[inline]
pub(crate) fn castling_lost(us: Color, kind: PieceKind, from: Square, to: Square) -> Bitboard {
    match kind {
        PieceKind::King => home_rank(us) | to.bitboard(),
        PieceKind::Rook => from.bitboard() | to.bitboard(),
        _ => to.bitboard(),
    }
}

/// The rank where a side's king and rooks start.
#[inline]
pub(crate) const fn home_rank(us: Color) -> Bitboard {
    match us {
        Color::White => Rank::First.bitboard(),
        Color::Black => Rank::Eighth.bitboard(),
    }
}

/// Where king and rook land: c- and d-file, or g- and f-file.
#[inline]
pub(crate) const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let home = king as u8 & 56;
    if rook as u8 > king as u8 {
        (Square::from_masked(home | 6), Square::from_masked(home | 5))
    } else {
        (Square::from_masked(home | 2), Square::from_masked(home | 3))
    }
}

const _: () = assert!(size_of::<Board>() <= 80);
