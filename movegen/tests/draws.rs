//! Repetition, upcoming repetition, fifty-move rule and insufficient material.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256StarStar;
use tamarin_movegen::{Position, Square};

fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = position.resolve(text.parse().expect(text)).expect(text);
        position.make(mv);
    }
}

#[test]
fn third_occurrence_and_once_inside_the_tree() {
    let mut position = Position::startpos();
    play(&mut position, "g1f3 g8f6 f3g1 f6g8");
    assert!(!position.is_repetition(0), "the second occurrence is no draw yet");
    assert!(!position.is_repetition(4), "the first occurrence was the root");
    assert!(position.is_repetition(5), "both occurrences are inside the tree");
    play(&mut position, "g1f3 g8f6 f3g1 f6g8");
    assert!(position.is_repetition(0), "the third occurrence");
    position.unmake();
    assert!(!position.is_repetition(0), "unmade: the second occurrence again, four plies ago");
    assert!(position.is_repetition(5) && !position.is_repetition(4));
}

#[test]
fn pawn_moves_and_null_moves_are_irreversible() {
    let mut position = Position::startpos();
    play(&mut position, "g1f3 g8f6 f3g1 e7e6");
    assert!(!position.is_repetition(99));
    let mut position = Position::startpos();
    play(&mut position, "g1f3 g8f6 f3g1");
    position.make_null();
    play(&mut position, "b1c3 f6g8 c3b1");
    position.make_null();
    assert!(!position.is_repetition(99), "a null move is no move of the game");
    // The start again, by a move, and two null moves ago.
    let mut position = Position::startpos();
    play(&mut position, "g1f3 b8c6");
    position.make_null();
    play(&mut position, "c6b8 f3g1 b8c6");
    position.make_null();
    play(&mut position, "c6b8");
    assert!(!position.is_repetition(99), "what was before a null move does not count");
}

#[test]
fn lost_castling_rights_make_a_difference() {
    let mut position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("legal");
    play(&mut position, "h1g1 e8d8 g1h1 d8e8");
    assert!(!position.is_repetition(99), "White could castle the first time");
    play(&mut position, "h1g1 e8d8 g1h1 d8e8");
    assert!(position.is_repetition(5));
}

#[test]
fn a_captured_rook_does_not_castle() {
    for (fen, mv, right) in [
        ("r3k2r/1K6/8/8/8/8/8/8 w kq - 0 1", "b7a8", Square::H8),
        ("r3k2r/1K4P1/8/8/8/8/8/8 w kq - 0 1", "g7h8n", Square::A8),
        ("8/8/8/8/8/8/6k1/R3K2R b KQ - 0 1", "g2h1", Square::A1),
        ("4k3/8/8/8/8/8/6q1/R3K2R b KQ - 0 1", "g2h1", Square::A1),
    ] {
        let mut position = Position::from_fen(fen).expect("legal");
        play(&mut position, mv);
        assert_eq!(position.castling(), right.bitboard(), "{fen} {mv}");
    }
}

#[test]
fn a_lost_en_passant_capture_makes_a_difference() {
    let fen = "4k3/8/8/8/3pP3/8/8/R3K3 b - e3 0 1";
    let mut position = Position::from_fen(fen).expect("legal");
    play(&mut position, "e8d8 a1b1 d8e8 b1a1");
    assert!(!position.is_repetition(99), "Black could capture en passant the first time");
    play(&mut position, "e8d8 a1b1 d8e8 b1a1");
    assert!(position.is_repetition(5));
}

#[test]
fn repetitions_are_seen_after_the_undo_stack_is_cleared() {
    let mut position = Position::startpos();
    play(&mut position, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    position.clear_undo();
    assert_eq!(position.plies(), 0);
    play(&mut position, "f6g8");
    assert!(position.is_repetition(0));
}

/// The answer without tables: does a legal move lead to a position that has been there?
fn can_repeat(position: &Position, ply: usize) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let mut next = position.clone();
        next.make(mv);
        next.is_repetition(ply + 1)
    })
}

#[test]
fn upcoming_repetition() {
    let mut position = Position::startpos();
    play(&mut position, "g1f3 g8f6 f3g1");
    assert!(position.has_upcoming_repetition(4), "f6g8 repeats the start");
    assert!(!position.has_upcoming_repetition(3), "the start is the root: it takes two");
    play(&mut position, "e7e6");
    assert!(!position.has_upcoming_repetition(99));

    // A piece in between stops a slider's way back.
    let mut position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").expect("legal");
    play(&mut position, "a1d1 e8e7 e1e2");
    assert_eq!(position.has_upcoming_repetition(99), can_repeat(&position, 99));
    play(&mut position, "e7e8");
    assert_eq!(position.has_upcoming_repetition(99), can_repeat(&position, 99));
}

#[test]
fn upcoming_repetition_agrees_with_trying_every_move() {
    let mut random = Xoshiro256StarStar::seed_from_u64(11);
    let mut found = 0;
    for game in 0..300 {
        // Few pieces, so that random moves often come back.
        let fen = ["4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "k7/8/8/8/8/8/8/K6N w - - 0 1"][game % 2];
        let mut position = Position::from_fen(fen).expect("legal");
        for ply in 0..60 {
            let moves = position.legal_moves();
            let Some(&chosen) = moves.choose(&mut random) else { break };
            if position.is_insufficient_material() {
                break;
            }
            // Every position is inside the tree: once is enough.
            let expected = can_repeat(&position, 1000);
            assert_eq!(position.has_upcoming_repetition(1000), expected, "ply {ply}: {position:?}");
            found += i32::from(expected);
            position.make(chosen);
        }
    }
    assert!(found > 1000, "the test must see repetitions, saw {found}");
}

#[test]
fn mate_on_the_hundredth_ply_wins() {
    let mut mate = Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").expect("legal");
    play(&mut mate, "a1a8");
    assert_eq!(mate.halfmove_clock(), 100);
    assert!(mate.in_check() && !mate.has_legal_move());
    assert!(!mate.is_fifty_move_draw());
    let mut quiet = Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 99 80").expect("legal");
    assert!(!quiet.is_fifty_move_draw());
    play(&mut quiet, "a1a8");
    assert!(quiet.is_fifty_move_draw(), "check, but not mate");
}

#[test]
fn insufficient_material() {
    for (fen, insufficient) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("4k1n1/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true),
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", false),
        ("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", false),
        ("4k1b1/8/8/8/8/8/8/4K1N1 w - - 0 1", false),
        ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
    ] {
        let position = Position::from_fen(fen).expect(fen);
        assert_eq!(position.is_insufficient_material(), insufficient, "{fen}");
    }
}
