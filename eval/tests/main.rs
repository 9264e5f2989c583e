//! The tests of what the crate promises, as one program: each program more costs a link.

mod support;

mod endgames;
mod network;
mod symmetry;
