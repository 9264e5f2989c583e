//! Commands that look at files of games or rearrange them.

pub mod export;
pub mod merge;
pub mod shuffle;
pub mod stats;
