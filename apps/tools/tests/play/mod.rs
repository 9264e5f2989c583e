//! `tamarin play` as a player sees it: through pipes and on a terminal.

mod draws;
mod files;
mod games;
pub mod harness;
mod programs;
mod puzzles;
mod screen;
mod terminal;
mod variants;
