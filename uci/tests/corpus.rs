//! Replays the fuzz corpora, so that what fuzzing found stays found.

use crate::check;
use crate::check_reply;
use crate::check_xboard;
use std::fs;
use std::path::Path;

/// Gives every file of a corpus, and every line of it, to the check of its target.
fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        let bytes = fs::read(&path).unwrap();
        check(&bytes);
        bytes.split(|byte| *byte == b'\n').for_each(check);
        count += 1;
    }
    assert!(count >= 10, "{count} files in {}", folder.display());
}

#[test]
fn every_corpus_file_keeps_the_promises() {
    replay("line", check::check);
}

#[test]
fn every_corpus_file_of_xboard_keeps_the_promises() {
    replay("xboard", check_xboard::check);
}

#[test]
fn every_corpus_file_of_replies_keeps_the_promises() {
    replay("reply", check_reply::check);
}
