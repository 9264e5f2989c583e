//! The file of the games that are left out.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek as _, Write};
use std::path::{Path, PathBuf};

use tamarin_base::files::{Old, Target};
use tamarin_game::pgn::games::GameText;

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

/// Skipped games, as they stand in their files. A line before each game says where it came
/// from and why it was left out; it begins with `%`, so it is no part of the game.
///
/// They are collected in a file without a name, so that nothing is left of them if the command is
/// killed.
pub struct RejectedGames {
    path: PathBuf,
    target: Target,
    games: Option<BufWriter<File>>,
}

impl RejectedGames {
    /// No games yet; they go to `target`, which messages call `path`.
    pub const fn new(path: PathBuf, target: Target) -> Self {
        Self { path, target, games: None }
    }

    /// Where the games go.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if there is no game yet.
    pub const fn is_empty(&self) -> bool {
        self.games.is_none()
    }

    /// Adds a game and the `reason` why it was skipped.
    pub fn add(&mut self, reason: &str, text: &GameText) -> io::Result<()> {
        write_game(self.file()?, reason, text)
    }

    /// Adds a text as it is.
    pub fn append(&mut self, mut text: impl Read) -> io::Result<()> {
        io::copy(&mut text, self.file()?).map(drop)
    }

    fn file(&mut self) -> io::Result<&mut BufWriter<File>> {
        Ok(match &mut self.games {
            Some(games) => games,
            none => none.insert(BufWriter::new(tempfile::tempfile_in(self.target.folder())?)),
        })
    }

    /// Puts the file in its place in one step. Without a game no file is written, and an old one
    /// stays. What was replaced.
    pub fn finish(self) -> io::Result<Option<Old>> {
        let Some(games) = self.games else { return Ok(None) };
        let mut games = games.into_inner().map_err(io::IntoInnerError::into_error)?;
        games.rewind()?;
        let mut file = self.target.create()?;
        io::copy(&mut games, &mut file)?;
        file.finish()
    }
}

fn write_game(output: &mut impl Write, reason: &str, text: &GameText) -> io::Result<()> {
    let one_line: String =
        reason.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let part = if text.is_cut { "; its beginning follows" } else { "" };
    writeln!(output, "% {one_line}{part}")?;
    let game = without_blank_lines_behind(&text.verbatim);
    output.write_all(game)?;
    output.write_all(if game.ends_with(b"\n") { b"\n" } else { b"\n\n" })
}

/// The text up to the end of its last line that says something.
fn without_blank_lines_behind(text: &[u8]) -> &[u8] {
    let last = text.trim_ascii_end().len();
    let line_end = text[last..].iter().position(|byte| *byte == b'\n');
    &text[..line_end.map_or(text.len(), |index| last + index + 1)]
}
