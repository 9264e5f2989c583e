//! Who can play besides people: Tamarin at some level, or another chess program.

use core::str::FromStr;
use std::sync::Arc;

use tamarin_search::StartError;

use super::launch::Launch;
use super::level::{Level, LevelError};
use super::program::ProgramError;

/// Somebody to play against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// The engine at this level.
    Tamarin(Level),
    /// Another program that speaks UCI.
    Program(Arc<Launch>),
}

/// A text names no opponent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpponentError {
    /// Neither a program nor a level.
    #[error("{0}; or uci: and the command of a program")]
    Level(#[from] LevelError),
    /// `uci:` with nothing behind it.
    #[error("say the command of the program after uci:")]
    NoCommand,
    /// An option without a value.
    #[error("{0:?} is no option: write NAME=VALUE")]
    Option(String),
}

impl FromStr for Opponent {
    type Err = OpponentError;

    /// A level, or `uci:` with the command of a program: a path without blanks, or blanks between
    /// its words. Options follow after semicolons: `uci:stockfish; UCI_Elo=1800`.
    fn from_str(text: &str) -> Result<Self, OpponentError> {
        let Some(text) = text.trim().strip_prefix("uci:") else {
            return Ok(Self::Tamarin(text.parse()?));
        };
        let mut parts = text.split(';');
        let command: Vec<String> =
            parts.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        if command.is_empty() {
            return Err(OpponentError::NoCommand);
        }
        let options = parts.map(|part| {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| OpponentError::Option(part.trim().to_owned()))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        });
        let options = options.collect::<Result<_, OpponentError>>()?;
        Ok(Self::Program(Arc::new(Launch::new(command, options))))
    }
}

/// A player that is no person fails.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The system has no memory or thread for the engine.
    #[error("cannot start the engine")]
    Start(#[from] StartError),
    /// Another program does not do what it should.
    #[error("{name}")]
    Program {
        /// The program.
        name: String,
        /// What is wrong.
        source: ProgramError,
    },
}

#[cfg(test)]
mod tests {
    use super::{Opponent, OpponentError};
    use crate::play::level::Level;

    #[test]
    fn opponents_are_levels_or_commands_with_options() {
        assert_eq!("hard".parse(), Ok(Opponent::Tamarin(Level::Hard)));
        let text = "uci:/bin/fish --fast; Skill Level = 3;UCI_Elo=1500";
        let Ok(Opponent::Program(launch)) = text.parse() else { panic!("{text}") };
        assert_eq!((launch.program(), launch.file_name().as_str()), ("/bin/fish", "fish"));
        assert_eq!(launch.arguments(), ["--fast"]);
        let options = [("Skill Level", "3"), ("UCI_Elo", "1500")];
        assert_eq!(launch.options(), options.map(|(name, value)| (name.into(), value.into())));
        assert_eq!("uci:".parse::<Opponent>(), Err(OpponentError::NoCommand));
        let wrong = Err(OpponentError::Option("Hash".to_owned()));
        assert_eq!("uci:fish; Hash".parse::<Opponent>(), wrong);
        assert!("fish".parse::<Opponent>().is_err());
    }
}
