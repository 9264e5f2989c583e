//! Helpers of the text formats: types that are one letter, clipping bad text, explaining illegal
//! moves.

use core::fmt;
use core::str::FromStr;

use crate::{
    Color, File, Piece, PieceKind, Position, Rank, Square, bishop_attacks, king_attacks,
    knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};

/// The text is not the one letter that stands for a value of this type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("expected one letter of {letters}")]
pub struct LetterError {
    letters: &'static str,
}

/// Printing is `to_char`, reading is `from_char`.
macro_rules! letter {
    ($type:ty, $letters:literal) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.to_char().encode_utf8(&mut [0; 4]))
            }
        }

        impl FromStr for $type {
            type Err = LetterError;

            fn from_str(text: &str) -> Result<Self, LetterError> {
                let mut letters = text.chars();
                letters
                    .next()
                    .filter(|_| letters.next().is_none())
                    .and_then(Self::from_char)
                    .ok_or(LetterError { letters: $letters })
            }
        }
    };
}

letter!(Color, "wb");
letter!(PieceKind, "pnbrqk, in either case");
letter!(Piece, "PNBRQKpnbrqk");
letter!(File, "abcdefgh, in either case");
letter!(Rank, "12345678");

/// How many characters of a bad text an error repeats.
const CLIPPED_CHARS: usize = 24;

/// The start of `text`, short enough to repeat in an error however long the input was.
pub(crate) fn clip(text: &str) -> String {
    let mut rest = text.chars();
    let mut clipped: String = rest.by_ref().take(CLIPPED_CHARS).collect();
    if rest.next().is_some() {
        clipped.push('…');
    }
    clipped
}

/// Why a move that reads well is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The origin is empty.
    #[error("the square it starts from is empty")]
    NoPiece,
    /// The piece on the origin belongs to the opponent.
    #[error("the piece belongs to the opponent")]
    OpponentsPiece,
    /// The piece does not move that way, or something is in its way.
    #[error("no piece can move that way")]
    Unreachable,
    /// The king would be in check afterwards.
    #[error("the king would be in check")]
    KingInCheck,
    /// A pawn reaches the last rank and the move does not say what it becomes.
    #[error("it does not say what the pawn becomes")]
    PromotionMissing,
    /// The move names a promotion but does not promote.
    #[error("it is not a promotion")]
    NotPromotion,
    /// The move has another [`MoveKind`](crate::MoveKind) here, such as a capture.
    #[error("the move is of another kind here")]
    WrongKind,
}

/// Why the side to move may not go from `from` to `to`, given that no legal move matches.
pub(crate) fn explain(
    position: &Position,
    from: Square,
    to: Square,
    promotion: Option<PieceKind>,
) -> IllegalMove {
    let Some(piece) = position.piece_at(from) else { return IllegalMove::NoPiece };
    if piece.color() != position.side_to_move() {
        return IllegalMove::OpponentsPiece;
    }
    if !is_pseudo_legal(position, from, to) {
        return IllegalMove::Unreachable;
    }
    explain_pseudo_legal(position, piece.kind(), to, promotion)
}

/// The same of a kind of piece that can move to `to` but for the king's safety.
pub(crate) fn explain_pseudo_legal(
    position: &Position,
    kind: PieceKind,
    to: Square,
    promotion: Option<PieceKind>,
) -> IllegalMove {
    let last_rank = Rank::Eighth.relative_to(position.side_to_move());
    let promotes = kind == PieceKind::Pawn && to.rank() == last_rank;
    match promotion {
        None if promotes => IllegalMove::PromotionMissing,
        Some(_) if !promotes => IllegalMove::NotPromotion,
        _ => IllegalMove::KingInCheck,
    }
}

/// Returns `true` if moving the piece of the side to move on `from` to `to` is pseudo-legal;
/// castling never is.
pub(crate) fn is_pseudo_legal(position: &Position, from: Square, to: Square) -> bool {
    let us = position.side_to_move();
    let Some(piece) = position.piece_at(from).filter(|piece| piece.color() == us) else {
        return false;
    };
    if position.color(us).has(to) {
        return false;
    }
    let occupied = position.occupied();
    match piece.kind() {
        PieceKind::Pawn => {
            let takes = position.color(!us).has(to) || position.en_passant() == Some(to);
            let one = from.bitboard().forward(us) - occupied;
            let two = (one & Rank::Third.relative_to(us).bitboard()).forward(us) - occupied;
            (one | two).has(to) || (takes && pawn_attacks(us, from).has(to))
        }
        PieceKind::Knight => knight_attacks(from).has(to),
        PieceKind::Bishop => bishop_attacks(from, occupied).has(to),
        PieceKind::Rook => rook_attacks(from, occupied).has(to),
        PieceKind::Queen => queen_attacks(from, occupied).has(to),
        PieceKind::King => king_attacks(from).has(to),
    }
}
