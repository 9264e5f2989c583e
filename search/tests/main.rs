//! The tests of what the crate promises, as one program: each program more costs a link.

mod common;

mod docs;
mod endgames;
mod mate_proofs;
mod mates;
mod repro;
mod stop;
mod strength;
