//! In which order the moves of a node are tried.

mod picker;
mod scores;

pub(crate) use picker::{Mode, Picker};
pub(crate) use scores::Scorer;
