//! A progress bar for work that takes long.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::output::millions;
use crate::control::Control;

/// Work that is done sooner shows no bar.
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
        let mut bar = None;
        while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if start.elapsed() >= PATIENCE {
                update(bar.get_or_insert_with(new_bar), control, start);
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn new_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}")
        .expect("invariant: the template is well formed");
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_style(style)
}

fn update(bar: &ProgressBar, control: &Control, start: Instant) {
    let progress = control.progress();
    bar.set_length(progress.total as u64);
    bar.set_position(progress.done as u64);
    let seconds = start.elapsed().as_secs();
    let rate = millions(progress.nodes, start.elapsed());
    bar.set_message(format!("{} nodes  {rate:.0} Mnps  {seconds} s", progress.nodes));
}
