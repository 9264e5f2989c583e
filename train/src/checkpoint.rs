//! What is kept of a training after each epoch, so that it can go on after an interruption.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tamarin_base::files::read_own;

use crate::ENGINE;
use crate::data::{FileError, replace_own_file};

/// No state of a training is larger.
const MAX_MEBIBYTES: u64 = 4096;

/// Why a state cannot be kept or gone on with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// What an interrupted training left cannot be understood.
    #[error("{path} is no state of a training")]
    Malformed { path: PathBuf, source: serde_json::Error },
    #[error("{0} is of a training with other games or settings; remove it to begin anew")]
    OtherRecipe(PathBuf),
    /// An interrupted training was of another engine, whose evaluation may be another one.
    #[error("{path} is of a training by {engine}, this is {ENGINE}; remove it to begin anew")]
    OtherEngine { path: PathBuf, engine: String },
}

/// The file with the state of a training, and with what recipe it was begun.
pub(crate) struct Checkpoint<R> {
    path: PathBuf,
    recipe: R,
}

#[derive(Serialize, Deserialize)]
struct Content<R, S> {
    engine: String,
    recipe: R,
    state: S,
}

impl<R: PartialEq + Serialize + DeserializeOwned> Checkpoint<R> {
    /// The file beside the result, its name followed by `extension`. `recipe` is all that the
    /// result depends on besides the engine.
    pub fn beside(out: &Path, extension: &str, recipe: R) -> Self {
        let mut name = out.as_os_str().to_owned();
        name.push(extension);
        Self { path: PathBuf::from(name), recipe }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What an interrupted training left, if there was one.
    pub fn read<S: DeserializeOwned>(&self) -> Result<Option<S>, CheckpointError> {
        let text = match read_own(&self.path, MAX_MEBIBYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FileError::on(&self.path)(error).into()),
        };
        let content: Content<R, S> =
            serde_json::from_slice(&text).map_err(|source| self.malformed(source))?;
        if content.engine != ENGINE {
            let (path, engine) = (self.path.clone(), content.engine);
            return Err(CheckpointError::OtherEngine { path, engine });
        }
        if content.recipe != self.recipe {
            return Err(CheckpointError::OtherRecipe(self.path.clone()));
        }
        Ok(Some(content.state))
    }

    /// Replaces what was kept before as a whole.
    pub fn write<S: Serialize>(&self, state: &S) -> Result<(), CheckpointError> {
        let content = Content { engine: ENGINE.to_owned(), recipe: &self.recipe, state };
        let text = serde_json::to_vec(&content).map_err(|source| self.malformed(source))?;
        Ok(replace_own_file(&self.path, &text)?)
    }

    /// The training is at its end.
    pub fn remove(&self) {
        // If it stays, the next training says so.
        let _ = fs::remove_file(&self.path);
    }

    fn malformed(&self, source: serde_json::Error) -> CheckpointError {
        CheckpointError::Malformed { path: self.path.clone(), source }
    }
}
