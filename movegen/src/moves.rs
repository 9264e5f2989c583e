//! Moves packed into 16 bits, and lists of them.

use core::fmt;
use core::num::NonZeroU16;

use arrayvec::ArrayVec;

use crate::{PieceKind, Square, UciMove};

/// The kind of a move: the top four bits of a [`Move`].
///
/// Bit 3 marks a promotion, bit 2 a capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Any other move to an empty square.
    Quiet = 0,
    /// A pawn's move of two squares.
    DoublePush = 1,
    /// Castling; the target square is that of the rook.
    Castle = 2,
    /// A capture on the target square.
    Capture = 4,
    /// A pawn takes a pawn that has just passed it.
    EnPassant = 5,
    /// A pawn becomes a knight.
    PromoteKnight = 8,
    /// A pawn becomes a bishop.
    PromoteBishop = 9,
    /// A pawn becomes a rook.
    PromoteRook = 10,
    /// A pawn becomes a queen.
    PromoteQueen = 11,
    /// A pawn captures and becomes a knight.
    CapturePromoteKnight = 12,
    /// A pawn captures and becomes a bishop.
    CapturePromoteBishop = 13,
    /// A pawn captures and becomes a rook.
    CapturePromoteRook = 14,
    /// A pawn captures and becomes a queen.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const fn from_bits(bits: u8) -> Option<Self> {
        Some(match bits {
            0 => Self::Quiet,
            1 => Self::DoublePush,
            2 => Self::Castle,
            4 => Self::Capture,
            5 => Self::EnPassant,
            8 => Self::PromoteKnight,
            9 => Self::PromoteBishop,
            10 => Self::PromoteRook,
            11 => Self::PromoteQueen,
            12 => Self::CapturePromoteKnight,
            13 => Self::CapturePromoteBishop,
            14 => Self::CapturePromoteRook,
            15 => Self::CapturePromoteQueen,
            _ => return None,
        })
    }

    /// The promotion to `kind` (a knight for anything that is not bishop, rook or queen).
    #[inline]
    pub const fn promotion(kind: PieceKind, capture: bool) -> Self {
        match (kind, capture) {
            (PieceKind::Bishop, false) => Self::PromoteBishop,
            (PieceKind::Rook, false) => Self::PromoteRook,
            (PieceKind::Queen, false) => Self::PromoteQueen,
            (_, false) => Self::PromoteKnight,
            (PieceKind::Bishop, true) => Self::CapturePromoteBishop,
            (PieceKind::Rook, true) => Self::CapturePromoteRook,
            (PieceKind::Queen, true) => Self::CapturePromoteQueen,
            (_, true) => Self::CapturePromoteKnight,
        }
    }
}

/// A move in 16 bits, never zero, so that `Option<Move>` takes 16 bits too.
///
/// ```text
///  15 14 13 12 | 11 10  9  8  7  6 |  5  4  3  2  1  0
///  MoveKind    | target square     |  origin square
/// ```
///
/// Castling is stored as "king takes own rook": the target is the rook's square,
/// in standard chess too, and so it is printed; [`crate::Position::uci`] writes it the way a GUI
/// expects. Text becomes a move by [`crate::Position::resolve`], which knows its kind.
///
/// A `Move` says nothing about legality: ask [`crate::Position::is_legal`].
///
/// ```
/// use tamarin_movegen::{Move, MoveKind, Square};
/// let castle = Move::new(Square::E1, Square::H1, MoveKind::Castle);
/// assert_eq!((castle.from(), castle.to()), (Square::E1, Square::H1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl From<Move> for NonZeroU16 {
    fn from(mv: Move) -> Self {
        mv.0
    }
}

impl TryFrom<NonZeroU16> for Move {
    type Error = ();

    /// As [`Move::from_bits`].
    #[inline]
    fn try_from(bits: NonZeroU16) -> Result<Self, ()> {
        Self::from_bits(bits.get()).ok_or(())
    }
}

impl Move {
    /// The move of `kind` from `from` to `to`.
    ///
    /// # Panics
    /// If `from` equals `to`, which no move of chess does.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        assert!(from as u8 != to as u8, "a move leaves its square");
        match NonZeroU16::new(from as u16 | (to as u16) << 6 | (kind as u16) << 12) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The move with these bits, if they are one: two different squares and a known kind.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let Some(nonzero) = NonZeroU16::new(bits) else { return None };
        if bits & 63 == bits >> 6 & 63 || MoveKind::from_bits((bits >> 12) as u8).is_none() {
            return None;
        }
        Some(Self(nonzero))
    }

    /// The 16 bits as drawn above.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the moving piece stands.
    pub const fn from(self) -> Square {
        Square::from_masked((self.0.get() & 63) as u8)
    }

    /// Where it goes; for castling, where the rook stands.
    pub const fn to(self) -> Square {
        Square::from_masked((self.0.get() >> 6 & 63) as u8)
    }

    /// The kind of move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        // Both constructors store the bits of a kind.
        match MoveKind::from_bits((self.bits() >> 12) as u8) {
            Some(kind) => kind,
            None => unreachable!(),
        }
    }

    /// Returns `true` if it takes a piece, en passant included.
    pub const fn is_capture(self) -> bool {
        self.0.get() & 0x4000 != 0
    }

    /// Returns `true` if it is a promotion.
    pub const fn is_promotion(self) -> bool {
        self.0.get() & 0x8000 != 0
    }

    /// Returns `true` if it is a capture or a promotion.
    pub const fn is_noisy(self) -> bool {
        self.0.get() & 0xC000 != 0
    }

    /// Returns `true` if it is castling.
    pub const fn is_castle(self) -> bool {
        self.0.get() >> 12 == MoveKind::Castle as u16
    }

    /// Returns `true` if it is a capture en passant.
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == MoveKind::EnPassant as u16
    }

    /// Any move but castling, en passant and promotions: the piece does not change, and what it
    /// captures stands on the target.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        const PLAIN: u32 = 1 << MoveKind::Quiet as u32
            | 1 << MoveKind::DoublePush as u32
            | 1 << MoveKind::Capture as u32;
        PLAIN >> (self.0.get() >> 12) & 1 != 0
    }

    /// What a pawn becomes, if the move promotes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        /// By the low two bits of a promotion's [`MoveKind`].
        const KINDS: [PieceKind; 4] =
            [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
        if self.is_promotion() { Some(KINDS[(self.bits() >> 12 & 3) as usize]) } else { None }
    }
}

impl fmt::Display for Move {
    /// As a [`UciMove`] with castling as "king takes own rook": `e2e4`, `e7e8q`, `e1h1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        UciMove::from(*self).fmt(f)
    }
}

impl fmt::Debug for Move {
    /// Origin, target and kind; a castle shows the rook's square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.kind())
    }
}

/// Room for the moves of any position this crate accepts.
///
/// 218 is the largest number of legal moves any position can have whose pieces
/// eight promotions a side can explain, which [`crate::Setup`] demands
/// (N. Petrović's 1964 record position, since proved to be the maximum).
pub const MAX_MOVES: usize = 256;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
