//! What is promised about files, by itself; the programs show it for every file that they write.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::files::{Old, Reader, Target, is_same};

fn write(path: &Path, content: &[u8]) -> std::io::Result<Option<Old>> {
    Target::of_user(path)?.write(content, Reader::There)
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("it is there")
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

/// Those of a process that was killed go with the next file in their folder, a day later.
#[test]
fn temporary_files_of_a_day_ago_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, age: u64| {
        let file = File::create(folder.path().join(name)).unwrap();
        let then = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
        file.set_modified(then).unwrap();
    };
    make(".tamarin-0123456789abcdef.tmp", 90_000);
    make(".tamarin-0123456789abcde0.tmp", 80_000);
    make(".tamarin-notes.tmp", 90_000);
    write(&folder.path().join("new"), b"new").unwrap();
    let mut names: Vec<_> =
        folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".tamarin-0123456789abcde0.tmp", ".tamarin-notes.tmp", "new"]);
}

#[test]
fn the_old_file_stays_until_the_new_one_is_complete() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("result");
    assert_eq!(write(&path, b"old").expect("there is room"), None);
    let create = || Target::of_user(&path).and_then(Target::create).expect("it can be written");
    let mut dropped = create();
    dropped.write_all(b"half").expect("there is room");
    drop(dropped);
    assert_eq!(read(&path), b"old");
    let mut file = create();
    file.write_all(b"new").expect("there is room");
    assert_eq!(read(&path), b"old");
    assert_eq!(file.finish().expect("there is room"), Some(Old { bytes: 3 }));
    assert_eq!(read(&path), b"new");
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
    assert!(write(folder.path(), b"x").is_err());
    assert!(write(&folder.path().join("missing/result"), b"x").is_err());
}

#[test]
fn a_replaced_file_keeps_its_mode_and_is_never_open_to_more() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("result");
    for mode in [0o600, 0o640, 0o666, 0o755] {
        fs::write(&path, "old").expect("there is room");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
        let file = Target::of_user(&path).and_then(Target::create).expect("it can be written");
        for entry in fs::read_dir(folder.path()).expect("it is there") {
            let found = entry.and_then(|entry| entry.metadata()).expect("it is there");
            assert_eq!(found.mode() & 0o777 & !mode, 0, "{mode:o}: {:o}", found.mode());
        }
        file.finish().expect("there is room");
        assert_eq!(fs::metadata(&path).expect("it is there").mode() & 0o7777, mode);
    }
}

#[test]
fn links_of_the_user_are_followed_and_stay() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("inner")).expect("it can be");
    symlink("inner/second", at("first")).expect("the system has links");
    symlink("../target", at("inner/second")).expect("the system has links");
    for old in [None, Some(Old { bytes: 1 })] {
        assert_eq!(write(&at("first"), b"1").expect("there is room"), old);
        assert_eq!(read(&at("target")), b"1");
    }
    Target::of_user(&at("first"))
        .and_then(|target| target.append(Reader::There))
        .and_then(|mut file| file.append(b"2").and_then(|()| file.append(b"3\n4")))
        .expect("there is room");
    // A line that was cut off stays alone.
    assert_eq!(read(&at("target")), b"1\n23\n4");
    for link in ["first", "inner/second"] {
        assert!(fs::symlink_metadata(at(link)).expect("it is there").is_symlink(), "{link}");
    }
    assert!(is_same(&at("first"), &at("target")) && !is_same(&at("target"), &at("other")));
    symlink("circle", at("circle")).expect("the system has links");
    assert!(write(&at("circle"), b"x").is_err());
    // What a process has open is no name of a file.
    let open = File::create(at("open")).expect("it can be made");
    let descriptor = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open));
    if Path::new(&descriptor).exists() {
        write(Path::new(&descriptor), b"through").expect("it is open");
        assert_eq!(read(&at("open")), b"through");
        assert_eq!(fs::metadata(at("open")).unwrap().ino(), open.metadata().unwrap().ino());
    }
}

#[test]
fn a_folder_that_is_not_there_is_no_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| format!("{}/{name}", folder.path().display());
    symlink("missing/", at("link")).expect("the system has links");
    for name in ["new/", "new//", "new/.", "new/..", "new/./", "link"] {
        let error = Target::of_user(Path::new(&at(name))).expect_err(name).to_string();
        assert_eq!(error, "it is a folder that is not there", "{name}");
    }
    let error = Target::of_user(Path::new("")).expect_err("no name").to_string();
    assert_eq!(error, "the name is empty");
    for name in ["new", ".new", "new.", "..."] {
        assert!(Target::of_user(Path::new(&at(name))).is_ok(), "{name}");
    }
}

#[test]
fn a_folder_is_checked_before_the_work() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let check = |name: &str| {
        Target::of_user(&folder.path().join(name)).and_then(|target| target.check_folder())
    };
    let error = check("missing/new").expect_err("its folder is not there");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    fs::write(folder.path().join("old"), "old").expect("there is room");
    for name in ["new", "old", "/dev/null"] {
        check(name).expect(name);
    }
    assert_eq!(read(&folder.path().join("old")), b"old");
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
}

#[test]
fn a_name_of_the_program_leads_nowhere() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("victim"), "v").expect("there is room");
    symlink("victim", at("link")).expect("the system has links");
    symlink("/dev/null", at("device")).expect("the system has links");
    pipe(&at("pipe"));
    for name in ["link", "device", "pipe", "."] {
        let error = Target::of_program(&at(name)).expect_err(name).to_string();
        assert!(
            error.starts_with("it is a ") && error.ends_with(" and is left as it is"),
            "{error}"
        );
    }
    fs::hard_link(at("victim"), at("same")).expect("the system has hard links");
    let target = Target::of_program(&at("same")).expect("it can be replaced");
    target.write(b"new", Reader::There).expect("there is room");
    assert_eq!((read(&at("same")), read(&at("victim"))), (b"new".to_vec(), b"v".to_vec()));
    // The place is taken while the file is written.
    let file = Target::of_user(&at("late")).and_then(Target::create).expect("it can be written");
    symlink("victim", at("late")).expect("the system has links");
    assert!(file.finish().is_err());
    assert!(fs::symlink_metadata(at("late")).expect("it is there").is_symlink());
}

#[test]
fn pipes_are_written_through_with_a_reader_and_refused_without() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("pipe");
    pipe(&path);
    let error = write(&path, b"x").expect_err("nobody reads it");
    assert_eq!(error.to_string(), "it is a pipe that nobody reads");
    let reader = {
        let path = path.clone();
        thread::spawn(move || {
            let mut text = String::new();
            File::open(path).and_then(|mut pipe| pipe.read_to_string(&mut text)).map(|_| text)
        })
    };
    let target = Target::of_user(&path).expect("it is there");
    assert!(target.is_stream() && target.unlike([&path]).is_ok());
    let mut file = target.create().expect("somebody reads it soon");
    file.write_all(b"through").and_then(|()| file.finish().map(drop)).expect("it is read");
    assert_eq!(reader.join().expect("no panic").expect("it can be read"), "through");
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
}

#[test]
fn what_is_read_is_not_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("input"), "i").expect("there is room");
    symlink("input", at("link")).expect("the system has links");
    fs::hard_link(at("input"), at("hard")).expect("the system has hard links");
    for name in ["input", "link", "hard", "./input"] {
        let target = Target::of_user(&at(name)).expect("it can be followed");
        let error = target.unlike([at("other"), at("input")]).expect_err(name).to_string();
        assert!(error.contains("the same file as ") && error.contains("input"), "{error}");
    }
    // Two outputs that are not there yet.
    let target = Target::of_user(&at("new")).expect("it can be followed");
    assert!(target.unlike([folder.path().join("./new")]).is_err());
    assert!(target.unlike([at("input")]).is_ok());
}
