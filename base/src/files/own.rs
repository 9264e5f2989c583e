//! Files whose names a program makes up itself: states, locks, what is not complete yet.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use crate::files::input::read_up_to;
use crate::files::kind::Kind;
use crate::files::kind::{Care, flags};

/// Opens a file that a program keeps under a name of its own, for reading and writing, as it is;
/// makes it if it is missing.
///
/// # Errors
/// If there is anything but a plain file of one name: a link would lead to another
/// file.
pub fn open_own(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        opened => return opened,
    }
    options.create_new(false);
    open_there(path, &mut options)
}

/// The content of such a file of at most `mebibytes` MiB.
///
/// # Errors
/// If it is missing, larger, or anything but a plain file of one name.
pub fn read_own(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_there(path, OpenOptions::new().read(true))?, mebibytes << 20)
}

/// Opens what is there, if it is what a program leaves.
fn open_there(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check(&fs::symlink_metadata(path)?)?;
    flags(options, Care::Links);
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Refuses what no program leaves under a name of its own. A file of several names is not changed
/// through one of them.
fn check(found: &Metadata) -> io::Result<()> {
    check_file(found)?;
    match has_one_name(found) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it has several hard links and is left as it is",
        )),
    }
}

/// Refuses what is no file. One of several names may be replaced: the others keep the old content.
pub(crate) fn check_file(found: &Metadata) -> io::Result<()> {
    match Kind::of(found) {
        Kind::Plain => Ok(()),
        kind => Err(kind.refusal(" and is left as it is")),
    }
}

#[cfg(unix)]
fn has_one_name(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) <= 1
}

#[cfg(not(unix))]
fn has_one_name(_: &Metadata) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::{open_own, read_own};
    use std::fs;
    use std::io::Write as _;

    #[test]
    fn no_link_is_followed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [own, other] = ["own", "other"].map(|name| folder.path().join(name));
        open_own(&own).and_then(|mut file| file.write_all(b"1")).expect("it is made");
        open_own(&own).and_then(|mut file| file.write_all(b"2")).expect("it is there");
        assert_eq!(read_own(&own, 1).expect("it can be read"), b"2");
        fs::hard_link(&own, &other).expect("the system has hard links");
        for read in [open_own(&own).map(drop), read_own(&own, 1).map(drop)] {
            let error = read.expect_err("it is the other file too");
            assert_eq!(error.to_string(), "it has several hard links and is left as it is");
        }
        fs::remove_file(&own).expect("it is there");
        std::os::unix::fs::symlink(&other, &own).expect("the system has links");
        for read in [open_own(&own).map(drop), read_own(&own, 1).map(drop)] {
            let error = read.expect_err("it is a link");
            assert_eq!(error.to_string(), "it is a symbolic link and is left as it is");
        }
        assert!(open_own(folder.path()).is_err());
    }
}
