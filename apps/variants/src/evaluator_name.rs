//! Evaluators on the command line: by name, or files that `learn` has written.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use tamarin_chess::variant_game::{EvaluationError, read_evaluation};
use tamarin_variant::Game;
use tamarin_variant_search::Judge;
use tamarin_variant_search::evaluate::{Evaluator, Spec, SpecError};

/// The end of the names of files with learned evaluators.
const EXTENSION: &str = ".eval";

/// `sme+imm`, or `my.eval`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EvaluatorName {
    /// An evaluator made from the rules.
    Named(Spec),
    /// A file with a learned one.
    File(PathBuf),
}

impl FromStr for EvaluatorName {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        match text.ends_with(EXTENSION) {
            true => Ok(Self::File(PathBuf::from(text))),
            false => Ok(Self::Named(text.parse()?)),
        }
    }
}

impl fmt::Display for EvaluatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(spec) => write!(f, "{spec}"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl EvaluatorName {
    /// The evaluator of that name for a game.
    ///
    /// # Errors
    /// If the file cannot be read or was learned for another game.
    pub(super) fn judge(&self, game: &Arc<Game>) -> Result<Judge, EvaluationError> {
        Ok(match self {
            Self::Named(spec) => Arc::new(Evaluator::new(game, spec)).into(),
            Self::File(path) => Arc::new(read_evaluation(path, game)?).into(),
        })
    }
}
