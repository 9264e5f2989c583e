//! What a move cost, and how accurate a player was.
//!
//! The chances of a score are those of games between people, not those of the engine against
//! itself (`UCI_ShowWDL`), which lose a whole point by what a person hardly notices.
//!
//! Source: the curve, the limits of the three names and both accuracies are Lichess's (its page
//! "Lichess accuracy metric"; `WinPercent`, `Advice` and `AccuracyPercent` in its sources).

use tamarin_base::counted;
use tamarin_eval::{Score, ScoreValue};

/// Steepness of the curve, for a centipawn.
const SLOPE: f64 = 0.003_682_08;

/// Scores beyond this are as good as this, in centipawns.
const CEILING: i32 = 1_000;

/// The chance to win of the side to move, in percent: a draw counts as half a win.
pub fn win_percent(score: Score) -> f64 {
    match score.to_uci() {
        ScoreValue::Mate(1..) => 100.0,
        ScoreValue::Mate(_) => 0.0,
        ScoreValue::Centipawns(_) => judged_percent(score),
    }
}

/// The same for losses: a mate is worth ten pawns, so that a move from one to the other loses
/// nothing.
pub fn judged_percent(score: Score) -> f64 {
    100.0 / (1.0 + (-SLOPE * f64::from(centipawns(score))).exp())
}

/// The score in centipawns for losses, within ten pawns.
pub fn centipawns(score: Score) -> i32 {
    match score.to_uci() {
        ScoreValue::Mate(1..) => CEILING,
        ScoreValue::Mate(_) => -CEILING,
        ScoreValue::Centipawns(value) => value.clamp(-CEILING, CEILING),
    }
}

/// A name for a move that lost much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Judgement {
    /// At least 5 percent lost.
    Inaccuracy,
    /// At least 10 percent lost.
    Mistake,
    /// At least 15 percent lost.
    Blunder,
}

impl Judgement {
    /// All of them, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The name of a move that lost `loss` percent of the chance to win, if it has one.
    pub fn of(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|judgement| loss >= judgement.least_loss())
    }

    const fn least_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 5.0,
            Self::Mistake => 10.0,
            Self::Blunder => 15.0,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Its name for several.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracies",
            Self::Mistake => "mistakes",
            Self::Blunder => "blunders",
        }
    }

    /// So many of them, such as `2 mistakes`.
    pub fn counted(self, count: u64) -> String {
        counted(count, self.name(), self.plural())
    }

    /// Its numeric annotation glyph: `?!`, `?` or `??`.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

/// What a bad move did, beyond a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Consequence {
    /// There was a mate in this number of moves.
    MissedMate(u32),
    /// The other side now mates in this number of moves.
    AllowedMate(u32),
    /// The game was won and is not any more.
    MissedWin,
    /// The game was not lost and now is.
    GaveGameAway,
}

/// From here on a game counts as won, in percent; a lost one is the same for the other side.
const WON: f64 = 80.0;

impl Consequence {
    /// What a move did that led from one score to another, both for the side that played it.
    pub fn of(before: Score, after: Score) -> Option<Self> {
        match (before.to_uci(), after.to_uci()) {
            (_, ScoreValue::Mate(moves @ ..=0)) if !before.is_loss() => {
                Some(Self::AllowedMate(moves.unsigned_abs()))
            }
            (ScoreValue::Mate(moves @ 1..), _) if !after.is_win() => {
                Some(Self::MissedMate(moves.unsigned_abs()))
            }
            _ if win_percent(before) >= WON && win_percent(after) < WON => Some(Self::MissedWin),
            _ if win_percent(before) > 100.0 - WON && win_percent(after) <= 100.0 - WON => {
                Some(Self::GaveGameAway)
            }
            _ => None,
        }
    }

    /// What it says in a comment.
    pub fn text(self) -> String {
        match self {
            Self::MissedMate(moves) => format!("misses mate in {moves}"),
            Self::AllowedMate(moves) => format!("allows mate in {moves}"),
            Self::MissedWin => "lets a win slip".to_owned(),
            Self::GaveGameAway => "gives the game away".to_owned(),
        }
    }

    /// Returns `true` if this is what one of them says.
    pub fn is_text(text: &str) -> bool {
        let is_mate = |start| {
            let moves = text.strip_prefix(start);
            moves.is_some_and(|moves: &str| moves.parse::<u32>().is_ok())
        };
        is_mate("misses mate in ")
            || is_mate("allows mate in ")
            || [Self::MissedWin, Self::GaveGameAway].into_iter().any(|one| one.text() == text)
    }
}

/// How accurate a move was, 0 to 100, from the chances before and after it for its side.
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_869_539_51 * (before - after)).exp()
        - 3.166_924_740_191_411;
    // One more for what the engine did not see.
    (raw + 1.0).clamp(0.0, 100.0)
}

/// How much each move of a game weighs: the standard deviation of the chances around it, so that
/// moves in quiet positions weigh little. `chances` are those of one side in all positions, one
/// more than moves.
pub fn move_weights(chances: &[f64]) -> Vec<f64> {
    let moves = chances.len().saturating_sub(1);
    let width = (moves / 10).clamp(2, 8).min(chances.len());
    let early = width.saturating_sub(2);
    let first = chances.get(..width).unwrap_or(chances);
    let windows = std::iter::repeat_n(first, early).chain(chances.windows(width.max(1)));
    windows.take(moves).map(|window| deviation(window).clamp(0.5, 12.0)).collect()
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// The accuracy of a player from those of the moves, each with its weight: the mean of the
/// weighted and the harmonic mean. `None` without moves.
pub fn player_accuracy(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted = moves.iter().map(|(value, weight)| value * weight).sum::<f64>() / weights;
    let inverse: f64 = moves.iter().map(|(value, _)| 1.0 / value.max(1.0)).sum();
    Some(f64::midpoint(weighted, moves.len() as f64 / inverse))
}

#[cfg(test)]
mod tests {
    use super::{
        Consequence, judged_percent, move_accuracy, move_weights, player_accuracy, win_percent,
    };
    use tamarin_eval::{Score, UNITS_PER_PAWN};

    /// At least `value` centipawns, and less than one more.
    const fn centipawns(value: i32) -> Score {
        Score::new(value * UNITS_PER_PAWN / 100 + 1)
    }

    #[test]
    fn chances_are_even_at_zero_and_symmetric() {
        assert!((win_percent(Score::DRAW) - 50.0).abs() < 1e-9);
        for value in [1, 50, 100, 300, 999, 5000] {
            let (up, down) = (win_percent(centipawns(value)), win_percent(-centipawns(value)));
            assert!((up + down - 100.0).abs() < 1e-9 && up > 50.0);
        }
        assert!((win_percent(centipawns(100)) - 59.1).abs() < 0.1);
        assert_eq!(win_percent(Score::mate_in(5)), 100.0);
        assert_eq!(win_percent(Score::mated_in(6)), 0.0);
        assert_eq!(judged_percent(Score::mate_in(5)), win_percent(centipawns(1000)));
        assert_eq!(judged_percent(Score::mated_in(6)), win_percent(-centipawns(1000)));
    }

    #[test]
    fn consequences_are_named_for_the_side_that_moved() {
        let of = |before, after| Consequence::of(before, after);
        let won = centipawns(600);
        assert_eq!(of(Score::mate_in(5), won), Some(Consequence::MissedMate(3)));
        assert_eq!(of(Score::DRAW, Score::mated_in(4)), Some(Consequence::AllowedMate(2)));
        assert_eq!(of(Score::mated_in(8), Score::mated_in(4)), None);
        assert_eq!(of(won, Score::DRAW), Some(Consequence::MissedWin));
        assert_eq!(of(Score::DRAW, -won), Some(Consequence::GaveGameAway));
        assert_eq!(of(centipawns(100), Score::DRAW), None);
        for one in [Consequence::MissedMate(3), Consequence::AllowedMate(1), Consequence::MissedWin]
        {
            assert!(Consequence::is_text(&one.text()), "{one:?}");
        }
        assert!(!Consequence::is_text("allows mate in many"));
    }

    /// The curve of the source runs through these points.
    #[test]
    fn accuracy_falls_with_the_loss() {
        assert_eq!(move_accuracy(50.0, 60.0), 100.0);
        assert!((move_accuracy(60.0, 50.0) - 64.6).abs() < 0.5);
        assert_eq!(move_accuracy(100.0, 0.0), 0.0);
        let losses: Vec<f64> =
            (0..100).map(|loss| move_accuracy(100.0, f64::from(100 - loss))).collect();
        assert!(losses.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn a_player_without_a_loss_is_wholly_accurate() {
        assert_eq!(player_accuracy(&[]), None);
        let all = player_accuracy(&[(100.0, 0.5), (100.0, 12.0)]).expect("there are moves");
        assert!((all - 100.0).abs() < 1e-9);
        // One blunder in a wild position counts more than one in a quiet position.
        let wild = player_accuracy(&[(100.0, 0.5), (20.0, 12.0)]).expect("there are moves");
        let quiet = player_accuracy(&[(100.0, 12.0), (20.0, 0.5)]).expect("there are moves");
        assert!(wild < quiet && quiet < 100.0);
    }

    #[test]
    fn there_is_a_weight_for_each_move() {
        for moves in [0, 1, 2, 3, 5, 19, 20, 40, 79, 80, 200] {
            let chances: Vec<f64> = (0..=moves).map(|index| f64::from(index % 7) * 14.0).collect();
            let weights = move_weights(&chances);
            assert_eq!(weights.len(), moves as usize);
            assert!(weights.iter().all(|weight| (0.5..=12.0).contains(weight)));
        }
        assert_eq!(move_weights(&[50.0; 41]), [0.5; 40]);
    }
}
