//! Finding, copying and starting a build.

use std::fs::File;
use std::io::{self, Error, Read, Seek, SeekFrom};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::{env, path::Path};

use rustix::fs::{MemfdFlags, memfd_create};
use tamarin_base::process::LAUNCHER_VARIABLE;

/// The levels for which there are builds. None for x86-64-v4: the builds do without AVX-512, which
/// makes them slower (the Makefile has the figures).
pub const LEVELS: [&str; 3] = ["x86-64", "x86-64-v2", "x86-64-v3"];

/// The last line: each size as twelve digits and what separates them.
const LINE: usize = 13 * LEVELS.len();

/// Replaces this process; comes back only if that fails.
pub fn run() -> ExitCode {
    let level = level();
    let Err(error) = start(level);
    eprintln!("error: cannot start the build for {}: {error}", LEVELS[level]);
    ExitCode::FAILURE
}

/// The highest level that this processor has.
///
/// Source: System V Application Binary Interface, AMD64, section 3.1.1, micro-architecture levels.
fn level() -> usize {
    macro_rules! has {
        ($($name:tt)*) => { $(is_x86_feature_detected!($name))&&* };
    }
    match has!("cmpxchg16b" "popcnt" "sse3" "sse4.1" "sse4.2" "ssse3") {
        true if has!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe") => 2,
        true => 1,
        false => 0,
    }
}

fn start(level: usize) -> io::Result<std::convert::Infallible> {
    let own = env::current_exe()?;
    let mut file = File::open("/proc/self/exe")?;
    let size = find(&mut file, level)?;
    let mut words = env::args_os();
    let name = words.next().unwrap_or_else(|| own.clone().into());
    let program = Path::new(&name).file_name().unwrap_or_default();
    let mut memory = File::from(memory_file(&program.to_string_lossy())?);
    if io::copy(&mut file.take(size), &mut memory)? < size {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut command = Command::new(format!("/proc/self/fd/{}", memory.as_raw_fd()));
    Err(command.arg0(name).args(words).env(LAUNCHER_VARIABLE, own).exec())
}

/// Goes to a build in the file; its size in bytes.
fn find(file: &mut File, level: usize) -> io::Result<u64> {
    let no_builds = || Error::other("no builds are appended to the launcher");
    let mut line = [0; LINE];
    file.seek(SeekFrom::End(-(LINE as i64)))?;
    file.read_exact(&mut line)?;
    let sizes = str::from_utf8(&line).map_err(|_| no_builds())?.split_ascii_whitespace();
    let sizes: Vec<u32> = sizes.map_while(|size| size.parse().ok()).collect();
    if sizes.len() != LEVELS.len() {
        return Err(no_builds());
    }
    let behind: i64 = sizes[level..].iter().map(|size| i64::from(*size)).sum();
    file.seek(SeekFrom::End(-behind - LINE as i64))?;
    Ok(sizes[level].into())
}

/// A file in memory that can be started. Linux before 6.3 does not know the flag for it.
fn memory_file(name: &str) -> rustix::io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC;
    memfd_create(name, flags | MemfdFlags::EXEC).or_else(|_| memfd_create(name, flags))
}
