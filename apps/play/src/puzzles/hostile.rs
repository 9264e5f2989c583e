//! Files of any bytes: what the fuzz target checks, for its corpus and for random files.

#[path = "../../../../fuzz/checks/puzzle.rs"]
mod check_puzzle;

use crate::corpus::{damaged, replay};

#[test]
fn every_file_of_the_corpus_keeps_the_promises() {
    replay("../../fuzz/corpus/puzzle", check_puzzle::check);
}

#[test]
fn damaged_files_keep_the_promises() {
    const FILE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";\n\
        0000D,6k1/5ppp/8/8/8/7r/5PPP/3R2K1 b - - 0 1,h3h5 d1d8,1433,75,95,2000,mate\n# none\n\
        k7/8/1K6/8/8/8/8/2Q4R w - - pv 1. Qc8+ Ka7 2. Qb7#;\r\n\
        6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd7 Rd6; dm 1;\n";
    damaged(FILE.as_bytes(), 2_000, check_puzzle::check);
}
