//! The process ends, whatever it is doing. How soon is measured by `make bench-latency`: nothing
//! here ends by itself within hours, so an end within the patience is one that was asked for.

use std::thread;

use crate::support::{Engine, STATES, ms};

#[cfg(unix)]
use crate::support::unread::{UNREAD, end_unheard, end_unread};
#[cfg(unix)]
use crate::support::{Launch, PATIENCE, signal, times};

#[test]
fn eof_in_any_state_ends_the_process() {
    for state in STATES {
        let mut engine = Engine::start();
        engine.send(state);
        engine.sync();
        thread::sleep(ms(20));
        engine.close_stdin();
        engine.expect_exit();
    }
}

#[cfg(unix)]
#[test]
fn closed_output_ends_the_process_quietly() {
    for state in STATES {
        end_unheard(state);
    }
}

/// At most a second after the end, says `make bench-latency`.
#[cfg(unix)]
#[test]
fn long_a_client_that_reads_nothing_cannot_keep_the_process() {
    for _ in 0..times("TAMARIN_UNREAD", 1) {
        for last in ["", "quit\n"] {
            thread::scope(|scope| {
                for state in &UNREAD {
                    scope.spawn(move || end_unread(state, last));
                }
            });
        }
    }
}

#[test]
fn quit_ends_the_process_at_any_time() {
    let busy = ["go perft 12", "bench 16 1 60", "setoption name Hash value 512\nucinewgame"];
    for state in STATES[2..5].iter().chain(&busy) {
        let mut engine = Engine::ready();
        engine.send(state);
        thread::sleep(ms(30));
        engine.send("quit");
        engine.expect_exit();
    }
}

#[cfg(unix)]
#[test]
fn signals_end_the_process_cleanly() {
    for name in ["-TERM", "-INT"] {
        for state in ["go infinite", "perft 9"] {
            let mut engine = Engine::ready();
            engine.send(state);
            thread::sleep(ms(50));
            signal(engine.id(), name);
            engine.expect_exit();
        }
    }
}

/// `nohup` has SIGHUP ignored before it starts a program.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_is_ignored_at_the_start_stays_ignored() {
    let launch = Launch::program("sh").configure(|command| {
        command.arg("-c").arg("trap '' HUP && exec \"$0\"").arg(crate::support::engine::binary());
    });
    let mut engine = launch.start();
    engine.send("go infinite");
    engine.until("info");
    signal(engine.id(), "-HUP");
    engine.no_bestmove_for(ms(300));
    engine.send("stop");
    engine.search();
    engine.quit();
}

/// Endless searches end properly; what a signal cuts off makes the exit status 130.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_search_of_the_arguments_with_its_move() {
    for (goes, status) in [
        (&["go", "infinite"][..], 0),
        (&["go", "depth", "200"], 130),
        (&["go infinite", "go nodes 1000000000000"], 130),
    ] {
        // Ten minutes of grace, for a busy machine: the process ends by itself.
        let launch = Launch::new().args(goes).configure(|command| {
            command.env("TAMARIN_LEAST_GRACE", "600000");
        });
        let mut engine = launch.start();
        engine.until("info");
        signal(engine.id(), "-INT");
        engine.search();
        let (_, ended) = engine.exit_within(PATIENCE);
        assert_eq!(ended.code(), Some(status), "{goes:?}");
    }
    for work in ["genfens 100000 seed 1 book None", "bench 16 1 60", "perft 9"] {
        // The work comes next when the search before it has its move.
        let mut engine = Launch::new().args(&["go depth 6", work]).start();
        engine.search();
        signal(engine.id(), "-INT");
        let (_, status) = engine.exit_within(PATIENCE);
        assert_eq!(status.code(), Some(130), "{work}");
    }
}
