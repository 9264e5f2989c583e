//! The searcher: iterative deepening with principal variation search.

mod engine;
mod forcing;
mod history;
mod iterate;
mod node;
mod order;
mod purpose;
mod quiesce;
mod scored_move;
mod stack;
mod worker;

pub use engine::{Engine, EngineError, Options};
pub(crate) use purpose::Purpose;
