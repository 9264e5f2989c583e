//! Known endgames are recognized.

use tamarin_eval::{EvalCache, Score, evaluate};
use tamarin_movegen::Position;

fn score(fen: &str) -> Score {
    let position = Position::from_fen(fen).unwrap();
    evaluate(&position, &mut EvalCache::new())
}

#[test]
fn pieces_that_cannot_win_are_drawn() {
    for fen in [
        "4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1",
    ] {
        assert_eq!(score(fen), Score::DRAW, "{fen}");
    }
}

#[test]
fn king_and_pawn_are_known() {
    // The opposition decides; a rook pawn with the king in the corner never wins.
    let won = ["4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "8/8/8/4k3/8/8/4P3/K7 w - - 0 1"];
    let drawn = ["4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "k7/8/K7/P7/8/8/8/8 w - - 0 1"];
    assert!(score(won[0]) > Score::new(1_000));
    assert_eq!(score(won[1]), Score::DRAW);
    for fen in drawn {
        assert_eq!(score(fen), Score::DRAW, "{fen}");
    }
}

#[test]
fn bare_kings_draw_by_stalemate_or_by_taking_the_last_piece() {
    for fen in [
        "k7/2Q5/8/1K6/8/8/8/8 b - - 0 1",
        "8/8/8/4k3/3R4/8/8/7K b - - 0 1",
        // One knight is left.
        "8/8/8/4k3/3R4/8/6N1/7K b - - 0 1",
    ] {
        assert_eq!(score(fen), Score::DRAW, "{fen}");
    }
    for fen in [
        // A king with a move, a king whose opponent is to move.
        "k7/3Q4/8/1K6/8/8/8/8 b - - 0 1",
        "k7/2Q5/8/1K6/8/8/8/8 w - - 0 1",
        // A protected rook; two rooks.
        "8/8/8/4k3/3R4/3K4/8/8 b - - 0 1",
        "8/8/8/4k3/3R4/8/6R1/7K b - - 0 1",
    ] {
        assert!(score(fen).units().abs() > 3_000, "{fen}");
    }
}

#[test]
fn bishop_and_knight_drive_to_the_bishops_corner() {
    // A light-squared bishop mates on a8 and h1.
    let right = score("k7/8/1K6/8/8/8/8/5BN1 w - - 0 1");
    let wrong = score("7k/8/6K1/8/8/8/8/5BN1 w - - 0 1");
    assert!(right > wrong + 100, "{right:?} {wrong:?}");
}

#[test]
fn wrong_bishop_and_rook_pawn_are_drawn() {
    // The light-squared bishop does not control h8, the dark-squared one does.
    assert!(score("7k/8/5K2/7P/8/8/8/5B2 w - - 0 1") < Score::new(40));
    assert!(score("7k/8/5K2/7P/8/8/8/4B3 w - - 0 1") > Score::new(150));
    // However much wood it is.
    assert!(score("k7/8/P1K5/P7/P2B4/8/8/8 w - - 0 1") < Score::new(40));
}

#[test]
fn opposite_bishops_are_drawish() {
    let opposite = score("4k3/5p2/2b5/8/8/2B5/1P3P2/4K3 w - - 0 1");
    let same = score("4k3/5p2/3b4/8/8/2B5/1P3P2/4K3 w - - 0 1");
    assert!(opposite > Score::DRAW && same > opposite + 15, "{same:?} {opposite:?}");
}
