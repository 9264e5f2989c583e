//! Ends the process in time, whatever it is doing.

use std::io::{self, IsTerminal};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::panics;

/// How long `quit` waits for work in progress (a perft, a benchmark) to come to its end.
///
/// Clients give an engine about a second, and a user who pipes in `perft 5` and `quit` wants the
/// count.
pub const QUIT_GRACE: Duration = Duration::from_millis(850);

/// How long `quit` waits for what was asked before it.
const ANSWER_GRACE: Duration = Duration::from_secs(60);

/// How long a signal or a closed output waits for it.
pub const SIGNAL_GRACE: Duration = Duration::from_millis(120);

/// The status with which [`exit_after`] ends the process.
static STATUS: AtomicU8 = AtomicU8::new(0);

/// The status of a process whose output cannot be written.
pub const UNWRITABLE: u8 = 2;

/// The status of a process whose work a signal has cut off.
pub const INTERRUPTED: u8 = 130;

/// From now on [`exit_after`] ends the process with this status, not with success.
pub fn fail_with(status: u8) {
    STATUS.store(status, Ordering::Relaxed);
}

/// How long a client that has ended the input may leave a line unread.
pub const UNREAD_GRACE: Duration = Duration::from_millis(700);

/// How often a write that does not come to an end is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Ends the process unless it has ended by itself after `grace`: with success, with the status that
/// was given to [`fail_with`], and with status 1 after a panic.
///
/// Nothing is lost: the output is flushed line by line, and no file is ever half written.
pub fn exit_after(grace: Duration) {
    let grace = grace.max(least_grace());
    let end = move || {
        thread::sleep(grace);
        exit();
    };
    if thread::Builder::new().name("shutdown".into()).spawn(end).is_err() {
        exit();
    }
}

/// Ends the process, as [`exit_after`] does, once it has worked for [`QUIT_GRACE`] on what `is_long`
/// tells of. What else was asked before `quit` is carried out, unless it takes a minute.
pub fn exit_after_quit(is_long: impl Fn() -> bool + Send + 'static) {
    let (grace, most) = (QUIT_GRACE.max(least_grace()), ANSWER_GRACE.max(least_grace()));
    let end = move || {
        let (mut long, mut all) = (Duration::ZERO, Duration::ZERO);
        while long < grace && all < most {
            thread::sleep(LOOK);
            all += LOOK;
            long += if is_long() { LOOK } else { Duration::ZERO };
        }
        exit();
    };
    if thread::Builder::new().name("shutdown".into()).spawn(end).is_err() {
        exit();
    }
}

/// Held while a file is written.
static WRITES: Mutex<()> = Mutex::new(());

/// Writes a file that is complete before the process ends, even if that takes longer than the grace
/// of `quit`. `write` must not block on another process, as the writer of a pipe does.
pub fn after_writing<T>(write: impl FnOnce() -> T) -> T {
    let _held = WRITES.lock();
    write()
}

fn exit() -> ! {
    let _held = WRITES.lock();
    process::exit(if panics::seen() { 1 } else { STATUS.load(Ordering::Relaxed).into() })
}

/// Ends the process as soon as a write has waited for room for [`UNREAD_GRACE`]: the input has ended,
/// and a client that does not read either cannot be waited for. A terminal may be halted for as long
/// as its user likes.
pub fn exit_when_unread(writing: Arc<Writing>) {
    if io::stdout().is_terminal() {
        return;
    }
    let grace = UNREAD_GRACE.max(least_grace());
    let look = move || {
        let (mut seen, mut since) = (0, Instant::now());
        loop {
            let steps = writing.steps();
            // Where there is room the thread that writes waits for a processor.
            if steps != seen || steps.is_multiple_of(2) || has_room() {
                (seen, since) = (steps, Instant::now());
            } else if since.elapsed() >= grace {
                exit();
            }
            thread::sleep(LOOK);
        }
    };
    // Without a thread the process ends when its output is closed.
    let _ = thread::Builder::new().name("unread".into()).spawn(look);
}

/// The grace that a test asks for, so that what it asserts does not depend on how busy the machine
/// is; none in the builds that users have.
fn least_grace() -> Duration {
    if !cfg!(debug_assertions) {
        return Duration::ZERO;
    }
    let asked = std::env::var("TAMARIN_LEAST_GRACE").ok();
    asked.and_then(|text| text.parse().ok()).map_or(Duration::ZERO, Duration::from_millis)
}

/// As [`exit_when_unread`] from the moment on in which the other end of standard input is closed,
/// for a program that reads its input only when it has written everything. Where that cannot be known,
/// elsewhere than on Unix, nothing is done.
pub fn exit_when_left(writing: Arc<Writing>) {
    #[cfg(unix)]
    {
        let wait = move || {
            if other_end_is_closed(&io::stdin()) {
                exit_when_unread(writing);
            }
        };
        // As there.
        let _ = thread::Builder::new().name("left".into()).spawn(wait);
    }
    #[cfg(not(unix))]
    let _ = writing;
}

/// Whether an interrupt (Ctrl-C, SIGINT) ends the process. In UCI it does; under the XBoard
/// protocol it does not: XBoard and its engines share a terminal, and there the client alone
/// decides when an engine ends.
#[derive(Default)]
pub struct Interrupts {
    ignored: AtomicBool,
}

impl Interrupts {
    /// Whether they do nothing from now on, or end the process.
    pub fn set_ignored(&self, ignored: bool) {
        self.ignored.store(ignored, Ordering::Relaxed);
    }

    fn are_ignored(&self) -> bool {
        self.ignored.load(Ordering::Relaxed)
    }
}

/// Runs `action` on Ctrl-C, unless interrupts are ignored, and on the signals that ask a process
/// to end.
///
/// Where handlers cannot be set the system's defaults stay, which end the process too. On Linux SIGHUP
/// stays ignored if it was when the program started.
#[cfg(unix)]
pub fn on_signal(interrupts: Arc<Interrupts>, action: impl Fn() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let attended = [SIGINT, SIGTERM].into_iter().chain(hangup);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(attended) else { return };
    let attend = move || {
        for signal in signals.forever() {
            if signal != SIGINT || !interrupts.are_ignored() {
                action();
            }
        }
    };
    // Without a thread the signals are taken and not attended to: the client still has `quit`.
    let _ = thread::Builder::new().name("signals".into()).spawn(attend);
}

/// Whether this process was started with a signal ignored, as `nohup` does with SIGHUP. Where the
/// system has no `/proc` the answer is no.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

/// The same for Ctrl-C alone, where no thread can wait for signals.
#[cfg(not(unix))]
pub fn on_signal(interrupts: Arc<Interrupts>, action: impl Fn() + Send + 'static) {
    let interrupted = Arc::new(AtomicBool::new(false));
    // Without a handler Ctrl-C ends the process, as the system does by itself.
    #[cfg(not(target_family = "wasm"))]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&interrupted));
    let attend = move || {
        loop {
            if interrupted.swap(false, Ordering::Relaxed) && !interrupts.are_ignored() {
                action();
            }
            thread::sleep(LOOK);
        }
    };
    let _ = thread::Builder::new().name("signals".into()).spawn(attend);
}

/// A flag that is set as [`on_signal`] says; a second signal ends the process with [`INTERRUPTED`].
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    on_signal(Arc::default(), move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED.into());
        }
    });
    stop
}

/// Runs `action` as soon as the reader of standard output is gone, even while nothing is printed.
///
/// On other systems than Unix, and if the thread cannot be started, it never does: the next line
/// that is printed finds out.
pub fn on_reader_gone(action: impl FnOnce() + Send + 'static) {
    #[cfg(unix)]
    {
        let _ = thread::Builder::new().name("watch".into()).spawn(move || {
            if other_end_is_closed(&io::stdout()) {
                action();
            }
        });
    }
    #[cfg(not(unix))]
    let _ = action;
}

/// Sleeps until the other end of a stream is closed; `false` if that cannot be known.
#[cfg(unix)]
fn other_end_is_closed(stream: &impl std::os::fd::AsFd) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    // Errors and hang-ups are reported without being asked for, and nothing else is.
    let mut files = [PollFd::new(stream, PollFlags::empty())];
    loop {
        match poll(&mut files, None) {
            Ok(_) => return files[0].revents().intersects(PollFlags::ERR | PollFlags::HUP),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Whether a line is being written, and how far: shows when it is not read.
#[derive(Default)]
pub struct Writing {
    /// Odd during a write; grows by two with each part of it that is done.
    steps: AtomicU64,
}

impl Writing {
    /// A write begins, or comes to its end. Only one thread at a time writes.
    pub fn turn(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// A part of it is written.
    pub fn progress(&self) {
        self.steps.fetch_add(2, Ordering::Relaxed);
    }

    /// So far; an odd number during a write.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }
}

/// Returns `true` if standard output takes a short text now without waiting for its reader; `false`
/// where that cannot be known.
fn has_room() -> bool {
    #[cfg(unix)]
    {
        // A pipe with room, or one whose end is closed, so that a write fails at once.
        is_ready(&io::stdout(), rustix::event::PollFlags::OUT)
    }
    #[cfg(not(unix))]
    false
}

/// Returns `true` if standard input can be read now without waiting: there is a line in a terminal,
/// or its end; `false` where that cannot be known.
pub fn has_input() -> bool {
    #[cfg(unix)]
    {
        is_ready(&io::stdin(), rustix::event::PollFlags::IN)
    }
    #[cfg(not(unix))]
    false
}

#[cfg(unix)]
fn is_ready(stream: &impl std::os::fd::AsFd, wanted: rustix::event::PollFlags) -> bool {
    use rustix::event::{PollFd, Timespec, poll};
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::new(stream, wanted)], Some(&now)).is_ok_and(|ready| ready > 0)
}
