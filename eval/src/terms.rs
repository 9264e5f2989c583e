//! The terms of the evaluation, one family a file.
//!
//! Each file declares the weights it uses (`slots!`), says in words what it judges,
//! and has one function that counts the weights for one side.

pub(crate) mod danger;
pub(crate) mod king;
pub(crate) mod material;
pub(crate) mod mobility;
pub(crate) mod passed;
pub(crate) mod pawns;
pub(crate) mod pieces;
pub(crate) mod psqt;
pub(crate) mod space;
pub(crate) mod threats;
