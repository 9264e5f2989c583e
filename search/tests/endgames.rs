//! Won endgames are won over the board, in time for the fifty-move rule.

use crate::common::{depth, position, search};
use crate::long::long_or;
use tamarin_base::Score;
use tamarin_search::{Engine, Limits, SearchOptions};

/// Whether the engine against itself, at `nodes` nodes a move, mates before the fifty-move rule
/// ends the game.
fn is_won_over_the_board(fen: &str, nodes: u64) -> bool {
    let mut position = position(fen);
    let mut engine = Engine::new().unwrap();
    while position.has_legal_move() {
        if position.halfmove_clock() >= 100 {
            return false;
        }
        let options = SearchOptions::default();
        let (best, _) = search(&mut engine, &position, Limits::nodes(nodes), &options);
        position.make(best.mv.unwrap());
    }
    position.in_check()
}

#[test]
fn a_bare_king_is_mated() {
    for fen in [
        "8/8/7k/8/6K1/R7/8/8 b - - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
        "7k/8/8/8/8/1B6/4K3/4B3 w - - 0 1",
        "8/B7/2k5/8/8/8/7K/5B2 w - - 0 1",
    ] {
        assert!(is_won_over_the_board(fen, 5_000), "{fen}");
    }
}

#[test]
fn long_bishop_and_knight_mate() {
    let fens = ["N7/2B3K1/8/8/8/1k6/8/8 b - - 0 1", "4k3/8/7N/8/6K1/B7/8/8 w - - 0 1"];
    for fen in &fens[..long_or(2, 1)] {
        assert!(is_won_over_the_board(fen, 20_000), "{fen}");
    }
}

/// What a won ending teaches the correction history does not count in a drawn one with the same
/// pawn.
#[test]
fn a_drawn_king_and_pawn_ending_stays_drawn_after_a_won_one() {
    let mut engine = Engine::new().unwrap();
    let options = SearchOptions::default();
    for (fen, nodes, is_won) in [
        ("8/8/4k3/8/4K3/8/4P3/8 b - - 0 1", 100_000, true),
        ("8/8/8/4k3/8/8/4P3/K7 w - - 0 1", 50_000, false),
    ] {
        let (_, reports) = search(&mut engine, &position(fen), Limits::nodes(nodes), &options);
        let score = reports.last().unwrap().score;
        assert_eq!(score != Score::DRAW, is_won, "{fen}: {score:?}");
    }
}

#[test]
fn a_queen_does_not_stalemate_at_depth_one() {
    let (best, _) = depth("4K3/8/8/8/8/8/2Q5/k7 w - - 0 1", 1);
    let mut after = position("4K3/8/8/8/8/8/2Q5/k7 w - - 0 1");
    after.make(best.mv.unwrap());
    assert!(after.has_legal_move() || after.in_check(), "{best:?}");
}

/// Passing in zugzwang looks better than any move: a side with pawns alone may not pass, which the
/// search asserts at each null move. A panic in it is a note, and no test has any.
#[test]
fn no_side_with_pawns_alone_passes() {
    for fen in ["8/8/8/2K1p3/4P1k1/8/8/8 w - - 0 1", "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"] {
        let mut engine = Engine::new().unwrap();
        search(&mut engine, &position(fen), Limits::nodes(20_000), &SearchOptions::default());
    }
}
