//! Weakened play: skill levels and ratings below full strength.
//!
//! A weak player searches a few thousand nodes and then chooses among the best lines by what it
//! sees of them (`oversight`) and with a random error. From some rating on it never leaves a
//! piece en prise (`guard`). A bare king is mated at any rating.

mod guard;
mod numbers;
mod oversight;

use core::cmp::Reverse;
use core::ops::RangeInclusive;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_base::formula::VARIETY;
use tamarin_eval::Score;
use tamarin_movegen::{Color, Move, Position};

use self::guard::guarded_moves;
use self::numbers::{GUARDED, LEVEL_RATINGS, SKILLS, Skilled, TECHNIQUE_NODES};
use self::oversight::Blindness;
use crate::options::Strength;
use crate::root::RootMove;

/// The ratings a user may ask for. Source: from 1320 on about those of `UCI_Elo` of Stockfish 15.1.
pub const RATINGS: RangeInclusive<u16> = 500..=3190;

/// The rating of a skill level, or `None` if that is full strength. Level 0 of the option is level
/// 1 of `play`; 1 lies half way to level 2, and from there on the numbers are the same.
pub fn rating_of_skill(level: u8) -> Option<u16> {
    let [first, second, ..] = LEVEL_RATINGS;
    match level {
        0 => Some(first),
        1 => Some(u16::midpoint(first, second)),
        _ => LEVEL_RATINGS.get(usize::from(level) - 1).copied(),
    }
}

/// How a weakened player plays a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Skill {
    /// Where the search ends.
    nodes: u64,
    /// How many of the best lines to choose from.
    lines: usize,
    /// What is overlooked in them.
    blindness: Blindness,
    /// All errors of judgment are below this, in score units.
    error: u64,
    /// Whether moves that leave a piece en prise are out of the question.
    is_guarded: bool,
    random: Xoshiro256PlusPlus,
}

impl Skill {
    /// The skill asked for in a position, or `None` at full strength. The same seed plays the same
    /// move.
    pub fn new(strength: Strength, position: &Position, seed: u64) -> Option<Self> {
        let rating = match strength {
            Strength::Full => return None,
            Strength::Skill(level) => rating_of_skill(level)?,
            Strength::Elo(rating) => rating.clamp(*RATINGS.start(), *RATINGS.end()),
        };
        let mut skill = Self::of_rating(rating, seed ^ position.key());
        if is_bare_king(position, !position.side_to_move()) {
            skill.nodes = skill.nodes.max(TECHNIQUE_NODES);
            skill.lines = 1;
        }
        Some(skill)
    }

    fn of_rating(rating: u16, seed: u64) -> Self {
        let rated = i64::from(rating);
        let above = SKILLS.iter().position(|known| known.rating >= rated);
        let above = above.unwrap_or(SKILLS.len() - 1).max(1);
        let (low, high) = (&SKILLS[above - 1], &SKILLS[above]);
        let between = |value: fn(&Skilled) -> i64| {
            let (from, to) = (value(low), value(high));
            from + (rated - low.rating) * (to - from) / (high.rating - low.rating)
        };
        Self {
            nodes: between(|known| known.nodes).unsigned_abs(),
            lines: between(|known| known.lines).unsigned_abs() as usize,
            blindness: Blindness(between(|known| known.blindness).unsigned_abs()),
            error: between(|known| known.error).unsigned_abs().max(1),
            is_guarded: GUARDED.contains(&rating),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// The node at which the search ends.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of the best lines have to be searched to choose from.
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// Whether errors of judgment alone make play vary.
    pub const fn varies(&self) -> bool {
        self.error >= VARIETY.unsigned_abs() as u64
    }

    /// Those of the moves that are worth a thought.
    pub fn candidates(&self, position: &Position, moves: &[Move]) -> Vec<Move> {
        if self.is_guarded { guarded_moves(position, moves) } else { moves.to_vec() }
    }

    /// The line to play, best lines first; with one line, that one.
    pub fn choose(&self, root: &Position, lines: &[RootMove]) -> usize {
        // Of a move without a score nothing is known; those with one come first.
        let scored = lines.iter().take_while(|line| line.has_score()).count();
        let lines = &lines[..scored.min(self.lines)];
        if lines.len() < 2 {
            return 0;
        }
        let mut random = self.random.clone();
        let judged = lines.iter().enumerate().filter_map(|(index, line)| {
            let score = line.score.unwrap_or(-Score::INFINITE);
            let seen = self.blindness.judge(root, (&line.line, score), &mut random);
            let error = (random.next_u64() % self.error) as i32;
            seen.map(|seen| (index, seen + error))
        });
        // The first of equals: the lines come best first.
        let best = judged.max_by_key(|&(index, score)| (score, Reverse(index)));
        // If nothing comes to mind, anything is played.
        let anything =
            |random: &mut Xoshiro256PlusPlus| (random.next_u64() % lines.len() as u64) as usize;
        best.map_or_else(|| anything(&mut self.random.clone()), |(index, _)| index)
    }
}

/// Whether a side has nothing but its king.
fn is_bare_king(position: &Position, color: Color) -> bool {
    !position.color(color).several()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::RootMoves;

    fn skill(strength: Strength) -> Option<Skill> {
        Skill::new(strength, &Position::startpos(), 0)
    }

    #[test]
    fn skill_levels_are_ratings() {
        let ratings: Vec<u16> = (0..20).map(|level| rating_of_skill(level).unwrap()).collect();
        assert!(ratings.is_sorted_by(|low, high| low < high), "{ratings:?}");
        assert_eq!((ratings[0], rating_of_skill(20)), (500, None));
        for (level, &rating) in (0..).zip(&ratings) {
            assert_eq!(skill(Strength::Skill(level)), skill(Strength::Elo(rating)), "{level}");
        }
    }

    #[test]
    fn moves_without_a_score_are_not_chosen() {
        let root = Position::startpos();
        let mut lines = RootMoves::new(&root.legal_moves(), &[]).all().to_vec();
        for line in &mut lines[..3] {
            line.score = Some(Score::DRAW);
        }
        for seed in 0..1000 {
            let skill = Skill::new(Strength::Elo(500), &root, seed).unwrap();
            assert!(skill.choose(&root, &lines) < 3, "{seed}");
        }
    }

    #[test]
    fn a_strong_player_may_sacrifice() {
        let position = Position::from_fen("r6k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1").unwrap();
        let (queen, moves) = (position.parse_san("Qg8+").unwrap(), position.legal_moves());
        let dares = |rating| {
            let skill = Skill::new(Strength::Elo(rating), &position, 0).unwrap();
            skill.candidates(&position, &moves).contains(&queen)
        };
        assert!(dares(3190) && !dares(2000));
    }

    #[test]
    fn a_bare_king_is_mated_by_the_best_line() {
        let position = Position::from_fen("7k/8/8/8/8/8/8/KQ6 w - - 0 1").unwrap();
        let bare = Skill::new(Strength::Elo(500), &position, 0).unwrap();
        assert_eq!((bare.lines, bare.nodes), (1, TECHNIQUE_NODES));
        assert!(skill(Strength::Elo(500)).unwrap().lines > 100);
    }
}
