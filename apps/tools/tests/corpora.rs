//! Replays the committed fuzz corpora through the checks of their targets, as they are and damaged at
//! random. Those of lines and of positions are replayed in `uci` and `movegen`, sessions in `engine`.

#[path = "../../../fuzz/checks/book.rs"]
mod check_book;
#[path = "../../../fuzz/checks/epd.rs"]
mod check_epd;
#[path = "../../../fuzz/checks/evaluation.rs"]
mod check_evaluation;
#[path = "../../../fuzz/checks/hash.rs"]
mod check_hash;
#[path = "../../../fuzz/checks/network.rs"]
mod check_network;
#[path = "../../../fuzz/checks/peer.rs"]
mod check_peer;
#[path = "../../../fuzz/checks/pgn.rs"]
mod check_pgn;
#[path = "../../../fuzz/checks/puzzle.rs"]
mod check_puzzle;
#[path = "../../../fuzz/checks/syzygy.rs"]
mod check_syzygy;
#[path = "../../../fuzz/checks/variant.rs"]
mod check_variant;
#[path = "../../../fuzz/checks/corpus.rs"]
mod corpus;

use crate::long::long_or;

/// Tests that every file of a corpus keeps the promises, and `$rounds` damaged copies of each. A hash
/// table takes half a second, so they are left to libFuzzer.
macro_rules! corpora {
    ($($test:ident: $folder:literal, $check:path, $rounds:literal;)*) => {$(
        #[test]
        fn $test() {
            corpus::replay($folder, $rounds * long_or(100, 1), $check);
        }
    )*};
}

corpora! {
    books_keep_the_promises: "../../fuzz/corpus/book", check_book::check, 200;
    suites_keep_the_promises: "../../fuzz/corpus/epd", check_epd::check, 0;
    long_damaged_suites_keep_the_promises: "../../fuzz/corpus/epd", check_epd::check, 200;
    evaluators_keep_the_promises: "../../fuzz/corpus/evaluation", check_evaluation::check, 200;
    long_hash_tables_keep_the_promises: "../../fuzz/corpus/hash", check_hash::check, 0;
    networks_keep_the_promises: "../../fuzz/corpus/network", check_network::check, 50;
    messages_keep_the_promises: "../../fuzz/corpus/peer", check_peer::check, 150;
    games_keep_the_promises: "../../fuzz/corpus/pgn", check_pgn::check, 0;
    long_damaged_games_keep_the_promises: "../../fuzz/corpus/pgn", check_pgn::check, 200;
    puzzles_keep_the_promises: "../../fuzz/corpus/puzzle", check_puzzle::check, 200;
    tablebases_keep_the_promises: "../../fuzz/corpus/syzygy", check_syzygy::check, 50;
    rules_keep_the_promises: "../../variant/games", check_variant::check, 10;
}
