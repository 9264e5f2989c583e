//! The tests of what the crate promises, as one program: each program more costs a link.

mod support;

mod chances;
mod data;
mod datagen;
mod fit;
mod fit_parts;
mod games;
mod levels;
mod matches;
mod net;
mod net_parts;
mod statistics;
