//! The tests of what the crate promises, as one program: each program more costs a link.

mod command;
mod engine;
mod runs;
mod suites;
