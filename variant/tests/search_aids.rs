//! What a search asks of positions, against slow ways to know it.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;
use tamarin_movegen::{Bitboard, CastlingNotation, SEE_VALUES, bishop_attacks, rook_attacks};
use tamarin_variant::{Game, Position, builtin};

/// Games whose moves have effects, drops, promotions and ways that others block.
const GAMES: [&str; 4] = ["fide", "minishogi", "xiangqi", "clobberers"];

/// Calls `look` with the positions of a random game.
fn walk(game: &Arc<Game>, seed: u64, plies: usize, mut look: impl FnMut(&mut Position)) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::start(game);
    for _ in 0..plies {
        look(&mut position);
        let moves = position.legal_moves();
        let Some(at) = random.next_u64().checked_rem(moves.len() as u64) else { break };
        position.make(moves[at as usize]);
    }
}

#[test]
fn noisy_moves_are_those_that_capture_or_create() {
    let mut noisy = Vec::new();
    for name in GAMES {
        let game = builtin(name).unwrap();
        let mut found = 0;
        walk(&game, 7, 60, |position| {
            position.noisy_moves_into(&mut noisy);
            let mut all = Vec::new();
            position.pseudo_legal_board_moves_into(position.side_to_move(), &mut all);
            for m in all {
                let mut creates = false;
                position.for_each_created(m, |_, _| creates = true);
                let wanted = position.is_capture(m) || creates;
                assert!(!wanted || noisy.contains(&m), "{name}: {position:?} {m:?}");
                // What is more changes other pieces, as castling does.
                assert!(wanted || !noisy.contains(&m) || position.has_effects(m), "{position:?}");
                found += usize::from(wanted);
            }
            assert!(noisy.iter().all(|m| noisy.iter().filter(|other| *other == m).count() == 1));
        });
        assert!(found > 0, "{name}");
    }
}

#[test]
fn a_legal_move_is_there_or_not() {
    let mut ends = 0;
    for name in GAMES {
        let game = builtin(name).unwrap();
        for seed in 0..6 {
            walk(&game, seed, 120, |position| {
                let any = position.has_legal_move();
                assert_eq!(any, !position.legal_moves().is_empty(), "{name}");
                ends += usize::from(!any);
            });
        }
    }
    assert!(ends > 0);
}

#[test]
fn a_repetition_within_the_search_ends_games_that_repetition_draws() {
    let mut position = Position::start(&builtin("fide").unwrap());
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut seen = Vec::new();
    for text in shuffle.iter().cycle().take(8) {
        position.make(position.parse_move(text).unwrap());
        let ends = |plies| position.rule_outcome_within(plies).is_some();
        seen.push((ends(0), ends(3), ends(4)));
    }
    let once = (false, false, true);
    assert_eq!(
        seen[..4],
        [(false, false, false), (false, false, false), (false, false, false), once]
    );
    // The start position has occurred three times: that ends the game for everybody.
    assert_eq!(seen[7], (true, true, true));
    assert!(seen[4..7].iter().all(|&ends| ends == once), "{seen:?}");
}

/// Standard chess: against the exchange evaluation of its own move generator, wherever no piece can
/// be pinned (what is pinned captures here, but not there).
#[test]
fn exchanges_of_chess_are_those_of_its_move_generator() {
    let kinds = ["p", "n", "b", "r", "q", "k"];
    let game = builtin("fide").unwrap();
    let value = |name: &str| SEE_VALUES[kinds.iter().position(|kind| *kind == name).unwrap()];
    let values: Vec<i32> = game.piece_names().map(value).collect();
    let (mut compared, mut losing) = (0, 0);
    for seed in 0..6 {
        walk(&game, seed, 120, |position| {
            let chess =
                tamarin_movegen::Position::from_fen(position.fen().split('{').next().unwrap())
                    .unwrap();
            let board = chess.board();
            // Neither can become so while pieces leave the board.
            let may_pin = |side: tamarin_movegen::Color| {
                let king = board.king(side);
                let diagonal = bishop_attacks(king, Bitboard::EMPTY);
                let orthogonal = rook_attacks(king, Bitboard::EMPTY);
                (diagonal & board.diagonal_sliders(!side)).any()
                    || (orthogonal & board.orthogonal_sliders(!side)).any()
            };
            if may_pin(tamarin_movegen::Color::White) || may_pin(tamarin_movegen::Color::Black) {
                return;
            }
            for mv in chess.legal_moves() {
                let text = chess.uci(mv, CastlingNotation::Classic).to_string();
                let m = position.parse_move(&text).unwrap();
                if mv.is_castle() {
                    continue;
                }
                let mut gain = 0;
                position.for_each_captured(m, |_, piece| gain += values[usize::from(piece.kind)]);
                let mover = position.mover(m).unwrap();
                position.for_each_created(m, |_, kind| {
                    gain += values[usize::from(kind)] - values[usize::from(mover.kind)];
                });
                for threshold in [-901, -500, -300, -200, -100, -99, 0, 1, 100, 200, 300, 500, 801]
                {
                    let expected = chess.see_at_least(mv, threshold);
                    let found = position.holds_exchange(m, &values, gain - threshold);
                    assert_eq!(found, expected, "{} {text} {threshold}", position.fen());
                    losing += usize::from(threshold == 0 && !expected);
                    compared += 1;
                }
            }
        });
    }
    assert!(compared > 10_000 && losing > 100, "{compared} {losing}");
}

#[test]
fn cannons_and_lame_horses_exchange_as_they_capture() {
    let game = builtin("xiangqi").unwrap();
    let value = |name: &str| match name {
        "k" => 0,
        "r" => 9,
        "c" => 5,
        "n" => 4,
        _ => 2,
    };
    let values: Vec<i32> = game.piece_names().map(value).collect();
    // The soldier on e7 is defended by the cannon on e10 over the horse on e9.
    let defended = "3kc4/4n4/9/4p4/9/9/9/9/4R4/5K3 w";
    let bare = "3kc4/9/9/4p4/9/9/9/9/4R4/5K3 w";
    for (fen, wins) in [(defended, false), (bare, true)] {
        let position = Position::from_fen(&game, fen).unwrap();
        let takes = position.parse_move("e2e7").unwrap();
        assert_eq!(position.holds_exchange(takes, &values, 2), wins, "{fen}");
    }
}
