//! The tests of what the crate promises, as one program: each program more costs a link.

mod common;
#[path = "../../movegen/tests/long/mod.rs"]
mod long;

mod endgames;
mod hash_file;
mod mate_proofs;
mod mates;
mod repro;
mod stop;
mod strength;
