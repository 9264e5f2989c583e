//! Who says what a position is worth: an evaluator by name, or a learned one.

use std::fmt;
use std::sync::Arc;

use tamarin_variant::{Color, Game, Move, Position};

use crate::evaluate::learned::Learned;
use crate::evaluate::{Evaluator, Spec};

/// What a search asks about positions. Copies share everything.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// An evaluator by name, made from the rules.
    Named(Arc<Evaluator>),
    /// An evaluator that was learned from games.
    Learned(Arc<Learned>),
}

/// What scores in centipawns are multiplied by to be in the unit of the standard engine, in which 100
/// ahead score 62 % of the points: the formulas and numbers of the search hold for that unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    up: i64,
    down: i64,
}

/// What the pieces that a game begins with are worth in the mean, in score units, royal ones left
/// out: those of chess, a knight counted as three pawns of 141 units.
const MEAN_PIECE: i64 = 370;

impl Unit {
    /// Centipawns are score units already.
    pub const ONE: Self = Self { up: 1, down: 1 };

    /// The unit in which pieces that are worth so much in centipawns are worth [`MEAN_PIECE`] in the
    /// mean.
    fn by_pieces(values: impl Iterator<Item = i32>) -> Self {
        let (sum, count) = values
            .filter(|&value| value > 0)
            .fold((0, 0), |(sum, count), value| (sum + i64::from(value), count + 1));
        if sum == 0 { Self::ONE } else { Self { up: MEAN_PIECE * count, down: sum } }
    }

    /// Centipawns in score units.
    #[inline]
    pub fn of(self, centipawns: i32) -> i32 {
        (i64::from(centipawns) * self.up / self.down) as i32
    }

    /// Score units in centipawns.
    pub fn centipawns(self, units: i32) -> i32 {
        (i64::from(units) * self.down / self.up) as i32
    }
}

impl From<Arc<Evaluator>> for AnyEvaluator {
    fn from(evaluator: Arc<Evaluator>) -> Self {
        Self::Named(evaluator)
    }
}

impl From<Arc<Learned>> for AnyEvaluator {
    fn from(learned: Arc<Learned>) -> Self {
        Self::Learned(learned)
    }
}

impl fmt::Display for AnyEvaluator {
    /// Its name: `sme+imm`, or `learned` with the recipe.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(evaluator) => write!(f, "{}", evaluator.spec()),
            Self::Learned(learned) => write!(f, "learned ({})", learned.recipe()),
        }
    }
}

impl AnyEvaluator {
    /// The evaluator that rules alone give: [`Spec::standard`].
    pub fn of_rules(game: &Arc<Game>) -> Self {
        Self::Named(Arc::new(Evaluator::new(game, &Spec::standard(game))))
    }

    /// What a game is played with unless something else is asked for: the evaluator that comes with
    /// the program for these rules, else [`Self::of_rules`].
    pub fn standard(game: &Arc<Game>) -> Self {
        match Learned::embedded(game) {
            Some(learned) => Self::Learned(Arc::new(learned)),
            None => Self::of_rules(game),
        }
    }

    /// What a game is played with where `learned` was found beside its file: that, else
    /// [`Self::standard`].
    pub fn playing(game: &Arc<Game>, learned: Option<&Arc<Learned>>) -> Self {
        learned.map_or_else(|| Self::standard(game), |learned| Self::Learned(Arc::clone(learned)))
    }

    /// Its name without a recipe.
    pub fn short_name(&self) -> String {
        match self {
            Self::Named(evaluator) => evaluator.spec().to_string(),
            Self::Learned(_) => "the built-in learned evaluator".to_owned(),
        }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        match self {
            Self::Named(evaluator) => evaluator.game(),
            Self::Learned(learned) => learned.game(),
        }
    }

    /// By kind: what a piece is worth, in centipawns.
    pub fn piece_values(&self) -> Vec<i32> {
        match self {
            Self::Named(evaluator) => {
                let value = |kind| evaluator.centipawns(evaluator.values().mean_of_both(kind));
                (0..self.game().piece_count() as u8).map(value).collect()
            }
            Self::Learned(learned) => learned.piece_values(),
        }
    }

    /// The unit of its scores.
    pub(crate) fn unit(&self) -> Unit {
        match self {
            Self::Named(evaluator) => {
                let (game, values) = (evaluator.game(), self.piece_values());
                let start = Position::start(game);
                let pieces = Color::ALL.into_iter().flat_map(|color| {
                    let squares = start.side(color).minus(start.royals(color));
                    let board: Vec<u8> =
                        squares.iter().filter_map(|at| Some(start.piece_at(at)?.kind)).collect();
                    let hand = start
                        .hand(color)
                        .flat_map(|(kind, count)| std::iter::repeat_n(kind, usize::from(count)));
                    board.into_iter().chain(hand).collect::<Vec<_>>()
                });
                Unit::by_pieces(pieces.map(|kind| values[usize::from(kind)]))
            }
            Self::Learned(_) => Unit::ONE,
        }
    }

    /// The score of a position for White, in centipawns.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.score(position, self.sum(position), &mut Vec::new())
    }

    /// The part of that score that pieces on their squares make.
    pub fn material(&self, position: &Position) -> i32 {
        let sum = self.sum(position);
        match self {
            Self::Named(evaluator) => signed(evaluator, sum),
            Self::Learned(learned) => learned.rough_score(sum),
        }
    }

    /// The score for White of a position with that sum by its pieces and squares alone, where all
    /// else costs much more than that.
    #[inline]
    pub(crate) fn rough_score(&self, sum: i64) -> Option<i32> {
        match self {
            Self::Named(_) => None,
            Self::Learned(learned) => Some(learned.rough_score(sum)),
        }
    }

    /// What the pieces on their squares add up to, in a unit of its own.
    pub(crate) fn sum(&self, position: &Position) -> i64 {
        match self {
            Self::Named(evaluator) => evaluator.sum(position),
            Self::Learned(learned) => learned.sum(position),
        }
    }

    /// The same after the last move, from what it was before it.
    #[inline]
    pub(crate) fn sum_after(&self, before: i64, position: &Position) -> i64 {
        match self {
            Self::Named(evaluator) => evaluator.sum_after(before, position),
            Self::Learned(learned) => learned.sum_after(before, position),
        }
    }

    /// The score for White of a position with that sum, in centipawns. `scratch` is memory to work
    /// in.
    pub(crate) fn score(&self, position: &Position, sum: i64, scratch: &mut Vec<Move>) -> i32 {
        match self {
            Self::Named(evaluator) => signed(evaluator, evaluator.evaluate(position, sum, scratch)),
            Self::Learned(learned) => learned.score(position, sum),
        }
    }
}

/// What an evaluator made from the rules says, in centipawns. It knows what pieces can do, not that
/// a game may be won by losing them.
fn signed(evaluator: &Evaluator, value: i64) -> i32 {
    let score = evaluator.centipawns(value);
    if evaluator.game().is_won_without_pieces() { -score } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_variant::builtin;

    #[test]
    fn long_the_pieces_of_the_start_are_worth_as_much_in_every_game() {
        for name in ["fide", "nuttyknights", "xiangqi", "shogi_nodrop"] {
            let evaluator = AnyEvaluator::of_rules(&builtin(name).unwrap());
            let (unit, values) = (evaluator.unit(), evaluator.piece_values());
            let start = Position::start(evaluator.game());
            let squares = start.side(Color::White).minus(start.royals(Color::White));
            let kinds = squares.iter().filter_map(|at| Some(start.piece_at(at)?.kind));
            let own: Vec<i64> =
                kinds.map(|kind| unit.of(values[usize::from(kind)]).into()).collect();
            let mean = own.iter().sum::<i64>() / own.len() as i64;
            // Armies of other pieces than White's may differ a little.
            assert!((mean - MEAN_PIECE).abs() <= MEAN_PIECE / 5, "{name}: {mean}");
        }
    }

    #[test]
    fn units_are_shown_in_centipawns_again() {
        let unit = Unit::by_pieces([100, 500, 0].into_iter());
        assert_eq!((unit.of(300), unit.of(-600)), (370, -740));
        let unit = Unit::by_pieces([900, 900].into_iter());
        assert_eq!((unit.of(900), unit.centipawns(370), unit.centipawns(-370)), (370, 900, -900));
        assert_eq!(Unit::by_pieces(std::iter::empty()), Unit::ONE);
    }
}
