//! Fails when files of a crate import from each other in a loop.
//!
//! ```text
//! module-loops [Cargo.toml]
//! ```
//!
//! Every target of every package of the workspace is a tree of modules of its own. File A uses
//! file B when an item that B defines is named in A, in a `use` or by a path in the code; names
//! are followed through re-exports to the file that defines them. A parent that declares a child
//! (`mod x;`) and hands its items on (`pub use x::Y;`) without naming them elsewhere does not use
//! it. What is compiled for tests only (`#[cfg(test)]`) does not count. Methods are not followed:
//! they are found by type, not by path.

#![forbid(unsafe_code)]

mod graph;
mod names;
mod resolve;
mod tree;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let manifest = std::env::args().nth(1).unwrap_or_else(|| "Cargo.toml".to_owned());
    match check(Path::new(&manifest)) {
        Ok(loops) if loops.is_empty() => ExitCode::SUCCESS,
        Ok(loops) => {
            for text in loops {
                eprintln!("loops: {text}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("loops: {error}");
            ExitCode::from(2)
        }
    }
}

/// A description of each loop in the workspace.
fn check(manifest: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut files = BTreeSet::new();
    let mut loops = Vec::new();
    let base = std::env::current_dir()?;
    for root in target_roots(manifest)? {
        let tree = tree::Tree::read(&root)?;
        files.extend(tree.files.iter().cloned());
        loops.extend(graph::loops(&tree, &resolve::uses(&tree), &base));
    }
    if loops.is_empty() {
        println!("loops: {} files, none import from each other in a loop", files.len());
    }
    Ok(loops)
}

/// The first file of each library, program, test, bench and example.
fn target_roots(manifest: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    Ok(targets.filter_map(|target| target["src_path"].as_str().map(PathBuf::from)).collect())
}
