//! Weakened play: skill levels and ratings below full strength.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_eval::Score;

use crate::options::Strength;
use crate::params::{Params, RATED_LEVELS};
use crate::root::RootMove;

/// Steps of a skill level.
const STEPS: i32 = 64;

/// The level of full strength, in steps.
const FULL: i32 = 20 * STEPS;

/// The ratings a user may ask for. Source: `UCI_Elo` of Stockfish 15.1 has about this range.
const RATINGS: core::ops::RangeInclusive<u16> = 1320..=3190;

/// The skill of a weakened player, who looks a few plies ahead and then judges the best lines
/// with a random error. The depth grows and the error shrinks with the level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Skill {
    /// In 1/64 level. The highest ratings are above [`FULL`]: they look deeper still, with the
    /// least error.
    level: i32,
}

impl Skill {
    /// The skill asked for, or `None` at full strength.
    pub fn new(strength: Strength) -> Option<Self> {
        let level = match strength {
            Strength::Full | Strength::Skill(20..) => return None,
            Strength::Skill(level) => i32::from(level) * STEPS,
            Strength::Elo(rating) => {
                fitted_level(rating.clamp(*RATINGS.start(), *RATINGS.end()).into())
            }
        };
        Some(Self { level })
    }

    /// The last iteration, in plies.
    pub fn depth(self) -> u32 {
        (1 + self.level / STEPS) as u32
    }

    /// How many lines have to be searched to choose from, if the user wants to see `lines`.
    pub fn lines(self, lines: usize, params: &Params) -> usize {
        lines.max(params.skill_lines() as usize)
    }

    /// The greatest error of judgment, in score units.
    fn error(self, params: &Params) -> u64 {
        let missing = (FULL - self.level).max(0);
        let error = params.skill_error_factor() * missing / FULL * missing / FULL;
        (params.skill_error_min() + error) as u64
    }

    /// The line to play, best lines first. The same seed gives the same choice.
    pub fn choose(self, lines: &[RootMove], seed: u64, params: &Params) -> usize {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let judged = lines.iter().take(params.skill_lines() as usize).map(|line| {
            let score = line.score.unwrap_or(-Score::INFINITE);
            score.units() + (random.next_u64() % self.error(params)) as i32
        });
        // The first of equals: the lines come best first.
        let best = judged.enumerate().max_by_key(|&(index, score)| (score, usize::MAX - index));
        best.map_or(0, |(index, _)| index)
    }
}

/// The level of a rating, in steps.
fn fitted_level(rating: i32) -> i32 {
    let above = RATED_LEVELS
        .iter()
        .position(|(known, _)| *known >= rating)
        .unwrap_or(RATED_LEVELS.len() - 1);
    let ((low, from), (high, to)) = (RATED_LEVELS[above.max(1) - 1], RATED_LEVELS[above.max(1)]);
    from + (rating - low) * (to - from) / (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_strength_needs_no_skill() {
        assert_eq!(Skill::new(Strength::Full), None);
        assert_eq!(Skill::new(Strength::Skill(20)), None);
        assert_eq!(Skill::new(Strength::Skill(200)), None);
        assert!(Skill::new(Strength::Elo(u16::MAX)).is_some());
    }

    #[test]
    #[allow(clippy::default_constructed_unit_structs, reason = "has fields under `tune`")]
    fn more_strength_is_never_weaker() {
        let params = Params::default();
        let levels = (0..20).map(Strength::Skill);
        let ratings = (1300..3200).map(Strength::Elo);
        for list in [levels.collect::<Vec<_>>(), ratings.collect()] {
            for pair in list.windows(2) {
                let weak = Skill::new(pair[0]).unwrap();
                let strong = Skill::new(pair[1]).unwrap();
                assert!(
                    weak.depth() <= strong.depth() && weak.error(&params) >= strong.error(&params)
                );
            }
        }
        assert_eq!(Skill::new(Strength::Skill(0)).unwrap().depth(), 1);
    }

    #[test]
    fn ratings_are_the_levels_that_were_measured() {
        let level = |rating| f64::from(Skill::new(Strength::Elo(rating)).unwrap().level) / 64.0;
        for (rating, measured) in [(1500, 3.0), (2000, 9.6), (2500, 18.0)] {
            assert!((level(rating) - measured).abs() < 0.1, "{rating}: {}", level(rating));
        }
        assert_eq!(Skill::new(Strength::Elo(1320)).unwrap().depth(), 1);
        assert_eq!(Skill::new(Strength::Elo(3190)).unwrap().depth(), 30);
    }
}
