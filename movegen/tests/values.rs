//! Edges of small functions that no other test reaches.

#[path = "../examples/find_magics.rs"]
mod find_magics;

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
