//! What the documents say about tests, options, files and targets of the Makefile is compared with
//! these; and the notices of the libraries, which `license` prints, with those of Cargo.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Engine, notices};

/// The document that says which test shows what.
const DOCUMENT: &str = "docs/reliability.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of tests that a document names between backticks, as `file.rs` or `file.rs::test`.
fn named(document: &str) -> BTreeSet<(&str, Option<&str>)> {
    let name = |code| match str::split_once(code, "::") {
        Some((file, test)) => (file, Some(test)),
        None => (code, None),
    };
    let names = document.split('`').skip(1).step_by(2).map(name);
    names.filter(|(file, _)| file.ends_with(".rs")).collect()
}

#[test]
fn every_test_named_exists_and_every_file_of_tests_is_named() {
    let text = read(&root().join(DOCUMENT));
    let names = named(&text);
    assert!(names.len() > 40, "{names:?}");
    for &(file, test) in &names {
        let places = [root().join("engine/tests").join(file), root().join(file)];
        let Some(path) = places.iter().find(|path| path.is_file()) else { panic!("no {file}") };
        let source = read(path);
        let found = test.is_none_or(|test| source.contains(&format!("#[test]\nfn {test}(")));
        assert!(found, "no {test:?} in {file}");
    }
    for folder in ["engine/tests/conformance", "apps/tools/tests/commands"] {
        for file in fs::read_dir(root().join(folder)).expect("it is there") {
            let path = file.expect("it can be read").path();
            let name = path.file_name().unwrap_or_default().display();
            let full = format!("{folder}/{name}");
            let name = full.strip_prefix("engine/tests/").unwrap_or(&full);
            let is_named = names.iter().any(|(file, _)| *file == name);
            assert!(is_named || !read(&path).contains("#[test]"), "{name} is not in {DOCUMENT}");
        }
    }
}

/// A document, and the file inside the program whose SHA-256 it states.
const STATED: [(&str, &str); 2] = [
    ("game/book/README.md", "game/book/tamarin.bin"),
    ("docs/network.md", "eval/src/network/tamarin.net"),
];

#[test]
fn book_and_network_have_the_digests_that_their_documents_state() {
    for (document, file) in STATED {
        let bytes = fs::read(root().join(file)).expect("it is there");
        let digits = hmac_sha256::Hash::hash(&bytes).map(|byte| format!("{byte:02x}")).concat();
        let stated = read(&root().join(document)).contains(&format!("SHA-256 `{digits}`"));
        assert!(stated, "{document} states another SHA-256 than {digits} of {file}");
    }
}

/// Name and default of every option that `uci` announces; a button has no default.
#[cfg(not(feature = "tune"))]
fn announced_options() -> BTreeSet<(String, String)> {
    let text = crate::support::Launch::new().args(&["uci"]).run().out;
    let option = |line: &str| {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
        let (_, value) = rest.split_once(" default ").unwrap_or_default();
        let ends = [" min ", " var "].map(|word| value.find(word).unwrap_or(value.len()));
        Some((name.to_owned(), value[..ends[0].min(ends[1])].to_owned()))
    };
    text.lines().filter_map(option).collect()
}

/// The first two cells of every row of the first table below a heading, without backticks.
#[cfg(not(feature = "tune"))]
fn rows_below(heading: &str, document: &str) -> Vec<(String, String)> {
    let lines = document.lines().skip_while(|line| *line != heading);
    let table = lines.skip_while(|line| !line.starts_with('|'));
    let rows = table.take_while(|line| line.starts_with('|')).skip(2);
    let cell = |text: Option<&str>| text.unwrap_or_default().trim().replace('`', "");
    let row = |line: &str| {
        let mut cells = line.split('|').skip(1);
        (cell(cells.next()), cell(cells.next()))
    };
    rows.map(row).collect()
}

/// Parameters of the search are options too in builds for tuning.
#[cfg(not(feature = "tune"))]
#[test]
fn the_table_of_options_is_what_uci_announces() {
    let rows = rows_below("## Options", &read(&root().join("docs/uci.md")));
    let documented: BTreeSet<_> = rows.iter().cloned().collect();
    assert_eq!(documented.len(), rows.len(), "an option stands in two rows");
    let announced = announced_options();
    assert!(announced.len() > 20, "{announced:?}");
    let difference: Vec<_> = documented.symmetric_difference(&announced).collect();
    assert!(difference.is_empty(), "in one of docs/uci.md and `uci` only: {difference:#?}");
}

fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|one| one.is_alphanumeric() || matches!(one, ' ' | '-' | '_'));
    kept.map(|one| if one == ' ' { '-' } else { one }).collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let pages = fs::read_dir(root().join("docs")).expect("it is there");
    let pages = pages.map(|entry| entry.expect("it can be read").path());
    let front = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    for document in pages.chain(front).filter(|path| path.extension().is_some_and(|x| x == "md")) {
        let text = read(&document);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (link, _) in links.filter(|(link, _)| !link.starts_with("http")) {
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { document.clone() } else { document.with_file_name(file) };
            assert!(target.exists(), "{}: {link}: no such file", document.display());
            let is_heading = |line: &str| line.starts_with('#') && anchor(line) == fragment;
            let found = fragment.is_empty() || read(&target).lines().any(is_heading);
            assert!(found, "{}: {link}: no such heading", document.display());
        }
    }
}

#[test]
fn the_notices_are_those_of_the_libraries_in_the_engine() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/notices.txt");
    notices::check("tamarin-chess", &file);
}

#[test]
fn license_prints_the_notices() {
    let mut engine = Engine::ready();
    engine.send("license");
    let text = engine.sync();
    let printed: Vec<&str> = text.iter().map(|line| line.text.as_str()).collect();
    let notices = include_str!("../../src/notices.txt");
    let own = printed.iter().position(|line| Some(*line) == notices.lines().next());
    let own = own.unwrap_or_else(|| panic!("no notices in {printed:?}"));
    assert_eq!(printed[own..own + notices.lines().count()].join("\n"), notices.trim_end());
    engine.quit();
}
