//! From level 3 on no piece is left where a single capture wins it, if that can be helped.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_movegen::{Move, Position};
use tamarin_search::{Engine, Limits, SearchOptions, Strength};

use super::referee::Board;
use crate::common::search;
use crate::long::long_or;

/// Positions of random games, in which pieces hang on all sides.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::startpos();
        let plies = 6 + random.next_u64() % 70;
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[(random.next_u64() % moves.len() as u64) as usize]);
        }
        if position.legal_moves().len() > 1 {
            found.push(position);
        }
    }
    found
}

/// What the opponent wins by one capture after a move, less what the move took, as the referee
/// counts.
fn loss(position: &Position, mv: Move) -> i32 {
    let board = Board::of_fen(&position.to_string());
    let taken = if mv.is_capture() && !mv.is_en_passant() {
        board.value_at(&mv.to().to_string())
    } else {
        i32::from(mv.is_en_passant())
    };
    let promoted = mv.promotion().map_or(0, |kind| match kind.to_char() {
        'n' | 'b' => 2,
        'r' => 4,
        _ => 8,
    });
    let mut after = position.clone();
    after.make(mv);
    (Board::of_fen(&after.to_string()).best_capture() - taken - promoted).max(0)
}

fn allows_mate(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.make(mv);
    after.legal_moves().iter().any(|&answer| {
        let mut end = after.clone();
        end.make(answer);
        end.in_check() && !end.has_legal_move()
    })
}

#[test]
fn no_level_from_3_on_leaves_a_piece_en_prise() {
    let mut engine = Engine::new().unwrap();
    let mut tempted = 0;
    for (index, position) in positions(long_or(4000, 250), 37).iter().enumerate() {
        let moves = position.legal_moves();
        let losses: Vec<i32> = moves.iter().map(|&mv| loss(position, mv)).collect();
        let least = losses.iter().copied().min().unwrap();
        tempted += usize::from(losses.iter().any(|&loss| loss > least));
        let level = 3 + (index % 17) as u8;
        let options = SearchOptions {
            strength: Strength::Skill(level),
            seed: index as u64,
            ..SearchOptions::default()
        };
        // The rule has to hold however short the search is.
        let nodes = if index % 2 == 0 { 300 } else { 3000 };
        let (best, _) = search(&mut engine, position, Limits::nodes(nodes), &options);
        let played = best.mv.unwrap();
        let lost = loss(position, played);
        let is_forced = || {
            let mut safe = moves.iter().zip(&losses).filter(|&(_, &loss)| loss == least);
            safe.all(|(&mv, _)| allows_mate(position, mv))
        };
        assert!(
            lost == least || is_forced(),
            "level {level} loses {lost} by {} in {position}, {least} could not be helped",
            position.san(played),
        );
    }
    assert!(tempted > long_or(3000, 180), "only {tempted} positions could go wrong");
}

/// The levels below play otherwise: the test above can fail.
#[test]
fn levels_1_and_2_leave_pieces_en_prise() {
    let mut engine = Engine::new().unwrap();
    for level in [0, 2] {
        let options = SearchOptions { strength: Strength::Skill(level), ..Default::default() };
        let positions = positions(60, 38);
        let blunders = positions.iter().filter(|position| {
            let (best, _) = search(&mut engine, position, Limits::nodes(1000), &options);
            let least = position.legal_moves().iter().map(|&mv| loss(position, mv)).min();
            Some(loss(position, best.mv.unwrap())) > least
        });
        let blunders = blunders.count();
        assert!(blunders >= 5, "{blunders} of 60 at skill level {level}");
    }
}
