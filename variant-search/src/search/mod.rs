//! The searcher: iterative deepening with principal variation search.

mod engine;
mod history;
mod iterate;
mod node;
mod order;
mod quiesce;
mod stack;
mod worker;

pub use engine::{Engine, EngineError, Options};
