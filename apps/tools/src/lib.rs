//! The commands of the program `tamarin-tools` that no other crate has: `variant`.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod variant;
