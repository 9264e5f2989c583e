use tamarin_variant::Move;

use super::*;
use crate::search::scored_move::Noise;

fn moves() -> Vec<ScoredMove> {
    let noise = |i: u32| (i % 3 == 1).then_some(Noise { gain: i as i32, captured: Some(0) });
    let it = |i: u32| ScoredMove { m: Move::from_bits(i << 8), score: 0, noise: noise(i) };
    (0..10).map(it).collect()
}

#[test]
fn the_moves_of_the_table_and_the_captures_come_first() {
    let best = Some(MoveCode::of(Move::from_bits(6 << 8)));
    let picker = Picker::new(Mode::All, moves(), best, None);
    assert_eq!(picker.tt_move().map(|it| it.m.to), Some(6));
    assert_eq!((picker.first, picker.noisy_end), (1, 4));
    assert!(picker.moves[1..4].iter().all(ScoredMove::is_noisy));
    assert!(!picker.moves[4..].iter().any(ScoredMove::is_noisy));
    let none = Some(MoveCode::of(Move::from_bits(77 << 8)));
    let picker = Picker::new(Mode::SeeAtLeast(0), moves(), none, None);
    assert!(picker.tt_move().is_none() && picker.moves.len() == 3);
}
