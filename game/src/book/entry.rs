//! The entries of a Polyglot book.

use tamarin_movegen::{File, Move, PieceKind, Position, Square, UciMove};

/// Bytes of an entry.
pub const ENTRY_SIZE: usize = 16;

/// One move of a book in one position, in the order of the file's fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The position: [`super::key()`].
    pub key: u64,
    /// The move, which need not be legal.
    pub code: MoveCode,
    /// How good the move is, compared with the others of its position; 0 is never played.
    pub weight: u16,
    /// What programs that learn keep here; not used.
    pub learn: u32,
}

const _: () = assert!(size_of::<Entry>() == ENTRY_SIZE, "a book takes as much memory as its file");

impl Entry {
    /// The entry of these bytes; all numbers are big-endian. Any bytes are an entry.
    pub fn from_bytes(bytes: &[u8; ENTRY_SIZE]) -> Self {
        let [a, b, c, d, e, f, g, h, m0, m1, w0, w1, l0, l1, l2, l3] = *bytes;
        Self {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            code: MoveCode(u16::from_be_bytes([m0, m1])),
            weight: u16::from_be_bytes([w0, w1]),
            learn: u32::from_be_bytes([l0, l1, l2, l3]),
        }
    }

    /// The bytes of the entry in a file.
    pub fn to_bytes(self) -> [u8; ENTRY_SIZE] {
        let mut bytes = [0; ENTRY_SIZE];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.0.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }
}

/// A move as a book writes it.
///
/// ```text
///  15 | 14 13 12  | 11 10  9  8  7  6 |  5  4  3  2  1  0
///   0 | promotion | origin square     |  target square
/// ```
///
/// Promotion: 0 none, 1 knight, 2 bishop, 3 rook, 4 queen. Castling is written as the king taking its
/// own rook, in standard chess too. Cute Chess writes the two steps of a king on its e file instead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// The code of a move.
    pub fn of(mv: Move) -> Self {
        let promotion = match mv.promotion() {
            None => 0,
            Some(PieceKind::Knight) => 1,
            Some(PieceKind::Bishop) => 2,
            Some(PieceKind::Rook) => 3,
            Some(_) => 4,
        };
        let square = |square: Square| square.index() as u16;
        Self(promotion << 12 | square(mv.from()) << 6 | square(mv.to()))
    }

    /// The legal move that this is the code of; `None` if no legal move has it.
    pub fn resolve(self, position: &Position) -> Option<Move> {
        let own = position.legal_moves().into_iter().find(|mv| Self::of(*mv) == self);
        own.or_else(|| self.two_steps(position))
    }

    /// Castling, if this is the way of a king from its e file.
    fn two_steps(self, position: &Position) -> Option<Move> {
        let square = |bits: u16| Square::from_index(usize::from(bits & 63));
        let (from, to) = (square(self.0 >> 6)?, square(self.0)?);
        let is_way = self.0 >> 12 == 0 && from.file() == File::E;
        let text = UciMove { from, to, promotion: None };
        position.resolve(text).ok().filter(|mv| is_way && mv.is_castle() && mv.to() != to)
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, MoveCode};
    use tamarin_movegen::{Position, Square};

    fn code(promotion: u16, from: Square, to: Square) -> MoveCode {
        MoveCode(promotion << 12 | (from.index() as u16) << 6 | to.index() as u16)
    }

    fn resolved(fen: &str, code: MoveCode) -> Option<String> {
        let position = Position::from_fen(fen).unwrap();
        code.resolve(&position).map(|mv| position.san(mv).to_string())
    }

    #[test]
    fn entries_survive_the_way_through_bytes() {
        let bytes = std::array::from_fn(|index| index as u8);
        let entry = Entry::from_bytes(&bytes);
        assert_eq!(entry.key, 0x0001_0203_0405_0607);
        assert_eq!((entry.code, entry.weight), (MoveCode(0x0809), 0x0a0b));
        assert_eq!(entry.learn, 0x0c0d_0e0f);
        assert_eq!(entry.to_bytes(), bytes);
    }

    #[test]
    fn castling_is_the_king_taking_its_rook_or_two_steps_of_it() {
        const BOTH: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(resolved(BOTH, code(0, Square::E1, Square::H1)).as_deref(), Some("O-O"));
        assert_eq!(resolved(BOTH, code(0, Square::E1, Square::A1)).as_deref(), Some("O-O-O"));
        assert_eq!(resolved(BOTH, code(0, Square::E1, Square::G1)).as_deref(), Some("O-O"));
        assert_eq!(resolved(BOTH, code(0, Square::E1, Square::C1)).as_deref(), Some("O-O-O"));
        assert_eq!(resolved(BOTH, code(4, Square::E1, Square::C1)), None);
        // The same code where a rook or a queen stands on e1.
        for fen in ["6k1/8/8/8/8/8/K7/4R3 w - - 0 1", "6k1/8/8/8/8/8/K7/4Q3 w - - 0 1"] {
            let found = resolved(fen, code(0, Square::E1, Square::A1)).unwrap();
            assert!(["Ra1", "Qa1"].contains(&found.as_str()), "{found}");
        }
        // In Chess960 the king may step onto the square beside it, or castle.
        let fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        assert_eq!(resolved(fen, code(0, Square::F1, Square::G1)).as_deref(), Some("Kg1"));
        assert_eq!(resolved(fen, code(0, Square::F1, Square::H1)).as_deref(), Some("O-O"));
    }

    #[test]
    fn promotions_name_their_piece() {
        const PAWN: &str = "8/P7/8/8/8/7k/8/2K5 w - - 0 1";
        let names = [None, Some("a8=N"), Some("a8=B"), Some("a8=R"), Some("a8=Q"), None];
        for (promotion, name) in names.into_iter().enumerate() {
            let found = resolved(PAWN, code(promotion as u16, Square::A7, Square::A8));
            assert_eq!(found.as_deref(), name);
        }
    }

    #[test]
    fn every_legal_move_has_a_code_of_its_own_and_only_castling_two() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let found: Vec<_> =
                (0..=u16::MAX).filter_map(|code| MoveCode(code).resolve(&position)).collect();
            let castles = position.legal_moves().into_iter().filter(|mv| mv.is_castle()).count();
            assert_eq!(found.len(), position.legal_moves().len() + castles, "{fen}");
        }
    }
}
