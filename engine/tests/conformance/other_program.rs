//! The commands of `tamarin-tools`, which the engine starts.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::support::engine::binary;
use crate::support::files::{Folder, text};

/// A copy of the engine in a folder of its own, where no other program lies.
fn engine_alone(folder: &Folder) -> PathBuf {
    let copy = folder.0.join("tamarin");
    fs::copy(binary(), &copy).expect("the engine can be copied");
    copy
}

/// Puts a shell script in place of the other program.
fn put_script(folder: &Folder, script: &str) {
    let path = folder.file("tamarin-tools", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn arguments_input_output_and_status_pass_through() {
    let folder = Folder::new("tools-beside");
    let engine = engine_alone(&folder);
    put_script(&folder, "printf '<%s>' \"$@\"; cat; echo oops >&2; exit 7");
    for command in ["play", "analyse", "analyze", "suite", "mate", "book", "variant"] {
        let mut child = Command::new(&engine)
            .args([command, "--help", "two words", "--", "-x", ""])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut stdin, b"e2e4").expect("the script reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(out, format!("<{command}><--help><two words><--><-x><>e2e4"));
        assert_eq!((output.stderr.as_slice(), output.status.code()), (&b"oops\n"[..], Some(7)));
    }
}

#[test]
fn a_signal_reaches_the_other_program_and_ends_the_command() {
    let folder = Folder::new("tools-signal");
    let engine = engine_alone(&folder);
    // The script is the process that the shell knows: a signal to it is one to the engine.
    put_script(&folder, "kill -TERM $$");
    let status = Command::new(&engine).arg("play").status().expect("the engine starts");
    assert_eq!(status.signal(), Some(15), "{status}");
    put_script(&folder, "echo $$");
    let child = Command::new(&engine).arg("play").stdout(Stdio::piped()).spawn().expect("starts");
    let id = child.id().to_string();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), id, "the same process");
}

#[test]
fn the_other_program_is_found_on_the_path() {
    let (alone, elsewhere) = (Folder::new("tools-alone"), Folder::new("tools-on-path"));
    let engine = engine_alone(&alone);
    put_script(&elsewhere, "echo \"found: $1\"");
    let path = format!("{}:/usr/bin:/bin", text(&elsewhere.0));
    let output = Command::new(&engine).arg("book").env("PATH", path).output().expect("starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "found: book\n");
}

#[test]
fn without_the_other_program_one_line_says_how_to_make_it() {
    let folder = Folder::new("tools-missing");
    let engine = engine_alone(&folder);
    let run = || {
        let mut command = Command::new(&engine);
        command.args(["analyse", "games.pgn"]).env("PATH", text(&folder.0));
        command.output().expect("the engine starts")
    };
    let output = run();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(127));
    assert!(output.stdout.is_empty());
    assert_eq!(printed.lines().count(), 1, "{printed}");
    assert!(printed.contains("'analyse'") && printed.contains("`make tools`"), "{printed}");
    // One that cannot be started is another matter.
    folder.file("tamarin-tools", "#!/bin/sh\n");
    let output = run();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(127));
    assert!(
        printed.starts_with("tamarin: cannot start tamarin-tools for 'analyse': "),
        "{printed}"
    );
}
