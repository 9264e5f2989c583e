//! The keys by which a Polyglot book finds positions.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, File, Piece, Role};
use tamarin_movegen::{Color, Position, Rank, Square};

/// The Polyglot key of a position.
///
/// En passant counts only if a pawn can really capture. The format counts a pawn that is pinned
/// as well; in a position with nothing but such a pawn the book is not found.
///
/// Source: the Polyglot book format, <http://hgm.nubati.net/book_format.html>.
pub fn key(position: &Position) -> u64 {
    let mut key = Zobrist64::default();
    for square in position.occupied() {
        let piece = position.piece_at(square).expect("invariant: the square is occupied");
        let role = Role::ALL[piece.kind().index()];
        let piece = Piece { color: color(piece.color()), role };
        key ^= Zobrist64::zobrist_for_piece(shakmaty::Square::new(square.index() as u32), piece);
    }
    for rook in position.castling() {
        let (color, side) = castling_right(position, rook);
        key ^= Zobrist64::zobrist_for_castling_right(color, side);
    }
    if let Some(square) = position.en_passant() {
        let file = File::new(square.file().index() as u32);
        key ^= Zobrist64::zobrist_for_en_passant_file(file);
    }
    if position.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

/// Which right this rook has.
fn castling_right(position: &Position, rook: Square) -> (shakmaty::Color, CastlingSide) {
    let owner = if rook.rank() == Rank::First { Color::White } else { Color::Black };
    let is_long = rook.file() < position.king(owner).file();
    (color(owner), if is_long { CastlingSide::QueenSide } else { CastlingSide::KingSide })
}

fn color(color: Color) -> shakmaty::Color {
    shakmaty::Color::from_white(color == Color::White)
}

#[cfg(test)]
mod tests {
    use super::key;
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use shakmaty::fen::Fen;
    use shakmaty::zobrist::Zobrist64;
    use shakmaty::{CastlingMode, Chess, EnPassantMode};
    use tamarin_movegen::{CastlingStyle, Position};

    /// The examples of the format's description.
    const EXAMPLES: [(&str, u64); 9] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
        ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
        ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
        ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
    ];

    #[test]
    fn the_examples_of_the_format_have_their_keys() {
        for (fen, wanted) in EXAMPLES {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(key(&position), wanted, "{fen}");
        }
    }

    #[test]
    fn keys_of_random_games_agree_with_shakmaty() {
        let starts = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
            ("brkqnbnr/pppppppp/8/8/8/8/PPPPPPPP/BRKQNBNR w HBhb - 0 1", CastlingMode::Chess960),
            ("nqrkbbrn/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBRN w GCgc - 0 1", CastlingMode::Chess960),
        ];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for (start, mode) in starts {
            for _ in 0..40 {
                let mut position = Position::from_fen(start).unwrap();
                for _ in 0..120 {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    position.make(moves[random.random_range(0..moves.len())]);
                    let fen = position.fen(CastlingStyle::Shredder);
                    let other: Chess = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
                    let wanted: Zobrist64 =
                        shakmaty::Position::zobrist_hash(&other, EnPassantMode::Legal);
                    assert_eq!(key(&position), wanted.0, "{fen}");
                }
            }
        }
    }
}
