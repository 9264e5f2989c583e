//! The search against brute force, and what it promises.

use std::collections::HashSet;
use std::panic;
use std::sync::Arc;

use crate::common::{GAMES, game, random_game};
use crate::long::long_or;
use tamarin_variant::{Color, Game, Position, load};
use tamarin_variant_search::{
    BestMove, Engine, Info, Limits, Millis, Options, ScoreValue, Signals, Wait,
};

fn engine(game: &Arc<Game>, options: &Options) -> Engine {
    Engine::new(game, options).unwrap()
}

fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> BestMove {
    engine.search(position, limits, &Signals::default(), |_| ())
}

/// Moves until the side to move wins by force, if it does within `most` plies, by brute force.
fn win_in(position: &mut Position, most: i32) -> Option<i32> {
    let side = position.side_to_move();
    if !position.has_legal_move() {
        return None;
    }
    let plies = (1..=most).find(|&plies| is_won(position, side, plies))?;
    Some((plies + 1) / 2)
}

/// Whether `winner` wins against every defense within so many plies.
fn is_won(position: &mut Position, winner: Color, plies: i32) -> bool {
    if !position.has_legal_move() {
        return position.outcome_without_moves().winner == Some(winner);
    }
    if plies == 0 || position.rule_outcome().is_some() {
        return false;
    }
    let moves = position.legal_moves();
    let own = position.side_to_move() == winner;
    let mut won = |m| {
        position.make(m);
        let won = is_won(position, winner, plies - 1);
        position.unmake();
        won
    };
    if own { moves.into_iter().any(&mut won) } else { moves.into_iter().all(&mut won) }
}

/// Games with goals beside mate, or with gating.
const GOALS: [&str; 7] =
    ["kingofthehill", "3check", "antichess", "atomic", "horde", "racingkings", "seirawan"];

#[test]
fn long_goals_are_won_as_mates_are() {
    let lines = include_str!("goals.txt").lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split("; ").collect()).collect();
    for name in GOALS {
        let game = game(name);
        let mut engine = engine(&game, &Options { hash_mib: 1, ..Options::default() });
        let own: Vec<_> = rows.iter().filter(|row| row[0] == name).collect();
        assert_eq!(own.len(), 10, "{name}");
        for row in own {
            let (fen, moves) = (row[1], row[2].parse::<i32>().unwrap());
            let mut position = Position::from_fen(&game, fen).unwrap();
            assert_eq!(win_in(&mut position, 6), Some(moves), "{name} {fen} by brute force");
            engine.new_game();
            let answer = search(&mut engine, &position, &Limits::depth(12));
            assert_eq!(answer.value, ScoreValue::Mate(moves), "{name} {fen}");
        }
    }
}

/// Positions of random games in which the side to move wins within two moves.
#[test]
fn long_mates_are_found_in_all_games() {
    for name in GAMES.into_iter().chain(GOALS) {
        let game = game(name);
        let mut engine = engine(&game, &Options { hash_mib: 1, ..Options::default() });
        // In antichess the opponent's answer is what wins.
        let plies = if name == "antichess" { 4 } else { 3 };
        let mut found = [0; 2];
        let wanted = long_or(3, 1);
        for seed in 0..200 {
            for position in random_game(&game, seed, 150).iter().skip(20).step_by(5) {
                if found.iter().all(|&count| count >= wanted) {
                    break;
                }
                let Some(moves) = win_in(&mut position.clone(), plies) else { continue };
                found[moves as usize - 1] += 1;
                engine.new_game();
                let answer = search(&mut engine, position, &Limits::depth(6));
                assert_eq!(answer.value, ScoreValue::Mate(moves), "{name} {}", position.fen());
            }
        }
        assert!(
            found.iter().all(|&count| count >= wanted),
            "{name}: only {found:?} mates in one and two"
        );
    }
}

#[test]
fn stalemate_follows_the_rule_of_the_game() {
    let position = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1";
    for (rule, expected) in [
        ("draw", ScoreValue::Centipawns(0)),
        ("loss", ScoreValue::Mate(1)),
        ("win", ScoreValue::Mate(-1)),
    ] {
        let text = format!("@extends fide\n@stalemate {rule}\n@fen {position}\n");
        let game = load(&text, None).unwrap().game;
        let mut engine = engine(&game, &Options::default());
        let mut position = Position::start(&game);
        let stalemates = position.parse_move("f2f7").unwrap();
        let limits = Limits { search_moves: vec![stalemates], ..Limits::depth(3) };
        assert_eq!(search(&mut engine, &position, &limits).value, expected, "{rule}");
        position.make(stalemates);
        let answer = search(&mut engine, &position, &Limits::depth(3));
        let over = if rule == "draw" { expected } else { ScoreValue::Mate(0) };
        assert_eq!((answer.mv, answer.value), (None, over), "{rule}");
    }
}

#[test]
fn the_quiescence_search_sees_a_stalemate() {
    let game = game("fide");
    let mut engine = engine(&game, &Options::default());
    let position = Position::from_fen(&game, "k7/8/2K5/8/8/8/8/1Q6 w - - 0 1").unwrap();
    let stalemates = position.parse_move("b1b6").unwrap();
    let limits = Limits { search_moves: vec![stalemates], ..Limits::depth(1) };
    assert_eq!(search(&mut engine, &position, &limits).value, ScoreValue::Centipawns(0));
}

#[test]
fn the_quiescence_search_does_not_stand_pat_in_check() {
    // After a6 the knight takes on c7 with check and, whatever Black does, on a8.
    let game = game("fide");
    let mut engine = engine(&game, &Options::default());
    let fen = "r3k1n1/ppp2ppp/8/1N6/8/8/PPP2PPP/4K2R b - - 0 1";
    let position = Position::from_fen(&game, fen).unwrap();
    let overlooks = position.parse_move("a7a6").unwrap();
    let limits = Limits { search_moves: vec![overlooks], ..Limits::depth(1) };
    let answer = search(&mut engine, &position, &limits);
    assert!(matches!(answer.value, ScoreValue::Centipawns(..-350)), "{answer:?}");
}

#[test]
fn perpetual_check_is_no_way_out_where_it_loses() {
    let rules = load("@extends fide\n@perpetual loss", None).unwrap().game;
    let mut engine = engine(&rules, &Options::default());
    let fen = "6k1/6p1/5p2/7Q/8/8/rqr3PP/7K w - - 0 1";
    let position = Position::from_fen(&rules, fen).unwrap();
    let answer = search(&mut engine, &position, &Limits::depth(6));
    assert!(
        matches!(answer.value, ScoreValue::Centipawns(..-300) | ScoreValue::Mate(..0)),
        "{answer:?}"
    );
}

#[test]
fn one_thread_is_deterministic_and_keeps_its_limits() {
    for name in GAMES {
        let game = game(name);
        let position = random_game(&game, 3, 14).pop().unwrap();
        let first = engine(&game, &Options::default());
        let evaluator = first.evaluator().clone();
        let second = Engine::with_evaluator(evaluator, &Options::default()).unwrap();
        let mut engines = [first, second];
        for limits in [Limits::depth(5), Limits::nodes(10_000)] {
            let mut lines = [Vec::new(), Vec::new()];
            let mut answers = Vec::new();
            for (engine, lines) in engines.iter_mut().zip(&mut lines) {
                engine.new_game();
                let report = |found: &[Info]| lines.extend_from_slice(found);
                answers.push(engine.search(&position, &limits, &Signals::default(), report));
            }
            assert_eq!(answers[0], answers[1], "{name}");
            let [first, second] = lines.map(|mut lines| {
                lines.iter_mut().for_each(|info| info.time = Millis::ZERO);
                lines
            });
            assert_eq!(first, second, "{name}");
            if let Some(nodes) = limits.nodes {
                assert_eq!(answers[0].nodes, nodes, "{name}");
            }
        }
    }
}

#[test]
fn lines_are_legal_and_the_best_ones() {
    for name in GAMES {
        let game = game(name);
        let mut engine = engine(&game, &Options::default());
        for position in random_game(&game, 12, 40).iter().step_by(9) {
            let mut lines = Vec::new();
            let wanted = position.legal_moves().len().min(3);
            let limits = Limits { lines: 3, ..Limits::nodes(5_000) };
            let answer = engine.search(position, &limits, &Signals::default(), |found| {
                let firsts: HashSet<_> = found.iter().map(|info| info.pv[0]).collect();
                assert_eq!((firsts.len(), found.len()), (wanted, wanted), "{name}");
                let value = |info: &Info| match info.value {
                    ScoreValue::Mate(moves) => 1_000_000 / moves,
                    ScoreValue::Centipawns(value) => value,
                };
                assert!(found.is_sorted_by(|a, b| value(a) >= value(b)), "{name} {found:?}");
                lines.extend_from_slice(found);
            });
            assert_eq!(answer.nodes, if wanted == 0 { 0 } else { 5_000 }, "{name}");
            for line in lines {
                let mut position = position.clone();
                for m in line.pv {
                    assert!(position.legal_moves().contains(&m), "{name} {}", position.fen());
                    position.make(m);
                }
            }
        }
    }
}

/// Nodes after which a thread publishes its count and looks for a stop.
const CHECK_INTERVAL: u64 = 512;

#[test]
fn several_threads_search_and_stop() {
    let game = game("shogi_nodrop");
    let mut engine = engine(&game, &Options { threads: 3, ..Options::default() });
    let position = Position::start(&game);
    let answer = search(&mut engine, &position, &Limits::depth(6));
    assert!(answer.depth >= 6 && position.legal_moves().contains(&answer.mv.unwrap()));
    // Without limits it thinks until it is stopped, and then visits few more nodes: each thread
    // publishes its count from time to time.
    let signals = Signals::default();
    let mut at_stop = None;
    let answer = engine.search(&position, &Limits::default(), &signals, |lines| {
        if lines[0].depth == 5 {
            signals.stop();
            at_stop = Some(lines[0].nodes);
        }
    });
    let after_stop = answer.nodes - at_stop.expect("five iterations");
    assert!(after_stop <= 3 * 2 * CHECK_INTERVAL, "{after_stop} nodes after the stop");
    assert!(position.legal_moves().contains(&answer.mv.unwrap()));
}

#[test]
fn time_limits_are_kept_and_pondering_waits() {
    let game = game("clobberers");
    let mut engine = engine(&game, &Options::default());
    let position = Position::start(&game);
    let signals = Signals::default();
    engine.search(&position, &Limits::move_time(50), &signals, |_| ());
    let time = signals.elapsed().get();
    assert!(time >= 40, "{time}");
    // The search goes on when the time for the move is over, until the hit; then it ends.
    let signals = Signals::new(Wait::Ponder);
    let mut late_reports = 0;
    let limits = Limits::move_time(1);
    let answer = engine.search(&position, &limits, &signals, |lines| {
        late_reports += u32::from(lines[0].time.get() > 2);
        if late_reports == 3 {
            signals.ponder_hit();
        }
    });
    assert!(answer.mv.is_some() && late_reports >= 3, "{late_reports}");
}

#[test]
fn checks_that_leave_many_answers_do_not_fill_the_tree() {
    // Kings that go anywhere are in check all the time: 80,000 nodes if all such lines are extended.
    let game = game("locusts");
    let mut position = Position::start(&game);
    for text in ["d2c2", "e7g4", "c2b6", "g4e6"] {
        position.make(position.parse_move(text).unwrap());
    }
    let mut engine = engine(&game, &Options::default());
    let answer = search(&mut engine, &position, &Limits::depth(7));
    assert!(answer.nodes < 20_000, "{}", answer.nodes);
}

#[test]
fn only_the_wanted_root_moves_are_searched() {
    let game = game("fide");
    let mut engine = engine(&game, &Options::default());
    let position = Position::start(&game);
    let wanted = position.parse_move("a2a3").unwrap();
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(4) };
    assert_eq!(search(&mut engine, &position, &limits).mv, Some(wanted));
    // Also by a search that is stopped before it has begun.
    for first in position.legal_moves() {
        let signals = Signals::default();
        signals.stop();
        let limits = Limits { search_moves: vec![first], ..Limits::nodes(1) };
        assert_eq!(engine.search(&position, &limits, &signals, |_| ()).mv, Some(first));
    }
}

#[test]
fn a_panic_of_the_first_thread_ends_the_others() {
    let game = game("fide");
    let mut engine = engine(&game, &Options { threads: 2, ..Options::default() });
    let position = Position::start(&game);
    let searched = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        let report = |_: &[Info]| panic!("a report that fails");
        engine.search(&position, &Limits::default(), &Signals::default(), report)
    }));
    assert!(searched.is_err());
}
