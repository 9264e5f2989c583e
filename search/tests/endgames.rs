//! Won endgames are won over the board, in time for the fifty-move rule.

mod common;

use common::{position, search};
use tamarin_search::{Idle, Limits, SearchOptions};

/// The engine against itself, so many nodes a move, until mate or the fifty-move rule.
/// Gives the half-moves to the mate.
fn play_out(fen: &str, nodes: u64) -> Option<usize> {
    let mut position = position(fen);
    let mut idle = Idle::new().unwrap();
    for plies in 0.. {
        if !position.has_legal_move() {
            return position.in_check().then_some(plies);
        }
        if position.halfmove_clock() >= 100 {
            return None;
        }
        let options = SearchOptions::default();
        let (next, best, _) = search(idle, &position, Limits::nodes(nodes), &options);
        idle = next;
        position.make(best.best.unwrap());
    }
    unreachable!()
}

#[test]
fn a_bare_king_is_mated() {
    for fen in [
        "8/8/7k/8/6K1/R7/8/8 b - - 0 1",
        "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
        "7k/8/8/8/8/1B6/4K3/4B3 w - - 0 1",
        "8/B7/2k5/8/8/8/7K/5B2 w - - 0 1",
    ] {
        assert!(play_out(fen, 5_000).is_some(), "{fen}");
    }
}

#[test]
fn bishop_and_knight_mate() {
    for fen in ["4k3/8/7N/8/6K1/B7/8/8 w - - 0 1", "N7/2B3K1/8/8/8/1k6/8/8 b - - 0 1"] {
        assert!(play_out(fen, 20_000).is_some(), "{fen}");
    }
}
