//! The engine of the thesis, made again: plain alpha-beta to a fixed depth without quiescence, king
//! safety by the capture of kings, and its orders of moves. And what its experiments ask of the search
//! that plays.
//!
//! Source: chapters 5 and 6 of the thesis. Where its text is wrong (the cuts of the transposition
//! table) or silent, variant/README.md says what was done.

mod engine;
mod move_order;
mod purposes;

pub use engine::Thesis;
pub use move_order::{MoveOrder, UnknownMoveOrder};
pub use purposes::{search_full_width, search_with_branching};
