//! Our own suites, and those found through `TAMARIN_TEST_DATA`, counted on all cores.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use tamarin_perft::suite::{Limits, Suite};
use tamarin_perft::{Cache, Control, Depth, Options};

/// Checks the records that `choose` picks by their index; returns how many there are.
fn check(path: &Path, limits: &Limits, cache: Option<&Cache>, choose: fn(usize) -> bool) -> usize {
    let suite = Suite::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let threads = available_parallelism().expect("the number of cores is known");
    let options = Options { threads, cache };
    let control = Control::new();
    let chosen = suite.records().iter().enumerate().filter(|&(index, _)| choose(index));
    let mut number = 0;
    for (_, record) in chosen {
        let result = record.check(limits, &options, &control);
        assert_eq!(result.mismatch, None, "line {}: {}", record.line, record.fen);
        assert!(result.depth.is_some(), "line {}: nothing was counted", record.line);
        number += 1;
    }
    number
}

fn all(_: usize) -> bool {
    true
}

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites").join(name)
}

/// A suite outside the repository, if it is there.
fn outside(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("TAMARIN_TEST_DATA")
        .map(|folder| Path::new(&folder).join("perft").join(name))
        .filter(|path| path.is_file());
    if path.is_none() {
        println!("SKIP: no perft/{name} under TAMARIN_TEST_DATA");
    }
    path
}

#[test]
fn own_standard_suite() {
    assert_eq!(check(&own("standard.epd"), &Limits::default(), None, all), 276);
}

#[test]
fn own_chess960_suite() {
    assert_eq!(check(&own("chess960.epd"), &Limits::default(), None, all), 220);
}

/// A cache far too small, in which records are overwritten all the time.
#[test]
fn own_suites_with_a_cache() {
    let cache = Cache::new(1).expect("a MiB of memory");
    let limits = Limits::default();
    assert_eq!(check(&own("standard.epd"), &limits, cache.as_ref(), all), 276);
    assert_eq!(check(&own("chess960.epd"), &limits, cache.as_ref(), all), 220);
}

/// To the last depth: 4.8 thousand million nodes.
#[test]
fn outside_standard_suite() {
    if let Some(path) = outside("standard.epd") {
        assert!(check(&path, &Limits::default(), None, all) >= 127);
    }
}

#[test]
fn outside_chess960_suite() {
    if let Some(path) = outside("chess960.epd") {
        let limits = Limits { depth: Depth::new(4), nodes: None };
        assert_eq!(check(&path, &limits, None, all), 960);
    }
}

#[test]
fn outside_chess960_suite_a_ply_deeper_with_a_cache() {
    if let Some(path) = outside("chess960.epd") {
        let cache = Cache::new(64).expect("64 MiB of memory");
        let limits = Limits { depth: Depth::new(5), nodes: None };
        assert_eq!(check(&path, &limits, cache.as_ref(), |index| index % 8 == 0), 120);
    }
}
