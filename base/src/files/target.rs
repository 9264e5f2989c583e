//! Where output goes, and files that grow at their end.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf, is_separator};

use crate::files::kind::{Care, Kind, flags, folder, is_same};
use crate::files::new_file::{NewFile, Old, install};
use crate::files::own;

/// So many links in a row are followed, as on Linux.
const MAX_LINKS: usize = 40;

/// Where output goes: a file, be it there or not, or a device or pipe.
#[derive(Clone, Debug)]
pub struct Target {
    /// Behind all links.
    path: PathBuf,
    what: What,
}

/// What there is at the path.
#[derive(Clone, Debug)]
enum What {
    Nothing,
    File(Metadata),
    Device,
    Pipe,
}

/// What becomes of a pipe without a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// The reader is waited for, and so is room in the pipe.
    Awaited,
    /// It is an error, and so is a pipe that is full.
    There,
}

impl Target {
    /// What the user named. Links are followed.
    ///
    /// # Errors
    /// If it is a folder, be it there or not, a disk or a socket, or the path cannot be followed.
    pub fn of_user(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..=MAX_LINKS {
            let found = match fs::symlink_metadata(&path) {
                Ok(found) => found,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    check_names_file(&path)?;
                    return Ok(Self { path, what: What::Nothing });
                }
                Err(error) => return Err(error),
            };
            let what = match Kind::of(&found) {
                // A link to what a process has open, which may have no name.
                Kind::Link if is_open_file(&path) => What::Device,
                Kind::Link => {
                    path = folder(&path).join(fs::read_link(&path)?);
                    continue;
                }
                Kind::Plain => What::File(found),
                Kind::Device => What::Device,
                Kind::Pipe => What::Pipe,
                kind => return Err(kind.refusal(", not a file")),
            };
            return Ok(Self { path, what });
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "too many links, or links in a circle"))
    }

    /// A name that the program made up itself.
    ///
    /// # Errors
    /// If there is anything but a plain file: the user did not name what a link leads to.
    pub fn of_program(path: &Path) -> io::Result<Self> {
        let what = match fs::symlink_metadata(path) {
            Ok(found) => {
                own::check_file(&found)?;
                What::File(found)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => What::Nothing,
            Err(error) => return Err(error),
        };
        Ok(Self { path: path.to_owned(), what })
    }

    /// Where it lies, behind all links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if it is a device or a pipe, which is written through and never replaced.
    pub const fn is_stream(&self) -> bool {
        matches!(self.what, What::Device | What::Pipe)
    }

    /// Where temporary files may lie: beside it, or for a device or pipe where the system has them.
    pub fn folder(&self) -> PathBuf {
        if self.is_stream() { std::env::temp_dir() } else { folder(&self.path).to_owned() }
    }

    /// Makes sure that it differs from the files that are read.
    ///
    /// # Errors
    /// If it is one of them, by whatever links.
    pub fn unlike<P: AsRef<Path>>(&self, inputs: impl IntoIterator<Item = P>) -> io::Result<()> {
        for input in inputs {
            let input = input.as_ref();
            if is_same(&self.path, input) {
                let text = format!("it is the same file as {}, which is in use", input.display());
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
        }
        Ok(())
    }

    /// Makes sure that a file that is there may be written, though only its folder is changed:
    /// it was made read-only on purpose.
    ///
    /// # Errors
    /// If it may not.
    pub fn check_writable(&self) -> io::Result<()> {
        match &self.what {
            What::File(_) => OpenOptions::new().write(true).open(&self.path).map(drop),
            _ => Ok(()),
        }
    }

    /// Makes sure that new content can be put in its place, before the work that gives the content.
    ///
    /// # Errors
    /// If its folder is not there or cannot be written.
    pub fn check_folder(&self) -> io::Result<()> {
        match self.is_stream() {
            true => Ok(()),
            false => NewFile::beside(self.path.clone(), None).map(drop),
        }
    }

    /// New content for it. It waits for the reader of a pipe.
    ///
    /// # Errors
    /// If the folder cannot be written, or the file itself.
    pub fn create(self) -> io::Result<NewFile> {
        self.create_for(Reader::Awaited)
    }

    /// The same, with or without waiting for the reader of a pipe.
    ///
    /// # Errors
    /// As [`Self::create`]; or the pipe has no reader.
    pub fn create_for(self, reader: Reader) -> io::Result<NewFile> {
        match &self.what {
            What::Device | What::Pipe => Ok(NewFile::through(self.stream(reader)?)),
            What::Nothing => NewFile::beside(self.path, None),
            What::File(_) => {
                self.check_writable()?;
                let mode = self.permissions();
                NewFile::beside(self.path, mode)
            }
        }
    }

    /// Writes it as a whole; the file that was replaced, if there was one.
    ///
    /// # Errors
    /// If it cannot be written to its end, or the pipe has no reader. An old file stays then.
    pub fn write(self, content: &[u8], reader: Reader) -> io::Result<Option<Old>> {
        let mut file = self.create_for(reader)?;
        file.write_all(content)?;
        file.finish()
    }

    /// Opens it to add to its end; makes it if it is missing. If it ends within a line, as after a
    /// process was killed, what is added begins a new one.
    ///
    /// # Errors
    /// If it cannot be opened for writing, or the pipe has no reader.
    pub fn append(&self, reader: Reader) -> io::Result<Appender> {
        if self.is_stream() {
            let file = self.stream(reader)?;
            return Ok(Appender { file, is_plain: false, is_cut_off: false });
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        flags(&mut options, Care::Links);
        let is_cut_off = last_byte(&self.path).is_ok_and(|last| last != [b'\n']);
        Ok(Appender { file: options.open(&self.path)?, is_plain: true, is_cut_off })
    }

    /// Opens the device or pipe.
    fn stream(&self, reader: Reader) -> io::Result<File> {
        let care = match (&self.what, reader) {
            (What::Pipe, Reader::There) => Care::Pipes,
            _ => Care::Terminals,
        };
        let mut options = OpenOptions::new();
        options.append(true);
        flags(&mut options, care);
        options.open(&self.path).map_err(|error| match care {
            // The system says "no such device or address".
            Care::Pipes if error.kind() != io::ErrorKind::PermissionDenied => {
                io::Error::new(io::ErrorKind::BrokenPipe, "it is a pipe that nobody reads")
            }
            _ => error,
        })
    }

    /// Puts a complete file in its place, in one step, with the mode of the one that it replaces.
    ///
    /// # Errors
    /// If the disk is full, the folder cannot be written, or something else than a file took the
    /// place. Then an old file stays as it was.
    pub fn install(&self, from: &Path, file: &File) -> io::Result<Option<Old>> {
        install(&self.path, from, file)
    }

    /// The file that is there now.
    pub fn old(&self) -> Option<Old> {
        match &self.what {
            What::File(found) => Some(Old { bytes: found.len() }),
            _ => None,
        }
    }

    fn permissions(&self) -> Option<Permissions> {
        match &self.what {
            What::File(found) => Some(found.permissions()),
            _ => None,
        }
    }
}

/// Refuses the path of nothing that is there if no file can have it, such as `games/`.
fn check_names_file(path: &Path) -> io::Result<()> {
    let text = path.as_os_str().as_encoded_bytes();
    let ends_in_separator =
        |text: &[u8]| text.last().is_some_and(|&byte| is_separator(byte.into()));
    let names_folder = match text {
        [folder @ .., b'.'] if ends_in_separator(folder) => true,
        _ => ends_in_separator(text) || path.file_name().is_none(),
    };
    match text {
        [] => Err(io::Error::new(io::ErrorKind::InvalidInput, "the name is empty")),
        _ if names_folder => {
            Err(io::Error::new(io::ErrorKind::NotFound, "it is a folder that is not there"))
        }
        _ => Ok(()),
    }
}

/// Whether a link stands for a file that a process has open, such as `/dev/fd/1` on Linux.
fn is_open_file(link: &Path) -> bool {
    cfg!(unix) && folder(link).canonicalize().is_ok_and(|folder| folder.starts_with("/proc"))
}

fn last_byte(path: &Path) -> io::Result<[u8; 1]> {
    let (mut file, mut last) = (File::open(path)?, [0]);
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last)
}

/// A file, device or pipe to whose end whole texts are added.
#[derive(Debug)]
pub struct Appender {
    file: File,
    is_plain: bool,
    /// Whether it ends within a line.
    is_cut_off: bool,
}

impl Appender {
    /// Adds a text, in one write where the system allows it, so that texts of several processes do
    /// not mix.
    ///
    /// # Errors
    /// If there is no room for all of it. Then nothing of it stays in a plain file.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_cut_off && !bytes.is_empty() {
            self.is_cut_off = false;
            return self.append(&[b"\n", bytes].concat());
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.file.write(rest) {
                Ok(0) => {
                    return self.failed(bytes.len() - rest.len(), io::ErrorKind::WriteZero.into());
                }
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.failed(bytes.len() - rest.len(), error),
            }
        }
        Ok(())
    }

    /// Takes back `written` bytes, unless another process has written behind them.
    fn failed(&mut self, written: usize, error: io::Error) -> io::Result<()> {
        if self.is_plain && written > 0 {
            let end = self.file.stream_position()?;
            if self.file.metadata()?.len() == end {
                self.file.set_len(end - written as u64)?;
            }
        }
        Err(error)
    }

    /// Cuts a plain file off behind `bytes` bytes.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.is_cut_off = false;
        if self.is_plain { self.file.set_len(bytes) } else { Ok(()) }
    }
}
