//! Replays the committed fuzz corpora through the checks of the fuzz targets.

#[path = "../../fuzz/checks/position.rs"]
pub mod checks;

use std::fs;
use std::path::Path;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{target}: only {} inputs", files.len());
    for file in files {
        println!("{}", file.display());
        let data = fs::read(&file).unwrap();
        check(&data);
        // Every prefix is an input, too.
        (0..data.len()).for_each(|end| check(&data[..end]));
    }
}

#[test]
fn fen() {
    replay("fen", checks::fen);
}

#[test]
fn uci_move() {
    replay("uci_move", checks::uci_move);
}

#[test]
fn san() {
    replay("san", checks::san);
}
