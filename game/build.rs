//! Names the build: `X.Y` on the commit tagged `vX.Y`, else `X.Y-dev-<8 hex>`,
//! or `X.Y-dev-unknown` where git cannot say. The result is the compile-time
//! variable `TAMARIN_VERSION`. Nothing here can fail a build.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let release = release_number();
    let version = match Checkout::find() {
        Some(checkout) => {
            checkout.watch();
            checkout.version(&release)
        }
        None => format!("{release}-dev-unknown"),
    };
    println!("cargo::rustc-env=TAMARIN_VERSION={version}");
}

/// `X.Y` of the package version, or `X.Y.Z` where a patch release was made.
fn release_number() -> String {
    let part = |name: &str| env::var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    let short = format!("{}.{}", part("MAJOR"), part("MINOR"));
    match part("PATCH").as_str() {
        "" | "0" => short,
        patch => format!("{short}.{patch}"),
    }
}

/// The git work tree whose top folder is the workspace.
struct Checkout {
    root: PathBuf,
}

impl Checkout {
    /// `None` without git, and where the sources merely lie inside another
    /// repository (an unpacked archive), whose commits say nothing of them.
    fn find() -> Option<Self> {
        let package = env::var_os("CARGO_MANIFEST_DIR")?;
        let root = fs::canonicalize(Path::new(&package).parent()?).ok()?;
        let checkout = Self { root };
        let top = checkout.git(&["rev-parse", "--show-toplevel"])?;
        (fs::canonicalize(top).ok()? == checkout.root).then_some(checkout)
    }

    /// Has the build script run again when the commit or a tag may have changed.
    fn watch(&self) {
        // A branch's new commit does not touch `HEAD` itself, but its log.
        for name in
            ["HEAD", "logs/HEAD", "packed-refs", "refs/heads", "refs/tags", "reftable/tables.list"]
        {
            let Some(path) = self.git(&["rev-parse", "--git-path", name]) else { continue };
            let path = self.root.join(path);
            // Cargo takes a missing path for a changed one, on every build.
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }

    fn version(&self, release: &str) -> String {
        let tags = self.git(&["tag", "--points-at", "HEAD"]).unwrap_or_default();
        if tags.lines().any(|tag| tag.strip_prefix('v') == Some(release)) {
            return release.to_owned();
        }
        let commit = self.git(&["rev-parse", "HEAD"]);
        let commit = commit.as_deref().and_then(|hash| hash.get(..8)).unwrap_or("unknown");
        format!("{release}-dev-{commit}")
    }

    /// The trimmed output of a git command, `None` where it fails.
    fn git(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("git")
            .arg("-C")
            .arg(&self.root)
            .args(arguments)
            // Set inside hooks, and they would outrank the folder.
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    }
}
