//! From level 3 on no piece is left where a single capture wins it, if that can be helped.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_movegen::{Move, PieceKind, Position, Square};
use tamarin_search::{Engine, Limits, SearchOptions, Strength};

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

/// What the side to move wins by legal captures on a square, each with its least valuable piece.
fn exchange(position: &Position, target: Square) -> i32 {
    let value = |kind: PieceKind| [1, 3, 3, 5, 9, 1000][kind.index()];
    let captures = position.legal_moves().into_iter().filter(|mv| {
        mv.is_capture()
            && !mv.is_en_passant()
            && mv.to() == target
            && mv.promotion().is_none_or(|kind| kind == PieceKind::Queen)
    });
    let Some(mv) = captures.min_by_key(|&mv| value(position.moved_piece(mv).kind())) else {
        return 0;
    };
    (gain(position, mv) - exchange(&after(position, mv), target)).max(0)
}

fn gain(position: &Position, mv: Move) -> i32 {
    let value = |kind: PieceKind| [1, 3, 3, 5, 9, 0][kind.index()];
    position.captured_by(mv).map_or(0, value) + mv.promotion().map_or(0, |kind| value(kind) - 1)
}

fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.make(mv);
    after
}

/// What the opponent wins by one capture of a piece after a move, less what the move took.
fn loss(position: &Position, mv: Move) -> i32 {
    let after_move = after(position, mv);
    let captures = after_move.legal_moves().into_iter().filter(|&capture| {
        after_move.captured_by(capture).is_some_and(|kind| kind != PieceKind::Pawn)
    });
    let lost = captures.map(|capture| {
        gain(&after_move, capture) - exchange(&after(&after_move, capture), capture.to())
    });
    (lost.max().unwrap_or(0) - gain(position, mv)).max(0)
}

fn allows_mate(position: &Position, mv: Move) -> bool {
    let reply = after(position, mv);
    reply.legal_moves().iter().any(|&answer| {
        let end = after(&reply, answer);
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
