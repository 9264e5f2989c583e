//! The commands of the command line, one a file.

pub(crate) mod perft;
