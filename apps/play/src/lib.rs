//! `tamarin play`: games against the engine, in a terminal or a pipe.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

mod advice;
mod arguments;
mod begin;
mod line_mode;
mod picture;
mod players;
pub mod puzzles;
mod record;
mod saving;
mod screen;
mod session;
mod svg;
#[cfg(test)]
mod testing;
mod text_board;
mod theme;
mod variant;

use std::process::ExitCode;

pub use arguments::Arguments;

use tamarin_base::{complain, with_causes};

/// Plays. The exit code is 0, or 2 for bad input or output that cannot be written.
pub fn run(arguments: &Arguments) -> ExitCode {
    let played =
        begin::begin(arguments).and_then(|session| match line_mode::screen_colors(arguments) {
            Some(colors) => screen::run(session, colors),
            None => line_mode::run(session, arguments),
        });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&format!("error: {}", with_causes(&failure)));
            ExitCode::from(2)
        }
    }
}
