//! Outputs that a run has for itself, and the states from which interrupted runs resume.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tamarin_base::files::{
    Reader, Target, TemporaryFile, open_own, read_own, remove_unfinished_on_signal,
};

use crate::ENGINE;
use crate::error::{Context, Result, reject};

/// No state of a run is larger.
const MAX_MEBIBYTES: u64 = 4096;

/// While it lives, no other process gets a lock for the same output. It is a file beside the
/// output, because that one is replaced as a whole; the system gives it free if the process is
/// killed. After Ctrl-C nothing of it stays. If the file stays, it locks nothing.
pub struct Lock {
    output: PathBuf,
    /// Removed before it is unlocked.
    _temporary: TemporaryFile,
    _file: File,
}

impl Lock {
    /// Locks an output, which need not be there yet. `inputs` are the files that are read, of which
    /// it must be none.
    pub fn beside<P: AsRef<Path>>(out: &Path, inputs: impl IntoIterator<Item = P>) -> Result<Self> {
        let output = check(out, inputs)?;
        let path = beside(&output, ".lock");
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let (temporary, file) = TemporaryFile::by(&path, || -> Result<File> {
            let file = open_own(&path).context(path.display())?;
            try_lock(&file, out)?;
            Ok(file)
        })?;
        Ok(Self { output, _temporary: temporary, _file: file })
    }

    /// The output behind all links: other files beside it lie there, too.
    pub fn output(&self) -> &Path {
        &self.output
    }
}

/// The file beside another one, its name followed by `extension`.
pub fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    PathBuf::from(name)
}

/// Makes sure that a result and the files beside it can be written, and gives the path of the result
/// behind all links.
pub fn check<P: AsRef<Path>>(out: &Path, inputs: impl IntoIterator<Item = P>) -> Result<PathBuf> {
    let target = check_target(out, inputs).context(out.display())?;
    if target.is_stream() {
        reject!("{}: it is a device or a pipe, beside which no state can be kept", out.display());
    }
    Ok(target.path().to_owned())
}

/// Makes sure that an output can be written and is none of the files that are read.
fn check_target<P: AsRef<Path>>(
    out: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<Target> {
    let target = Target::of_user(out)?;
    target.unlike(inputs)?;
    target.check_writable()?;
    Ok(target)
}

/// The same for an output that need not be there yet: then its folder has to be, and be writable.
pub fn check_new<P: AsRef<Path>>(
    out: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<Target> {
    let target = check_target(out, inputs)?;
    if target.old().is_none() {
        target.check_folder()?;
    }
    Ok(target)
}

/// Locks an open file until it is closed; `name` is how the error calls it.
pub fn try_lock(file: &File, name: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            reject!("{} is in use by another process", name.display())
        }
        Err(TryLockError::Error(error)) => Err(error).context(name.display()),
    }
}

/// Writes a file as a whole: whatever ends the program or the machine leaves the old content or
/// the new one.
pub fn replace_file(path: &Path, content: &[u8]) -> Result<()> {
    let written = Target::of_user(path).and_then(|target| target.write(content, Reader::Awaited));
    written.map(drop).context(path.display())
}

/// The same for a file that the user did not name, such as a state beside a result.
fn replace_own_file(path: &Path, content: &[u8]) -> Result<()> {
    let written = Target::of_program(path).and_then(|target| target.write(content, Reader::There));
    written.map(drop).context(path.display())
}

/// What a state says, if there is one; `read` reads its file, `what` says what it should be.
pub fn read_state<S: DeserializeOwned>(
    path: &Path,
    what: &str,
    read: impl FnOnce(&Path, u64) -> io::Result<Vec<u8>>,
) -> Result<Option<S>> {
    match read(path, MAX_MEBIBYTES) {
        Ok(text) => {
            serde_json::from_slice(&text).context(format_args!("{} is no {what}", path.display()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context(path.display()),
    }
}

/// The text of a state that a person may read.
pub fn to_text<S: Serialize>(path: &Path, state: &S) -> Result<Vec<u8>> {
    serde_json::to_vec_pretty(state).context(path.display())
}

/// Writes a state under a name that the user did not give.
pub fn write_own<S: Serialize>(path: &Path, state: &S) -> Result<()> {
    replace_own_file(path, &to_text(path, state)?)
}

/// Makes sure that an interrupted run had what this one has: the same engine, the same settings.
pub fn agree<T: PartialEq + Serialize + ?Sized>(
    path: &Path,
    what: &str,
    there: &T,
    here: &T,
) -> Result<()> {
    if there == here {
        return Ok(());
    }
    let text = |value| serde_json::to_string(value).unwrap_or_default();
    let (there, here) = (text(there), text(here));
    reject!("{}: its {what} is {there}, not {here}; choose another file", path.display())
}

/// The file with the state of a training, and with what recipe it was begun.
pub struct Checkpoint<R> {
    path: PathBuf,
    recipe: R,
}

#[derive(Serialize, Deserialize)]
struct Content<R, S> {
    engine: String,
    recipe: R,
    state: S,
}

impl<R: PartialEq + Serialize + DeserializeOwned> Checkpoint<R> {
    /// The file beside the result, its name followed by `extension`. `recipe` is all that the
    /// result depends on besides the engine.
    pub fn beside(out: &Path, extension: &str, recipe: R) -> Self {
        Self { path: beside(out, extension), recipe }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What an interrupted training left, if there was one.
    pub fn read<S: DeserializeOwned>(&self) -> Result<Option<S>> {
        let path = &self.path;
        let content = read_state::<Content<R, S>>(path, "state of a training", read_own)?;
        let Some(content) = content else { return Ok(None) };
        agree(path, "engine", content.engine.as_str(), ENGINE)?;
        agree(path, "recipe", &content.recipe, &self.recipe)?;
        Ok(Some(content.state))
    }

    /// Replaces what was kept before as a whole.
    pub fn write<S: Serialize>(&self, state: &S) -> Result<()> {
        let content = Content { engine: ENGINE.to_owned(), recipe: &self.recipe, state };
        let text = serde_json::to_vec(&content).context(self.path.display())?;
        replace_own_file(&self.path, &text)
    }

    pub fn remove(&self) {
        // If it stays, the next training says so.
        let _ = fs::remove_file(&self.path);
    }
}
