//! The server of the board, as pages use it.
