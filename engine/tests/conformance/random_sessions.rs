//! Random sequences of commands against a model of what may come out, and games of the engine against
//! itself with a referee at the pipes. Losses on time by a real clock are counted by
//! `make bench-latency`.
//!
//! `TAMARIN_SEQUENCES` and `TAMARIN_GAMES` ask for more of them than the usual run has.

#[path = "../../../fuzz/checks/session.rs"]
mod check_session;
#[path = "../../../fuzz/checks/corpus.rs"]
mod corpus;

use crate::support::files::Folder;
use crate::support::game::{Control, play};
use crate::support::network_file::queens;
use crate::support::uci_storm::run;
use crate::support::xboard::Client;
use crate::support::{Engine, Random, ms, times, xboard_storm};

#[test]
fn long_random_sequences_of_commands_never_surprise_the_model() {
    let folder = Folder::new();
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
    let folder = Folder::new();
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
fn sessions_of_the_fuzz_corpus_keep_the_promises() {
    corpus::replay("../fuzz/corpus/session", 10, check_session::check);
}

const CONTROLS: [Control; 4] = [
    Control::Clock { base: ms(100), increment: ms(1), moves: None },
    Control::Clock { base: ms(200), increment: ms(0), moves: None },
    Control::Clock { base: ms(200), increment: ms(0), moves: Some(20) },
    Control::Move(ms(5)),
];

#[test]
fn long_games_at_fast_controls_have_a_legal_move_for_each_go() {
    let mut players = [Engine::ready(), Engine::ready()];
    for control in CONTROLS {
        for seed in 0..times("TAMARIN_GAMES", 1) as u64 {
            let mut random = Random::new(seed);
            // Between nothing and a quarter of the clock, whatever the computer took.
            let outcome =
                play(&mut players, control, seed, |_, left| left * random.below(250) as u32 / 1000);
            assert_eq!(outcome.loss, None);
        }
    }
    players.into_iter().for_each(Engine::quit);
}
