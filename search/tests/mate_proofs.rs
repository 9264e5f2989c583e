//! Mates are proven and refuted exactly.

use std::collections::HashMap;

use tamarin_movegen::{Board, Position};
use tamarin_search::{MateGoal, MateLimits, MateVerdict, Prover};

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn prover(position: &Position, goal: MateGoal) -> Prover {
    Prover::new(position, goal, 16, MateLimits::default()).unwrap()
}

fn verdict(fen: &str, goal: MateGoal) -> MateVerdict {
    prover(&position(fen), goal).prove(goal.moves())
}

/// Whether a mate in `moves` moves can be forced, by trying everything.
fn mates(board: &Board, moves: u8) -> bool {
    let is_mated = |board: &Board| match board.checkers().any() {
        false if moves == 1 => false,
        is_in_check => match board.legal_moves() {
            replies if replies.is_empty() => is_in_check,
            replies => replies.into_iter().all(|mv| mates(&board.play(mv), moves - 1)),
        },
    };
    moves > 0 && board.legal_moves().into_iter().any(|mv| is_mated(&board.play(mv)))
}

/// Positions of random games, those with few pieces included.
fn walk(seed: u64, plies: usize) -> Position {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Captures twice as often, to thin out the board.
        let index = state as usize % moves.len();
        let other = (state >> 32) as usize % moves.len();
        let mv = if moves[other].is_capture() { moves[other] } else { moves[index] };
        position.make(mv);
    }
    position
}

#[test]
fn long_verdicts_agree_with_a_search_through_everything() {
    let mut proven = HashMap::new();
    for seed in 0..1_500 {
        let position = walk(seed, 60 + (seed % 90) as usize);
        for moves in 1..=2 {
            let expected = mates(position.board(), moves);
            let verdict = prover(&position, MateGoal::Mates(moves)).prove(moves);
            let wanted = if expected { MateVerdict::Proven } else { MateVerdict::Refuted };
            // The fifty-move rule is not known to the other search.
            if position.halfmove_clock() < 90 {
                assert_eq!(verdict, wanted, "mate in {moves}: {position}");
            }
            *proven.entry((moves, expected)).or_insert(0) += 1;
        }
    }
    assert!(proven[&(1, true)] >= 10 && proven[&(2, true)] >= 20, "{proven:?}");
}

const MATES: &[(&str, u8)] = &[
    ("8/8/8/8/8/8/R7/R3K2k w Q - 0 1", 1),
    ("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1", 3),
    ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2),
    // Morphy; Réti - Tartakower.
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9", 3),
];

#[test]
fn mates_are_proven_in_as_many_moves_as_they_take_and_refuted_in_fewer() {
    for &(fen, moves) in MATES {
        let position = position(fen);
        let goal = MateGoal::Mates(moves);
        let mut without_table = Prover::new(&position, goal, 0, MateLimits::default()).unwrap();
        assert_eq!(without_table.prove(moves), MateVerdict::Proven, "{fen}");
        let mut prover = prover(&position, goal);
        assert_eq!(prover.prove(moves), MateVerdict::Proven, "{fen}");
        assert_eq!(prover.prove(moves - 1), MateVerdict::Refuted, "{fen}");
        let line = prover.line(moves);
        assert_eq!(line.len(), 2 * usize::from(moves) - 1, "{fen}: {line:?}");
        let mut end = position.clone();
        for mv in line {
            assert!(end.is_legal(mv), "{fen}");
            end.make(mv);
        }
        assert!(end.in_check() && !end.has_legal_move(), "{fen} does not end in mate");
    }
}

/// Replies that are mated sooner are proven in as many moves as the longest one.
#[test]
fn the_line_of_the_shortest_mate_is_as_long_as_the_mate() {
    let position = position("3b1R2/1rn1p3/1p6/4p3/2p5/3p2p1/6p1/1K1n1brk b - - 0 1");
    let mut prover = prover(&position, MateGoal::IsMated(6));
    assert_eq!(prover.prove(6), MateVerdict::Proven);
    for moves in 0..6 {
        assert_eq!(prover.prove(moves), MateVerdict::Refuted, "{moves}");
    }
    let line = prover.line(6);
    assert_eq!(line.len(), 12, "{line:?}");
}

#[test]
fn the_side_to_move_may_be_the_one_that_is_mated() {
    let fen = "k7/7R/6R1/8/8/8/8/7K b - - 0 1";
    assert_eq!(verdict(fen, MateGoal::IsMated(1)), MateVerdict::Proven);
    assert_eq!(verdict(fen, MateGoal::IsMated(0)), MateVerdict::Refuted);
    let mated = "k6R/8/1K6/8/8/8/8/8 b - - 0 1";
    assert_eq!(verdict(mated, MateGoal::IsMated(0)), MateVerdict::Proven);
    assert_eq!(verdict(mated, MateGoal::Mates(5)), MateVerdict::Refuted);
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert_eq!(verdict(morphy, MateGoal::IsMated(2)), MateVerdict::Refuted);
    let stalemate = "k7/2Q5/8/8/8/8/8/7K b - - 0 1";
    assert_eq!(verdict(stalemate, MateGoal::IsMated(9)), MateVerdict::Refuted);
}

#[test]
fn the_fifty_move_rule_counts() {
    // Mate in 2, quiet first: with the clock at 97 the third ply is the hundredth, and mates.
    let fen = |clock: u32| format!("k7/8/2K5/8/8/8/8/1R6 w - - {clock} 90");
    for (clock, wanted) in [
        (0, MateVerdict::Proven),
        (97, MateVerdict::Proven),
        (98, MateVerdict::Refuted),
        (99, MateVerdict::Refuted),
    ] {
        assert_eq!(verdict(&fen(clock), MateGoal::Mates(2)), wanted, "{clock}");
    }
    // The game goes on until a draw is claimed: a mate at once counts with any clock, and after a
    // capture the clock begins anew.
    for (fen, moves) in [
        ("8/8/2p5/3b1K1k/4p3/4PpR1/5P2/8 w - - 100 113", 1),
        ("k7/8/2K5/8/8/8/8/1R6 b - - 100 90", 0),
        ("k7/8/1K6/8/8/8/7p/7R w - - 120 90", 2),
    ] {
        let wanted = if moves > 0 { MateVerdict::Proven } else { MateVerdict::Refuted };
        assert_eq!(verdict(fen, MateGoal::Mates(moves)), wanted, "{fen}");
    }
}

#[test]
fn limits_leave_it_undecided() {
    let position = position("5rk1/5Npp/8/3Q4/8/8/8/7K w - - 0 1");
    let limits = MateLimits { nodes: Some(3), ..MateLimits::default() };
    let mut prover = Prover::new(&position, MateGoal::Mates(3), 1, limits).unwrap();
    assert_eq!(prover.prove(3), MateVerdict::Undecided);
    assert!(prover.nodes() <= 3);
    prover.set_node_limit(None);
    assert_eq!(prover.prove(3), MateVerdict::Proven);
}
