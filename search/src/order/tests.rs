use std::sync::LazyLock;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_base::params::Params;
use tamarin_movegen::Position;

use super::*;
use crate::history::{ContinuationKey, Histories, SharedHistories, ThreadHistories};

/// What is fetched from it is of no interest here.
static TABLE: LazyLock<TranspositionTable> =
    LazyLock::new(|| TranspositionTable::new(1, 0).unwrap());

fn all_picked(mut picker: Picker, position: &Position, histories: &Histories<'_>) -> Vec<Move> {
    let continuation = [ContinuationKey::NONE; 3];
    let scorer = Scorer {
        params: &Params::new(),
        position,
        histories,
        continuation: &continuation,
        threats: &Threats::NONE,
    };
    core::iter::from_fn(|| picker.next(&scorer, &TABLE)).collect()
}

/// Positions of seeded random games, with a random legal move or none for each of the
/// picker's hints.
fn random_positions(mut check: impl FnMut(&Position, [Option<Move>; 2])) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..300 {
        let mut position = Position::startpos();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut any =
                |list: &[Move]| list.get(random.next_u64() as usize % list.len()).copied();
            let hints = [any(&moves), any(&moves)];
            check(&position, hints);
            let played = any(&moves).unwrap();
            position.make(played);
        }
    }
}

#[test]
fn every_legal_move_comes_once() {
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    random_positions(|position, [tt_move, killer]| {
        let mut wanted = position.legal_moves().to_vec();
        wanted.sort();
        for hints in [(tt_move, killer), (None, killer), (tt_move, None), (None, None)] {
            let picker = Picker::new(Mode::All, hints.0, hints.1);
            let mut picked = all_picked(picker, position, &histories);
            if hints.0.is_some() {
                assert_eq!(picked.first().copied(), hints.0);
            }
            picked.sort();
            assert_eq!(picked, wanted, "{position:?} with {hints:?}");
        }
    });
}

#[test]
fn a_killer_of_another_position_is_harmless() {
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    let mut stale = None;
    random_positions(|position, [_, next]| {
        let mut picked = all_picked(Picker::new(Mode::All, None, stale), position, &histories);
        picked.sort();
        let mut wanted = position.legal_moves().to_vec();
        wanted.sort();
        assert_eq!(picked, wanted);
        stale = next;
    });
}

#[test]
fn gains_lose_nothing_and_miss_nothing() {
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    random_positions(|position, _| {
        let mut picked =
            all_picked(Picker::new(Mode::SeeAtLeast(0), None, None), position, &histories);
        picked.sort();
        let queens = |kind| kind == PieceKind::Queen;
        let good = |mv: &Move| {
            mv.is_noisy() && mv.promotion().is_none_or(queens) && position.see_at_least(*mv, 0)
        };
        let mut wanted: Vec<_> = position.legal_moves().into_iter().filter(good).collect();
        wanted.sort();
        assert_eq!(picked, wanted);
    });
}

#[test]
fn quiets_can_be_skipped_midway() {
    let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
    let histories = Histories::new(&own, &shared);
    let continuation = [ContinuationKey::NONE; 3];
    random_positions(|position, [tt_move, killer]| {
        let (histories, threats) = (&histories, &Threats::NONE);
        let scorer = Scorer {
            params: &Params::new(),
            position,
            histories,
            continuation: &continuation,
            threats,
        };
        let mut picker = Picker::new(Mode::All, tt_move, killer);
        let mut seen = Vec::new();
        while let Some(mv) = picker.next(&scorer, &TABLE) {
            if seen.len() >= 3 {
                assert!(mv.is_noisy() || seen.len() == 3);
                picker.skip_quiets();
            }
            seen.push(mv);
        }
        let noisy = position.legal_moves().iter().filter(|mv| mv.is_noisy()).count();
        assert!(seen.iter().filter(|mv| mv.is_noisy()).count() == noisy, "captures still come");
    });
}
