//! The tests of what the crate promises, as one program: each program more costs a link.

mod common;

mod evaluators;
mod search;
mod thesis;
