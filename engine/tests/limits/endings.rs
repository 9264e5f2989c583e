//! How soon the process ends, whatever it is doing.

use std::thread;
use std::time::{Duration, Instant};

use crate::alone;
use crate::support::{Engine, PATIENCE, ms, retry_once};

/// Twelve things an engine may be doing when its client goes away.
const STATES: [&str; 12] = [
    "",
    "uci",
    "position startpos moves e2e4",
    "position fen nonsense",
    "go infinite",
    "go ponder wtime 100000 btime 100000",
    "setoption name Threads value 3\ngo infinite",
    "setoption name MultiPV value 20\ngo infinite",
    "position fen 7k/8/6K1/8/8/8/8/1Q6 b - - 0 1\ngo infinite",
    "go infinite\nposition startpos moves d2d4\ngo infinite\nisready",
    "setoption name Hash value 4\nucinewgame\nsetoption name Clear Hash",
    "go ponder wtime 60 btime 60\nponderhit",
];

#[test]
fn eof_in_any_state_ends_the_process_soon() {
    let _turn = alone();
    for state in STATES {
        retry_once(|| {
            let mut engine = Engine::start();
            engine.send(state);
            engine.sync();
            thread::sleep(ms(20));
            engine.close_stdin();
            let begun = Instant::now();
            engine.expect_exit(PATIENCE);
            let took = begun.elapsed();
            if took < ms(200) { Ok(()) } else { Err(format!("{state:?} took {took:?}")) }
        });
    }
}

#[cfg(unix)]
#[test]
fn closed_output_ends_the_process_soon_and_quietly() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};
    let _turn = alone();
    for state in STATES {
        retry_once(|| {
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
            let took = begun.elapsed();
            let mut errors = String::new();
            child.stderr.take().expect("piped").read_to_string(&mut errors).expect("text");
            assert!(status.success(), "{state:?}: {status}");
            assert_eq!(errors, "", "{state:?}");
            if took < ms(250) { Ok(()) } else { Err(format!("{state:?} took {took:?}")) }
        });
    }
}

#[test]
fn quit_ends_the_process_at_any_time() {
    let _turn = alone();
    let busy = [
        "isready",
        "go infinite",
        "go depth 200",
        "go ponder wtime 60000 btime 60000",
        "perft 9",
        "go perft 9",
        "bench 16 1 60",
        "speedtest 2 16 600",
        "setoption name Hash value 512\nsetoption name Clear Hash\nucinewgame",
        "stop",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    ];
    for state in busy {
        let mut engine = Engine::ready();
        engine.send(state);
        thread::sleep(ms(30));
        engine.send("quit");
        let (_, status) = engine.exit_within(ms(1500));
        assert!(status.success(), "{state:?}: {status}");
    }
}

#[test]
fn quit_during_a_search_ends_the_process_within_a_tenth_of_a_second() {
    let _turn = alone();
    for threads in [1, 2] {
        retry_once(|| {
            let mut slowest = Duration::ZERO;
            for round in 0..20 {
                let mut engine = Engine::ready();
                engine.send(&format!("setoption name Threads value {threads}\ngo infinite"));
                thread::sleep(ms(round));
                engine.send("quit");
                engine.expect_exit(PATIENCE);
                slowest = slowest.max(engine.asked().elapsed());
            }
            println!("quit to the end, {threads} threads, 20 times: at most {slowest:?}");
            if slowest < ms(100) { Ok(()) } else { Err(format!("{slowest:?}")) }
        });
    }
}

#[cfg(unix)]
#[test]
fn signals_end_the_process_cleanly() {
    use std::process::Command;
    let _turn = alone();
    for signal in ["-TERM", "-INT", "-HUP"] {
        for state in ["isready", "go infinite", "perft 9"] {
            retry_once(|| {
                let mut engine = Engine::ready();
                engine.send(state);
                thread::sleep(ms(50));
                let begun = Instant::now();
                let id = engine.id().to_string();
                let sent = Command::new("kill").args([signal, &id]).status().expect("kill runs");
                assert!(sent.success());
                engine.expect_exit(PATIENCE);
                let took = begun.elapsed();
                if took < ms(250) { Ok(()) } else { Err(format!("{signal} {state}: {took:?}")) }
            });
        }
    }
}
