//! Edges of small functions that no other test reaches.

#[path = "../examples/find_magics.rs"]
mod find_magics;

use std::collections::HashSet;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tamarin_movegen::magic::{Slider, factor};
use tamarin_movegen::*;

#[test]
fn nothing_wraps_round_the_edge_of_the_board() {
    for square in Square::ALL {
        let bitboard = square.bitboard();
        assert_eq!(bitboard.north().first(), square.offset(0, 1));
        assert_eq!(bitboard.south().first(), square.offset(0, -1));
        assert_eq!(bitboard.east().first(), square.offset(1, 0));
        assert_eq!(bitboard.west().first(), square.offset(-1, 0));
        assert_eq!(square.to_string().parse(), Ok(square));
        assert_eq!(Square::new(square.file(), square.rank()), square);
    }
    assert_eq!(Square::H1.offset(i8::MAX, 0), None);
    assert_eq!(Square::A8.offset(i8::MIN, i8::MAX), None);
    assert_eq!(
        (Square::from_index(64), File::from_index(8), Rank::from_index(8)),
        (None, None, None)
    );
    assert_eq!("e9".parse::<Square>(), Err(SquareError));
    assert_eq!(Bitboard::EMPTY.first(), None);
    assert_eq!(Rank::Fourth.bitboard().last(), Some(Square::H4));
    assert_eq!((Bitboard::LIGHT.len(), Bitboard::LIGHT.has(Square::H1)), (32, true));
    assert_eq!(Square::A1.distance(Square::C8), 7);
}

#[test]
fn lines_between_squares() {
    assert_eq!(between(Square::A1, Square::D4).len(), 2);
    assert!(between(Square::A1, Square::B3).is_empty());
    assert_eq!(line(Square::B2, Square::D4).len(), 8);
    assert_eq!(queen_attacks(Square::A1, Square::B2.bitboard()).len(), 15);
}

#[test]
fn codes_of_moves() {
    assert_eq!(MoveKind::promotion(PieceKind::Rook, true), MoveKind::CapturePromoteRook);
    assert_eq!(Move::from_bits(0), None);
    let codes = (0..=u16::MAX).filter_map(Move::from_bits).inspect(|mv| {
        assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), *mv);
        let promotion = mv.promotion().map(|kind| MoveKind::promotion(kind, mv.is_capture()));
        assert_eq!(promotion, mv.is_promotion().then_some(mv.kind()));
        assert_eq!(mv.is_noisy(), mv.is_promotion() || mv.is_capture());
    });
    assert_eq!(codes.count(), 13 * 64 * 63);
}

#[test]
fn keys_change_with_their_part_of_the_position_only() {
    let key = |fen| Position::from_fen(fen).unwrap().key();
    assert_eq!(key("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"), key("4k3/8/8/8/8/8/8/4KR2 w - - 7 9"));
    assert_ne!(key("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"), key("4k3/8/8/8/8/8/8/4KR2 b - - 0 1"));
    let (before, mut after) = (Position::startpos(), Position::startpos());
    after.try_make_uci("g1f3").unwrap();
    assert_eq!(after.pawn_key(), before.pawn_key());
    assert_ne!(after.minor_key(), before.minor_key());
    assert_ne!(after.non_pawn_key(Color::White), before.non_pawn_key(Color::White));
    assert_eq!(after.non_pawn_key(Color::Black), before.non_pawn_key(Color::Black));
}

#[test]
fn kings_and_pawns_are_no_pieces_for_null_moves() {
    let position = Position::from_fen("4k3/4p3/8/8/8/8/8/4KR2 w - - 0 1").unwrap();
    assert!(position.has_non_pawn_material(Color::White));
    assert!(!position.has_non_pawn_material(Color::Black));
}

/// A value is printed, read and serialized as `text`, and `bad` is none.
fn check_text<T>(value: &T, text: &str, bad: &str)
where
    T: Display + FromStr<Err: Display> + PartialEq + Debug + Serialize + DeserializeOwned,
{
    assert_eq!(value.to_string(), text);
    assert!(text.parse().is_ok_and(|read: T| read == *value), "{text}");
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(json, format!("{text:?}"));
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
    let error = bad.parse::<T>().expect_err(bad).to_string();
    let failed = serde_json::from_str::<T>(&format!("{bad:?}")).unwrap_err().to_string();
    assert!(failed.starts_with(&error), "{failed}");
}

#[test]
fn values_are_the_text_of_their_standards() {
    Color::ALL.into_iter().zip(["w", "b"]).for_each(|(color, text)| check_text(&color, text, "W"));
    for (kind, text) in PieceKind::ALL.into_iter().zip(["p", "n", "b", "r", "q", "k"]) {
        check_text(&kind, text, "kk");
        check_text(&Piece::new(Color::White, kind), &text.to_uppercase(), "x");
        check_text(&Piece::new(Color::Black, kind), text, "");
    }
    check_text(&File::H, "h", "i");
    check_text(&Rank::Eighth, "8", "9");
    check_text(&Square::E4, "e4", "e9");
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9";
    let position = Position::from_fen(fen).unwrap();
    check_text(&position, fen, "8/8/8/8/8/8/8/8 w - - 0 1");
    let castle = position.parse_san("O-O").unwrap();
    check_text(&UciMove::from(castle), "e1h1", "0000");
    assert_eq!(
        (castle.to_string(), serde_json::to_string(&castle).unwrap()),
        ("e1h1".into(), "\"e1h1\"".into())
    );
    assert_eq!("x".parse::<Color>().unwrap_err().to_string(), "expected one letter of wb");
}

#[test]
fn positions_are_equal_without_their_history() {
    let mut played = Position::default();
    assert_eq!(played, Position::startpos());
    for text in ["e2e4", "e7e5"] {
        played.try_make_uci(text).unwrap();
    }
    let read = Position::from_fen(&played.to_string()).unwrap();
    let later = Position::from_fen(&played.to_string().replace(" 0 2", " 0 3")).unwrap();
    assert_eq!((read.plies(), played.plies()), (0, 2));
    assert_eq!(HashSet::from([played, read, later, Position::startpos()]).len(), 3);
    let text = format!("{:?}", Position::startpos().board());
    assert!(text.contains("castling: {a1, h1, a8, h8}") && !text.contains('\n'), "{text}");
}

#[test]
fn illegal_moves_are_not_made() {
    use IllegalMove::*;
    let castle = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let cases = [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e3e4", MoveKind::Quiet, NoPiece),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "e2e3", MoveKind::Quiet, OpponentsPiece),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", MoveKind::Quiet, WrongKind),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e3", MoveKind::Capture, WrongKind),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5", MoveKind::DoublePush, Unreachable),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", MoveKind::Quiet, PromotionMissing),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e3", MoveKind::PromoteRook, NotPromotion),
        ("4kr2/8/8/8/8/8/8/4K3 w - - 0 1", "e1f1", MoveKind::Quiet, KingInCheck),
        (castle, "e1h1", MoveKind::Quiet, WrongKind),
        (castle, "e1g1", MoveKind::Castle, Unreachable),
    ];
    for (fen, text, kind, reason) in cases {
        let mut position = Position::from_fen(fen).unwrap();
        let UciMove { from, to, .. } = text.parse().unwrap();
        assert_eq!(position.try_make(Move::new(from, to, kind)), Err(reason), "{fen} {text}");
        assert_eq!((position.to_string(), position.plies()), (fen.to_owned(), 0));
    }
    let mut position = Position::from_fen(castle).unwrap();
    assert_eq!(position.try_make(Move::new(Square::E1, Square::H1, MoveKind::Castle)), Ok(()));
    assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
}

#[test]
fn start_positions_have_the_numbers_of_cozy_chess() {
    for number in 0..CHESS960_POSITIONS {
        let (white, black) = (number, (number * 7 + 1) % CHESS960_POSITIONS);
        let position = Position::double_chess960(white, black).unwrap();
        let expected = cozy_chess::Board::double_chess960_startpos(white.into(), black.into());
        assert_eq!(position.fen(CastlingStyle::Shredder), format!("{expected:#}"));
    }
    assert_eq!(Position::double_chess960(0, CHESS960_POSITIONS), None);
    assert_eq!(Position::chess960(518), Some(Position::startpos()));
}

/// The committed magic factors are those that the tool in `examples` finds.
#[test]
fn magic_factors_are_those_of_the_tool() {
    for slider in [Slider::Bishop, Slider::Rook] {
        let found = find_magics::find(slider);
        for square in Square::ALL {
            assert_eq!(found[square.index()], factor(slider, square), "{slider:?} on {square}");
        }
    }
}
