//! The tests of what the crate promises, as one program: each program more costs a link.

mod common;
#[path = "../../movegen/tests/long/mod.rs"]
mod long;

mod diagnostics;
mod hands;
mod import;
mod lichess;
mod notation;
mod parents;
mod peers;
mod perft;
mod repetition;
mod resolutions;
mod scopes;
mod search_aids;
mod walks;
