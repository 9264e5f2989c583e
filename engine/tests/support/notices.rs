//! The notices of the libraries in a program, as `license` prints them: what Cargo says that the
//! program is made of, and what these libraries say about themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The environment variable that has the files written instead of compared.
const WRITE: &str = "TAMARIN_WRITE_NOTICES";

/// Licenses in the order in which one is chosen, with a library that has its text, and the file.
const CHOICES: [(&str, &str, &str); 4] = [
    ("MIT", "anstyle", "LICENSE-MIT"),
    ("Zlib", "foldhash", "LICENSE"),
    ("BSL-1.0", "error-code", "LICENSE"),
    ("Apache-2.0", "sync_wrapper", "LICENSE"),
];

/// Licenses without a choice: the first is that of Tamarin, whose text it prints; the others are
/// there beside another.
const OTHERS: [(&str, &str, &str); 3] = [
    ("GPL-3.0-or-later", "", ""),
    ("Unicode-3.0", "unicode-ident", "LICENSE-UNICODE"),
    ("BSD-3-Clause", "matchit", "LICENSE.httprouter"),
];

/// Sections of notices that are longer than this many lines are named instead of quoted.
const QUOTED_LINES: usize = 40;

/// Compares the file with the notices of a package's program, or writes it.
///
/// SKIP without Cargo's registry, which has the texts.
pub fn check(package: &str, file: &Path) {
    let Some(libraries) = libraries(package) else { return };
    let notices = notices(&libraries);
    if std::env::var_os(WRITE).is_some() {
        fs::write(file, &notices).unwrap();
    }
    let written = fs::read_to_string(file).unwrap_or_default();
    let differs = written.lines().zip(notices.lines()).find(|(old, new)| old != new);
    let name = file.display();
    assert!(written == notices, "{name} is not up to date, {WRITE}=1 writes it: {differs:?}");
}

/// The metadata of the libraries by name and version.
type Libraries = BTreeMap<String, Value>;

fn cargo(arguments: &[&str]) -> Option<String> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let mut command = Command::new(program);
    let command = command.args(arguments).args(["--locked", "--manifest-path"]).arg(manifest);
    let output = command.output().unwrap();
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        println!("SKIP: notices: cargo {}: {}", arguments[0], error.trim());
        return None;
    }
    Some(String::from_utf8(output.stdout).unwrap())
}

fn text<'a>(library: &'a Value, field: &str) -> &'a str {
    library[field].as_str().unwrap_or_default()
}

/// The libraries of a program on any system, those of the model checker left out.
fn libraries(package: &str) -> Option<Libraries> {
    let edges = ["-e", "normal,no-proc-macro", "--target", "all", "--prune", "loom"];
    let tree = ["tree", "-p", package, "--prefix", "none", "-f", "{p}"];
    let tree = cargo(&[&tree[..], &edges[..]].concat())?;
    let used: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1"])?).unwrap();
    // Those of the project have no source.
    let is_used = |package: &&Value| {
        let name = format!("{} v{}", text(package, "name"), text(package, "version"));
        !package["source"].is_null() && used.contains(name.as_str())
    };
    let packages = metadata["packages"].as_array().unwrap().iter().filter(is_used);
    let name = |library: &Value| text(library, "name").to_owned() + " " + text(library, "version");
    Some(packages.map(|library| (name(library), library.clone())).collect())
}

/// The license under which the program has a library, and others that apply beside it.
fn chosen(license: &str) -> Vec<&'static str> {
    let has = |name: &&str| license.split(['/', ' ', '(', ')']).any(|word| word == *name);
    let choice = CHOICES.map(|(name, ..)| name).into_iter().find(has);
    let others = OTHERS.map(|(name, ..)| name).into_iter().filter(has);
    let chosen: Vec<_> = choice.into_iter().chain(others).collect();
    assert!(!chosen.is_empty(), "no license of {license} is known here");
    chosen
}

fn folder(library: &Value) -> &Path {
    Path::new(text(library, "manifest_path")).parent().unwrap()
}

/// The files of a library that may hold notices of copyright, and those about code of others.
fn notice_files(library: &Value) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let is_notice = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().to_uppercase();
        let kinds = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
        path.is_file() && kinds.iter().any(|kind| name.starts_with(kind))
    };
    let files = fs::read_dir(folder(library)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(is_notice).collect();
    files.sort();
    files.into_iter().partition(|file| !file.to_string_lossy().ends_with("THIRD-PARTY"))
}

/// Is a line a notice? Not the examples and conditions of the licenses themselves.
fn is_copyright(line: &str) -> bool {
    let example = ["yyyy", "HOLDER", "copyright owner", "fullname"];
    line.strip_prefix("Copyright ").is_some_and(|rest| {
        rest.starts_with(|first: char| matches!(first, '(' | '©' | '0'..='9'))
            && !example.iter().any(|word| line.contains(word))
    })
}

/// Who has the copyright, as the files of the license say, else as the package does.
fn copyrights(library: &Value) -> String {
    let mut lines: Vec<String> = Vec::new();
    for file in notice_files(library).0 {
        for line in String::from_utf8_lossy(&fs::read(file).unwrap()).lines() {
            let line = line.trim().trim_end_matches('.');
            if is_copyright(line) && !lines.iter().any(|old| old == line) {
                lines.push(line.to_owned());
            }
        }
    }
    if !lines.is_empty() {
        return lines.join("; ");
    }
    let authors: Vec<&str> =
        library["authors"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    match &authors[..] {
        [] => format!("Copyright (c) the {} developers", text(library, "name")),
        _ => format!("Copyright (c) {}", authors.join(", ")),
    }
}

/// What a library says of code that it has from others: sections between lines of `=`.
fn third_party(library: &Value) -> Option<String> {
    let text = fs::read_to_string(notice_files(library).1.first()?).unwrap();
    let sections = text.split("====").map(|section| section.trim_matches(['=', '\n']));
    let quoted = sections.filter(|section| !section.is_empty()).map(|section| {
        let lines = if section.lines().count() > QUOTED_LINES { 2 } else { QUOTED_LINES };
        section.lines().take(lines).collect::<Vec<_>>().join("\n")
    });
    Some(quoted.collect::<Vec<_>>().join("\n\n"))
}

/// The body of a license: its text without the first lines, which name an owner of copyright.
fn body(license: &str, text: &str) -> String {
    let first = match license {
        "MIT" => "Permission is hereby",
        "Zlib" => "This software is provided",
        _ => "",
    };
    let start = text.find(first).unwrap_or_else(|| panic!("{license} begins otherwise"));
    text[start..].trim().to_owned()
}

fn notices(libraries: &Libraries) -> String {
    let mut notices = String::from(
        "This program contains libraries of others, each under the license named:\n\n",
    );
    let mut used = BTreeSet::new();
    for (name, library) in libraries {
        let licenses = chosen(text(library, "license"));
        notices += &format!("{name} ({}): {}\n", licenses.join(" and "), copyrights(library));
        used.extend(licenses);
    }
    for (name, library) in libraries {
        if let Some(sections) = third_party(library) {
            notices += &format!("\n{name} has code of others:\n\n{sections}\n");
        }
    }
    let printed = CHOICES.into_iter().chain(OTHERS.into_iter().skip(1));
    for (license, source, file) in printed.filter(|(name, ..)| used.contains(name)) {
        let library = libraries.values().find(|library| text(library, "name") == source).unwrap();
        let whole = fs::read_to_string(folder(library).join(file)).unwrap();
        notices += &format!("\n{license}\n\n{}\n", body(license, &whole));
    }
    notices
}
