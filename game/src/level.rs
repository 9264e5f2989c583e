//! How well the engine plays, and how long it thinks.

use core::fmt;
use core::str::FromStr;

use tamarin_movegen::PerColor;
use tamarin_search::{Clock, Limits, Millis, RATINGS, Strength, rating_of_skill};

use crate::evaluator::EvaluatorKind;

pub const LEVELS: core::ops::RangeInclusive<u8> = 1..=20;

/// The level where none is said: about a club player.
pub const DEFAULT_LEVEL: Level = Level::Number(13);

/// The same in a variant.
pub const DEFAULT_VARIANT_LEVEL: Level = Level::Number(5);

/// What a move of a variant costs beyond the search.
const OVERHEAD: Millis = Millis::new(20);

/// A strength of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// 1 to 20; 20 is full strength.
    Number(u8),
    /// About this rating, 500 to 3190.
    Elo(u16),
    /// For beginners; answers within a second.
    Easy,
    /// For club players; answers within five seconds.
    Medium,
    /// Full strength; answers within fifteen seconds.
    Hard,
}

impl Level {
    /// How the search is weakened.
    pub fn strength(self) -> Strength {
        match self {
            // Skill level 1 lies between the levels 1 and 2.
            Self::Number(0 | 1) => Strength::Skill(0),
            Self::Number(level) if level >= *LEVELS.end() => Strength::Full,
            Self::Number(level) => Strength::Skill(level),
            Self::Elo(rating) => Strength::Elo(rating),
            Self::Easy => Strength::Skill(3),
            Self::Medium => Strength::Skill(16),
            Self::Hard => Strength::Full,
        }
    }

    /// The rating that it is about, 3190 at full strength.
    pub fn rating(self) -> u16 {
        let of_skill = match self.strength() {
            Strength::Elo(rating) => Some(rating),
            Strength::Skill(level) => rating_of_skill(level),
            Strength::Full => None,
        };
        of_skill.unwrap_or(*RATINGS.end())
    }

    /// The most time for a move where no clock runs. The presets leave some of what they promise
    /// for everything around the search.
    pub fn move_time(self) -> Millis {
        Millis::new(match self {
            Self::Number(level) => 250 * u64::from(level),
            Self::Elo(_) => 5000,
            Self::Easy => 800,
            Self::Medium => 4500,
            Self::Hard => 14_000,
        })
    }

    /// When a search of chess has to answer: its clock says so, or the time of the level where no
    /// clock runs and in presets.
    pub fn chess_limits(self, clocks: PerColor<Option<Clock>>) -> Limits {
        let is_preset = matches!(self, Self::Easy | Self::Medium | Self::Hard);
        let is_free = clocks.0.iter().all(Option::is_none);
        let move_time = (is_preset || is_free).then(|| self.move_time());
        Limits { clocks, move_time, ..Limits::default() }
    }

    /// The limits of a search of a variant: a depth in plies, within the time of the level or that
    /// of a clock. The levels below 20 look as deep as in standard chess; they do not err besides.
    pub fn variant_limits(self, clock: Option<Clock>) -> tamarin_variant_search::Limits {
        let depth = match self {
            Self::Number(level) if level < *LEVELS.end() => Some(u32::from(level)),
            Self::Easy => Some(3),
            Self::Medium => Some(10),
            Self::Number(_) | Self::Hard | Self::Elo(_) => None,
        };
        let move_time = clock.is_none().then(|| self.move_time());
        let limits = tamarin_variant_search::Limits::default();
        tamarin_variant_search::Limits { depth, move_time, clock, overhead: OVERHEAD, ..limits }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(level) => write!(f, "level {level}"),
            Self::Elo(rating) => write!(f, "Elo {rating}"),
            Self::Easy => f.write_str("easy"),
            Self::Medium => f.write_str("medium"),
            Self::Hard => f.write_str("hard"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no level: give 1 to 20, a rating from 500 to 3190, easy, medium or hard")]
pub struct LevelError(String);

impl FromStr for Level {
    type Err = LevelError;

    /// A number up to 20 is a level, a greater one a rating; `level 5` and `elo 1800` are understood
    /// too, with a blank, a colon or nothing between.
    fn from_str(text: &str) -> Result<Self, LevelError> {
        let error = || LevelError(text.chars().take(24).collect());
        let lower = text.trim().to_lowercase();
        match lower.as_str() {
            "easy" => return Ok(Self::Easy),
            "medium" => return Ok(Self::Medium),
            "hard" => return Ok(Self::Hard),
            _ => {}
        }
        let number = lower
            .strip_prefix("level")
            .or_else(|| lower.strip_prefix("elo"))
            .unwrap_or(&lower)
            .trim_start_matches([' ', ':', '=']);
        let number: u16 = number.parse().map_err(|_| error())?;
        match u8::try_from(number) {
            Ok(level) if LEVELS.contains(&level) && !lower.starts_with("elo") => {
                Ok(Self::Number(level))
            }
            _ if RATINGS.contains(&number) && !lower.starts_with("level") => Ok(Self::Elo(number)),
            _ => Err(error()),
        }
    }
}

/// The engine as a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tamarin {
    /// How well it plays.
    pub level: Level,
    pub evaluator: EvaluatorKind,
}

impl Tamarin {
    /// What it is called in games.
    pub fn name(self) -> String {
        format!("Tamarin ({self})")
    }

    /// The player that [`Self::name`] calls so.
    pub fn of_name(name: &str) -> Option<Self> {
        let text = name.strip_prefix("Tamarin (")?.strip_suffix(')')?;
        let (level, kind) = text.split_once(", ").unwrap_or((text, EvaluatorKind::Network.name()));
        Some(Self { level: level.parse().ok()?, evaluator: EvaluatorKind::from_name(kind)? })
    }
}

impl fmt::Display for Tamarin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.evaluator {
            EvaluatorKind::Network => write!(f, "{}", self.level),
            kind => write!(f, "{}, {}", self.level, kind.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Level;
    use tamarin_movegen::PerColor;
    use tamarin_search::Strength;
    use tamarin_search::{Clock, Millis};

    #[test]
    fn levels_are_skills_and_the_last_is_full_strength() {
        assert_eq!(Level::Number(1).strength(), Strength::Skill(0));
        assert_eq!(Level::Number(2).strength(), Strength::Skill(2));
        assert_eq!(Level::Number(19).strength(), Strength::Skill(19));
        assert_eq!(Level::Number(20).strength(), Strength::Full);
        let levels = [Level::Number(1), Level::Number(13), Level::Elo(900), Level::Hard];
        assert_eq!(levels.map(Level::rating), [500, 1590, 900, 3190]);
    }

    #[test]
    fn levels_are_read_in_all_their_forms() {
        let good = [
            ("1", Level::Number(1)),
            ("level 20", Level::Number(20)),
            ("level:7", Level::Number(7)),
            ("500", Level::Elo(500)),
            ("elo 2000", Level::Elo(2000)),
            ("EASY", Level::Easy),
            (" hard ", Level::Hard),
        ];
        for (text, level) in good {
            assert_eq!(text.parse(), Ok(level), "{text}");
        }
        for text in ["0", "21", "499", "3191", "level 1500", "elo 5", "", "strong", "-3", "99999"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
        assert!(good.iter().all(|(_, level)| level.to_string().parse() == Ok(*level)));
    }

    /// What `help level` promises is what the search is asked for, with a clock and without.
    #[test]
    fn presets_take_no_more_time_than_they_promise() {
        let (left, increment) = (Millis::new(5_400_000), Millis::new(30_000));
        let clock = Some(Clock { left, increment, moves_to_go: None });
        for (level, promised) in [(Level::Easy, 1000), (Level::Medium, 5000), (Level::Hard, 15_000)]
        {
            for clock in [None, clock] {
                let asked = level.chess_limits(PerColor([clock; 2])).move_time.unwrap().get();
                // Some of it is left for all that is not the search.
                assert!(promised / 2 < asked && asked <= promised * 95 / 100, "{level}: {asked}");
            }
        }
        assert_eq!(Level::Number(5).chess_limits(PerColor([clock; 2])).move_time, None);
    }
}
