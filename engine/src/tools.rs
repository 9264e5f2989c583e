//! Starts `tamarin-tools`, the program with the commands for people, in place of this one.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use tamarin_base::complain;
use tamarin_base::process::own_path;
use tamarin_game::engine_process::ENGINE_VARIABLE;

/// The other program.
const PROGRAM: &str = "tamarin-tools";

/// What a shell answers for a command that is not there.
const NOT_FOUND: u8 = 127;

/// Runs a command of the other program with its arguments. Its output, signals and exit status are
/// those of this program.
pub fn run(words: &[OsString]) -> ExitCode {
    let mut command = Command::new(beside().unwrap_or_else(|| PROGRAM.into()));
    command.args(words);
    // Under whatever name this program goes, it is the engine of the other one.
    command.envs(own_path().map(|own| (ENGINE_VARIABLE, own)));
    let error = match replace(command) {
        Ok(status) => return status,
        Err(error) => error,
    };
    let name = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    if error.kind() == io::ErrorKind::NotFound {
        complain(&format!(
            "tamarin: '{name}' is a command of {PROGRAM}, which is neither beside this program nor \
             on the path: `make tools` builds it"
        ));
    } else {
        complain(&format!("tamarin: cannot start {PROGRAM} for '{name}': {error}"));
    }
    ExitCode::from(NOT_FOUND)
}

/// The program in the folder of this one.
fn beside() -> Option<PathBuf> {
    let path = own_path().ok()?.with_file_name(PROGRAM).with_extension(env::consts::EXE_EXTENSION);
    path.is_file().then_some(path)
}

/// Replaces this process, so that the caller deals with the other program alone.
#[cfg(unix)]
fn replace(mut command: Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;

    // The help of the other program shows the command that was typed.
    Err(command.arg0("tamarin").exec())
}

/// Waits for the other program. Ctrl-C reaches both, and it decides what comes of it.
#[cfg(not(unix))]
fn replace(mut command: Command) -> io::Result<ExitCode> {
    // Without a handler Ctrl-C ends this program first, and the other one goes on.
    tamarin_base::process::shutdown::on_signal(std::sync::Arc::default(), || ());
    let status = command.status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
