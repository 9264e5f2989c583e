//! The program `tamarin`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tamarin_base::process::processor::check();
    tamarin_chess::run()
}
