//! Endings played out: wins against the best defense, draws against the best attack.

use tamarin_movegen::{Move, Position};

use super::{RandomPositions, tables};
use crate::engine::Engine;
use crate::limits::Limits;
use crate::options::SearchOptions;
use crate::report::Silent;
use crate::tablebases::{Tablebases, Wdl};

/// How many endings are played: `TAMARIN_ENDINGS`, else `default`.
fn endings(default: usize) -> usize {
    std::env::var("TAMARIN_ENDINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Nodes of each search: so few that the tables have to help.
const NODES: u64 = 250;

fn engine() -> Engine {
    let mut engine = Engine::new().unwrap();
    engine.set_hash(1).unwrap();
    let folder = super::data("syzygy").expect("there are tables");
    assert_eq!(engine.set_tablebases(folder.to_str().unwrap()).pieces, 4);
    engine
}

fn best_move(engine: &mut Engine, position: &Position) -> Move {
    let options = SearchOptions::default();
    let best = engine.search(position, Limits::nodes(NODES), &options, Box::new(Silent));
    best.mv.expect("the game goes on")
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
        || position.is_dead()
        || (!position.in_check() && !position.has_legal_move())
}

#[test]
fn random_wins_are_won_against_the_best_defense() {
    let Some(tables) = tables() else { return };
    let mut engine = engine();
    let mut starts = RandomPositions::new(&tables, 4, 200);
    let (games, mut plies) = (endings(200), 0);
    for _ in 0..games {
        let start = starts.of(&tables, Some(Wdl::Win));
        let mut position = start.clone();
        loop {
            position.make(best_move(&mut engine, &position));
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

/// How many legal replies hold the draw, and how many there are.
fn holding_replies(tables: &Tablebases, position: &Position) -> (usize, usize) {
    let moves = position.legal_moves();
    let holds = |&&mv: &&Move| {
        let mut after = position.clone();
        after.make(mv);
        tables.wdl(&after) == Some(Wdl::Draw)
    };
    (moves.iter().filter(holds).count(), moves.len())
}

/// The move that keeps the draw and leaves the defender the smallest share of replies that hold
/// it; those that repeat a position only if there is no other.
fn best_attack(tables: &Tablebases, position: &Position, random: &mut RandomPositions) -> Move {
    let mut best = Vec::new();
    let mut least = (true, f64::INFINITY);
    for &mv in &position.legal_moves() {
        let mut after = position.clone();
        after.make(mv);
        if tables.wdl(&after) != Some(Wdl::Draw) {
            continue;
        }
        let (holding, all) = holding_replies(tables, &after);
        let repeats = after.is_repetition(1);
        let danger = (repeats, holding as f64 / all.max(1) as f64);
        if danger < least {
            least = danger;
            best.clear();
        }
        if danger == least {
            best.push(mv);
        }
    }
    best[random.below(best.len())]
}

#[test]
fn random_draws_are_held_against_the_best_attack() {
    let Some(tables) = tables() else { return };
    let mut engine = engine();
    let mut starts = RandomPositions::new(&tables, 4, 100);
    let (games, mut chances) = (endings(100), 0);
    for _ in 0..games {
        // One in which the wrong move loses.
        let start = loop {
            let start = starts.of(&tables, Some(Wdl::Draw));
            let (holding, all) = holding_replies(&tables, &start);
            if holding < all {
                break start;
            }
        };
        let mut position = start.clone();
        for _ in 0..50 {
            let (holding, all) = holding_replies(&tables, &position);
            chances += usize::from(holding < all);
            position.make(best_move(&mut engine, &position));
            assert_eq!(tables.wdl(&position), Some(Wdl::Draw), "{start} at {position}");
            if is_drawn(&position) {
                break;
            }
            position.make(best_attack(&tables, &position, &mut starts));
            if is_drawn(&position) {
                break;
            }
        }
    }
    println!("{games} of {games} draws held, {chances} times with moves that lose");
}
