//! Weakened play: skill levels and ratings below full strength.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_eval::Score;

use crate::options::Strength;
use crate::params::{Params, RATED_SKILLS, SKILL_LEVELS};
use crate::root::RootMove;

/// Parts of a skill, which grows by about a ply of depth from one whole number to the next.
const STEPS: i32 = 64;

/// The skill from which on judgment errs least, in steps.
const FULL: i32 = 20 * STEPS;

/// The ratings a user may ask for. Source: `UCI_Elo` of Stockfish 15.1 has about this range.
const RATINGS: core::ops::RangeInclusive<u16> = 1320..=3190;

/// How a weakened player plays a move: it looks a few plies ahead and then judges the best lines
/// with a random error. The depth grows with the skill; the error and the number of lines shrink.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Skill {
    /// The last iteration, in plies.
    depth: u32,
    /// How many of the best lines to choose from.
    lines: usize,
    /// All errors of judgment are below this, in score units.
    error: u64,
    random: Xoshiro256PlusPlus,
}

impl Skill {
    /// The skill asked for, or `None` at full strength. The same seed plays the same move.
    pub fn new(strength: Strength, seed: u64, params: &Params) -> Option<Self> {
        let skill = match strength {
            Strength::Full => return None,
            Strength::Skill(level) => *SKILL_LEVELS.get(usize::from(level))?,
            Strength::Elo(rating) => {
                fitted_skill(rating.clamp(*RATINGS.start(), *RATINGS.end()).into())
            }
        };
        Some(Self::of_steps(skill, seed, params))
    }

    /// A skill in steps.
    fn of_steps(skill: i32, seed: u64, params: &Params) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        // A part of a ply is a whole one in that part of the moves.
        let extra = (random.next_u64() % STEPS as u64) as i32;
        let missing = i64::from((FULL - skill).max(0));
        let full = i64::from(FULL);
        let shrinking = |value: i64, missing: i64| value * missing / full * missing / full;
        let error = shrinking(params.skill_error_factor().into(), missing);
        // All lines up to half of the full skill.
        let more_lines = params.skill_lines() - params.skill_lines_min();
        let lines = shrinking(more_lines.max(0).into(), (2 * missing).min(full));
        Self {
            depth: (1 + (skill + extra) / STEPS) as u32,
            lines: (i64::from(params.skill_lines_min()) + lines) as usize,
            error: (i64::from(params.skill_error_min()) + error) as u64,
            random,
        }
    }

    /// The last iteration, in plies.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// How many of the best lines have to be searched to choose from.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The line to play, best lines first.
    pub fn choose(&self, lines: &[RootMove]) -> usize {
        let mut random = self.random.clone();
        let judged = lines.iter().take(self.lines).map(|line| {
            let score = line.score.unwrap_or(-Score::INFINITE);
            score.units() + (random.next_u64() % self.error) as i32
        });
        // The first of equals: the lines come best first.
        let best = judged.enumerate().max_by_key(|&(index, score)| (score, usize::MAX - index));
        best.map_or(0, |(index, _)| index)
    }
}

/// The skill of a rating, in steps.
fn fitted_skill(rating: i32) -> i32 {
    let above = RATED_SKILLS
        .iter()
        .position(|(known, _)| *known >= rating)
        .unwrap_or(RATED_SKILLS.len() - 1);
    let ((low, from), (high, to)) = (RATED_SKILLS[above.max(1) - 1], RATED_SKILLS[above.max(1)]);
    from + (rating - low) * (to - from) / (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::default_constructed_unit_structs, reason = "has fields under `tune`")]
    fn params() -> Params {
        Params::default()
    }

    fn skill(strength: Strength, seed: u64) -> Option<Skill> {
        Skill::new(strength, seed, &params())
    }

    #[test]
    fn full_strength_needs_no_skill() {
        assert_eq!(skill(Strength::Full, 0), None);
        assert_eq!(skill(Strength::Skill(20), 0), None);
        assert_eq!(skill(Strength::Skill(200), 0), None);
        assert!(skill(Strength::Elo(u16::MAX), 0).is_some());
    }

    #[test]
    fn more_strength_is_never_weaker() {
        let levels = (0..20).map(Strength::Skill);
        let ratings = (1300..3200).map(Strength::Elo);
        for list in [levels.collect::<Vec<_>>(), ratings.collect()] {
            for (seed, pair) in list.windows(2).enumerate() {
                let [weak, strong] = [0, 1].map(|side| skill(pair[side], seed as u64).unwrap());
                assert!(weak.depth <= strong.depth && weak.error >= strong.error, "{pair:?}");
                assert!(weak.lines >= strong.lines, "{pair:?}");
            }
        }
        assert_eq!(skill(Strength::Skill(0), 0).unwrap().depth, 1);
    }

    #[test]
    fn a_part_of_a_ply_is_a_ply_in_that_part_of_the_moves() {
        // Skill 2.25: 3 plies, and 4 in a quarter of the moves.
        let depths = (0..4000).map(|seed| Skill::of_steps(144, seed, &params()).depth);
        let deeper = depths.inspect(|depth| assert!([3, 4].contains(depth))).filter(|&d| d == 4);
        let deeper = deeper.count();
        assert!((900..1100).contains(&deeper), "{deeper} of 4000");
    }

    #[test]
    fn ratings_are_the_skills_that_were_measured() {
        for (rating, measured) in [(1500, 2.9), (2000, 9.1), (2500, 18.0)] {
            let skill = f64::from(fitted_skill(rating)) / f64::from(STEPS);
            assert!((skill - measured).abs() < 0.1, "{rating}: {skill}");
        }
        assert_eq!(fitted_skill(1320) / STEPS, 0);
        assert_eq!(skill(Strength::Elo(3190), 0).unwrap().depth / 2, 15);
    }
}
