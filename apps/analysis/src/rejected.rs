//! The file of the games that are left out.

use std::fs::File;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};

use tamarin_base::files::{Old, Target};

/// For `book.bin` and `.pgn` the first of `book.bin.rejected.pgn`, `book.bin.rejected-2.pgn` and so
/// on that is no file yet: games of an earlier run may have been mended in one.
pub fn free_beside(path: &Path, extension: &str) -> (PathBuf, io::Result<Target>) {
    let mut number = 1_u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(match number {
            1 => format!(".rejected{extension}"),
            _ => format!(".rejected-{number}{extension}"),
        });
        let free = PathBuf::from(name);
        let target = Target::of_program(&free);
        if !target.as_ref().is_ok_and(|target| target.old().is_some()) {
            return (free, target);
        }
        number += 1;
    }
}

/// Puts games that were collected in a file without a name in their place, in one step. What was
/// replaced.
pub fn install(mut games: File, target: Target) -> io::Result<Option<Old>> {
    games.rewind()?;
    let mut file = target.create()?;
    io::copy(&mut games, &mut file)?;
    file.finish()
}
