//! Files of any bytes: what the fuzz target checks, for its corpus and for random files.

#[path = "../../../../fuzz/checks/pgn.rs"]
mod check_pgn;

use crate::corpus::{damaged, replay};

#[test]
fn every_pgn_of_the_corpus_keeps_the_promises() {
    replay("../../fuzz/corpus/pgn", check_pgn::check);
}

#[test]
fn long_damaged_games_keep_the_promises() {
    const GAMES: &str = "[Event \"one\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 {[%eval 0.1]} e5 $1\r\n\
        \r\n(1... c5 2. Nf3 (2. c3)) 2. Nf3 Nc6 ; Spanish\r\n3. Bb5 1-0\r\n\r\n[FEN \"4k3/8/8/8/8/\
        8/8/4K2R w K - 0 1\"]\n% escaped\n\n1. O-O Ke7 1/2-1/2\n\n1. d4 d5 *\n";
    damaged(GAMES.as_bytes(), 4_000, check_pgn::check);
}
