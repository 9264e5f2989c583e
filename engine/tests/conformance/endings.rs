//! The process ends, whatever it is doing. How soon is measured by `make bench-latency`: nothing
//! here ends by itself within hours, so an end within the patience is one that was asked for.

use std::thread;

use crate::support::{Engine, ms};

#[cfg(unix)]
use crate::support::unread::{UNREAD, end_unread};
#[cfg(unix)]
use crate::support::{Launch, PATIENCE, signal, times};

/// Twelve things an engine may be doing when its client goes away.
const STATES: [&str; 12] = [
    "",
    "uci",
    "position startpos moves e2e4",
    "position fen nonsense",
    "go infinite",
    "go ponder wtime 36000000 btime 36000000",
    "setoption name Threads value 3\ngo infinite",
    "setoption name MultiPV value 20\ngo infinite",
    "position fen 7k/8/6K1/8/8/8/8/1Q6 b - - 0 1\ngo infinite",
    "go infinite\nposition startpos moves d2d4\ngo infinite\nisready",
    "setoption name Hash value 4\nucinewgame\nsetoption name Clear Hash",
    "go ponder wtime 60 btime 60\nponderhit",
];

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
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    use std::time::Instant;
    for state in STATES {
        let mut child = Command::new(crate::support::engine::binary())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut stdin = child.stdin.take().expect("piped");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        writeln!(stdin, "{state}\nisready").expect("it reads");
        let mut line = String::new();
        while line != "readyok\n" {
            line.clear();
            assert!(stdout.read_line(&mut line).expect("text") > 0, "{state:?}: closed");
        }
        drop(stdout);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                child.kill().expect("it still runs");
                panic!("{state:?}: still running without a reader");
            }
            thread::sleep(ms(1));
        };
        let mut errors = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut errors).expect("text");
        assert!(status.success(), "{state:?}: {status}");
        assert_eq!(errors, "", "{state:?}");
    }
}

/// At most a second after the end, says `make bench-latency`.
#[cfg(unix)]
#[test]
fn a_client_that_reads_nothing_cannot_keep_the_process() {
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
    for state in [
        "isready",
        "go infinite",
        "setoption name Threads value 2\ngo infinite",
        "go depth 200",
        "go ponder wtime 36000000 btime 36000000",
        "perft 9",
        "go perft 9",
        "bench 16 1 60",
        "bench 16 2 600000 default movetime",
        "setoption name Hash value 512\nsetoption name Clear Hash\nucinewgame",
        "stop",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    ] {
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
    for name in ["-TERM", "-INT", "-HUP"] {
        if name == "-HUP" && is_hangup_ignored() {
            println!("SKIP: the tests were started with SIGHUP ignored");
            continue;
        }
        for state in ["isready", "go infinite", "perft 9"] {
            let mut engine = Engine::ready();
            engine.send(state);
            thread::sleep(ms(50));
            signal(engine.id(), name);
            engine.expect_exit();
        }
    }
}

/// Whether these tests were started by `nohup` or its like, so that the engine is too.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 != 0)
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

#[cfg(unix)]
#[test]
fn a_signal_that_cuts_off_a_search_of_the_arguments_makes_the_exit_status_130() {
    for goes in [&["go", "depth", "200"][..], &["go infinite", "go nodes 1000000000000"]] {
        // Ten minutes of grace, for a busy machine: the process ends by itself.
        let launch = Launch::new().args(goes).configure(|command| {
            command.env("TAMARIN_LEAST_GRACE", "600000");
        });
        let mut engine = launch.start();
        engine.until("info");
        signal(engine.id(), "-INT");
        engine.search();
        let (_, status) = engine.exit_within(PATIENCE);
        assert_eq!(status.code(), Some(130), "{goes:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_that_cuts_off_a_command_of_the_arguments_makes_the_exit_status_130() {
    for work in ["genfens 100000 seed 1 book None", "bench 16 1 60", "perft 9"] {
        // The work comes next when the search before it has its move.
        let mut engine = Launch::new().args(&["go depth 6", work]).start();
        engine.search();
        signal(engine.id(), "-INT");
        let (_, status) = engine.exit_within(PATIENCE);
        assert_eq!(status.code(), Some(130), "{work}");
    }
}

#[cfg(unix)]
#[test]
fn an_endless_search_of_the_arguments_ends_properly_on_a_signal() {
    // Ten minutes of grace, for a busy machine: the process ends by itself.
    let launch = Launch::new().args(&["go", "infinite"]).configure(|command| {
        command.env("TAMARIN_LEAST_GRACE", "600000");
    });
    let mut engine = launch.start();
    engine.until("info");
    signal(engine.id(), "-INT");
    engine.search();
    engine.expect_exit();
}
