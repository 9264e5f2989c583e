//! Clients that read nothing.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use super::{Launch, PATIENCE, ms};

/// Things that an engine may be doing whose client reads nothing, and lines that it answers
/// meanwhile: more than a pipe holds.
pub const UNREAD: [(&str, &str, usize); 8] = [
    ("", "isready", 10_000),
    ("", "d", 400),
    ("position startpos", "perft 2", 400),
    ("setoption name MultiPV value 256\ngo infinite", "isready", 10_000),
    ("setoption name Threads value 2\ngo ponder wtime 3600000 btime 3600000", "isready", 10_000),
    ("setoption name UCI_Variant value locusts\ngo infinite", "isready", 10_000),
    ("xboard\nprotover 2\npost\nanalyze", "ping 1", 10_000),
    ("xboard\nprotover 2\nst 36000\ngo", ".", 10_000),
];

/// With this number of bytes in it a pipe is full or will be soon.
const FULL: u64 = 12 << 10;

/// A process that is killed at the end of its test.
pub struct Killed(pub Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // Both fail when it has ended by itself, as it should.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Such a state of the engine, and its end: see [`end`].
pub fn end_unread(state: &(&'static str, &'static str, usize), last: &'static str) -> Duration {
    let (begin, line, count) = *state;
    let input = format!("{begin}\n{}", format!("{line}\n").repeat(count));
    end(Launch::new(), input, last)
}

/// A client that closes the output of an engine in this state, and leaves its input open; the time to
/// the end of the process.
pub fn end_unheard(state: &str) -> Duration {
    let mut child = Killed(Launch::new().spawn());
    let Killed(child) = &mut child;
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
    // What hangs is ended by the runner of the tests.
    let status = child.wait().expect("a child can be waited for");
    let time = begun.elapsed();
    let mut errors = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut errors).expect("text");
    assert!(status.success() && errors.is_empty(), "{state:?}: {status}: {errors}");
    time
}

/// A client that reads nothing and sends `last` before it ends its input; the time from then to the
/// end of the process. The pipe is full when the end comes.
pub fn end(launch: Launch, input: String, last: &'static str) -> Duration {
    let state: String = input.chars().take(80).collect();
    let mut child = Killed(launch.spawn());
    let Killed(child) = &mut child;
    let mut stdin = child.stdin.take().expect("piped");
    let stdout = child.stdout.take().expect("piped");
    // If the engine did not read on, this would wait for ever.
    let client = thread::spawn(move || {
        stdin.write_all(input.as_bytes()).expect("the engine reads");
        stdin
    });
    let begun = Instant::now();
    let (mut client, mut has_ended, mut left) = (Some(client), None, begun);
    while has_ended.is_none() {
        has_ended = child.try_wait().expect("a child can be waited for");
        let waiting = rustix::io::ioctl_fionread(&stdout).expect("a pipe");
        if let Some(client) = client.take_if(|client| client.is_finished() && waiting >= FULL) {
            let mut stdin = client.join().expect("the engine has read everything");
            left = Instant::now();
            stdin.write_all(last.as_bytes()).expect("the engine reads");
        }
        let is_patient = begun.elapsed() < PATIENCE;
        assert!(is_patient, "{state:?} and {last:?}: still running, {waiting} bytes wait");
        thread::sleep(ms(2));
    }
    let time = left.elapsed();
    assert!(client.is_none(), "{state:?} and {last:?}: ended too soon");
    let status = has_ended.expect("it has ended");
    let mut errors = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut errors).expect("text");
    assert!(status.success() && errors.is_empty(), "{state:?} and {last:?}: {status}: {errors}");
    time
}
