//! Scores in engine units, and how UCI prints them.

use core::fmt;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// Mate and tablebase scores leave room for this number of plies from the root.
const MAX_DISTANCE: i32 = 256;

/// Engine units that make one displayed pawn: about the score at which the side to
/// move wins half of its self-play games.
///
/// Source: `tamarin-train wdl`, E8 in `docs/results/notes.md`.
pub const UNITS_PER_PAWN: i32 = 141;

/// A score in engine units from the side to move's point of view.
///
/// Every score fits in an `i16` and lies in one of these bands (and their negatives):
///
/// ```text
///  0 ..= MAX_EVALUATION                    what an evaluation may say
///  TABLEBASE_WIN_IN_MAX_PLY ..= TABLEBASE_WIN   a won tablebase position is reached
///  MATE_IN_MAX_PLY ..= MATE                mate, `MATE - plies from the root`
///  INFINITE                                outside every real score: a window's edge
/// ```
///
/// Mate and tablebase scores count plies **from the root**; what a transposition
/// table stores (distance from the node) is another type and lives in the search.
///
/// ```
/// use tamarin_base::Score;
/// assert!(Score::mate_in(3) > Score::mate_in(5));
/// assert_eq!(-Score::mate_in(4), Score::mated_in(4));
/// assert!(Score::new(150).is_decisive() == false);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A dead-equal position.
    pub const DRAW: Self = Self(0);
    /// Above every score: the open edge of a search window.
    pub const INFINITE: Self = Self(32_001);
    /// Checkmate on the board, for the side that gave it, at the root.
    pub const MATE: Self = Self(32_000);
    /// The farthest mate that can be represented: at least this means "mates".
    pub const MATE_IN_MAX_PLY: Self = Self(Self::MATE.0 - MAX_DISTANCE);
    /// A won tablebase position at the root.
    pub const TABLEBASE_WIN: Self = Self(Self::MATE_IN_MAX_PLY.0 - 1);
    /// The farthest tablebase win: at least this means "wins for certain".
    pub const TABLEBASE_WIN_IN_MAX_PLY: Self = Self(Self::TABLEBASE_WIN.0 - MAX_DISTANCE);
    /// What an evaluation gives at least to a known win, whose result needs no search. The
    /// search takes such a score as it is, because what is added to it leads to mate.
    ///
    /// The number is by hand: far above what terms add up to in games, far below the tablebase
    /// scores.
    pub const KNOWN_WIN: Self = Self(5_000);
    /// The largest score an evaluation returns.
    pub const MAX_EVALUATION: Self = Self(Self::TABLEBASE_WIN_IN_MAX_PLY.0 - 1);

    /// The score of `units` engine units; negative is bad for the side to move.
    pub const fn new(units: i32) -> Self {
        Self(units)
    }

    /// An estimate of `units` engine units, a sum of terms or the output of a network, kept below
    /// a known win.
    #[inline]
    pub const fn estimate(units: i32) -> Self {
        let limit = Self::KNOWN_WIN.0 - 1;
        if units > limit {
            Self(limit)
        } else if units < -limit {
            Self(-limit)
        } else {
            Self(units)
        }
    }

    /// The score in engine units.
    pub const fn units(self) -> i32 {
        self.0
    }

    /// The side to move mates `ply` plies from the root.
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// The side to move is mated `ply` plies from the root (0: it is mate now, at the root).
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// The tables say won, `ply` plies from the root.
    pub const fn tablebase_win(ply: usize) -> Self {
        Self(Self::TABLEBASE_WIN.0 - ply as i32)
    }

    /// Returns `true` if either side mates.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE_IN_MAX_PLY.0
    }

    /// Returns `true` if the side to move wins for certain, by mate or by the tables.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::TABLEBASE_WIN_IN_MAX_PLY.0
    }

    /// Returns `true` if the side to move loses for certain, by mate or by the tables.
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::TABLEBASE_WIN_IN_MAX_PLY.0
    }

    /// Returns `true` if the game is decided: a mate or a tablebase result for either side.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Self::TABLEBASE_WIN_IN_MAX_PLY.0
    }

    /// The score pulled into what an evaluation may say, so that no arithmetic on
    /// evaluations can be taken for a mate or a tablebase result.
    #[inline]
    pub const fn clamp_to_evaluation(self) -> Self {
        let limit = Self::MAX_EVALUATION.0;
        if self.0 > limit {
            Self(limit)
        } else if self.0 < -limit {
            Self(-limit)
        } else {
            self
        }
    }

    /// The score as UCI prints it, from the same point of view.
    pub const fn to_uci(self) -> ScoreValue {
        let distance = Self::MATE.0 - self.0.abs();
        if self.0 >= Self::MATE_IN_MAX_PLY.0 {
            // The end of the game itself is no score to move towards: one move at least.
            ScoreValue::Mate(if distance < 2 { 1 } else { (distance + 1) / 2 })
        } else if self.0 <= -Self::MATE_IN_MAX_PLY.0 {
            ScoreValue::Mate(-((distance + 1) / 2))
        } else if self.is_decisive() {
            let plies = Self::TABLEBASE_WIN.0 - self.0.abs();
            ScoreValue::Centipawns(self.0.signum() * (TABLEBASE_CENTIPAWNS - plies))
        } else {
            ScoreValue::Centipawns(self.0 * 100 / UNITS_PER_PAWN)
        }
    }
}

/// Engine units in pawns, for people to read.
pub fn pawns(units: i32) -> f64 {
    f64::from(units) / f64::from(UNITS_PER_PAWN)
}

/// What a tablebase win is shown as at the root, in centipawns: above every
/// evaluation, less one for each ply it is away.
const TABLEBASE_CENTIPAWNS: i32 = 100_000;

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Score {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    /// The score plus `units` engine units.
    fn add(self, units: i32) -> Self {
        Self(self.0 + units)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    /// The score less `units` engine units.
    fn sub(self, units: i32) -> Self {
        Self(self.0 - units)
    }
}

impl AddAssign<i32> for Score {
    fn add_assign(&mut self, units: i32) {
        self.0 += units;
    }
}

impl SubAssign<i32> for Score {
    fn sub_assign(&mut self, units: i32) {
        self.0 -= units;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0, self.to_uci())
    }
}

/// A score as the protocols print it, from the side to move's point of view.
///
/// `Display` writes what follows the word `score` of an `info` line: `cp 35`, `mate 3`,
/// `mate -2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ScoreValue {
    /// An estimate in centipawns: +100 wins half of the games.
    Centipawns(i32),
    /// Mate in this many moves (not plies): negative when the side to move is mated, 0 when it is
    /// mated already.
    Mate(i32),
}

impl fmt::Display for ScoreValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// How a score relates to the true value of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score.
    Upper = 1,
    /// The true value is at least the score.
    Lower = 2,
    /// The score is the true value, as far as the search saw.
    Exact = 3,
}

impl Bound {
    /// The bound whose number is in the two lowest bits; `None` if they are zero.
    #[inline]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        match bits & 3 {
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            3 => Some(Self::Exact),
            _ => None,
        }
    }

    /// Returns `true` if the true value is at least the score, as of a lower and of an exact bound.
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Returns `true` if the true value is at most the score, as of an upper and of an exact bound.
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_do_not_overlap_and_fit_the_table() {
        assert!(Score::MAX_EVALUATION < Score::tablebase_win(MAX_DISTANCE as usize));
        assert!(Score::TABLEBASE_WIN < Score::mate_in(MAX_DISTANCE as usize));
        assert!(Score::MATE < Score::INFINITE);
        assert!(Score::INFINITE.units() <= i32::from(i16::MAX));
        assert!(Score::mate_in(MAX_DISTANCE as usize).is_mate() && !Score::TABLEBASE_WIN.is_mate());
        assert!(
            Score::tablebase_win(MAX_DISTANCE as usize).is_win() && !Score::MAX_EVALUATION.is_win()
        );
        assert!((-Score::tablebase_win(3)).is_loss() && Score::mated_in(3).is_loss());
    }

    #[test]
    fn mates_count_moves() {
        let shown = |score: Score| score.to_uci().to_string();
        assert_eq!(shown(Score::MATE), "mate 1");
        assert_eq!(shown(Score::mate_in(1)), "mate 1");
        assert_eq!(shown(Score::mate_in(3)), "mate 2");
        assert_eq!(shown(Score::mated_in(0)), "mate 0");
        assert_eq!(shown(Score::mated_in(2)), "mate -1");
        assert_eq!(shown(Score::mated_in(6)), "mate -3");
    }
}
