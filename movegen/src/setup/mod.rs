//! [`Setup`]: a position without any guarantee, its repair and its validation.

mod error;

pub use error::{FenField, Repair, SetupError};

use crate::castling::CastlingSide;
use crate::{
    Bitboard, Board, Color, File, PerPiece, PerSquare, Piece, PieceKind, Position, Rank, Square,
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};

/// The largest halfmove clock and fullmove number a [`Position`] starts with.
///
/// No game by the rules lasts longer than about 8,850 moves; what is above is a typing error.
pub const MAX_COUNTER: u32 = 9_999;

/// A position without any guarantee: what a FEN says, or what an editor is working on.
///
/// [`Position::from_setup`] turns it into a position to play from, and refuses what no game can
/// reach. [`Setup::repair`] first drops what is commonly wrong and harmless.
///
/// ```
/// use tamarin_movegen::{Color, Piece, Position, Setup, Square};
/// let mut setup = Setup::empty();
/// setup.pieces[Square::E1] = Some(Piece::WhiteKing);
/// setup.pieces[Square::E8] = Some(Piece::BlackKing);
/// setup.pieces[Square::D6] = Some(Piece::WhitePawn);
/// setup.side_to_move = Color::Black;
/// let position = Position::from_setup(&setup)?;
/// assert_eq!(position.to_string(), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1");
/// # Ok::<(), tamarin_movegen::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// What stands where.
    pub pieces: PerSquare<Option<Piece>>,
    /// Whose turn it is.
    pub side_to_move: Color,
    /// The squares of the rooks that may still castle, at most one on each side of each king.
    pub castling: Bitboard,
    /// The square a pawn has just passed over in a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the current move; 1 at the start, up by one after each move of Black.
    pub fullmove_number: u32,
}

impl Setup {
    /// An empty board, White to move, nothing else set.
    pub const fn empty() -> Self {
        Self {
            pieces: PerSquare([None; Square::COUNT]),
            side_to_move: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// Drops castling rights whose king or rook is not in place and an en passant square that no
    /// legal capture uses, clamps the counters, and says what it did.
    pub fn repair(&mut self) -> Vec<Repair> {
        let mut repairs = Vec::new();
        for square in self.castling {
            if !self.may_castle(square) {
                self.castling = self.castling.without(square);
                repairs.push(Repair::CastlingSquare(square));
            }
        }
        if let Some(square) = self.en_passant
            && !self.is_en_passant_possible(square)
        {
            self.en_passant = None;
            repairs.push(Repair::EnPassant(square));
        }
        let counters = [
            (FenField::HalfmoveClock, &mut self.halfmove_clock, 0),
            (FenField::FullmoveNumber, &mut self.fullmove_number, 1),
        ];
        for (field, value, least) in counters {
            let used = (*value).clamp(least, MAX_COUNTER);
            if used != *value {
                *value = used;
                repairs.push(Repair::Counter { field, used });
            }
        }
        repairs
    }

    /// The king of `color`, if it has exactly one and that one is on its home rank.
    pub(crate) fn king_at_home(&self, color: Color) -> Option<Square> {
        let kings = Placement::new(self).of(color, PieceKind::King);
        kings
            .first()
            .filter(|king| !kings.several() && king.rank() == Rank::First.relative_to(color))
    }

    /// The rook of `color` farthest from its king on that side of its home rank: what `K` and
    /// `Q` mean in X-FEN.
    pub(crate) fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king_at_home(color)?;
        let rook = Some(Piece::new(color, PieceKind::Rook));
        let mut squares = File::ALL
            .into_iter()
            .map(|file| Square::new(file, king.rank()))
            .filter(|&square| self.pieces[square] == rook);
        match side {
            CastlingSide::King => squares.rfind(|&square| square > king),
            CastlingSide::Queen => squares.find(|&square| square < king),
        }
    }

    /// Returns `true` if a rook on `square` and its king stand where they may have a right to
    /// castle.
    pub(crate) fn may_castle(&self, square: Square) -> bool {
        Color::ALL.into_iter().any(|color| {
            square.rank() == Rank::First.relative_to(color)
                && self.pieces[square] == Some(Piece::new(color, PieceKind::Rook))
                && self.king_at_home(color).is_some()
        })
    }

    /// Returns `true` if a pawn stands where a double step over `target` ends, both squares behind
    /// it are empty and there is a legal capture of it. Whether our king stood in check before the
    /// step does not matter, as in other programs.
    fn is_en_passant_possible(&self, target: Square) -> bool {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        if target.rank() != Rank::Sixth.relative_to(us) {
            return false;
        }
        let now = Placement::new(self);
        let origin = target.bitboard().forward(us);
        let stopped = target.bitboard().forward(them);
        if !stopped.is_subset(now.of(them, PieceKind::Pawn))
            || (now.occupied() & (origin | target.bitboard())).any()
        {
            return false;
        }
        let (ours, theirs) = (Piece::new(us, PieceKind::Pawn), Piece::new(them, PieceKind::Pawn));
        let capturers = pawn_attacks(them, target) & now.of(us, PieceKind::Pawn);
        capturers.into_iter().any(|capturer| {
            now.without(theirs, stopped)
                .without(ours, capturer.bitboard())
                .with(ours, target.bitboard())
                .checkers(us)
                .is_empty()
        })
    }

    /// Checks whether this is a position of a game, the cheapest tests first.
    fn validate(&self) -> Result<(), SetupError> {
        let placement = Placement::new(self);
        for color in Color::ALL {
            placement.validate_pieces(color)?;
        }
        self.validate_castling()?;
        let (us, them) = (self.side_to_move, !self.side_to_move);
        if placement.checkers(them).any() {
            return Err(SetupError::OpponentInCheck(them));
        }
        if placement.checkers(us).len() > 2 {
            return Err(SetupError::TooManyCheckers(us));
        }
        if let Some(square) = self.en_passant
            && !self.is_en_passant_possible(square)
        {
            return Err(SetupError::EnPassant(square));
        }
        let counters = [
            (FenField::HalfmoveClock, self.halfmove_clock, 0),
            (FenField::FullmoveNumber, self.fullmove_number, 1),
        ];
        for (field, value, least) in counters {
            if !(least..=MAX_COUNTER).contains(&value) {
                return Err(SetupError::Counter { field, value });
            }
        }
        Ok(())
    }

    fn validate_castling(&self) -> Result<(), SetupError> {
        if let Some(square) = self.castling.into_iter().find(|&square| !self.may_castle(square)) {
            return Err(SetupError::CastlingRight(square));
        }
        for color in Color::ALL {
            let Some(king) = self.king_at_home(color) else { continue };
            let rooks = self.castling & king.rank().bitboard();
            let right = Bitboard(!(king.bitboard().0 - 1));
            if (rooks & right).several() || (rooks - right).several() {
                return Err(SetupError::CastlingTwice(color));
            }
        }
        Ok(())
    }
}

impl From<&Position> for Setup {
    /// The setup that [`Position::from_setup`] turns into this position again, without its history.
    /// Counters that have grown beyond [`MAX_COUNTER`] in play are that.
    fn from(position: &Position) -> Self {
        let mut setup = Self {
            side_to_move: position.side_to_move(),
            castling: position.castling(),
            en_passant: position.en_passant(),
            halfmove_clock: u32::from(position.halfmove_clock()).min(MAX_COUNTER),
            fullmove_number: u32::from(position.fullmove_number()).min(MAX_COUNTER),
            ..Self::empty()
        };
        for square in position.occupied() {
            setup.pieces[square] = position.piece_at(square);
        }
        setup
    }
}

impl Position {
    /// The position a setup describes, without a history.
    ///
    /// # Errors
    /// If it is no position of a game as far as the position alone shows: a king is
    /// missing or there are several, a pawn is on the first or last rank, a side has more than 16
    /// pieces or more than its promotions explain (two bishops on squares of one color need one),
    /// the side not to move is in check, more than two pieces give check, or there is anything that
    /// [`Setup::repair`] would put right.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position, Setup, SetupError};
    /// let mut setup = Setup::from(&Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?);
    /// assert!(Position::from_setup(&setup).is_ok());
    /// setup.pieces.0.swap(7, 63); // the rook goes to h8 and checks the black king
    /// setup.repair();
    /// assert_eq!(
    ///     Position::from_setup(&setup).unwrap_err(),
    ///     SetupError::OpponentInCheck(Color::Black)
    /// );
    /// # Ok::<(), tamarin_movegen::FenError>(())
    /// ```
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        setup.validate()?;
        let board =
            Board::from_parts(&setup.pieces, setup.side_to_move, setup.castling, setup.en_passant);
        // Both counters were just found to be at most 9,999.
        let [halfmove, fullmove] =
            [setup.halfmove_clock, setup.fullmove_number].map(|counter| counter as u16);
        Ok(Self::from_board(board, halfmove, fullmove))
    }
}

/// The pieces of a setup as sets of squares.
#[derive(Clone, Copy)]
struct Placement(PerPiece<Bitboard>);

impl Placement {
    fn new(setup: &Setup) -> Self {
        let mut sets = PerPiece::default();
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square] {
                sets[piece] |= square.bitboard();
            }
        }
        Self(sets)
    }

    fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.0[Piece::new(color, kind)]
    }

    fn color(&self, color: Color) -> Bitboard {
        PieceKind::ALL.into_iter().fold(Bitboard::EMPTY, |set, kind| set | self.of(color, kind))
    }

    fn occupied(&self) -> Bitboard {
        self.color(Color::White) | self.color(Color::Black)
    }

    fn with(mut self, piece: Piece, squares: Bitboard) -> Self {
        self.0[piece] |= squares;
        self
    }

    fn without(mut self, piece: Piece, squares: Bitboard) -> Self {
        self.0[piece] -= squares;
        self
    }

    /// The opponent's pieces that attack a king of `color`.
    fn checkers(&self, color: Color) -> Bitboard {
        let them = !color;
        let occupied = self.occupied();
        let queens = self.of(them, PieceKind::Queen);
        self.of(color, PieceKind::King).into_iter().fold(Bitboard::EMPTY, |set, king| {
            set | pawn_attacks(color, king) & self.of(them, PieceKind::Pawn)
                | knight_attacks(king) & self.of(them, PieceKind::Knight)
                | bishop_attacks(king, occupied) & (self.of(them, PieceKind::Bishop) | queens)
                | rook_attacks(king, occupied) & (self.of(them, PieceKind::Rook) | queens)
                | king_attacks(king) & self.of(them, PieceKind::King)
        })
    }

    /// Returns `true` if a game can lead to these pieces of `color`.
    fn validate_pieces(&self, color: Color) -> Result<(), SetupError> {
        let kings = self.of(color, PieceKind::King).len();
        if kings != 1 {
            return Err(SetupError::Kings { color, count: kings });
        }
        let back_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let pawns = self.of(color, PieceKind::Pawn);
        if let Some(square) = (pawns & back_ranks).first() {
            return Err(SetupError::PawnOnBackRank(square));
        }
        let count = self.color(color).len();
        if count > 16 {
            return Err(SetupError::TooManyPieces { color, count });
        }
        let beyond = |set: Bitboard, at_first: u32| set.len().saturating_sub(at_first);
        let bishops = self.of(color, PieceKind::Bishop);
        let promoted = beyond(self.of(color, PieceKind::Knight), 2)
            + beyond(bishops & Bitboard::LIGHT, 1)
            + beyond(bishops & Bitboard::DARK, 1)
            + beyond(self.of(color, PieceKind::Rook), 2)
            + beyond(self.of(color, PieceKind::Queen), 1);
        if pawns.len() + promoted > 8 {
            return Err(SetupError::TooManyPromotions { color, pawns: pawns.len(), promoted });
        }
        Ok(())
    }
}
