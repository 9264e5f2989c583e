//! axe-core, which looks for obstacles to accessibility (MPL-2.0, by Deque Systems). It is no part
//! of this repository: npm fetches it once into the target folder.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

const PACKAGE: &str = "axe-core";
const VERSION: &str = "4.14.1";

/// Of `axe.min.js` in the package of that version.
const SHA_256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";

/// The script, or `None` where it cannot be had; then a SKIP is printed, once.
pub fn script() -> Option<&'static str> {
    static SCRIPT: OnceLock<Option<String>> = OnceLock::new();
    let found = SCRIPT.get_or_init(|| match kept().map_or_else(fetch, Ok) {
        Ok(script) => Some(script),
        Err(why) => {
            println!("SKIP: no search for obstacles to accessibility: {why}");
            None
        }
    });
    found.as_deref()
}

/// Where the script is kept between runs.
fn place() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("axe-{VERSION}.min.js"))
}

fn checksum(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The script of an earlier run, if it is the right one.
fn kept() -> Option<String> {
    let bytes = fs::read(place()).ok().filter(|bytes| checksum(bytes) == SHA_256)?;
    String::from_utf8(bytes).ok()
}

/// Fetches the package, and keeps its script.
///
/// # Panics
/// If the script is another one than that of the version.
fn fetch() -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut npm = Command::new("npm");
    npm.args(["pack", &format!("{PACKAGE}@{VERSION}"), "--ignore-scripts", "--silent"])
        .args(["--fetch-retries=0", "--fetch-timeout=30000"]);
    run(npm.current_dir(folder.path()))?;
    let archive = format!("{PACKAGE}-{VERSION}.tgz");
    let mut tar = Command::new("tar");
    run(tar.args(["-xzf", &archive, "package/axe.min.js"]).current_dir(folder.path()))?;
    let bytes = fs::read(folder.path().join("package/axe.min.js"));
    let bytes = bytes.map_err(|error| error.to_string())?;
    assert_eq!(checksum(&bytes), SHA_256, "this is not {PACKAGE} {VERSION}");
    // By way of a second name, so that a run beside this one never reads half of it.
    let part = place().with_extension(format!("{}.part", std::process::id()));
    let put = fs::write(&part, &bytes).and_then(|()| fs::rename(&part, place()));
    put.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{name}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{name} cannot fetch or unpack {PACKAGE} {VERSION}")),
    }
}
