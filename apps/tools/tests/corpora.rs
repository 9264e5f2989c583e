//! Replays the committed fuzz corpora of networks, tablebases, hash tables, games and
//! evaluators through the checks of their targets, as they are and damaged at random: those that need
//! no more than what the crates offer to everybody. The others are tested in their crates.

#[path = "../../../fuzz/checks/evaluation.rs"]
mod check_evaluation;
#[path = "../../../fuzz/checks/hash.rs"]
mod check_hash;
#[path = "../../../fuzz/checks/network.rs"]
mod check_network;
#[path = "../../../fuzz/checks/syzygy.rs"]
mod check_syzygy;
#[path = "../../../fuzz/checks/variant.rs"]
mod check_variant;
#[path = "../../../engine/tests/support/corpus.rs"]
mod corpus;

use corpus::{replay, replay_damaged};

use crate::long::long_or;

/// Tests that every file of a corpus keeps the promises, and `$rounds` damaged copies of each. A hash
/// table takes half a second, so they are left to libFuzzer.
macro_rules! corpora {
    ($($test:ident: $folder:literal, $check:path, $rounds:literal;)*) => {$(
        #[test]
        fn $test() {
            replay($folder, $check);
            replay_damaged($folder, $rounds * long_or(100, 1), $check);
        }
    )*};
}

corpora! {
    every_network_keeps_the_promises: "../../fuzz/corpus/network", check_network::check, 50;
    every_tablebase_keeps_the_promises: "../../fuzz/corpus/syzygy", check_syzygy::check, 50;
    long_every_hash_table_keeps_the_promises: "../../fuzz/corpus/hash", check_hash::check, 0;
    every_evaluator_keeps_the_promises: "../../fuzz/corpus/evaluation", check_evaluation::check, 200;
    every_game_keeps_the_promises: "../../variant/games", check_variant::check, 10;
}
