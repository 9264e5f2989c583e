//! Which entries of a transposition table are replaced: those of the same position unless they are
//! much deeper, else the one of the bucket that is worth least.

use crate::params::Params;
use crate::score::Bound;

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
