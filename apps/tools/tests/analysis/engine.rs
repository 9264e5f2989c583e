//! The process of the engine that searches for the commands.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::engine::{Finished, binary};
use crate::support::files::Folder;
use crate::support::{PATIENCE, signal};

#[test]
fn names_folder_and_build_where_the_engine_is_missing() {
    let folder = Folder::new();
    let alone = folder.path("tamarin-tools");
    // A link is faster, but not possible between file systems.
    fs::hard_link(binary(), &alone).or_else(|_| fs::copy(binary(), &alone).map(drop)).unwrap();
    let mut command = Command::new(&alone);
    command.args(["analyse", "startpos", "-n", "9"]).env("PATH", folder.path("empty"));
    command.env_remove("TAMARIN_ENGINE");
    let refused = Finished::of(command.output().expect("it starts"));
    assert_eq!((refused.status.code(), refused.out.as_str()), (Some(2), ""), "{}", refused.err);
    let folder = alone.parent().expect("a folder").display().to_string();
    assert!(refused.err.contains(&folder) && refused.err.contains("`make`"), "{}", refused.err);
}

#[cfg(target_os = "linux")]
#[test]
fn starts_an_engine_again_that_was_killed() {
    let child = Command::new(binary())
        .args(["analyse", "startpos", "-t", "1000", "--threads", "1", "--hash", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let begun = Instant::now();
    let engine = loop {
        let found = fs::read_to_string(&children).expect("the kernel tells them");
        match found.trim().parse::<u32>() {
            Ok(engine) => break engine,
            Err(_) => assert!(begun.elapsed() < PATIENCE, "no engine is started"),
        }
        thread::sleep(Duration::from_millis(5));
    };
    signal(engine, "-KILL");
    let ended = Finished::of(child.wait_with_output().expect("it ends"));
    if ended.status.success() {
        assert!(ended.err.contains("it is started again") && ended.out.contains("depth"));
    } else {
        // Before its first search.
        assert!(ended.err.contains("error: the engine tamarin: has ended"), "{}", ended.err);
    }
}
