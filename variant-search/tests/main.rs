//! The tests of what the crate promises, as one program: each program more costs a link.

mod common;
#[path = "../../movegen/tests/long/mod.rs"]
mod long;

mod evaluators;
mod learning;
mod search;
mod thesis;
