//! The weights that docs/results/heuristics.md quotes are those of the build.

use std::collections::HashMap;

const DOCUMENT: &str = include_str!("../../docs/results/heuristics.md");
const WEIGHTS: &str = include_str!("../src/weights/values.rs");

/// The weights as text, without blanks, by `Family: row`.
fn rows() -> HashMap<&'static str, Vec<String>> {
    let mut rows: HashMap<&str, Vec<String>> = HashMap::new();
    let mut row = "";
    for line in WEIGHTS.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("// ") {
            row = name;
        } else if line.starts_with("s(") {
            let weights = line.split_inclusive("),").map(|weight| weight.replace(' ', ""));
            let weights = weights.map(|weight| weight.trim_end_matches(',').to_owned());
            rows.entry(row).or_default().extend(weights);
        }
    }
    rows
}

/// The weight that a name means: `Family: row` or `Family: row[index]`.
fn weight<'a>(rows: &'a HashMap<&str, Vec<String>>, name: &str) -> Option<&'a str> {
    let (row, index) = match name.strip_suffix(']') {
        None => (name, 0),
        Some(rest) => {
            let (row, index) = rest.split_once('[')?;
            (row, index.parse().ok()?)
        }
    };
    rows.get(row)?.get(index).map(String::as_str)
}

/// What stands as `name = value` between backticks, in lines of tables.
fn quoted() -> impl Iterator<Item = (&'static str, String)> {
    let lines = DOCUMENT.lines().filter(|line| line.starts_with('|'));
    let codes = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let pairs = codes.filter_map(|code| code.split_once(" = "));
    pairs.map(|(name, value)| (name, value.replace(' ', "")))
}

#[test]
fn quoted_weights_are_those_of_the_build() {
    let rows = rows();
    let mut faults = Vec::new();
    for (name, value) in quoted() {
        let expected = weight(&rows, name);
        if expected != Some(&value) {
            faults.push(format!("{name} = {value}, in the build {expected:?}"));
        }
    }
    assert!(faults.is_empty(), "docs/results/heuristics.md: {faults:#?}");
    assert!(quoted().count() > 50, "{}", quoted().count());
}

#[test]
fn names_of_no_weight_are_found_out() {
    let rows = rows();
    for name in ["Pawns: tripled", "Pawns: isolated[4]", "Pawns: isolated[x]", "Pawns"] {
        assert_eq!(weight(&rows, name), None, "{name}");
    }
    assert!(weight(&rows, "Pawns: doubled").is_some_and(|weight| weight.starts_with("s(")));
}
