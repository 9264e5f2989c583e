//! Evaluators on the command line: by name, or files that `learn` has written.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use tamarin_variant::Game;
use tamarin_variant_search::AnyEvaluator;
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::evaluate::{Evaluator, Spec, SpecError};
use tamarin_variant_search::read_evaluation;

use super::source::Failure;

/// The name of what comes with the program.
const LEARNED: &str = "learned";

/// The end of the names of files with learned evaluators.
const EXTENSION: &str = ".eval";

/// `sme+imm`, `learned` or `my.eval`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EvaluatorName {
    /// An evaluator made from the rules.
    Named(Spec),
    /// The learned one that comes with the program.
    Learned,
    File(PathBuf),
}

impl FromStr for EvaluatorName {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Ok(match text {
            LEARNED => Self::Learned,
            _ if text.ends_with(EXTENSION) => Self::File(PathBuf::from(text)),
            _ => Self::Named(text.parse()?),
        })
    }
}

impl fmt::Display for EvaluatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(spec) => write!(f, "{spec}"),
            Self::Learned => write!(f, "{LEARNED}"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl EvaluatorName {
    /// The file that it is read from.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Named(_) | Self::Learned => None,
        }
    }

    /// What identifies the content of a learned evaluator for a game; nothing for one by name.
    ///
    /// # Errors
    /// As [`Self::evaluator`].
    pub(super) fn fingerprint(&self, game: &Arc<Game>) -> Result<Option<u64>, Failure> {
        if matches!(self, Self::Named(_)) {
            return Ok(None);
        }
        Ok(match self.evaluator(game)? {
            AnyEvaluator::Learned(learned) => Some(learned.fingerprint()),
            AnyEvaluator::Named(_) => None,
        })
    }

    /// The evaluator of that name for a game.
    ///
    /// # Errors
    /// If none comes with the program, or the file cannot be read or was learned for another game.
    pub(super) fn evaluator(&self, game: &Arc<Game>) -> Result<AnyEvaluator, Failure> {
        Ok(match self {
            Self::Named(spec) => Arc::new(Evaluator::new(game, spec)).into(),
            Self::Learned => {
                let learned = Learned::embedded(game);
                let none = || Failure::NoEvaluator(game.title().to_owned());
                Arc::new(learned.ok_or_else(none)?).into()
            }
            Self::File(path) => Arc::new(read_evaluation(path, game)?).into(),
        })
    }
}
