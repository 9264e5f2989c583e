//! What a tuner needs of the hand-crafted evaluation: the weights, their
//! names, and the evaluation of a position with the weights left open. The tuner itself is in
//! `tamarin-train`.
//!
//! ```
//! use tamarin_eval::tuning::{PositionTrace, rows};
//! use tamarin_movegen::{Color, Position};
//!
//! let trace = PositionTrace::new(&Position::startpos()).unwrap();
//! let (_, material) = rows().find(|(name, _)| name == "Material: value").unwrap();
//! assert_eq!(trace.counts(Color::White)[material], [8, 2, 2, 2, 1]);
//! ```

use core::ops::Range;

use tamarin_movegen::{Color, PerColor, Position};

use crate::evaluate::{phase, trace};
use crate::params::{game_phase, king_danger};
use crate::tapered::{S, taper};
use crate::terms::complexity;
use crate::terms::king_danger::danger_score;
use crate::trace::Trace;
use crate::weights::{self, FAMILIES, rows_of};
use crate::{endgame, scale};

pub use crate::params::LAZY_MARGIN;

/// One weight while it is being fitted: middlegame and endgame, in engine units.
pub type Pair = [f32; 2];

/// How many weights there are.
pub const COUNT: usize = weights::COUNT;

/// Where the weights of the king danger lie: their sum is in danger units.
pub const KING_DANGER: Range<usize> = weights::KING_DANGER;

/// Where the weights of the complexity lie, of which only the endgame halves count.
pub const COMPLEXITY: Range<usize> = weights::COMPLEXITY;

/// The game phase with all pieces on the board: the middlegame score counts alone.
pub const FULL_PHASE: i32 = game_phase::FULL;

/// The scale factor with which the endgame score counts in full.
pub const FULL_SCALE: i32 = scale::FULL;

/// Danger units beyond which more danger changes nothing.
pub const MAX_DANGER: i32 = king_danger::MAX;

/// What the square of the danger is divided by in the middlegame, and the danger in the endgame.
pub const DANGER_DIVISORS: [i32; 2] =
    [king_danger::MIDDLEGAME_DIVISOR, king_danger::ENDGAME_DIVISOR];

/// Returns `true` if the result of the position is known without any evaluation, by weights or
/// by a network.
pub fn is_known_endgame(position: &Position) -> bool {
    endgame::known(position.board()).is_some()
}

/// The rows of the vector of weights: their names, `Family: row` as in the source of the
/// weights, and where they lie.
pub fn rows() -> impl Iterator<Item = (String, Range<usize>)> {
    FAMILIES.iter().flat_map(|family| {
        rows_of(family).map(|(name, range)| (format!("{}: {name}", family.name), range))
    })
}

/// The weights of this build, in the order of the vector.
pub fn current_weights() -> Vec<Pair> {
    weights::WEIGHTS
        .iter()
        .map(|weight| [weight.middlegame() as f32, weight.endgame() as f32])
        .collect()
}

/// Why the evaluation of a position is not a function of the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoTrace {
    /// The search never evaluates a position in check.
    #[error("the side to move is in check")]
    InCheck,
    /// Its score is known without any weights.
    #[error("the result of the endgame is known")]
    KnownEndgame,
}

/// How often each weight counts in a position, and what else its evaluation depends on.
#[derive(Clone)]
pub struct PositionTrace {
    traces: PerColor<Trace>,
    phase: u8,
    scales: [u8; 2],
}

impl PositionTrace {
    /// Traces a position: all terms, without lazy evaluation.
    ///
    /// # Errors
    /// If the evaluation of the position does not depend on the weights.
    pub fn new(position: &Position) -> Result<Self, NoTrace> {
        let board = position.board();
        if position.in_check() {
            return Err(NoTrace::InCheck);
        }
        if endgame::known(board).is_some() {
            return Err(NoTrace::KnownEndgame);
        }
        let scales = Color::ALL.map(|strong| scale::factor(board, strong) as u8);
        Ok(Self { traces: trace(board), phase: phase(board) as u8, scales })
    }

    /// How often each weight counts for a side, [`COUNT`] numbers in the order of the vector. The
    /// complexity of the board is counted for White.
    pub const fn counts(&self, side: Color) -> &[i16] {
        self.traces.0[side as usize].counts()
    }

    /// The game phase, 0 to [`FULL_PHASE`].
    pub const fn phase(&self) -> u8 {
        self.phase
    }

    /// The scale factor if the endgame score favors White, or Black; of [`FULL_SCALE`].
    pub const fn scales(&self) -> [u8; 2] {
        self.scales
    }
}

/// Counts times weights, summed over the weights that the evaluation treats alike. Each pair is
/// middlegame and endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    /// White less Black, all families but the other two, in engine units.
    pub linear: [i32; 2],
    /// King danger of White's attack and of Black's, in danger units.
    pub danger: [[i32; 2]; 2],
    /// Complexity, in engine units; its middlegame half is ignored.
    pub complexity: [i32; 2],
}

impl Sums {
    /// The score that `evaluate` makes of these sums where it is not cut short by lazy
    /// evaluation, in engine units, White's view. `phase` and `scales` as in [`PositionTrace`].
    pub fn score(&self, phase: u8, scales: [u8; 2]) -> i32 {
        let pair = |[middlegame, endgame]: [i32; 2]| S::new(middlegame, endgame);
        let [white, black] = self.danger.map(|danger| danger_score(pair(danger)));
        let total = pair(self.linear) + white - black;
        let total = complexity::applied(total, pair(self.complexity));
        let scale = scales[usize::from(total.endgame() < 0)];
        taper(total, i32::from(phase), i32::from(scale))
    }
}
