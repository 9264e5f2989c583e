//! Learned evaluators in files beside those of the rules: `my.eval` beside `my.var`.

use std::io;
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;

use crate::evaluate::learned::{EvalError, Learned};
use tamarin_base::files::read_stream_text;
use tamarin_variant::Game;

/// The end of the names of such files.
const EXTENSION: &str = "eval";
/// They are at most so large, in MiB.
const MOST_MIB: u64 = 4;

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    #[error("cannot read {path:?}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{}, {source}", .path.display())]
    Refused { path: PathBuf, source: EvalError },
}

/// Where the learned evaluator of a file of rules is: `my.eval` for `my.var`, and for a variant of
/// it that is chosen by name `my.NAME.eval`, with `_` for each separator of paths in the name.
#[must_use]
pub fn evaluation_file(rules: &Path, variant: Option<&str>) -> PathBuf {
    match variant {
        None => rules.with_extension(EXTENSION),
        Some(name) => {
            rules.with_extension(format!("{}.{EXTENSION}", name.replace(is_separator, "_")))
        }
    }
}

/// The evaluator of a game in a file.
pub fn read_evaluation(path: &Path, game: &Arc<Game>) -> Result<Learned, EvaluationError> {
    let text = read_stream_text(path, MOST_MIB)
        .map_err(|source| EvaluationError::File { path: path.to_owned(), source })?;
    Learned::parse(game, &text)
        .map_err(|source| EvaluationError::Refused { path: path.to_owned(), source })
}

/// The learned evaluator beside a file of rules, if there is one.
pub fn learned_beside(
    game: &Arc<Game>,
    rules: &Path,
    variant: Option<&str>,
) -> Result<Option<Arc<Learned>>, EvaluationError> {
    match read_evaluation(&evaluation_file(rules, variant), game) {
        Ok(learned) => Ok(Some(Arc::new(learned))),
        Err(EvaluationError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
