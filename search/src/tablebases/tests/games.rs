//! Endings played out: wins against the best defense, draws against random play.

use tamarin_movegen::{Move, Position};

use super::{RandomPositions, tables};
use crate::engine::Idle;
use crate::limits::Limits;
use crate::options::SearchOptions;
use crate::report::Silent;
use crate::tablebases::{Tablebases, Wdl};

/// How many endings are played: as many as `TAMARIN_ENDINGS` says, else so many.
fn endings(default: usize) -> usize {
    std::env::var("TAMARIN_ENDINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Nodes of each search: so few that the tables have to help.
const NODES: u64 = 250;

fn engine() -> Idle {
    let mut idle = Idle::new().unwrap();
    idle.set_hash(1).unwrap();
    let folder = super::data("syzygy").expect("there are tables");
    assert_eq!(idle.set_tablebases(folder.to_str().unwrap()).pieces, 4);
    idle
}

fn best_move(idle: &mut Idle, position: &Position) -> Move {
    let options = SearchOptions::default();
    let best = idle.search(position, Limits::nodes(NODES), &options, Box::new(Silent));
    best.best.expect("the game goes on")
}

/// The move that keeps the winning side busy longest.
fn best_defense(tables: &Tablebases, position: &Position) -> Move {
    let plies = |&mv: &Move| {
        let mut after = position.clone();
        after.make(mv);
        tables.dtz_of_move(&after).expect("a table for each")
    };
    let moves = position.legal_moves();
    let best = moves.iter().copied().min_by_key(|mv| plies(mv)).expect("the game goes on");
    assert!(moves.iter().all(|mv| plies(mv) < 0), "the win was given away before {position}");
    best
}

fn is_drawn(position: &Position) -> bool {
    position.is_repetition(0)
        || position.is_fifty_move_draw()
        || position.is_insufficient_material()
        || (!position.in_check() && !position.has_legal_move())
}

#[test]
fn random_wins_are_won_against_the_best_defense() {
    let Some(tables) = tables() else { return };
    let mut idle = engine();
    let mut starts = RandomPositions::new(&tables, 4, 200);
    let (games, mut plies) = (endings(200), 0);
    for _ in 0..games {
        let start = starts.of(&tables, Some(Wdl::Win));
        let mut position = start.clone();
        loop {
            position.make(best_move(&mut idle, &position));
            plies += 1;
            assert!(!is_drawn(&position), "{start} ended as a draw: {position}");
            if !position.has_legal_move() {
                break;
            }
            position.make(best_defense(&tables, &position));
            plies += 1;
            assert!(!is_drawn(&position), "{start} ended as a draw: {position}");
        }
    }
    println!("{games} of {games} endings won in {plies} plies");
}

#[test]
fn random_draws_are_held() {
    let Some(tables) = tables() else { return };
    let mut idle = engine();
    let mut starts = RandomPositions::new(&tables, 4, 100);
    let games = endings(100);
    for _ in 0..games {
        let start = starts.of(&tables, Some(Wdl::Draw));
        let mut position = start.clone();
        for _ in 0..30 {
            if is_drawn(&position) {
                break;
            }
            position.make(best_move(&mut idle, &position));
            assert_eq!(tables.wdl(&position), Some(Wdl::Draw), "{start} at {position}");
            let draws = |mv: &Move| {
                let mut after = position.clone();
                after.make(*mv);
                tables.wdl(&after) == Some(Wdl::Draw)
            };
            let moves: Vec<_> = position.legal_moves().iter().copied().filter(draws).collect();
            if is_drawn(&position) {
                break;
            }
            position.make(moves[starts.below(moves.len())]);
        }
    }
    println!("{games} of {games} draws held");
}
