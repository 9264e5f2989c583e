//! What other programs take from an answer: how long its threads were ready to run and did not.
//!
//! Linux counts that for each thread; elsewhere it is taken as none. It is counted off only where
//! the engine leaves a core free, for otherwise its threads wait for each other, and never to
//! more than [`counted`] allows: a slow engine stays slow.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::ms;

/// The most that is ever counted off an answer.
const MOST: Duration = ms(20);

/// How long the threads that take part in an answer have waited for a core so far.
#[derive(Clone, Default, Debug)]
pub struct Waits {
    /// By thread of the engine.
    engine: BTreeMap<String, Duration>,
    /// The thread of the test that reads the engine's output.
    reader: Duration,
}

impl Waits {
    /// The waits of a process, and of one thread of this one.
    pub fn of(process: u32, reader: Option<&Path>) -> Self {
        let threads = std::fs::read_dir(format!("/proc/{process}/task"));
        let waited = |thread: std::io::Result<std::fs::DirEntry>| {
            let thread = thread.ok()?;
            // A thread may end while we look.
            Some((thread.file_name().to_string_lossy().into_owned(), waited_by(&thread.path())?))
        };
        let engine =
            threads.map_or_else(|_| BTreeMap::new(), |all| all.filter_map(waited).collect());
        Self { engine, reader: reader.and_then(waited_by).unwrap_or_default() }
    }

    /// What was lost since: by the thread of the engine that waited longest, which the others
    /// then waited for, and by the reader.
    pub fn since(&self, earlier: &Self) -> Duration {
        let before = |thread| earlier.engine.get(thread).copied().unwrap_or_default();
        let waits = self.engine.iter().map(|(thread, wait)| wait.saturating_sub(before(thread)));
        waits.max().unwrap_or_default() + self.reader.saturating_sub(earlier.reader)
    }
}

/// Do so many search threads leave a core free, so that waits are the fault of others?
pub fn leave_a_core(threads: usize) -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| threads < cores.get())
}

/// The time that counts of an answer that took `elapsed`, when others took `lost` of it: at
/// least half, and at most 20 ms less.
pub fn counted(elapsed: Duration, lost: Duration) -> Duration {
    elapsed - lost.min(MOST).min(elapsed / 2)
}

/// The thread that asks, as a folder of the process file system.
pub fn this_thread() -> Option<std::path::PathBuf> {
    Some(Path::new("/proc").join(std::fs::read_link("/proc/thread-self").ok()?))
}

/// How long a thread has been ready to run without running.
fn waited_by(thread: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split(' ').nth(1)?.parse().ok().map(Duration::from_nanos)
}
