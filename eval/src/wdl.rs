//! The WDL model: win, draw and loss probabilities of a score.
//!
//! The side to move wins with probability `1 / (1 + exp((half_won - v) / spread))`, `v` being its
//! score, and loses with the same of `-v`. Both parameters depend on the material on the board.
//!
//! Source: the model is Stockfish's, with straight lines for its polynomials. `tamarin-train wdl`
//! fits it, and prints its constants as they stand here.

use tamarin_base::{Score, ScoreValue};
use tamarin_movegen::{PieceKind, Position};

/// The model for some unit of scores.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The score that wins half of the games.
    pub half_won: Parameter,
    /// The change of the score that changes the odds of a win by a factor of e.
    pub spread: Parameter,
}

/// A parameter of the model: linear in the material on the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// With all pieces on the board.
    pub full: f64,
    /// With none but the kings.
    pub empty: f64,
}

/// The model of this build, for scores in centipawns.
///
/// Source: fitted by `tamarin-train wdl` to 472,029 quiet positions of 6,000 games of the engine
/// with its network against itself at 5,000 nodes a move: E8 of `docs/results/notes.md`. It is
/// for printing only; no search uses it.
pub const WDL_MODEL: WdlModel = WdlModel { half_won: HALF_WON, spread: SPREAD };

const HALF_WON: Parameter = Parameter { full: 55.0, empty: 158.0 };
const SPREAD: Parameter = Parameter { full: 70.0, empty: 36.0 };

/// The [`material`] of both sides at the start.
pub const FULL_MATERIAL: u32 = 78;

impl Parameter {
    /// The parameter with this share of all material on the board, 0 to 1.
    fn at(&self, share: f64) -> f64 {
        self.empty + (self.full - self.empty) * share
    }
}

impl WdlModel {
    /// The probabilities of a win, a draw and a loss at a score, for the side whose score it is;
    /// `material` as [`material`] counts it. A spread of less than 1 counts as 1.
    pub fn probabilities(&self, score: f64, material: u32) -> [f64; 3] {
        let share = f64::from(material.min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
        let (half_won, spread) = (self.half_won.at(share), self.spread.at(share).max(1.0));
        let won = |score: f64| 1.0 / (1.0 + ((half_won - score) / spread).exp());
        let (win, loss) = (won(score), won(-score));
        [win, (1.0 - win - loss).max(0.0), loss]
    }
}

/// The probabilities of a win, a draw and a loss for the side to move by [`WDL_MODEL`], in
/// permille with sum 1000.
///
/// ```
/// use tamarin_eval::{Score, wdl};
/// use tamarin_movegen::Position;
/// let [win, draw, loss] = wdl::permille(Score::DRAW, &Position::startpos());
/// assert!(win == loss && win + draw + loss == 1000);
/// ```
pub fn permille(score: Score, position: &Position) -> [u16; 3] {
    let centipawns = match score.to_uci() {
        ScoreValue::Mate(1..) => return [1000, 0, 0],
        ScoreValue::Mate(_) => return [0, 0, 1000],
        ScoreValue::Centipawns(0) if is_certain_draw(position) => return [0, 1000, 0],
        ScoreValue::Centipawns(value) => f64::from(value),
    };
    let [win, _, loss] = WDL_MODEL
        .probabilities(centipawns, material(position))
        .map(|probability| (1000.0 * probability).round() as u16);
    [win, 1000_u16.saturating_sub(win + loss), loss]
}

/// Returns `true` if the position itself is drawn: stalemate or a dead position.
fn is_certain_draw(position: &Position) -> bool {
    position.is_dead() || (!position.in_check() && !position.has_legal_move())
}

/// Pawns and pieces of both sides, counted 1, 3, 3, 5, 9.
pub fn material(position: &Position) -> u32 {
    let values = [
        (PieceKind::Pawn, 1),
        (PieceKind::Knight, 3),
        (PieceKind::Bishop, 3),
        (PieceKind::Rook, 5),
        (PieceKind::Queen, 9),
    ];
    values.into_iter().map(|(kind, value)| position.pieces(kind).len() * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_even_at_zero_and_rise_with_the_score() {
        let start = Position::startpos();
        assert_eq!(material(&start), FULL_MATERIAL);
        let of = |units: i32| {
            let [win, draw, loss] = permille(Score::new(units), &start);
            assert_eq!(win + draw + loss, 1000, "{units}");
            (win, loss)
        };
        let (win, loss) = of(0);
        assert_eq!(win, loss);
        assert_eq!(of(78).0, 500);
        let mut before = 0;
        for units in -3000..=3000 {
            let (win, _) = of(units);
            assert!(win >= before, "less at {units} than before");
            before = win;
        }
    }

    #[test]
    fn mates_are_certain() {
        let start = Position::startpos();
        assert_eq!(permille(Score::mate_in(3), &start), [1000, 0, 0]);
        assert_eq!(permille(Score::mated_in(4), &start), [0, 0, 1000]);
    }

    #[test]
    fn draws_by_the_rules_are_certain() {
        for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/4k3/8/8/2B1K3/8/8 w - - 0 1"] {
            let position: Position = fen.parse().expect("legal");
            assert_eq!(permille(Score::DRAW, &position), [0, 1000, 0], "{fen}");
        }
        // An even score is no certain draw where the game goes on.
        assert!(permille(Score::DRAW, &Position::startpos())[1] < 1000);
    }
}
