//! The start positions of chess and Chess960.

use super::Position;
use crate::PieceKind::{self, Bishop, King, Knight, Queen, Rook};
use crate::{Bitboard, Board, Color, File, PerSquare, Piece, Rank, Square};

/// How many start positions Chess960 has.
pub const CHESS960_POSITIONS: u16 = 960;

/// Where both knights stand among the five squares that are left, by a tenth of the number.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

impl Position {
    /// The position a game starts from.
    pub fn startpos() -> Self {
        Self::from_home_ranks([[Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]; 2])
    }

    /// The start position of Chess960 with this number, 0 to 959; 518 is that of chess.
    ///
    /// Source: the numbering of Reinhard Scharnagl.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// assert_eq!(Position::chess960(518), Some(Position::startpos()));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// The start position whose sides have home ranks of different numbers, 0 to 959.
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        Some(Self::from_home_ranks([chess960_rank(white)?, chess960_rank(black)?]))
    }

    /// The pieces of each color on its home rank, from the a-file, behind their pawns; both sides
    /// may castle with both rooks.
    fn from_home_ranks(ranks: [[PieceKind; 8]; 2]) -> Self {
        let mut pieces = PerSquare([None; 64]);
        let mut rooks = Bitboard::EMPTY;
        for (color, file) in Color::ALL.into_iter().flat_map(|c| File::ALL.map(|file| (c, file))) {
            let at = |rank: Rank| Square::new(file, rank.relative_to(color));
            let kind = ranks[color.index()][file.index()];
            pieces[at(Rank::First)] = Some(Piece::new(color, kind));
            pieces[at(Rank::Second)] = Some(Piece::new(color, PieceKind::Pawn));
            if kind == Rook {
                rooks = rooks.with(at(Rank::First));
            }
        }
        Self::from_board(Board::from_parts(&pieces, Color::White, rooks, None), 0, 1)
    }
}

/// The pieces of a start position from the a-file.
fn chess960_rank(number: u16) -> Option<[PieceKind; 8]> {
    if number >= CHESS960_POSITIONS {
        return None;
    }
    let mut rest = usize::from(number);
    let mut digit = |base: usize| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    let mut rank = [None; 8];
    rank[2 * digit(4) + 1] = Some(Bishop);
    rank[2 * digit(4)] = Some(Bishop);
    let queen = digit(6);
    let (first, second) = KNIGHTS[digit(10)];
    // Each on one of the squares that are free then, counted from the a-file. The king is between
    // the last two, which are left for the rooks.
    for (free, kind) in [(queen, Queen), (second, Knight), (first, Knight), (1, King)] {
        *rank.iter_mut().filter(|square| square.is_none()).nth(free)? = Some(kind);
    }
    Some(rank.map(|kind| kind.unwrap_or(Rook)))
}
