//! The commands of `tamarin-tools`, which the engine starts.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::engine::binary;
use crate::support::files::{Folder, text};

/// A copy of the engine in a folder of its own, where no other program lies.
fn engine_alone(folder: &Folder) -> PathBuf {
    let copy = folder.path("tamarin");
    fs::copy(binary(), &copy).expect("the engine can be copied");
    copy
}

/// Puts a shell script in place of the other program.
fn put_script(folder: &Folder, script: &str) {
    let path = folder.file("tamarin-tools", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn arguments_streams_status_and_process_id_pass_through() {
    let folder = Folder::new();
    let engine = engine_alone(&folder);
    put_script(&folder, "printf '<%s>' \"$@\"; cat; echo oops >&2; exit 7");
    let input = folder.file("input", "e2e4");
    for command in ["play", "analyse", "analyze", "suite", "mate", "book", "variant", "board"] {
        let output = Command::new(&engine)
            .args([command, "--help", "two words", "--", "-x", ""])
            .stdin(fs::File::open(&input).expect("it is there"))
            .output()
            .expect("the engine starts");
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(out, format!("<{command}><--help><two words><--><-x><>e2e4"));
        assert_eq!((output.stderr.as_slice(), output.status.code()), (&b"oops\n"[..], Some(7)));
    }
    // A signal to the engine is one to the other program: it is the same process.
    put_script(&folder, "echo $$");
    let child = Command::new(&engine).arg("play").stdout(std::process::Stdio::piped()).spawn();
    let child = child.expect("the engine starts");
    let id = child.id().to_string();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), id);
}

#[test]
fn the_other_program_is_found_on_the_path_or_one_line_says_how_to_make_it() {
    let (alone, elsewhere) = (Folder::new(), Folder::new());
    let engine = engine_alone(&alone);
    put_script(&elsewhere, "echo \"found: $1\"");
    let run = |path: String| -> Output {
        let mut command = Command::new(&engine);
        command.args(["analyse", "games.pgn"]).env("PATH", path).output().expect("it starts")
    };
    let output = run(format!("{}:/usr/bin:/bin", text(elsewhere.root())));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "found: analyse\n");
    let missing = run(text(alone.root()));
    let printed = String::from_utf8_lossy(&missing.stderr);
    assert_eq!((missing.status.code(), printed.lines().count()), (Some(127), 1), "{printed}");
    assert!(printed.contains("'analyse'") && printed.contains("`make tools`"), "{printed}");
    // One that cannot be started is another matter.
    alone.file("tamarin-tools", "#!/bin/sh\n");
    let printed = String::from_utf8(run(text(alone.root())).stderr).expect("UTF-8");
    assert!(
        printed.starts_with("tamarin: cannot start tamarin-tools for 'analyse': "),
        "{printed}"
    );
}
