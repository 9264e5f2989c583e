//! Why a command ended early.

use std::error::Error;
use std::fmt::Display;
use std::io;

use crate::data::DataError;

pub type Result<T, E = TrainError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    #[error(transparent)]
    Data(#[from] DataError),
    /// Standard output cannot be written.
    #[error("standard output")]
    Output(#[source] io::Error),
    /// An argument, a file or a result cannot be used.
    #[error("{0}")]
    Rejected(String),
    /// Something failed while this was done, or with this file.
    #[error("{context}")]
    Context { context: String, source: Box<dyn Error + Send + Sync> },
}

/// Adds to an error what was done, or with which file.
pub(crate) trait Context<T> {
    fn context(self, context: impl Display) -> Result<T>;
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> Context<T> for Result<T, E> {
    fn context(self, context: impl Display) -> Result<T> {
        self.map_err(|source| TrainError::Context {
            context: context.to_string(),
            source: source.into(),
        })
    }
}

/// Returns a [`TrainError::Rejected`] with this text.
macro_rules! reject {
    ($($text:tt)*) => { return Err($crate::error::TrainError::Rejected(format!($($text)*))) };
}
pub(crate) use reject;
