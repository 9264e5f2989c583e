//! Analysis of games and positions, suites of test positions, proofs of mates, and opening books
//! made from games: one module for each command of `tamarin-tools`.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod analyse;
pub mod analyzer;
pub mod book;
#[cfg(test)]
#[path = "../../../engine/tests/support/corpus.rs"]
mod corpus;
pub mod explain;
pub mod mate;
mod rejected;
mod resources;
pub mod suite;
