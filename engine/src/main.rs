//! The program `tamarin`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tamarin_chess::processor::check();
    tamarin_chess::run()
}
