//! Weakened play is worse by degrees, and the same seed plays the same game.

mod en_prise;
mod mates;

use crate::common::search;
use tamarin_movegen::Position;
use tamarin_search::{Engine, Limits, SearchOptions, Strength};

const OPENINGS: [&str; 4] = ["e4", "d4", "c4", "b3"];

/// Half points of the first player in short games, from both sides of some openings; each
/// player has tables of its own. The games are adjudicated by a deeper search.
fn half_points(first: Strength, second: Strength) -> u32 {
    let mut players = [Engine::new().unwrap(), Engine::new().unwrap()];
    let mut points = 0;
    for (game, opening) in OPENINGS.iter().enumerate() {
        for sides in [[first, second], [second, first]] {
            let mut position = Position::startpos();
            position.make(position.parse_san(opening).unwrap());
            players.iter_mut().for_each(Engine::new_game);
            for ply in 1..44_usize {
                let side = ply % 2;
                let options = SearchOptions {
                    strength: sides[side],
                    seed: game as u64,
                    ..SearchOptions::default()
                };
                let (best, _) =
                    search(&mut players[side], &position, Limits::nodes(5000), &options);
                let Some(mv) = best.mv else { break };
                position.make(mv);
            }
            let full = SearchOptions::default();
            let (best, _) = search(&mut players[0], &position, Limits::nodes(20_000), &full);
            // Odd plies, the first of which is the second move, are those of sides[1].
            let mover_is_first = sides[(position.plies()) % 2] == first;
            let score = best.score.units() * if mover_is_first { 1 } else { -1 };
            points += match score {
                150.. => 2,
                -149..150 => 1,
                _ => 0,
            };
        }
    }
    points
}

#[test]
fn long_higher_levels_play_better() {
    let levels = [Strength::Skill(0), Strength::Skill(8), Strength::Full];
    for pair in levels.windows(2) {
        let points = half_points(pair[1], pair[0]);
        assert!(points > 10, "{:?} made {points} of 16 against {:?}", pair[1], pair[0]);
    }
}

#[test]
fn ratings_are_accepted_and_repeat_themselves() {
    let mut engine = Engine::new().unwrap();
    for rating in [500, 1320, 2000, 3190] {
        let options =
            SearchOptions { strength: Strength::Elo(rating), seed: 5, ..Default::default() };
        let mut answers = Vec::new();
        for _ in 0..2 {
            engine.new_game();
            let root = Position::startpos();
            let (best, reports) = search(&mut engine, &root, Limits::nodes(20_000), &options);
            assert_eq!(best.mv, reports.last().map(|report| report.pv[0]));
            answers.push((best.mv, best.nodes));
        }
        assert_eq!(answers[0], answers[1]);
    }
}
