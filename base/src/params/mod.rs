//! The numbers of the search that change play.

mod constants;
mod table;
mod tunable;

pub use constants::*;
pub use table::*;
#[cfg(feature = "tune")]
pub use tunable::ParameterError;
pub use {table::parameters, tunable::Origin, tunable::Tunable};

#[cfg(test)]
mod tests;
