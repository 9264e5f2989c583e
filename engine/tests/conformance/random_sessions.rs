//! Random sequences of commands against a model of what may come out.
//!
//! `TAMARIN_SEQUENCES` asks for more of them than the usual run has.

#[path = "../../../fuzz/checks/session.rs"]
mod check_session;
#[path = "../../../fuzz/checks/corpus.rs"]
mod corpus;

use crate::support::files::Folder;
use crate::support::network_file::queens;
use crate::support::uci_storm::run;
use crate::support::xboard::Client;
use crate::support::{Engine, Random, times, xboard_storm};

#[test]
fn long_random_sequences_of_commands_never_surprise_the_model() {
    let folder = Folder::new("random-sessions");
    let network = folder.file("queens.net", queens(1024));
    for seed in 0..times("TAMARIN_SEQUENCES", 30) as u64 {
        let mut engine = Engine::start();
        run(&mut engine, seed, &network);
        engine.quit();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn long_random_sequences_of_commands_hold_when_memory_is_refused() {
    let folder = Folder::new("refused-memory");
    let network = folder.file("queens.net", queens(1024));
    for seed in 0..10 {
        let mut engine = crate::support::Launch::one_arena().start();
        engine.sync();
        engine.allow_more_memory(4_000);
        let notes = engine.notes("setoption name Hash value 64");
        assert_eq!(notes.len(), 1, "it was not refused: {notes:?}");
        run(&mut engine, 1_000_000 + seed, &network);
        engine.quit();
    }
}

#[test]
fn long_xboard_commands_in_any_order_are_survived_and_pings_are_answered() {
    let mut random = Random::new(2024);
    let mut client = Client::ready();
    for round in 0..times("TAMARIN_SEQUENCES", 60) {
        let lines = xboard_storm::run(&mut client, &mut random);
        println!("round {round}: {lines:?}");
    }
    client.quit();
}

/// What fuzzing has found, as it is and damaged at random.
#[test]
fn every_session_of_the_fuzz_corpus_keeps_the_promises() {
    corpus::replay("../fuzz/corpus/session", 10, check_session::check);
}
