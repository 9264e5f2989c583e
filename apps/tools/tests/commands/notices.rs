//! What `tamarin-tools license` prints of the libraries in the program.

use std::path::Path;
use std::process::Command;

use crate::support::{engine, notices};

#[test]
fn the_notices_are_those_of_the_libraries_in_the_tools() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/notices.txt");
    notices::check("tamarin-tools", &file);
}

#[test]
fn license_prints_the_notices() {
    let output = Command::new(engine::binary()).arg("license").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let notices = include_str!("../../src/notices.txt");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", output.status);
    assert!(text.contains("GNU General Public License") && text.ends_with(notices), "{text}");
}
