//! UCI moves: text in and out, and which legal move a text means.

use std::collections::HashMap;

use crate::games::{RICH, play_randomly, seeded};
use tamarin_movegen::{
    CastlingNotation, IllegalMove, Move, PieceKind, Position, Square, UciMove, UciMoveError,
};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn resolve(position: &Position, text: &str) -> Result<Move, UciMoveError> {
    position.resolve(text.parse()?)
}

#[test]
fn bad_text_is_named() {
    let cases = [
        ("", "expected a move of 4 or 5 characters, found \"\""),
        ("e2e", "expected a move of 4 or 5 characters, found \"e2e\""),
        ("e7e8qq", "expected a move of 4 or 5 characters, found \"e7e8qq\""),
        ("(none)", "expected a move of 4 or 5 characters, found \"(none)\""),
        ("0000", "0000 is the null move"),
        ("0001", "column 1: expected a square, found \"00\""),
        ("i2e4", "column 1: expected a square, found \"i2\""),
        ("e0e4", "column 1: expected a square, found \"e0\""),
        ("e2e9", "column 3: expected a square, found \"e9\""),
        ("e2éé", "column 3: expected a square, found \"éé\""),
        ("e7e8x", "column 5: expected n, b, r or q, found 'x'"),
        ("e7e8k", "column 5: expected n, b, r or q, found 'k'"),
        ("e7e8p", "column 5: expected n, b, r or q, found 'p'"),
        ("e2e4 ", "column 5: expected n, b, r or q, found ' '"),
        ("e2e4\0", "column 5: expected n, b, r or q, found '\\0'"),
    ];
    for (text, expected) in cases {
        assert_eq!(text.parse::<UciMove>().unwrap_err().to_string(), expected, "{text:?}");
    }
    let long = "e2e4".repeat(1_000_000).parse::<UciMove>().unwrap_err().to_string();
    assert!(long.chars().count() < 100, "{long}");
}

#[test]
fn illegal_moves_say_why() {
    use IllegalMove::*;
    let start = Position::startpos();
    let pinned = position("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1");
    let pawn = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    let attacked = position("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1");
    let cases = [
        (&start, "e3e4", NoPiece),
        (&start, "e7e5", OpponentsPiece),
        (&start, "e2e5", Unreachable),
        (&start, "e1e2", Unreachable),
        (&start, "e1g1", Unreachable),
        (&start, "e2e2", Unreachable),
        (&start, "e2e4q", NotPromotion),
        (&pinned, "e2c3", KingInCheck),
        (&pawn, "a7a8", PromotionMissing),
        (&attacked, "e1g1", Unreachable),
        (&attacked, "e1h1", Unreachable),
    ];
    for (position, text, reason) in cases {
        let text: UciMove = text.parse().unwrap();
        assert_eq!(position.resolve(text), Err(UciMoveError::Illegal { text, reason }), "{text}");
    }
    let error = resolve(&start, "e2e5").unwrap_err();
    assert_eq!(error.to_string(), "illegal move e2e5: no piece can move that way");
}

#[test]
fn both_castling_spellings_mean_the_same() {
    let cases = [
        // position, king's move, king takes rook, printed classic
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1h1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "e1a1", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", "e8h8", "e8g8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "e8a8", "e8c8"),
        // The rook is not in the corner, or the king not on the e-file.
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "e1g1", "e1g1", "e1g1"),
        ("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "e1c1", "e1b1", "e1b1"),
        ("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", "b1a1", "b1a1"),
        // The king does not move at all.
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1g1", "g1h1", "g1h1"),
        ("4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", "c1c1", "c1a1", "c1a1"),
    ];
    for (fen, king_move, king_takes_rook, printed) in cases {
        let position = position(fen);
        let castle = resolve(&position, king_takes_rook).unwrap();
        assert!(castle.is_castle(), "{fen}");
        assert_eq!(resolve(&position, king_move), Ok(castle), "{fen}");
        assert_eq!(position.uci(castle, CastlingNotation::Classic).to_string(), printed, "{fen}");
        assert_eq!(
            position.uci(castle, CastlingNotation::KingTakesRook).to_string(),
            king_takes_rook,
            "{fen}"
        );
    }
}

/// Of all 20,480 texts exactly those that mean a legal move resolve, and to that move.
fn check_all_texts(position: &Position) {
    let mut expected: HashMap<UciMove, Move> = HashMap::new();
    let moves = position.legal_moves();
    for &castle in moves.iter().filter(|mv| mv.is_castle()) {
        let file = if castle.to() > castle.from() { 6 } else { 2 };
        let to = Square::ALL[castle.from().index() / 8 * 8 + file];
        expected.insert(UciMove { from: castle.from(), to, promotion: None }, castle);
    }
    // The king's own move goes before castling.
    for &mv in &moves {
        expected.insert(UciMove { from: mv.from(), to: mv.to(), promotion: mv.promotion() }, mv);
    }
    for from in Square::ALL {
        for to in Square::ALL {
            for promotion in [None].into_iter().chain(PieceKind::PROMOTIONS.map(Some)) {
                let text = UciMove { from, to, promotion };
                let resolved = position.resolve(text).ok();
                assert_eq!(resolved, expected.get(&text).copied(), "{position} {text}");
            }
        }
    }
}

#[test]
fn exactly_the_legal_moves_resolve() {
    let mut rng = seeded(0x0C1_0001);
    for fen in RICH {
        check_all_texts(&position(fen));
    }
    for number in (0..960).step_by(40) {
        let start = Position::double_chess960(number, 959 - number).unwrap();
        play_randomly(&mut rng, &start, 60, |position, played| {
            if played.is_castle() || position.fullmove_number() % 10 == 0 {
                check_all_texts(position);
            }
        });
    }
}
