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
const OTHERS: [(&str, Option<(&str, &str)>); 3] = [
    ("GPL-3.0-or-later", None),
    ("Unicode-3.0", Some(("unicode-ident", "LICENSE-UNICODE"))),
    ("BSD-3-Clause", Some(("matchit", "LICENSE.httprouter"))),
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
    assert!(
        written == notices,
        "{} is not up to date, {WRITE}=1 writes it: {differs:?}",
        file.display()
    );
    println!("{package}: {} libraries, {} bytes", libraries.len(), notices.len());
}

struct Library {
    version: String,
    license: String,
    authors: String,
    folder: PathBuf,
}

/// By name and version.
type Libraries = BTreeMap<String, Library>;

fn cargo(arguments: &[&str]) -> Option<String> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(program)
        .args(arguments)
        .args(["--locked", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        println!("SKIP: notices: cargo {}: {}", arguments[0], error.trim());
        return None;
    }
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The libraries of a program on any system, those of the model checker left out.
fn libraries(package: &str) -> Option<Libraries> {
    let edges = ["-e", "normal,no-proc-macro", "--target", "all", "--prune", "loom"];
    let tree = ["tree", "-p", package, "--prefix", "none", "-f", "{p}"];
    let tree = cargo(&[&tree[..], &edges[..]].concat())?;
    let used: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1"])?).unwrap();
    let mut libraries = Libraries::new();
    for package in metadata["packages"].as_array().unwrap() {
        let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
        let name = format!("{} v{}", text("name"), text("version"));
        // Those of the project have no source.
        if package["source"].is_null() || !used.contains(name.as_str()) {
            continue;
        }
        let authors = package["authors"].as_array().unwrap().iter().filter_map(Value::as_str);
        let library = Library {
            version: text("version"),
            license: text("license"),
            authors: authors.collect::<Vec<_>>().join(", "),
            folder: Path::new(&text("manifest_path")).parent().unwrap().to_owned(),
        };
        libraries.insert(text("name") + " " + &library.version, library);
    }
    Some(libraries)
}

/// The license under which the program has a library, and others that apply beside it.
fn chosen(license: &str) -> Vec<&'static str> {
    let has = |name: &&str| license.split(['/', ' ', '(', ')']).any(|word| word == *name);
    let choice = CHOICES.map(|(name, ..)| name).into_iter().find(has);
    let chosen: Vec<_> =
        choice.into_iter().chain(OTHERS.map(|(name, _)| name).into_iter().filter(has)).collect();
    assert!(!chosen.is_empty(), "no license of {license} is known here");
    chosen
}

/// The files of a library that may hold notices of copyright.
fn notice_files(library: &Library) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(&library.folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().to_uppercase();
            let kinds = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
            path.is_file() && kinds.iter().any(|kind| name.starts_with(kind))
        })
        .collect();
    files.sort();
    files
}

/// Who has the copyright, as the files of the license say, else as the package does.
fn copyrights(name: &str, library: &Library) -> String {
    let mut lines = Vec::new();
    for file in notice_files(library).iter().filter(|file| !is_third_party(file)) {
        for line in String::from_utf8_lossy(&fs::read(file).unwrap()).lines() {
            let line = line.trim().trim_end_matches('.');
            // Not the examples and conditions of the licenses themselves.
            let example = ["yyyy", "HOLDER", "copyright owner", "fullname"];
            let stated = line.starts_with("Copyright (")
                || line.starts_with("Copyright ©")
                || line
                    .strip_prefix("Copyright ")
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let new = stated
                && !example.iter().any(|word| line.contains(word))
                && !lines.iter().any(|old| old == line);
            if new {
                lines.push(line.to_owned());
            }
        }
    }
    if !lines.is_empty() {
        return lines.join("; ");
    }
    let crate_name = name.split(' ').next().unwrap();
    let authors = if library.authors.is_empty() {
        format!("the {crate_name} developers")
    } else {
        library.authors.clone()
    };
    format!("Copyright (c) {authors}")
}

fn is_third_party(file: &Path) -> bool {
    file.to_string_lossy().ends_with("THIRD-PARTY")
}

/// What a library says of code that it has from others: sections between lines of `=`.
fn third_party(library: &Library) -> Option<String> {
    let file = notice_files(library).into_iter().find(|file| is_third_party(file))?;
    let text = fs::read_to_string(file).unwrap();
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
        _ => return text.trim().to_owned(),
    };
    let start = text.find(first).unwrap_or_else(|| panic!("{license} begins otherwise"));
    text[start..].trim().to_owned()
}

fn notices(libraries: &Libraries) -> String {
    let mut text = String::from(
        "This program contains libraries of others, each under the license named:\n\n",
    );
    let mut used = BTreeSet::new();
    for (name, library) in libraries {
        let licenses = chosen(&library.license);
        text += &format!("{name} ({}): {}\n", licenses.join(" and "), copyrights(name, library));
        used.extend(licenses);
    }
    for (name, library) in libraries {
        if let Some(sections) = third_party(library) {
            text += &format!("\n{name} has code of others:\n\n{sections}\n");
        }
    }
    let others = OTHERS
        .into_iter()
        .filter_map(|(name, place)| place.map(|(library, file)| (name, library, file)));
    for (license, source, file) in
        CHOICES.into_iter().chain(others).filter(|(name, ..)| used.contains(name))
    {
        let prefix = format!("{source} ");
        let (_, library) = libraries
            .range(prefix.clone()..)
            .next()
            .filter(|(name, _)| name.starts_with(&prefix))
            .unwrap();
        let whole = fs::read_to_string(library.folder.join(file)).unwrap();
        text += &format!("\n{license}\n\n{}\n", body(license, &whole));
    }
    text
}
