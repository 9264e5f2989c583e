//! The evaluation treats both colors alike, the pawn hash table never changes it, and it is
//! the sum of its terms.

use tamarin_eval::{Breakdown, EvalCache, evaluate};
use tamarin_movegen::{Color, Position};

use crate::support::{colors_exchanged, walk};

#[test]
fn mirrored_positions_are_worth_the_same() {
    let mut table = EvalCache::new();
    let visited = walk(400, |position| {
        let mirror = colors_exchanged(position);
        assert_eq!(evaluate(position, &mut table), evaluate(&mirror, &mut table), "{position}");
    });
    assert!(visited > 10_000, "{visited}");
}

#[test]
fn evaluation_is_the_sum_of_its_terms() {
    let mut table = EvalCache::new();
    let mut distinct = std::collections::HashSet::new();
    let mut compared = 0;
    walk(600, |position| {
        let played = evaluate(position, &mut table);
        let white = if position.side_to_move() == Color::White { played } else { -played };
        let breakdown = Breakdown::new(position);
        assert_eq!(white, breakdown.white_score(), "{position}");
        // Far enough apart, playing leaves terms out.
        if breakdown.is_known_endgame() || played.units().abs() >= 1_000 {
            return;
        }
        assert_eq!(white.units(), breakdown.sum().total.tapered, "{position}");
        distinct.insert(played);
        compared += 1;
    });
    assert!(compared > 10_000 && distinct.len() > 500, "{compared}, {}", distinct.len());
}

#[test]
fn lazy_evaluation_is_shown_as_it_is_played() {
    // A queen ahead.
    let lazy = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let line = "Lazy evaluation: only material, piece squares and pawns count\n";
    for (fen, is_lazy) in [(lazy, true), (start, false)] {
        let position = Position::from_fen(fen).unwrap();
        let breakdown = Breakdown::new(&position);
        let played = evaluate(&position, &mut EvalCache::new());
        assert_eq!(breakdown.white_score(), played, "{fen}");
        assert_eq!(breakdown.sum().total.tapered != played.units(), is_lazy, "{fen}");
        assert_eq!(breakdown.to_string().contains(line), is_lazy, "{breakdown}");
    }
}

#[test]
fn pawn_table_never_changes_a_score() {
    let mut kept = EvalCache::new();
    let mut fresh = EvalCache::new();
    walk(80, |position| {
        fresh.clear();
        assert_eq!(evaluate(position, &mut kept), evaluate(position, &mut fresh), "{position}");
    });
}
