//! Making a book from games.

pub mod pgn;
pub mod tally;
pub mod weights;
