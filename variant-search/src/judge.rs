//! Who says what a position is worth: an evaluator by name, or a learned one.

use std::fmt;
use std::sync::Arc;

use tamarin_variant::{Game, Move, Position};

use crate::evaluate::learned::Learned;
use crate::evaluate::{Evaluator, Spec};

/// What a search asks about positions. Copies share everything.
#[derive(Clone)]
pub enum Judge {
    /// An evaluator by name, made from the rules.
    Named(Arc<Evaluator>),
    /// An evaluator that was learned from games.
    Learned(Arc<Learned>),
}

impl From<Arc<Evaluator>> for Judge {
    fn from(evaluator: Arc<Evaluator>) -> Self {
        Self::Named(evaluator)
    }
}

impl From<Arc<Learned>> for Judge {
    fn from(learned: Arc<Learned>) -> Self {
        Self::Learned(learned)
    }
}

impl fmt::Display for Judge {
    /// Its name: `sme+imm`, or `learned` with the recipe.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(evaluator) => write!(f, "{}", evaluator.spec()),
            Self::Learned(learned) => write!(f, "learned ({})", learned.recipe()),
        }
    }
}

impl Judge {
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

    /// The score of a position for White, in centipawns.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.score(position, self.sum(position), &mut Vec::new())
    }

    /// The part of that score that pieces on their squares make.
    pub fn material(&self, position: &Position) -> i32 {
        let sum = self.sum(position);
        match self {
            Self::Named(evaluator) => evaluator.centipawns(sum),
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
            Self::Named(evaluator) => {
                evaluator.centipawns(evaluator.evaluate(position, sum, scratch))
            }
            Self::Learned(learned) => learned.score(position, sum),
        }
    }
}
