//! The program reports which build it is, and the build knows its commit.

use std::process::Command;

fn printed_version() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tamarin"))
        .arg("--version")
        .output()
        .expect("the engine starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("a version is text")
}

/// The commit of the checkout these tests were built from, if it is one.
fn commit() -> Option<String> {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(workspace).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Unpacked inside another project's checkout, the sources have no commit.
    if !git(&["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    git(&["rev-parse", "HEAD"])
}

#[test]
fn version_is_a_release_or_a_commit() {
    let printed = printed_version();
    let number = env!("CARGO_PKG_VERSION");
    let release = number.strip_suffix(".0").unwrap_or(number);
    let tail = printed
        .strip_suffix('\n')
        .and_then(|line| line.strip_prefix("Tamarin "))
        .and_then(|version| version.strip_prefix(release))
        .unwrap_or_else(|| panic!("not `Tamarin {release}...` on one line: {printed:?}"));
    match (tail, commit()) {
        ("", Some(_)) => {}
        (tail, Some(commit)) => assert_eq!(tail, format!("-dev-{}", &commit[..8])),
        (tail, None) => assert_eq!(tail, "-dev-unknown"),
    }
}
