//! What is kept of a fit after each epoch.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::FitState;

use super::error::FitError;
use super::load::Summary;
use super::method::Method;
use crate::data::FileError;

/// The file with the state of a fit, and what fit it is.
pub(super) struct Checkpoint {
    path: PathBuf,
    method: Method,
    summary: Summary,
}

#[derive(Serialize, Deserialize)]
struct Content<S> {
    method: Method,
    summary: Summary,
    state: S,
}

impl Checkpoint {
    /// The one that belongs to the weights written to `out`.
    pub fn beside(out: &Path, method: Method, summary: Summary) -> Self {
        let mut name = out.as_os_str().to_owned();
        name.push(".fit.json");
        Self { path: PathBuf::from(name), method, summary }
    }

    /// What an interrupted fit left, if there was one.
    pub fn read(&self) -> Result<Option<FitState>, FitError> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(FileError::on(&self.path)(error).into()),
        };
        let content: Content<FitState> = serde_json::from_slice(&text)
            .map_err(|source| FitError::BadCheckpoint { path: self.path.clone(), source })?;
        // The number of epochs is part of the method: it shapes the learning rate.
        if content.method != self.method || content.summary != self.summary {
            return Err(FitError::OtherCheckpoint(self.path.clone()));
        }
        Ok(Some(content.state))
    }

    /// Replaces what was kept before as a whole.
    pub fn write(&self, state: &FitState) -> Result<(), FitError> {
        let content = Content { method: self.method, summary: self.summary, state };
        let text = serde_json::to_vec(&content)
            .map_err(|source| FitError::BadCheckpoint { path: self.path.clone(), source })?;
        let fresh = self.path.with_extension("json.new");
        fs::write(&fresh, text).map_err(FileError::on(&fresh))?;
        Ok(fs::rename(&fresh, &self.path).map_err(FileError::on(&self.path))?)
    }

    /// The fit is at its end.
    pub fn remove(&self) {
        // If it stays, the next fit says so.
        let _ = fs::remove_file(&self.path);
    }
}
