//! The arithmetic of the search: pure functions of numbers, tested by table.

pub(crate) mod bonuses;
pub(crate) mod margins;
pub(crate) mod reductions;
