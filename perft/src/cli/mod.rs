//! The command line shared by `perft` and `tamarin perft`.

mod arguments;
mod output;
mod session;
mod single;
mod suite;
mod watch;

use std::io;
use std::process::ExitCode;

pub use arguments::Arguments;
use session::{Ending, Failure, complain};

use crate::suite::SuiteError;

/// Does what the command line says and tells how it went.
#[must_use]
pub fn run(arguments: &Arguments) -> ExitCode {
    match execute(arguments) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Mismatch) => ExitCode::from(1),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        // Whoever read our output has gone and needs no message.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(2)
        }
        Err(Failure::Suite(SuiteError::Lines(lines))) => {
            for line in &lines {
                complain(&format!("error: {line}"));
            }
            ExitCode::from(2)
        }
        Err(failure) => {
            complain(&format!("error: {failure}"));
            ExitCode::from(2)
        }
    }
}

fn execute(arguments: &Arguments) -> Result<Ending, Failure> {
    match (&arguments.suite, arguments.depth) {
        (Some(path), _) => suite::execute(path, arguments),
        (None, Some(depth)) => single::execute(depth, arguments),
        (None, None) => Err(Failure::Input("a depth or --suite FILE is needed".to_owned())),
    }
}
