//! `tamarin play` as a player sees it: through pipes and on a terminal. What a session answers is
//! tested beside its code.

mod files;
mod games;
pub mod harness;
mod programs;
mod puzzles;
mod screen;
mod terminal;
