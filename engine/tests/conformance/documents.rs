//! The lists in the documents and the tests they name belong together.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The documents that say which test shows what.
const DOCUMENTS: [&str; 2] = ["docs/conformance.md", "docs/reliability.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A test as documents name it: its file and its function.
type Name = (String, String);

/// What stands as `file.rs::test` between backticks.
fn named(document: &str) -> Vec<Name> {
    let codes = document.split('`').skip(1).step_by(2);
    let name = |code: &str| {
        let (file, test) = code.split_once(".rs::")?;
        Some((format!("{file}.rs"), test.to_owned()))
    };
    codes.filter_map(name).collect()
}

/// The test functions of a file, those of `proptest!` included.
fn tests_in(source: &str) -> BTreeSet<String> {
    let mut tests = BTreeSet::new();
    let mut marked = false;
    for line in source.lines().map(str::trim_start) {
        if line == "#[test]" {
            marked = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            if marked {
                tests.insert(rest.split('(').next().unwrap_or_default().to_owned());
            }
            marked = false;
        }
    }
    tests
}

/// Why a name is none, if it is none.
fn fault((file, test): &Name) -> Option<String> {
    let places = [root().join("engine/tests").join(file), root().join(file)];
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        return Some(format!("no file {file}"));
    };
    (!tests_in(&read(path)).contains(test)).then(|| format!("no test {test} in {file}"))
}

#[test]
fn every_test_that_the_documents_name_exists() {
    for document in DOCUMENTS {
        let names = named(&read(&root().join(document)));
        assert!(names.len() > 20, "{document} names {} tests", names.len());
        let faults: Vec<String> = names.iter().filter_map(fault).collect();
        assert!(faults.is_empty(), "{document}: {faults:#?}");
    }
}

#[test]
fn every_test_of_the_process_is_in_a_document() {
    let texts = DOCUMENTS.map(|document| read(&root().join(document)));
    let names: BTreeSet<Name> = texts.iter().flat_map(|text| named(text)).collect();
    let mut missing = Vec::new();
    let files = fs::read_dir(root().join("engine/tests/conformance")).expect("it is there");
    for file in files {
        let path = file.expect("it can be read").path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        // What is checked here is not a property of the engine.
        if file == "documents.rs" {
            continue;
        }
        for test in tests_in(&read(&path)) {
            let name = (format!("conformance/{file}"), test);
            if !names.contains(&name) {
                missing.push(name);
            }
        }
    }
    assert!(missing.is_empty(), "in no document: {missing:#?}");
}

#[test]
fn names_that_are_none_are_found_out() {
    let name = |file: &str, test: &str| (file.to_owned(), test.to_owned());
    let text = "see `conformance/process.rs::nothing` and `cargo test` and `conformance/documents.rs::root`";
    let names = named(text);
    assert_eq!(
        names,
        [name("conformance/process.rs", "nothing"), name("conformance/documents.rs", "root")]
    );
    // A function that is no test is none either.
    assert!(names.iter().all(|name| fault(name).is_some()));
    assert!(fault(&name("conformance/missing.rs", "nothing")).is_some());
    assert_eq!(fault(&name("conformance/documents.rs", "names_that_are_none_are_found_out")), None);
}
