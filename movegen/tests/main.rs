//! The tests of what the crate promises, as one program: each program more costs a link.

#![allow(
    clippy::duplicate_mod,
    reason = "the checks of the fuzz targets bring positions of their own"
)]

mod games;
mod long;
mod positions;

mod corpus;
mod differential;
mod draws;
mod fen;
mod san;
mod see;
mod uci_move;
mod values;
mod walks;
