//! Replays the fuzz corpus, so that what fuzzing found stays found.

use std::fs;
use std::path::Path;

#[path = "../fuzz/check.rs"]
mod check;

#[test]
fn every_corpus_file_keeps_the_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/line");
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        let bytes = fs::read(&path).unwrap();
        check::check(&bytes);
        for line in bytes.split(|byte| *byte == b'\n') {
            check::check(line);
        }
        count += 1;
    }
    assert!(count >= 10, "{count} files in {}", folder.display());
}
