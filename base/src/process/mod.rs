//! What a program needs of the process that it runs in: the processor, signals, an end in time, and
//! whether its output is read.

pub mod processor;
pub mod shutdown;

pub use shutdown::Writing;

use std::path::PathBuf;
use std::{env, io};

/// The variable of the environment in which the launcher (`apps/launcher`) names its own file to the
/// build that it starts from memory.
pub const LAUNCHER_VARIABLE: &str = "TAMARIN_LAUNCHER";

/// The file of this program: that of the launcher for a build without a file of its own.
pub fn own_path() -> io::Result<PathBuf> {
    let own = env::current_exe()?;
    let launcher = env::var_os(LAUNCHER_VARIABLE).map(PathBuf::from);
    Ok(launcher.filter(|_| !own.is_file()).unwrap_or(own))
}
