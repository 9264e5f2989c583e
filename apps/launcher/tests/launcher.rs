//! The launcher with other programs in place of the builds.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Starts the launcher with builds and a last line behind it, and arguments.
fn launch(builds: [&[u8]; 3], line: Option<&str>, arguments: &[&str]) -> (PathBuf, Output) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program");
    let mut content = fs::read(env!("CARGO_BIN_EXE_tamarin-launcher")).unwrap();
    content.extend(builds.concat());
    let [a, b, c] = builds.map(<[u8]>::len);
    content.extend(line.unwrap_or(&format!("{a:012} {b:012} {c:012}\n")).bytes());
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(&path).args(arguments).output().unwrap();
    (path, output)
}

/// The level of this processor, by what the system says of it.
fn level() -> usize {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap();
    let flags = text.lines().find(|line| line.starts_with("flags")).unwrap();
    let has = |names: &[&str]| names.iter().all(|name| flags.split(' ').any(|flag| flag == *name));
    usize::from(has(&["sse4_2", "popcnt"])) + usize::from(has(&["avx2", "bmi2", "fma", "movbe"]))
}

#[test]
fn the_build_for_this_processor_replaces_the_launcher() {
    let env = fs::read("/usr/bin/env").unwrap();
    let mut builds: [&[u8]; 3] = [b"no", b"program", b"at all"];
    builds[level()] = &env;
    let (path, output) = launch(builds, None, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    let variable = format!("TAMARIN_LAUNCHER={}", path.display());
    assert!(text.lines().any(|line| line == variable), "{text}");
    let (_, output) = launch(builds, None, &["sh", "-c", "echo \"$1\"; exit 7", "sh", "two words"]);
    assert_eq!((output.status.code(), &*output.stdout), (Some(7), &b"two words\n"[..]));
}

#[test]
fn what_cannot_be_started_is_reported() {
    let long = format!("{:012} {:012} {:012}\n", 1, 1, u32::MAX);
    for (builds, line, cause) in [
        ([&b""[..]; 3], Some(""), "no builds are appended"),
        ([&b""[..]; 3], Some("a line as long as the one with the sizes"), "no builds are appended"),
        ([&b"no program"[..]; 3], Some(&long), "Invalid argument"),
    ] {
        let (_, output) = launch(builds, line, &[]);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.starts_with("error: cannot start the build for x86-64"), "{text}");
        assert!(text.contains(cause), "{text}");
    }
}
