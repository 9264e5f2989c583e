//! The program `tamarin-launcher`, to which `dist/archive` appends builds of a program for the levels of
//! x86-64: it starts the one that fits this processor. The build goes from this file to memory
//! (`memfd_create`) and replaces this process, so that nothing is unpacked to a disk.
//!
//! The last line of the file has the sizes of the builds, in the order of [`linux::LEVELS`].
#![forbid(unsafe_code)]

use std::process::ExitCode;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> ExitCode {
    linux::run()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> ExitCode {
    eprintln!("error: the launcher is for Linux on x86-64: start the build itself");
    ExitCode::FAILURE
}
