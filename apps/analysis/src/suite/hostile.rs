//! Files of any bytes: what the fuzz target checks, for its corpus and for random files.

#[path = "../../../../fuzz/checks/epd.rs"]
mod check_epd;

use crate::corpus::{damaged, replay};

#[test]
fn every_suite_of_the_corpus_keeps_the_promises() {
    replay("../../fuzz/corpus/epd", check_epd::check);
}

#[test]
fn long_damaged_suites_keep_the_promises() {
    const SUITE: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7+ \
        Qxf7#; id \"mates.01\"; c0 \"Qxf7=10, Qf3=2\";\n# none\n\n8/8/8/8/8/2k5/1q6/K7 w - - dm 0; \
        hmvc 3;\n4k3/8/8/8/8/8/8/R3K2R w KQ - 3 17 am O-O-O; c9 \"O-O Rf1\"; c8 \"10 5\";\r\n";
    damaged(SUITE.as_bytes(), 2_000, check_epd::check);
}
