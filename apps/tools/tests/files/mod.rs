//! What is promised about files, for every command that writes one, and input without an end for
//! every command that reads one.

mod endless;
mod planted;
mod written;
