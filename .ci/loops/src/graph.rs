//! Loops in the graph of files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::resolve::Uses;
use crate::tree::{FileId, Tree};

/// A description of each set of files that all use each other, directly or by way of others.
/// Paths are shown relative to `base`.
pub fn loops(tree: &Tree, uses: &Uses, base: &Path) -> Vec<String> {
    components(tree.files.len(), uses)
        .iter()
        .map(|files| describe(tree, uses, files, base))
        .collect()
}

/// The strongly connected components of more than one file.
fn components(count: usize, uses: &Uses) -> Vec<BTreeSet<FileId>> {
    let reach: Vec<_> = (0..count).map(|file| reachable(file, uses)).collect();
    let mut found: Vec<BTreeSet<FileId>> = Vec::new();
    for file in 0..count {
        if reach[file].contains(&file) && !found.iter().any(|set| set.contains(&file)) {
            found.push(reach[file].iter().copied().filter(|&f| reach[f].contains(&file)).collect());
        }
    }
    found
}

/// All files that a file uses, directly or by way of others.
fn reachable(from: FileId, uses: &Uses) -> BTreeSet<FileId> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for &(_, next) in uses.range((file, 0)..(file + 1, 0)).map(|(pair, _)| pair) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

fn describe(tree: &Tree, uses: &Uses, files: &BTreeSet<FileId>, base: &Path) -> String {
    let show = |file: FileId| {
        let path = &tree.files[file];
        path.strip_prefix(base).unwrap_or(path).display().to_string()
    };
    let mut text = format!("{} files import from each other:", files.len());
    for (&(from, to), place) in uses {
        if files.contains(&from) && files.contains(&to) {
            let (line, name) = (place.line, place.segments.join("::"));
            write!(text, "\n  {}:{line} uses {} ({name})", show(from), show(to))
                .expect("writing to a string");
        }
    }
    text
}
