//! Repetition, upcoming repetition, fifty-move rule and insufficient material.

use std::collections::HashSet;
use std::iter;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;
use tamarin_movegen::{Color, PieceKind, Position, Reason};

fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        position.try_make_uci(text).expect(text);
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

/// Whether White, and whether Black, could mate.
#[test]
fn mating_material_by_side() {
    for (fen, can_mate) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", [false, false]),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, false]),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", [true, false]),
        ("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", [true, true]),
        ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, true]),
        ("3rk3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, true]),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", [false, false]),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", [false, false]),
        ("4k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", [false, false]),
        ("2b1k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", [false, false]),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", [true, false]),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", [true, true]),
        ("3qk3/8/8/8/8/8/8/4KB2 w - - 0 1", [false, true]),
        ("3nk3/8/8/8/8/8/8/4KB2 w - - 0 1", [true, true]),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", [true, false]),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", [true, false]),
    ] {
        let position = Position::from_fen(fen).expect(fen);
        let found = Color::ALL.map(|side| position.has_mating_material(side));
        assert_eq!(found, can_mate, "{fen}");
        let is_dead = can_mate == [false, false];
        assert_eq!((position.is_insufficient_material(), position.is_dead()), (is_dead, is_dead));
    }
}

#[test]
fn outcomes_by_reason() {
    use Reason::*;
    for (fen, outcome, claim) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 150 1", Some(Checkmate), None),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Stalemate), None),
        ("7k/8/6K1/8/8/3B4/8/5B2 b - - 0 1", Some(InsufficientMaterial), None),
        ("7k/8/6K1/8/8/8/8/6R1 b - - 99 90", None, None),
        ("7k/8/6K1/8/8/8/8/6R1 b - - 149 90", None, Some(FiftyMoves)),
        ("7k/8/6K1/8/8/8/8/6R1 b - - 150 90", Some(SeventyFiveMoves), Some(FiftyMoves)),
        // Blocked pawns; with a gap; a king beside them; a pawn that moves; a knight; a king that
        // captures from behind.
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", Some(BlockedPawns), None),
        ("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1", None, None),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/3K4/8/8 w - - 0 1", Some(BlockedPawns), None),
        ("4k3/8/p7/2p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", None, None),
        ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K1N1 w - - 0 1", None, None),
        ("4k3/8/5K2/p1p1p1p1/P1P1P1P1/8/8/8 w - - 0 1", None, None),
    ] {
        let position = Position::from_fen(fen).expect(fen);
        assert_eq!(position.outcome().map(|outcome| outcome.reason), outcome, "{fen}");
        if outcome != Some(Checkmate) {
            assert_eq!(position.claimable_draw(), claim, "{fen}");
        }
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, (outcome == Some(Checkmate)).then_some(Color::White), "{fen}");
    }
}

#[test]
fn repetitions_are_claimed_at_three_and_end_the_game_at_five() {
    let mut position = Position::startpos();
    for times in 2..=5 {
        assert_eq!(position.outcome(), None);
        play(&mut position, "g1f3 g8f6 f3g1 f6g8");
        assert_eq!(position.occurrences(), times);
        let claim = (times >= 3).then_some(Reason::ThreefoldRepetition);
        assert_eq!(position.claimable_draw(), claim);
    }
    let reason = position.outcome().map(|outcome| outcome.reason);
    assert_eq!(reason, Some(Reason::FivefoldRepetition));
}

/// Pairs of pawns that block each other, mostly on every other file, and kings anywhere.
fn random_blocked_pawns(random: &mut impl Rng) -> Option<Position> {
    let mut board = [[b'1'; 8]; 8];
    let mut file = random.random_range(0..2);
    while file < 8 {
        let rank = if random.random_bool(0.9) { 3 } else { random.random_range(1..6) };
        board[rank][file] = b'P';
        board[rank + 1][file] = b'p';
        file += if random.random_bool(0.9) { 2 } else { random.random_range(1..4) };
    }
    for king in *b"Kk" {
        let (rank, file) = (random.random_range(0..8), random.random_range(0..8));
        (board[rank][file] == b'1').then_some(())?;
        board[rank][file] = king;
    }
    let ranks: Vec<_> = board.iter().rev().map(|rank| String::from_utf8_lossy(rank)).collect();
    let mover = if random.random_bool(0.5) { 'w' } else { 'b' };
    Position::from_fen(&format!("{} {mover} - - 0 1", ranks.join("/"))).ok()
}

/// Whether kings can only walk about for ever, by playing every legal move.
fn only_kings_walk(start: &Position) -> bool {
    let mut seen = HashSet::from([start.key()]);
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.in_check() {
            return false;
        }
        for mv in moves {
            if position.moved_piece(mv).kind() != PieceKind::King || mv.is_capture() {
                return false;
            }
            let mut next = position.clone();
            next.make(mv);
            if seen.insert(next.key()) {
                open.push(next);
            }
        }
    }
    true
}

#[test]
fn blocked_pawns_agree_with_trying_every_move() {
    let mut random = Xoshiro256StarStar::seed_from_u64(17);
    let (mut dead, mut missed) = (0, 0);
    for position in iter::repeat_with(|| random_blocked_pawns(&mut random)).take(500).flatten() {
        let is_walk = only_kings_walk(&position);
        assert!(is_walk || !position.is_dead(), "{position}");
        dead += u32::from(is_walk);
        missed += u32::from(is_walk && !position.is_dead());
    }
    // Kings that keep each other from getting through are not thought of.
    assert!(dead > 30 && missed * 20 < dead, "{missed} of {dead} missed");
}
