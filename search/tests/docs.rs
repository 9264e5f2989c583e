//! What `docs/search.md` refers to is there.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn files_named_on_the_search_page_exist() {
    let page = read("../docs/search.md");
    let quoted = page.split('`').skip(1).step_by(2);
    let files = quoted.filter(|text| text.ends_with(".rs") || text.ends_with('/'));
    let mut count = 0;
    for file in files {
        let folder = if file.starts_with("base/") { ".." } else { "src" };
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(file);
        assert!(path.exists(), "{file} does not exist");
        count += 1;
    }
    assert!(count > 30, "only {count} files are named");
}

#[test]
fn every_file_of_a_node_is_on_the_search_page() {
    let page = read("../docs/search.md");
    let node = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/node");
    for file in fs::read_dir(node).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(page.contains(&format!("node/{name}")), "node/{name} is not described");
    }
}

#[test]
fn runs_named_on_the_search_page_are_recorded() {
    let page = read("../docs/search.md");
    let recorded =
        ["matches.csv", "speed.csv"].map(|name| read(&format!("../docs/results/{name}"))).concat();
    let is_run = |word: &&str| {
        word.strip_prefix(['M', 'S', 'V'])
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    let runs: Vec<_> = page.split(|c: char| !c.is_ascii_alphanumeric()).filter(is_run).collect();
    assert!(runs.len() > 10, "{runs:?}");
    for run in runs {
        let row = format!("{run},");
        assert!(recorded.lines().any(|line| line.starts_with(&row)), "there is no run {run}");
    }
}
