//! What is promised about files, as cases for every command that writes one. A program's tests have
//! one list of their writers; a new writer is one entry more in it.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;

use super::engine::{Finished, binary};

/// A command that writes a file.
pub struct Writer {
    pub name: &'static str,
    /// What becomes of a file that is there.
    pub way: Way,
    /// Such a file, as it might be from an earlier run.
    pub old: fn(&Place) -> Vec<u8>,
    /// Runs the command with this output.
    pub run: fn(&Place, &str) -> Finished,
    /// Whether it reports that the output could not be written.
    pub reports: fn(&Finished) -> bool,
    /// What stands in a file that is complete.
    pub proof: &'static str,
    /// What is appended to the output's name to make names of the command's own.
    pub own: &'static [&'static str],
    /// The file in the folder that it reads.
    pub input: Option<&'static str>,
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Replaces,
    /// As a whole, and only as a file, for it is to be read again: devices and pipes are refused.
    ReplacesFile,
    Grows,
}

/// Where a command runs, and under what restriction.
pub struct Place {
    folder: TempDir,
    bound: Bound,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Nothing,
    /// The largest file, in blocks of 512 or 1,024 bytes (`ulimit -f`).
    FileSize(u32),
    /// What lies in `disk` is on a disk of its own that is full. The option of `unshare` with which
    /// this user may mount one.
    FullDisk(&'static str),
    Nobody,
}

/// Fills the disk of the output and shows what is there afterwards, which else nobody could see.
const FULL_DISK: &str = "
    mount -t tmpfs -o size=8m tmpfs \"$0/disk\" && cp -p \"$0/old\" \"$0/disk/out\" || exit 99
    head -c 9000000 /dev/zero > \"$0/disk/fill\" 2> /dev/null
    \"$@\"
    status=$?
    cp -a \"$0/disk/.\" \"$0/after\"
    exit $status";

const NOBODY: u32 = 65_534;

impl Place {
    fn new(bound: Bound) -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a temporary folder"), bound };
        fs::create_dir(place.path("disk")).expect("there is room");
        fs::create_dir(place.path("state")).expect("there is room");
        if bound == Bound::Nobody {
            for folder in [".", "disk", "state"] {
                let all = fs::Permissions::from_mode(0o777);
                fs::set_permissions(place.path(folder), all).expect("it is ours");
            }
        }
        place
    }

    /// A place without any restriction.
    pub fn unbound() -> Self {
        Self::new(Bound::Nothing)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The same as text.
    pub fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("a plain path").to_owned()
    }

    /// Writes a file for the command, and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        if !self.path(name).exists() {
            fs::write(self.path(name), content).expect("there is room");
        }
        self.name(name)
    }

    /// The program under test, under the restriction of the place.
    pub fn command(&self) -> Command {
        let mut command = match self.bound {
            Bound::Nothing => Command::new(binary()),
            Bound::FileSize(blocks) => {
                let mut command = Command::new("sh");
                let script = format!("ulimit -f {blocks} && exec \"$0\" \"$@\"");
                command.args(["-c", &script]).arg(binary());
                command
            }
            Bound::FullDisk(unshare) => {
                let mut command = Command::new("unshare");
                command
                    .args([unshare, "sh", "-c", FULL_DISK])
                    .arg(self.folder.path())
                    .arg(binary());
                command
            }
            Bound::Nobody => {
                use std::os::unix::process::CommandExt as _;
                let copy = self.path("program");
                if !copy.exists() {
                    fs::copy(binary(), &copy).expect("there is room");
                }
                let mut command = Command::new(copy);
                command.uid(NOBODY).gid(NOBODY);
                command
            }
        };
        command.current_dir(self.folder.path());
        command.env("XDG_STATE_HOME", self.path("state")).env("LC_ALL", "C");
        command
    }

    /// Runs the program with these arguments and this input to its end.
    pub fn run(&self, arguments: &[&str], input: &str) -> Finished {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        finish(command, input)
    }

    /// A device like one of the system, private where this user may make one: `null` or `full`.
    /// Else a link to that of the system, if this user cannot replace it. `None`, with a SKIP, where
    /// a defect would cost the system its device.
    fn device(&self, name: &str) -> Option<PathBuf> {
        let path = self.path("disk").join(name);
        let number = if name == "null" { "3" } else { "7" };
        let mut mknod = Command::new("mknod");
        let made = mknod.arg(&path).args(["c", "1", number]).stderr(Stdio::null()).status();
        let works = made.is_ok_and(|status| status.success())
            && fs::File::options().write(true).open(&path).is_ok();
        if works {
            return Some(path);
        }
        let probe = format!("/dev/tamarin-probe-{}", std::process::id());
        if fs::File::create_new(&probe).is_ok() {
            fs::remove_file(&probe).expect("it is ours");
            println!("SKIP 1: no private device can be made, and those of the system are at risk");
            return None;
        }
        // A device may be there that cannot be opened.
        let _ = fs::remove_file(&path);
        symlink(format!("/dev/{name}"), &path).expect("the system has links");
        Some(path)
    }
}

/// Runs a command to its end with this input.
pub fn finish(mut command: Command, input: &str) -> Finished {
    use std::io::Write as _;
    let mut child = command.spawn().expect("the program starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    Finished {
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        status: output.status,
    }
}

/// Returns `true` if a command of the shell says that its output cannot be written.
pub fn exits_with_2(finished: &Finished) -> bool {
    finished.status.code() == Some(2) && finished.err.contains("error: ")
}

/// What is said of a case that did not come out as it must.
fn context(writer: &Writer, finished: &Finished) -> String {
    let Finished { out, err, status } = finished;
    format!("{}: {status}\n--- standard output\n{out}\n--- standard error\n{err}", writer.name)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn content(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a writer that must do well.
fn good(writer: &Writer, place: &Place, output: &Path) -> Finished {
    let finished = (writer.run)(place, text(output));
    let context = context(writer, &finished);
    assert!(!(writer.reports)(&finished) && finished.status.success(), "{context}");
    finished
}

/// Runs a writer that must report that its output cannot be written, and nothing worse.
fn bad(writer: &Writer, place: &Place, output: &Path) -> Finished {
    let finished = (writer.run)(place, text(output));
    let context = context(writer, &finished);
    assert!((writer.reports)(&finished) && !finished.err.contains("panicked"), "{context}");
    finished
}

/// The whole content of a file that a writer has written, where there was another one.
fn check_written(writer: &Writer, path: &Path, old: &[u8], finished: &Finished) {
    let new = content(path);
    let said = format!("replaced a file of {} bytes", old.len());
    let old = String::from_utf8_lossy(old);
    let context = context(writer, finished);
    assert!(new.contains(writer.proof), "{context}\n--- file\n{new}");
    match writer.way {
        Way::Replaces | Way::ReplacesFile => {
            let whole = format!("{}{}", finished.out, finished.err);
            assert!(whole.contains(&said), "{context}");
            assert!(!new.starts_with(&*old), "{context}");
        }
        Way::Grows => assert!(new.starts_with(&*old), "{context}\n--- file\n{new}"),
    }
}

/// Nothing is left beside the output but what is named here.
fn check_left(writer: &Writer, folder: &Path, names: &[&str]) {
    let entries = fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("a name"));
    let mut left: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    left.retain(|name| !names.contains(&name.as_str()));
    // A report that did not come to its end goes on from there.
    left.retain(|name| !writer.own.iter().any(|own| name == &format!("out{own}")));
    assert!(left.is_empty(), "{}: {left:?}", writer.name);
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o7777
}

/// A place with an old output of a mode of its own.
fn with_old(writer: &Writer, bound: Bound) -> (Place, PathBuf, Vec<u8>) {
    let old = (writer.old)(&Place::unbound());
    let place = Place::new(bound);
    let output = place.path("disk/out");
    fs::write(&output, &old).expect("there is room");
    fs::set_permissions(&output, fs::Permissions::from_mode(0o600)).expect("it is ours");
    (place, output, old)
}

/// 1. Where nothing is, a file is made, with the rights that all files get.
pub fn a_new_file_is_made(writers: &[Writer]) {
    for writer in writers {
        let place = Place::unbound();
        let output = place.path("disk/out");
        let finished = good(writer, &place, &output);
        let new = content(&output);
        assert!(new.contains(writer.proof), "{}\n--- file\n{new}", context(writer, &finished));
        fs::write(place.path("other"), "").expect("there is room");
        assert_eq!(mode(&output), mode(&place.path("other")), "{}", writer.name);
        check_left(writer, &place.path("disk"), &["out"]);
    }
}

/// 2. An old file is replaced or continued, keeps its mode, and its replacement is reported.
pub fn an_old_file_is_replaced_with_its_mode_and_reported(writers: &[Writer]) {
    for writer in writers {
        let (place, output, old) = with_old(writer, Bound::Nothing);
        let finished = good(writer, &place, &output);
        check_written(writer, &output, &old, &finished);
        assert_eq!(mode(&output), 0o600, "{}", writer.name);
        check_left(writer, &place.path("disk"), &["out"]);
    }
}

/// 3. A link that the user names is followed, and stays.
pub fn a_link_of_the_user_is_followed_and_stays(writers: &[Writer]) {
    for writer in writers {
        let (place, output, old) = with_old(writer, Bound::Nothing);
        let link = place.path("link");
        symlink("disk/out", &link).expect("the system has links");
        let finished = good(writer, &place, &link);
        check_written(writer, &output, &old, &finished);
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink(), "{}", writer.name);
        assert_eq!(mode(&output), 0o600, "{}", writer.name);
    }
}

/// 4. A link to a file that is not there makes that file.
pub fn a_link_to_nothing_makes_what_it_names(writers: &[Writer]) {
    for writer in writers {
        let place = Place::unbound();
        symlink("disk/out", place.path("link")).expect("the system has links");
        good(writer, &place, &place.path("link"));
        let link = fs::symlink_metadata(place.path("link")).expect("it is there");
        assert!(link.is_symlink(), "{}", writer.name);
        assert!(content(&place.path("disk/out")).contains(writer.proof), "{}", writer.name);
    }
}

/// Runs a writer with a device or a pipe as its output.
fn to_stream(writer: &Writer, place: &Place, output: &Path) {
    match writer.way {
        Way::ReplacesFile => bad(writer, place, output),
        Way::Replaces | Way::Grows => good(writer, place, output),
    };
}

/// 5. A device is written through.
pub fn a_device_is_written_through(writers: &[Writer]) {
    for writer in writers {
        let place = Place::unbound();
        let Some(device) = place.device("null") else { return };
        to_stream(writer, &place, &device);
        let found = fs::metadata(&device).expect("it is there");
        assert!(found.file_type().is_char_device(), "{}: it was replaced", writer.name);
        check_left(writer, &place.path("disk"), &["null"]);
    }
}

/// 6. A device that takes nothing is reported.
pub fn a_full_device_is_reported(writers: &[Writer]) {
    for writer in writers {
        let place = Place::unbound();
        let Some(device) = place.device("full") else { return };
        let finished = bad(writer, &place, &device);
        let whole = format!("{}{}", finished.out, finished.err);
        let reason = match writer.way {
            Way::ReplacesFile => "it is a device",
            Way::Replaces | Way::Grows => "No space left",
        };
        assert!(whole.contains(reason), "{}", context(writer, &finished));
        let found = fs::metadata(&device).expect("it is there");
        assert!(found.file_type().is_char_device(), "{}: it was replaced", writer.name);
        check_left(writer, &place.path("disk"), &["full"]);
    }
}

/// 7. A pipe is written through to its reader.
pub fn a_pipe_is_written_through(writers: &[Writer]) {
    for writer in writers {
        let place = Place::unbound();
        let pipe = place.path("disk/pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
        // Keeps it open, so that it may be written several times.
        let keep = fs::File::options().read(true).write(true).open(&pipe).expect("it is ours");
        let reader = {
            let mut input = fs::File::open(&pipe).expect("it is ours");
            thread::spawn(move || {
                let mut bytes = Vec::new();
                input.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
            })
        };
        to_stream(writer, &place, &pipe);
        drop(keep);
        let read = reader.join().expect("no panic").expect("it can be read");
        let proof = if writer.way == Way::ReplacesFile { "" } else { writer.proof };
        assert!(read.contains(proof), "{}\n--- pipe\n{read}", writer.name);
        let found = fs::metadata(&pipe).expect("it is there");
        assert!(found.file_type().is_fifo(), "{}: it was replaced", writer.name);
        check_left(writer, &place.path("disk"), &["pipe"]);
    }
}

/// 8. A folder, and a file in a folder that is not there, are refused.
pub fn a_folder_is_refused(writers: &[Writer]) {
    for writer in writers {
        for output in ["disk/out", "missing/out"] {
            let place = Place::unbound();
            fs::create_dir(place.path("disk/out")).expect("there is room");
            bad(writer, &place, &place.path(output));
            assert!(!place.path("missing").exists(), "{}", writer.name);
            check_left(writer, &place.path("disk"), &["out"]);
            check_left(writer, &place.path("disk/out"), &[]);
        }
    }
}

/// 9. No link, hard link or device at a name that the command makes up leads anywhere.
pub fn names_of_its_own_lead_nowhere(writers: &[Writer]) {
    for writer in writers {
        for own in writer.own {
            for (plant, name) in [(0, "link"), (1, "hard link"), (2, "device")] {
                let place = Place::unbound();
                let victim = place.path("victim");
                fs::write(&victim, "untouched").expect("there is room");
                let planted = place.path(&format!("disk/out{own}"));
                let done = match plant {
                    0 => symlink(&victim, &planted),
                    1 => fs::hard_link(&victim, &planted),
                    _ => match place.device("null") {
                        Some(device) => fs::rename(device, &planted),
                        None => continue,
                    },
                };
                done.expect("it can be planted");
                let before = fs::symlink_metadata(&planted).expect("it is there").file_type();
                let finished = (writer.run)(&place, text(&place.path("disk/out")));
                let context = format!("{name} at {own}: {}", context(writer, &finished));
                assert_eq!(content(&victim), "untouched", "{context}");
                assert!(!finished.err.contains("panicked"), "{context}");
                // A hard link may be replaced by a name of its own: the victim keeps its content.
                if plant != 1 {
                    let after = fs::symlink_metadata(&planted).expect("it is there").file_type();
                    assert_eq!(after, before, "{context}");
                    assert!((writer.reports)(&finished), "{context}");
                }
            }
        }
    }
}

/// 10. What is read is not written, by whatever name.
pub fn the_input_is_never_the_output(writers: &[Writer]) {
    for writer in writers {
        let Some(input) = writer.input else { continue };
        for way in ["the same path", "a link", "a hard link"] {
            let place = Place::unbound();
            // Makes the input.
            good(writer, &place, &place.path("disk/first"));
            let before = content(&place.path(input));
            let output = match way {
                "the same path" => place.path(input),
                _ => place.path("disk/out"),
            };
            match way {
                "a link" => symlink(place.path(input), &output),
                "a hard link" => fs::hard_link(place.path(input), &output),
                _ => Ok(()),
            }
            .expect("it can be made");
            let finished = bad(writer, &place, &output);
            let context = format!("{way}: {}", context(writer, &finished));
            let whole = format!("{}{}", finished.out, finished.err);
            assert!(whole.contains("the same file as"), "{context}");
            assert_eq!(content(&place.path(input)), before, "{context}");
        }
    }
}

/// An old file is as it was, or has whole lines more.
fn check_whole(writer: &Writer, output: &Path, old: &[u8], context: &str) {
    let new = fs::read(output).expect("it is there");
    match writer.way {
        Way::Replaces | Way::ReplacesFile => assert!(new == old, "{context}"),
        Way::Grows => {
            assert!(new.starts_with(old), "{context}");
            assert!(new.len() == old.len() || new.ends_with(b"\n"), "half a line: {context}");
        }
    }
}

/// 11. A limit on the size of files is an error and not the end; the old file stays whole.
pub fn a_limit_on_file_sizes_leaves_the_old_file(writers: &[Writer]) {
    for writer in writers {
        for blocks in 0..3 {
            let (place, output, mut old) = with_old(writer, Bound::FileSize(blocks));
            if writer.way == Way::Grows && old == OLD {
                // A line that begins below the limit and would end beyond it.
                old = [b"x".repeat(512 * blocks.max(1) as usize - 3), b"\n".to_vec()].concat();
                fs::write(&output, &old).expect("there is room");
            }
            let finished = (writer.run)(&place, text(&output));
            let context = format!("{blocks} blocks: {}", context(writer, &finished));
            assert!(finished.status.code().is_some_and(|code| code < 128), "{context}");
            if blocks == 0 {
                assert!((writer.reports)(&finished), "{context}");
            }
            if (writer.reports)(&finished) {
                check_whole(writer, &output, &old, &context);
            }
            check_left(writer, &place.path("disk"), &["out"]);
        }
    }
}

/// The old output of most writers.
pub const OLD: &[u8] = b"of an earlier day\n";

/// 12. A full disk is an error, and the old file stays whole.
pub fn a_full_disk_leaves_the_old_file(writers: &[Writer]) {
    // Root may mount; others may where they may have a namespace in which they are root.
    let may_mount = |option: &&str| {
        let mut probe = Command::new("unshare");
        probe.args([*option, "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    let Some(option) = ["-m", "-rm"].into_iter().find(may_mount) else {
        println!("SKIP 1: no right to mount a small disk");
        return;
    };
    for writer in writers {
        let (place, output, old) = with_old(writer, Bound::FullDisk(option));
        fs::rename(&output, place.path("old")).expect("it is there");
        let finished = (writer.run)(&place, text(&output));
        let context = context(writer, &finished);
        assert!(finished.status.code().is_some_and(|code| code < 99), "{context}");
        // A line more may find room behind a short file.
        assert!((writer.reports)(&finished) || writer.way == Way::Grows, "{context}");
        check_whole(writer, &place.path("after/out"), &old, &context);
        check_left(writer, &place.path("after"), &["out", "fill"]);
    }
}

/// Whether the rights of a file bind this user, unlike root.
fn rights_bind() -> bool {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o444)).expect("it is ours");
    fs::File::options().write(true).open(file.path()).is_err()
}

/// 13. A file that may not be written is not replaced, though its folder could be changed.
pub fn a_read_only_file_stays(writers: &[Writer]) {
    let place = Place::new(if rights_bind() { Bound::Nothing } else { Bound::Nobody });
    let mut probe = place.command();
    probe.arg("--version").stdout(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        println!("SKIP 1: no other user can be had");
        return;
    }
    for writer in writers {
        let old = (writer.old)(&Place::unbound());
        let output = place.path("disk/out");
        fs::write(&output, &old).expect("there is room");
        fs::set_permissions(&output, fs::Permissions::from_mode(0o444)).expect("it is ours");
        let finished = bad(writer, &place, &output);
        assert_eq!(fs::read(&output).expect("it is there"), old, "{}", context(writer, &finished));
        check_left(writer, &place.path("disk"), &["out"]);
        // The next writer finds nothing of this one.
        fs::remove_dir_all(place.path("disk")).expect("it is ours");
        fs::create_dir(place.path("disk")).expect("there is room");
        let all = fs::Permissions::from_mode(0o777);
        fs::set_permissions(place.path("disk"), all).expect("it is ours");
    }
}

/// A test for each case, with all writers of a program.
macro_rules! file_cases {
    ($writers:expr) => {
        $crate::support::writers::file_cases! {
            $writers;
            a_new_file_is_made
            an_old_file_is_replaced_with_its_mode_and_reported
            a_link_of_the_user_is_followed_and_stays
            a_link_to_nothing_makes_what_it_names
            a_device_is_written_through
            a_full_device_is_reported
            a_pipe_is_written_through
            a_folder_is_refused
            names_of_its_own_lead_nowhere
            the_input_is_never_the_output
            a_limit_on_file_sizes_leaves_the_old_file
            a_full_disk_leaves_the_old_file
            a_read_only_file_stays
        }
    };
    ($writers:expr; $($case:ident)*) => {
        $(
            #[test]
            fn $case() {
                $crate::support::writers::$case($writers);
            }
        )*
    };
}
pub(crate) use file_cases;

/// For commands that print to standard output, which scripts keep in a file: output that cannot be
/// written is reported, and the exit status is not 0. Nothing is said of a pipe that is closed: its
/// reader wants no more.
pub fn unwritable_output_is_reported(commands: &[&[&str]]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for arguments in commands {
        for (place, limit, output) in [
            ("full device", "unlimited", fs::File::options().write(true).open("/dev/full")),
            ("size limit", "0", fs::File::create(folder.path().join("out"))),
        ] {
            let mut command = Command::new("sh");
            let script = format!("ulimit -f {limit} && exec \"$0\" \"$@\"");
            command.args(["-c", &script]).arg(binary()).args(*arguments).stdin(Stdio::piped());
            command.stdout(output.expect("it can be opened")).stderr(Stdio::piped());
            let finished = finish(command, "");
            let context = format!("{arguments:?}, {place}: {}: {}", finished.status, finished.err);
            let code = finished.status.code().unwrap_or_else(|| panic!("{context}"));
            assert!((1..=2).contains(&code), "{context}");
            assert!(finished.err.contains("error: "), "{context}");
            assert!(!finished.err.contains("panicked"), "{context}");
        }
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = Command::new(binary());
        command.args(*arguments).stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped());
        let finished = finish(command, "");
        let context = format!("{arguments:?}, pipe: {}: {}", finished.status, finished.err);
        assert!(matches!(finished.status.code(), Some(0..=2)), "{context}");
        assert!(!finished.err.contains("error") && !finished.err.contains("panicked"), "{context}");
    }
}
