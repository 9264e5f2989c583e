//! Syzygy endgame tablebases: loading, probing, and ranking the moves of the root.
//!
//! Only this module knows the library that reads the files. A probe that fails for any reason
//! has no result: no table, a table that was left out, a position with castling rights.

mod files;
mod load;
mod material;
mod probe;
mod rank;
mod tables;
#[cfg(test)]
mod tests;

pub use load::{LeftOut, TablebaseProblem, TablebaseReport};
pub use probe::{Known, NoTablebases, TablebaseProbe};
pub(crate) use rank::{RootRank, RootRanking};
/// The value of a position in the tables if no move counted for the fifty-move rule yet: also
/// cursed wins and blessed losses, which that rule makes draws.
pub(crate) use shakmaty_syzygy::Wdl;
pub(crate) use tables::Tablebases;
