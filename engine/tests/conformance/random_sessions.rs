//! Random sequences of commands against a model of what may come out.
//!
//! `TAMARIN_SEQUENCES` asks for more of them than the usual run has.

use crate::support::files::Folder;
use crate::support::network_file::queens;
use crate::support::uci_storm::{COMMANDS, run};
use crate::support::{Engine, times};

#[cfg(target_os = "linux")]
use crate::support::Launch;

const SEQUENCES: usize = 30;

#[test]
fn random_sequences_of_commands_never_surprise_the_model() {
    let count = times("TAMARIN_SEQUENCES", SEQUENCES);
    let folder = Folder::new("random-sessions");
    let network = folder.file("queens.net", queens(1024));
    for seed in 0..count as u64 {
        let mut engine = Engine::start();
        run(&mut engine, seed, &network);
        engine.quit();
    }
    println!("{count} sequences of {COMMANDS} commands");
}

#[cfg(target_os = "linux")]
#[test]
fn random_sequences_of_commands_hold_when_memory_is_refused() {
    let confined = |kib: u64| {
        let mut engine = Launch::one_arena().start();
        engine.sync();
        engine.allow_more_memory(kib);
        engine
    };
    let mut engine = confined(2_000);
    for line in ["setoption name Threads value 4", "setoption name Hash value 64"] {
        let notes = engine.notes(line);
        assert_eq!(notes.len(), 1, "{line} was not refused: {notes:?}");
    }
    engine.quit();
    let folder = Folder::new("refused-memory");
    let network = folder.file("queens.net", queens(1024));
    for seed in 0..10 {
        let mut engine = confined(4_000);
        run(&mut engine, 1_000_000 + seed, &network);
        engine.quit();
    }
}
