//! A line of progress for work that takes long.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::output::millions;
use crate::control::Control;

/// Work that is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two looks at the progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Does `work`, showing its progress on standard error if that is a terminal.
pub(super) fn watch<T: Send>(control: &Control, work: impl FnOnce() -> T + Send) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (alive, ended) = mpsc::channel::<()>();
        let worker = scope.spawn(move || {
            // Dropped when the work ends, by a panic too, which wakes the watcher.
            let _alive = alive;
            work()
        });
        let start = Instant::now();
        let mut shown = false;
        while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if start.elapsed() >= PATIENCE {
                show(&line(control, start.elapsed()));
                shown = true;
            }
        }
        if shown {
            show("");
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Replaces the line of progress.
fn show(text: &str) {
    // The answer of the command does not depend on whether its progress is seen.
    let _ = write!(io::stderr(), "\r\x1b[K{text}");
}

fn line(control: &Control, time: Duration) -> String {
    let progress = control.progress();
    let percent = 100 * progress.done / progress.total.max(1);
    let (nodes, rate) = (progress.nodes, millions(progress.nodes, time));
    format!("{percent:>3} %  {nodes} nodes  {rate:.0} Mnps  {} s", time.as_secs())
}
