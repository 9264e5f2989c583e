//! Opening books: making them from games, showing and checking them.

#[cfg(test)]
mod built_in;
pub mod command;
pub mod make {
    //! Making a book from games.

    pub mod pgn;
    pub mod tally;
    pub mod weights;
}
