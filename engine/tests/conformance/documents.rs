//! What the documents say about tests, options, files and targets of the Makefile is compared with
//! these.

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

/// A file of tests as documents name it, and one of its tests where they name one.
type Name = (String, Option<String>);

/// What stands as `file.rs` or `file.rs::test` between backticks.
fn named(document: &str) -> Vec<Name> {
    let codes = document.split('`').skip(1).step_by(2);
    let name = |code: &str| match code.split_once(".rs::") {
        Some((file, test)) => Some((format!("{file}.rs"), Some(test.to_owned()))),
        None => code.ends_with(".rs").then(|| (code.to_owned(), None)),
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

/// What is wrong with a name: its file or test is missing.
fn fault((file, test): &Name) -> Option<String> {
    let places = [root().join("engine/tests").join(file), root().join(file)];
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        return Some(format!("no file {file}"));
    };
    let test = test.as_ref()?;
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
fn every_file_of_process_tests_is_in_a_document() {
    let texts = DOCUMENTS.map(|document| read(&root().join(document)));
    let names = texts.iter().flat_map(|text| named(text));
    let names: BTreeSet<String> = names.map(|(file, _)| file).collect();
    let mut missing = Vec::new();
    let folders = [
        ("engine/tests/conformance", "conformance"),
        ("apps/tools/tests/commands", "apps/tools/tests/commands"),
    ];
    for (path, folder) in folders {
        let files = fs::read_dir(root().join(path)).expect("it is there");
        for file in files {
            let path = file.expect("it can be read").path();
            let name = format!("{folder}/{}", path.file_name().unwrap_or_default().display());
            if !tests_in(&read(&path)).is_empty() && !names.contains(&name) {
                missing.push(name);
            }
        }
    }
    assert!(missing.is_empty(), "in no document: {missing:#?}");
}

#[test]
fn names_of_no_test_are_found_out() {
    let name =
        |file: &str, test: &str| (file.to_owned(), (!test.is_empty()).then(|| test.to_owned()));
    let text = "see `conformance/process.rs::nothing` and `cargo test`, `conformance/documents.rs::root` and `conformance/missing.rs`";
    let names = named(text);
    assert_eq!(
        names,
        [
            name("conformance/process.rs", "nothing"),
            name("conformance/documents.rs", "root"),
            name("conformance/missing.rs", "")
        ]
    );
    // A function that is not marked as a test does not count.
    assert!(names.iter().all(|name| fault(name).is_some()));
    assert!(fault(&name("conformance/missing.rs", "nothing")).is_some());
    assert_eq!(fault(&name("conformance/documents.rs", "names_of_no_test_are_found_out")), None);
    assert_eq!(fault(&name("conformance/documents.rs", "")), None);
}

/// A document, and the file inside the program whose SHA-256 it states.
const STATED: [(&str, &str); 2] = [
    ("game/book/README.md", "game/book/tamarin.bin"),
    ("docs/network.md", "eval/src/network/tamarin.net"),
];

/// Whether a document states the SHA-256 of these bytes, in hexadecimal digits between backticks.
fn states(document: &str, bytes: &[u8]) -> bool {
    let digits: String =
        hmac_sha256::Hash::hash(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    document.contains(&format!("SHA-256 `{digits}`"))
}

#[test]
fn book_and_network_have_the_digests_that_their_documents_state() {
    for (document, file) in STATED {
        let text = read(&root().join(document));
        let mut bytes = fs::read(root().join(file)).expect("it is there");
        assert!(states(&text, &bytes), "{document} states another SHA-256 than that of {file}");
        // One bit is enough.
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        assert!(!states(&text, &bytes), "{document}");
    }
}

/// Name and default of every option that `uci` announces; a button has no default.
#[cfg(not(feature = "tune"))]
fn announced_options() -> BTreeSet<(String, String)> {
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_tamarin"))
        .arg("uci")
        .output()
        .expect("it starts");
    let text = String::from_utf8(run.stdout).expect("it is UTF-8");
    let option = |line: &str| {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
        let (_, value) = rest.split_once(" default ").unwrap_or_default();
        let ends = [" min ", " var "].map(|word| value.find(word).unwrap_or(value.len()));
        let default = &value[..ends[0].min(ends[1])];
        Some((name.to_owned(), default.to_owned()))
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

/// The documents for readers, relative to the root.
fn documents() -> Vec<PathBuf> {
    let names = fs::read_dir(root().join("docs")).expect("it is there");
    let pages = names.map(|entry| entry.expect("it can be read").path());
    let pages = pages.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let front = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    pages.chain(front).collect()
}

fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|one| one.is_alphanumeric() || matches!(one, ' ' | '-' | '_'));
    kept.map(|one| if one == ' ' { '-' } else { one }).collect()
}

/// Why a link of a document leads nowhere, if it does.
fn broken(document: &Path, link: &str) -> Option<String> {
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let folder = document.parent().expect("a file has a folder");
    let path = if file.is_empty() { document.to_owned() } else { folder.join(file) };
    let place = format!("{}: {link}", document.display());
    if !path.exists() {
        return Some(format!("{place}: no such file"));
    }
    let found =
        || read(&path).lines().any(|line| line.starts_with('#') && anchor(line) == fragment);
    (!fragment.is_empty() && !found()).then(|| format!("{place}: no such heading"))
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut count = 0;
    let mut faults = Vec::new();
    for document in documents() {
        let text = read(&document);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (link, _) in links.filter(|(link, _)| !link.starts_with("http")) {
            count += 1;
            faults.extend(broken(&document, link));
        }
    }
    assert!(count > 50, "{count} links");
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_front_page_is_short() {
    let words = read(&root().join("README.md")).split_whitespace().count();
    assert!(words <= 900, "README.md has {words} words");
}

/// The targets that stand behind `make` in code of a document.
fn make_targets(document: &str) -> BTreeSet<&str> {
    let codes = document.lines().flat_map(|line| line.split('`'));
    let commands = codes.filter_map(|code| code.trim_start().strip_prefix("make "));
    let words = commands.filter_map(|rest| rest.split_whitespace().next());
    words.filter(|word| word.chars().all(|one| one.is_ascii_lowercase() || one == '-')).collect()
}

#[test]
fn every_make_target_of_the_pages_is_in_the_makefile() {
    let makefile = read(&root().join("Makefile"));
    // `a b: ...` has the rules of both.
    let rules = makefile.lines().filter(|line| !line.starts_with(['\t', '.', '#']));
    let there: BTreeSet<&str> = rules
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(targets, _)| targets.split_whitespace())
        .collect();
    for page in ["README.md", "CONTRIBUTING.md", "docs/reliability.md"] {
        let text = read(&root().join(page));
        let named = make_targets(&text);
        for target in ["run", "test", "tools"].iter().filter(|_| page == "README.md") {
            assert!(named.contains(target), "README.md does not name `make {target}`");
        }
        let missing: Vec<_> = named.difference(&there).collect();
        assert!(missing.is_empty(), "{page}: not in the Makefile: {missing:?}");
    }
}

#[test]
fn every_match_of_the_pages_has_an_opponent() {
    for page in ["CONTRIBUTING.md", "docs/reliability.md", "docs/training.md", "docs/eval.md"] {
        let text = read(&root().join(page));
        let codes = text.lines().flat_map(|line| line.split('`'));
        let matches = codes.filter(|code| code.contains("make match ") && code.contains('='));
        let without: Vec<_> =
            matches.filter(|code| !code.contains("OLD=") && !code.contains("OPPONENT=")).collect();
        assert!(without.is_empty(), "{page}: {without:?}");
    }
}

/// The lines of a document below a heading, up to the next one of its rank.
fn section<'a>(heading: &'a str, document: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = document.lines().skip_while(move |line| *line != heading);
    lines.skip(1).take_while(|line| !line.starts_with("## "))
}

/// The network evaluates by default: without the option a fit would change neither the bench nor a
/// move of the match.
#[test]
fn a_fit_is_measured_with_the_hand_crafted_evaluation() {
    let sections = [
        ("docs/training.md", "## One round for the hand-crafted evaluation", 2),
        ("docs/eval.md", "## Changing terms and weights", 1),
    ];
    for (document, heading, count) in sections {
        let text = read(&root().join(document));
        let codes = section(heading, &text).flat_map(|line| line.split('`').skip(1).step_by(2));
        let is_measurement =
            |code: &&str| code.starts_with("make match") || code.ends_with(" bench");
        let commands: Vec<_> = codes.filter(is_measurement).collect();
        assert_eq!(commands.len(), count, "{document}: {commands:?}");
        let without: Vec<_> =
            commands.iter().filter(|command| !command.contains("hand-crafted")).collect();
        assert!(without.is_empty(), "{document}: {without:?}");
    }
}

#[test]
fn the_first_change_fits_the_table_of_parameters() {
    let (page, table) = ("CONTRIBUTING.md", "base/src/params/table.rs");
    let (text, table) = (read(&root().join(page)), read(&root().join(table)));
    let blocks = text.split("```").skip(1).step_by(2);
    let diffs = blocks.filter_map(|block| block.strip_prefix("diff\n"));
    let old = diffs.flat_map(|diff| diff.lines().filter_map(|line| line.strip_prefix([' ', '-'])));
    let old: Vec<_> = old.collect();
    assert!(old.iter().any(|line| line.contains(" = ")), "{page}: {old:?}");
    let is_missing = |old: &&&str| !table.lines().any(|line| line == **old);
    let missing: Vec<_> = old.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{page}: not in the table: {missing:#?}");
}
