//! Scores as people read them.

use tamarin_base::{Score, ScoreValue};
use tamarin_movegen::Color;

/// The score from White's point of view.
pub fn for_white(score: Score, side_to_move: Color) -> Score {
    match side_to_move {
        Color::White => score,
        Color::Black => -score,
    }
}

/// Returns `true` if a side is mated on the board, whichever it is: moves to mate are counted from
/// 1 for the side that mates.
pub fn is_mate_on_board(score: Score) -> bool {
    score.max(-score) == -Score::mated_in(0)
}

/// Pawns with a sign, such as `+0.35`, or moves to mate, such as `#-4`. The side that is mated on
/// the board reads `#0`.
pub fn with_sign(score: Score) -> String {
    match score.to_uci() {
        ScoreValue::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        _ => plain(score),
    }
}

/// What an engine thinks of its move, as [`thought`](crate::pgn::comment::thought) reads it: its own
/// score in pawns or moves to mate, and the depth, such as `+0.24/27` or `-M4/12`.
pub fn as_thought(score: Score, depth: u32) -> String {
    match score.to_uci() {
        ScoreValue::Centipawns(_) => format!("{}/{depth}", with_sign(score)),
        ScoreValue::Mate(moves @ 1..) => format!("+M{moves}/{depth}"),
        ScoreValue::Mate(moves) => format!("-M{}/{depth}", -moves),
    }
}

/// Pawns with a sign or moves to mate, but a win that endgame knowledge or tablebases are certain of
/// in words, such as `a win for White`: its number would say nothing. The score is White's.
pub fn in_words(white: Score) -> String {
    match white.units() {
        _ if white.is_mate() => with_sign(white),
        units if units >= Score::KNOWN_WIN.units() => "a win for White".to_owned(),
        units if units <= -Score::KNOWN_WIN.units() => "a win for Black".to_owned(),
        _ => with_sign(white),
    }
}

/// Pawns or moves to mate without a plus sign, as `[%eval]` has it.
pub fn plain(score: Score) -> String {
    match score.to_uci() {
        ScoreValue::Centipawns(value) => format!("{:.2}", f64::from(value) / 100.0),
        ScoreValue::Mate(moves) => format!("#{moves}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{as_thought, for_white, in_words, is_mate_on_board, plain, with_sign};
    use crate::pgn::comment::thought;
    use tamarin_base::{Score, UNITS_PER_PAWN};
    use tamarin_movegen::Color;

    #[test]
    fn scores_read_as_people_expect() {
        let black = for_white(Score::new(35 * UNITS_PER_PAWN / 100 + 1), Color::Black);
        assert_eq!((with_sign(black).as_str(), plain(-black).as_str()), ("-0.35", "0.35"));
        assert_eq!(with_sign(Score::mate_in(7)), "#4");
        assert_eq!(plain(Score::mated_in(8)), "#-4");
        assert_eq!(plain(Score::mated_in(0)), "#0");
        assert_eq!(with_sign(Score::DRAW), "+0.00");
    }

    #[test]
    fn what_engines_think_is_read_again() {
        for (score, text) in
            [(Score::mate_in(7), "+M4/9"), (Score::mated_in(8), "-M4/9"), (Score::DRAW, "+0.00/9")]
        {
            assert_eq!(as_thought(score, 9), text);
            assert_eq!(thought(text).map(|found| found.depth), Some(9), "{text}");
        }
    }

    #[test]
    fn a_mate_on_the_board_is_no_mate_in_one() {
        let mated = Score::mated_in(0);
        assert!(is_mate_on_board(mated) && is_mate_on_board(-mated));
        for score in [Score::mate_in(1), Score::mated_in(2), Score::DRAW, Score::KNOWN_WIN] {
            assert!(!is_mate_on_board(score) && !is_mate_on_board(-score), "{score:?}");
        }
    }

    #[test]
    fn known_wins_are_words() {
        let known = Score::new(Score::KNOWN_WIN.units());
        for (score, words) in [
            (known, "a win for White"),
            (-known, "a win for Black"),
            (Score::tablebase_win(3), "a win for White"),
            (-Score::tablebase_win(3), "a win for Black"),
            (Score::new(known.units() - 1), "+35.45"),
            (Score::mate_in(3), "#2"),
            (-Score::mate_in(4), "#-2"),
        ] {
            assert_eq!(in_words(score), words);
        }
    }
}
