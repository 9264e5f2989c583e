//! Who can play besides people: Tamarin at some level, or another chess program.

use core::str::FromStr;
use std::sync::Arc;

use tamarin_game::search::SearcherError;

use super::program::ProgramError;
use tamarin_game::evaluator::EvaluatorKind;
use tamarin_game::level::{Level, LevelError, Tamarin};
use tamarin_uci::client::{Launch, LaunchError};

/// Somebody to play against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    Tamarin(Tamarin),
    /// Another program that speaks UCI.
    Program(Arc<Launch>),
}

impl Opponent {
    /// The level of the engine; of another program nothing is known.
    pub fn level(&self) -> Option<Level> {
        match self {
            Self::Tamarin(tamarin) => Some(tamarin.level),
            Self::Program(_) => None,
        }
    }
}

/// An opponent as the command line names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpponentArgument {
    /// The engine; what is not said is as for both sides.
    Tamarin {
        /// How well it plays.
        level: Option<Level>,
        evaluator: Option<EvaluatorKind>,
    },
    /// Another program that speaks UCI.
    Program(Arc<Launch>),
}

impl OpponentArgument {
    /// The opponent, where `both` is what is said for both sides.
    pub fn with_defaults(&self, both: Tamarin) -> Opponent {
        match self {
            Self::Tamarin { level, evaluator } => Opponent::Tamarin(Tamarin {
                level: level.unwrap_or(both.level),
                evaluator: evaluator.unwrap_or(both.evaluator),
            }),
            Self::Program(launch) => Opponent::Program(Arc::clone(launch)),
        }
    }
}

/// A text names no opponent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpponentError {
    /// Neither a program nor a level nor an evaluator.
    #[error(
        "{0}; or network or hand-crafted, or both with a comma; or uci: and the command of a program"
    )]
    Level(#[from] LevelError),
    #[error("{0:?} says twice what it means: give a level, an evaluator, or both with a comma")]
    Twice(String),
    #[error("after uci: {0}")]
    Launch(#[from] LaunchError),
}

/// A level, an evaluator, or both with a comma.
fn tamarin(text: &str) -> Result<OpponentArgument, OpponentError> {
    let (mut level, mut evaluator) = (None, None);
    for part in text.split(',').map(str::trim) {
        let kind = EvaluatorKind::from_name(part);
        let is_new = match kind {
            Some(kind) => evaluator.replace(kind).is_none(),
            None => level.replace(part.parse()?).is_none(),
        };
        if !is_new {
            return Err(OpponentError::Twice(text.to_owned()));
        }
    }
    Ok(OpponentArgument::Tamarin { level, evaluator })
}

impl FromStr for OpponentArgument {
    type Err = OpponentError;

    /// A level, an evaluator or both (`10,hand-crafted`), or `uci:` with the command line of a
    /// program and its options: `uci:stockfish; UCI_Elo=1800`.
    fn from_str(text: &str) -> Result<Self, OpponentError> {
        let Some(text) = text.trim().strip_prefix("uci:") else { return tamarin(text) };
        Ok(Self::Program(Arc::new(text.parse()?)))
    }
}

/// A player that is no person fails.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Start(#[from] SearcherError),
    #[error("{name}")]
    Program { name: String, source: ProgramError },
}

#[cfg(test)]
mod tests {
    use super::{LaunchError, Opponent, OpponentArgument, OpponentError};
    use tamarin_game::evaluator::EvaluatorKind;
    use tamarin_game::level::{Level, Tamarin};

    #[test]
    fn opponents_are_levels_or_commands_with_options() {
        let hard = OpponentArgument::Tamarin { level: Some(Level::Hard), evaluator: None };
        assert_eq!("hard".parse(), Ok(hard));
        let text = "uci:'/my bin/fish' --fast; Skill Level = 3;UCI_Elo=1500";
        let Ok(OpponentArgument::Program(launch)) = text.parse() else { panic!("{text}") };
        assert_eq!(*launch, text["uci:".len()..].parse().unwrap());
        let parse = str::parse::<OpponentArgument>;
        assert_eq!(parse("uci:"), Err(OpponentError::Launch(LaunchError::NoCommand)));
        assert!(parse("fish").is_err());
    }

    #[test]
    fn a_side_may_have_an_evaluator_of_its_own() {
        let both = Tamarin { level: Level::Number(5), evaluator: EvaluatorKind::Network };
        let terms = |level| Tamarin { level, evaluator: EvaluatorKind::HandCrafted };
        for (text, expected) in [
            ("hand-crafted", terms(Level::Number(5))),
            ("10,hand-crafted", terms(Level::Number(10))),
            ("hand-crafted, elo 2000", terms(Level::Elo(2000))),
            ("network", both),
            ("7", Tamarin { level: Level::Number(7), ..both }),
        ] {
            let argument: OpponentArgument = text.parse().unwrap();
            assert_eq!(argument.with_defaults(both), Opponent::Tamarin(expected), "{text}");
        }
        let by_terms: OpponentArgument = "7".parse().unwrap();
        let opponent = by_terms.with_defaults(terms(Level::Easy));
        assert_eq!(opponent, Opponent::Tamarin(terms(Level::Number(7))));
        for twice in ["7,8", "network,hand-crafted", "7,network,network"] {
            let wrong = Err(OpponentError::Twice(twice.to_owned()));
            assert_eq!(twice.parse::<OpponentArgument>(), wrong);
        }
        for wrong in ["10,", ",", "10,neural"] {
            assert!(matches!(wrong.parse::<OpponentArgument>(), Err(OpponentError::Level(_))));
        }
    }
}
