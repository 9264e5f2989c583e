//! Our own suites, counted on all cores: the deepest count of up to half a million nodes of each
//! position. `make suites` takes those of up to 20 million, here and in outside suites, and
//! `make prove-perft` all of them.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use tamarin_perft::suite::{Limits, Suite};
use tamarin_perft::{Cache, Control, Options};

const LIMITS: Limits = Limits { depth: None, nodes: Some(500_000) };

/// Checks the records that `choose` picks by their index; returns how many there are.
fn check(path: &Path, limits: &Limits, cache: Option<&Cache>, choose: fn(usize) -> bool) -> usize {
    let suite = Suite::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let threads = available_parallelism().expect("the number of cores is known");
    let options = Options { threads, cache, ..Options::default() };
    let control = Control::new();
    let chosen = suite.records().iter().enumerate().filter(|&(index, _)| choose(index));
    let mut number = 0;
    for (_, record) in chosen {
        let result = record.check(limits, &options, &control).expect("64 bits hold it");
        assert_eq!(result.mismatch, None, "line {}: {}", record.line, record.fen);
        assert!(result.depth.is_some(), "line {}: nothing was counted", record.line);
        number += 1;
    }
    number
}

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites").join(name)
}

#[test]
fn own_suites() {
    let all = |_| true;
    assert_eq!(check(&own("standard.epd"), &LIMITS, None, all), 276);
    assert_eq!(check(&own("chess960.epd"), &LIMITS, None, all), 220);
    assert_eq!(check(&own("rules.epd"), &LIMITS, None, all), 88);
}

/// A cache far too small, in which records are overwritten all the time. Every fourth position, up to
/// five million nodes.
#[test]
fn own_suites_with_a_cache() {
    let cache = Cache::new(1).expect("a MiB of memory");
    let limits = Limits { nodes: Some(5_000_000), ..LIMITS };
    let fourth = |index| index % 4 == 0;
    assert_eq!(check(&own("standard.epd"), &limits, cache.as_ref(), fourth), 69);
    assert_eq!(check(&own("chess960.epd"), &limits, cache.as_ref(), fourth), 55);
}
