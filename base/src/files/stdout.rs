//! Standard output, and signals that writing may cause.

use std::io::{self, Write as _};
use std::process::ExitCode;

/// What commands exit with when they cannot write.
const UNWRITABLE: u8 = 2;

/// The end of a command that only prints: `status` if `printed` says that all went well and the
/// output can be written to its end. Else a message on standard error, but for a closed pipe, whose
/// reader wants no more, and status 2.
pub fn end_of_output(printed: io::Result<()>, status: i32) -> ExitCode {
    let status = u8::try_from(status).unwrap_or(UNWRITABLE);
    match printed.and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(status),
        Err(error) => {
            if error.kind() != io::ErrorKind::BrokenPipe {
                // Without standard error the message is lost.
                let _ = writeln!(io::stderr(), "error: standard output: {error}");
            }
            ExitCode::from(UNWRITABLE)
        }
    }
}

/// From now on a write beyond the limit on the size of files (`ulimit -f`) fails like one to a full
/// disk, instead of ending the process. Programs that this one starts are not affected.
#[cfg(unix)]
pub fn survive_size_limit() {
    use signal_hook::consts::SIGXFSZ;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    // A handler, because a signal that is ignored stays ignored in other programs. The flag says
    // nothing that the failed write does not say.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// The same where there is no such signal.
#[cfg(not(unix))]
pub fn survive_size_limit() {}
