//! Playing worse than one can, on purpose and by degrees.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_eval::Score;

use crate::options::{SearchOptions, Strength};
use crate::root::RootMove;

/// Levels come in so many steps each.
const STEPS: i32 = 64;

/// The level at which play is not limited any more.
const FULL: i32 = 20 * STEPS;

/// The range of ratings a user may ask for.
const RATINGS: core::ops::RangeInclusive<u16> = 1320..=3190;

/// How many lines a weak player chooses from.
const LINES: usize = 6;

/// How weak the player is who chooses the move.
///
/// A weak player looks a few plies ahead and then judges the best lines with an error.
/// Both shrink with the level, so that a higher level is never worse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Skill {
    /// In 1/64 level, below [`FULL`].
    level: i32,
}

impl Skill {
    /// The skill asked for, or `None` at full strength.
    pub fn new(strength: Strength) -> Option<Self> {
        let level = match strength {
            Strength::Full => FULL,
            Strength::Skill(level) => i32::from(level.min(20)) * STEPS,
            Strength::Elo(rating) => {
                let (least, most) = (i32::from(*RATINGS.start()), i32::from(*RATINGS.end()));
                let rating = i32::from(rating).clamp(least, most);
                // The strongest rating is just below full strength.
                (rating - least) * (FULL - 1) / (most - least)
            }
        };
        (level < FULL).then_some(Self { level })
    }

    /// How many plies the player looks ahead.
    pub fn depth(self) -> u32 {
        (1 + self.level / STEPS) as u32
    }

    /// How many lines have to be searched to choose from, if the user wants to see `lines`.
    pub fn lines(self, lines: usize) -> usize {
        lines.max(LINES)
    }

    /// The greatest error of judgment, in score units.
    fn error(self) -> u64 {
        let missing = FULL - self.level;
        (4 + 300 * missing / FULL * missing / FULL) as u64
    }

    /// The line the player chooses. The same position and seed give the same choice.
    pub fn choose(self, lines: &[RootMove], options: &SearchOptions, key: u64) -> usize {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(options.seed ^ key);
        let judged = lines.iter().take(LINES).map(|line| {
            let score = line.score.unwrap_or(-Score::INFINITE);
            score.units() + (random.next_u64() % self.error()) as i32
        });
        // The first of equals: the lines come best first.
        let best = judged.enumerate().max_by_key(|&(index, score)| (score, usize::MAX - index));
        best.map_or(0, |(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_strength_is_no_skill() {
        assert_eq!(Skill::new(Strength::Full), None);
        assert_eq!(Skill::new(Strength::Skill(20)), None);
        assert_eq!(Skill::new(Strength::Skill(200)), None);
        assert!(Skill::new(Strength::Elo(u16::MAX)).is_some());
    }

    #[test]
    fn more_strength_is_never_weaker() {
        let levels = (0..20).map(Strength::Skill);
        let ratings = (1300..3200).map(Strength::Elo);
        for list in [levels.collect::<Vec<_>>(), ratings.collect()] {
            for pair in list.windows(2) {
                let weak = Skill::new(pair[0]).unwrap();
                let strong = Skill::new(pair[1]).unwrap();
                assert!(weak.depth() <= strong.depth() && weak.error() >= strong.error());
            }
        }
        assert_eq!(Skill::new(Strength::Skill(0)).unwrap().depth(), 1);
        assert_eq!(Skill::new(Strength::Elo(3190)).unwrap().depth(), 20);
    }
}
