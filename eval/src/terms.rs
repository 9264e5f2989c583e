//! The terms of the evaluation, one family a file.
//!
//! Each file declares the weights it uses (`rows!`), says what each of them counts, and has
//! functions that count them for one side.

pub(crate) mod complexity;
pub(crate) mod imbalance;
pub(crate) mod king_danger;
pub(crate) mod king_shelter;
pub(crate) mod material;
pub(crate) mod mobility;
pub(crate) mod passed;
pub(crate) mod pawns;
pub(crate) mod pieces;
pub(crate) mod psqt;
pub(crate) mod space;
pub(crate) mod threats;
