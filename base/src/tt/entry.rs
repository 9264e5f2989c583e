//! An entry of the transposition table, how it fits 64 bits, and which entries are replaced: those of
//! the same position unless they are much deeper, else the one of the bucket that is worth least.

use core::num::NonZeroU16;

use crate::params::Params;
use crate::score::{Bound, Score};

/// What the scores of the table depend on besides the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreContext {
    /// Plies from the root.
    pub ply: usize,
    /// Plies in which a win counts: those until a draw by the fifty-move rule in chess.
    pub plies_left: i32,
}

impl ScoreContext {
    /// At `ply` plies from the root, where no rule ends the game as a draw.
    pub fn at(ply: usize) -> Self {
        Self { ply, plies_left: i32::MAX }
    }
}

/// A score as the table keeps it: distances to mate count from the node it was stored for,
/// not from the root as those of a [`Score`] do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableScore(i16);

impl TableScore {
    /// The score of a node at `ply`.
    pub fn new(score: Score, ply: usize) -> Self {
        let units = if score.is_win() {
            score.units() + ply as i32
        } else if score.is_loss() {
            score.units() - ply as i32
        } else {
            score.units()
        };
        let limit = Score::MATE.units();
        Self(units.clamp(-limit, limit) as i16)
    }

    /// The score for a node in this context.
    ///
    /// A mate or tablebase win beyond the plies that are left does not count: it becomes the
    /// greatest score that is not decisive. Any bits give a valid score, even those of a key collision.
    pub fn at(self, context: ScoreContext) -> Score {
        let units = i32::from(self.0);
        let score = Score::new(units);
        let end = if score.is_mate() { Score::MATE } else { Score::TABLEBASE_WIN };
        let distance = end.units() - units.abs();
        if distance < 0 || (score.is_decisive() && distance > context.plies_left) {
            return Score::new(Score::MAX_EVALUATION.units() * units.signum());
        }
        let ply = context.ply as i32;
        if score.is_win() {
            Score::new((units - ply).max(Score::MAX_EVALUATION.units()))
        } else if score.is_loss() {
            Score::new((units + ply).min(-Score::MAX_EVALUATION.units()))
        } else {
            score
        }
    }
}

/// The depth of an entry that holds a static evaluation and no search result.
pub const DEPTH_OF_EVALUATION: i32 = -1;

/// What the table knows of a position, with scores for the node that probes or stores. A move `M` is
/// kept as 16 bits that are not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry<M> {
    /// The score and its bound; `None` if the entry has a static evaluation only.
    pub result: Option<(Score, Bound)>,
    /// The static evaluation before any correction; `None` in check.
    pub evaluation: Option<Score>,
    /// The best move, if one was found. That of a probed entry may be illegal and has to be checked.
    pub best: Option<M>,
    /// The remaining depth the result was found with, from [`DEPTH_OF_EVALUATION`] up.
    pub depth: i32,
    /// Whether the node is or was on a principal variation.
    pub principal: bool,
}

impl<M> TableEntry<M> {
    /// The score, if it is a bound that decides whether a node's score is at least `beta`.
    #[inline]
    pub fn decides(&self, beta: Score) -> Option<Score> {
        let (score, bound) = self.result?;
        let fits = if score >= beta { bound.is_lower() } else { bound.is_upper() };
        fits.then_some(score)
    }
}

/// Stands for "no evaluation" in the packed form; no evaluation is so small.
const NO_EVALUATION: i16 = i16::MIN;

/// An entry in 64 bits.
///
/// ```text
///  63..59      58         57..56  55..48     47..32      31..16  15..0
///  generation  principal  bound   depth + 1  evaluation  score   move
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PackedEntry(pub u64);

impl PackedEntry {
    /// No entry.
    pub const NONE: Self = Self(0);

    pub fn new<M: Copy + Into<NonZeroU16>>(
        entry: &TableEntry<M>,
        ply: usize,
        generation: u8,
    ) -> Self {
        let (score, bound) = match entry.result {
            Some((score, bound)) => (TableScore::new(score, ply).0, bound as u8),
            None => (0, 0),
        };
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, |score| score.units() as i16);
        let tags = bound | u8::from(entry.principal) << 2 | generation << 3;
        Self(
            move_bits(entry.best.map(M::into))
                | u64::from(score as u16) << 16
                | u64::from(evaluation as u16) << 32
                | u64::from((entry.depth + 1).clamp(0, 255) as u8) << 48
                | u64::from(tags) << 56,
        )
    }

    pub fn best(self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.0 as u16)
    }

    pub fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8) - 1
    }

    pub fn bound(self) -> Option<Bound> {
        Bound::from_bits((self.0 >> 56) as u8)
    }

    pub fn principal(self) -> bool {
        self.0 >> 58 & 1 != 0
    }

    pub fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    pub fn merits(self) -> Merits {
        Merits {
            depth: self.depth(),
            bound: self.bound(),
            principal: self.principal(),
            generation: self.generation(),
        }
    }

    /// The same entry with another best move.
    pub fn with_best(self, best: Option<NonZeroU16>) -> Self {
        Self(self.0 & !0xFFFF | move_bits(best))
    }

    /// The same entry in another generation.
    pub fn with_generation(self, generation: u8) -> Self {
        Self(self.0 << 5 >> 5 | u64::from(generation) << 59)
    }

    pub fn unpack<M: TryFrom<NonZeroU16>>(self, context: ScoreContext) -> TableEntry<M> {
        let score = TableScore((self.0 >> 16) as i16);
        let evaluation = (self.0 >> 32) as i16;
        TableEntry {
            result: self.bound().map(|bound| (score.at(context), bound)),
            evaluation: (evaluation != NO_EVALUATION)
                .then(|| Score::new(i32::from(evaluation)).clamp_to_evaluation()),
            best: self.best().and_then(|bits| M::try_from(bits).ok()),
            depth: self.depth(),
            principal: self.principal(),
        }
    }
}

fn move_bits(best: Option<NonZeroU16>) -> u64 {
    u64::from(best.map_or(0, NonZeroU16::get))
}

/// How many generations (searches) an entry can tell apart.
pub(super) const GENERATIONS: u8 = 32;

/// What decides about an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Merits {
    /// The remaining depth of its search, in plies.
    pub depth: i32,
    /// `None` if it has no score.
    pub bound: Option<Bound>,
    /// Whether its node is or was on a principal variation.
    pub principal: bool,
    /// The number of its search modulo [`GENERATIONS`].
    pub generation: u8,
}

impl Merits {
    /// Returns `true` if this entry replaces an `old` one of the same position.
    #[inline]
    pub fn replaces(self, old: Self, params: &Params) -> bool {
        let pv = if self.principal { params.tt_overwrite_pv() } else { 0 };
        let margin = params.tt_overwrite_margin() + pv;
        self.bound == Some(Bound::Exact)
            || self.depth + margin > old.depth
            || age(old.generation, self.generation) != 0
    }

    /// What the entry is worth in a search of this generation: deep and young is best.
    pub fn worth(self, generation: u8, params: &Params) -> i32 {
        self.depth - params.tt_age_weight() * age(self.generation, generation)
    }
}

/// The generation of the next search.
pub(super) const fn next_generation(generation: u8) -> u8 {
    (generation + 1) % GENERATIONS
}

/// How many searches a generation is older than another.
const fn age(old: u8, new: u8) -> i32 {
    ((new + GENERATIONS - old) % GENERATIONS) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: ScoreContext = ScoreContext { ply: 0, plies_left: 100 };

    #[test]
    fn any_bits_give_a_valid_score() {
        for bits in i16::MIN..=i16::MAX {
            let score = TableScore(bits).at(ROOT);
            assert!(score.units().abs() <= Score::MATE.units(), "{bits}");
        }
        for greatest in [Score::MATE, Score::TABLEBASE_WIN, Score::MAX_EVALUATION] {
            assert_eq!(TableScore::new(greatest, 0).at(ROOT), greatest);
        }
    }

    const OLD: Merits =
        Merits { depth: 10, bound: Some(Bound::Lower), principal: false, generation: 31 };

    #[test]
    fn much_deeper_entries_of_the_same_search_stay() {
        let params = &Params::new();
        let margin = params.tt_overwrite_margin();
        let shallow = Merits { depth: 10 - margin, ..OLD };
        assert!(!shallow.replaces(OLD, params));
        assert!(Merits { depth: shallow.depth + 1, ..shallow }.replaces(OLD, params));
        assert!(Merits { principal: true, ..shallow }.replaces(OLD, params));
        assert!(Merits { bound: Some(Bound::Exact), ..shallow }.replaces(OLD, params));
        assert!(Merits { generation: next_generation(31), ..shallow }.replaces(OLD, params));
    }

    #[test]
    fn entries_of_earlier_searches_are_worth_less() {
        let params = &Params::new();
        assert_eq!(OLD.worth(31, params), 10);
        assert_eq!(OLD.worth(1, params), 10 - 2 * params.tt_age_weight());
    }
}
