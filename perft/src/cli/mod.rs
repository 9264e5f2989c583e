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
use session::{Ending, PerftCommandError, complain};

use crate::suite::SuiteError;

/// Bad lines of a suite that are shown: a file that is no suite has nothing else.
const MAX_COMPLAINTS: usize = 10;

/// Does what the command line says; returns how it went.
pub fn run(arguments: &Arguments) -> ExitCode {
    match execute(arguments) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Mismatch) => ExitCode::from(1),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        // Whoever read our output has gone and needs no message.
        Err(PerftCommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(2)
        }
        Err(PerftCommandError::Suite(SuiteError::Lines(lines))) => {
            let file = arguments.suite_name();
            for line in lines.iter().take(MAX_COMPLAINTS) {
                complain(&format!("error: {file}: {line}"));
            }
            if lines.len() > MAX_COMPLAINTS {
                let rest = lines.len() - MAX_COMPLAINTS;
                complain(&format!("error: {file}: more bad lines: {rest}"));
            }
            ExitCode::from(2)
        }
        Err(PerftCommandError::Suite(error @ SuiteError::Empty)) => {
            complain(&format!("error: {}: {error}", arguments.suite_name()));
            ExitCode::from(2)
        }
        Err(failure) => {
            complain(&format!("error: {failure}"));
            ExitCode::from(2)
        }
    }
}

fn execute(arguments: &Arguments) -> Result<Ending, PerftCommandError> {
    if let Some(path) = &arguments.suite {
        return suite::execute(path, arguments);
    }
    let depth = arguments.depth.expect("invariant: the depth is required without a suite");
    single::execute(depth, arguments)
}
