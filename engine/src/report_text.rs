//! Scores of the search as the protocols print them.

use tamarin_eval::{Score, UciScore};
use tamarin_uci::{Bound, ScoreValue};

/// A score as the protocols count: centipawns, or moves to mate.
pub fn score(score: Score) -> ScoreValue {
    let moves = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    match score.to_uci() {
        UciScore::Centipawns(value) => ScoreValue::Centipawns(value),
        UciScore::MateIn(count) => ScoreValue::Mate(moves(count)),
        UciScore::MatedIn(count) => ScoreValue::Mate(-moves(count)),
    }
}

/// Whether a score is exact.
pub const fn bound(bound: tamarin_search::Bound) -> Bound {
    match bound {
        tamarin_search::Bound::Exact => Bound::Exact,
        tamarin_search::Bound::Lower => Bound::Lower,
        tamarin_search::Bound::Upper => Bound::Upper,
    }
}

#[cfg(test)]
mod tests {
    use super::score;
    use tamarin_eval::Score;
    use tamarin_uci::ScoreValue;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(score(Score::mate_in(1)), ScoreValue::Mate(1));
        assert_eq!(score(Score::mate_in(5)), ScoreValue::Mate(3));
        assert_eq!(score(Score::mated_in(0)), ScoreValue::Mate(0));
        assert_eq!(score(Score::mated_in(4)), ScoreValue::Mate(-2));
        assert_eq!(score(Score::DRAW), ScoreValue::Centipawns(0));
    }
}
