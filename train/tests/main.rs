//! The tests of what the crate promises, as one program: each program more costs a link.

mod support;

mod datagen;
mod fit;
mod games;
mod matches;
mod net;
