//! Attacked squares.

use tamarin_movegen::{Bitboard, Color, PieceKind, Position, pawns_attacks, piece_attacks};

/// The squares that the pieces of one side attack, by the value of the attackers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats {
    /// By pawns.
    pawn: Bitboard,
    /// By pawns and minor pieces.
    minor: Bitboard,
    /// By pawns, minor pieces and rooks.
    rook: Bitboard,
    /// By all pieces.
    pub all: Bitboard,
}

impl Threats {
    /// No square at all.
    pub const NONE: Self = Self {
        pawn: Bitboard::EMPTY,
        minor: Bitboard::EMPTY,
        rook: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// What the pieces of `color` attack.
    pub fn by(position: &Position, color: Color) -> Self {
        let occupied = position.occupied();
        let add = |attacked: Bitboard, kind| {
            let pieces = position.of(color, kind).into_iter();
            pieces
                .fold(attacked, |attacked, square| attacked | piece_attacks(kind, square, occupied))
        };
        let pawn = pawns_attacks(color, position.of(color, PieceKind::Pawn));
        let minor = add(add(pawn, PieceKind::Knight), PieceKind::Bishop);
        let rook = add(minor, PieceKind::Rook);
        let all = add(add(rook, PieceKind::Queen), PieceKind::King);
        Self { pawn, minor, rook, all }
    }

    /// Where a piece of this kind is attacked by a lesser one; nowhere for pawns and kings.
    #[inline]
    pub fn by_lesser_than(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Knight | PieceKind::Bishop => self.pawn,
            PieceKind::Rook => self.minor,
            PieceKind::Queen => self.rook,
            PieceKind::Pawn | PieceKind::King => Bitboard::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use tamarin_movegen::Square;

    use super::*;

    #[test]
    fn pieces_are_threatened_by_lesser_ones() {
        let text = "3rk3/1b6/8/2p5/8/8/1q6/4K3 w - - 0 1";
        let position: Position = text.parse().expect("legal");
        let threats = Threats::by(&position, Color::Black);
        let is_threatened = |kind, square| threats.by_lesser_than(kind).has(square);
        assert!(is_threatened(PieceKind::Knight, Square::D4), "by the pawn");
        assert!(!is_threatened(PieceKind::Knight, Square::E4) && threats.all.has(Square::E4));
        assert!(is_threatened(PieceKind::Rook, Square::E4), "by the bishop");
        assert!(!is_threatened(PieceKind::Rook, Square::D2), "by the other rook only");
        assert!(is_threatened(PieceKind::Queen, Square::D2));
        assert!(!is_threatened(PieceKind::Queen, Square::A1) && threats.all.has(Square::A1));
        assert!(!is_threatened(PieceKind::Pawn, Square::D4));
        assert_eq!(threats.all, position.attacked_by(Color::Black));
    }
}
