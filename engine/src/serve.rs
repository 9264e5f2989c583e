//! Serves a client in the protocol it speaks: UCI, or the XBoard protocol if it asks for it.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tamarin_base::process::shutdown::{self, Interrupts};
use tamarin_base::{Entrance, Inbox, Urgency};
use tamarin_search::StartError;

use crate::about;
use crate::arguments::Then;
use crate::engine::Engine;
use crate::input::Input;
use crate::output::{Closed, Output, Pipe};
use crate::search_queue::SearchQueue;
use crate::session_end::{Next, SessionEnd};
use crate::{uci, xboard};

/// Carries out the commands given as arguments, then those of standard input if asked to.
pub fn run(commands: Vec<String>, then: Then) -> ExitCode {
    let queue = Arc::new(SearchQueue::default());
    let (to_uci, uci_inbox) = Inbox::new();
    let (to_xboard, xboard_inbox) = Inbox::new();
    let abandon = {
        let (queue, to_uci, to_xboard) = (Arc::clone(&queue), to_uci.clone(), to_xboard.clone());
        move || {
            queue.stop_all();
            to_uci.send(uci::Request::End, 0, Urgency::Final);
            to_xboard.send(xboard::Request::Quit, 0, Urgency::Final);
            shutdown::exit_after(shutdown::SIGNAL_GRACE);
        }
    };
    let give_up = {
        let abandon = abandon.clone();
        move |closed| {
            if closed == Closed::ByFailure {
                shutdown::fail_with(shutdown::UNWRITABLE);
            }
            abandon();
        }
    };
    let is_cut_off = Arc::new(AtomicBool::new(false));
    let interrupt = {
        let (queue, is_cut_off) = (Arc::clone(&queue), Arc::clone(&is_cut_off));
        move || {
            // Scripts look at the status: it tells them that a command was cut off. An endless search
            // is not: it has no other end.
            if then == Then::Exit {
                shutdown::fail_with(shutdown::INTERRUPTED);
                is_cut_off.fetch_or(queue.has_bounded(), Ordering::Relaxed);
            }
            abandon();
        }
    };
    let output = Arc::new(Output::new(Box::new(io::stdout()), Box::new(give_up)));
    let interrupts = Arc::new(Interrupts::default());
    shutdown::on_signal(Arc::clone(&interrupts), interrupt);
    let watched = Arc::clone(&output);
    shutdown::on_reader_gone(move || watched.close());
    if commands.is_empty() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        output.line(&about::greeting());
    }
    let reader = uci::Reader::new(Arc::clone(&queue), Arc::clone(&output), to_uci.clone());
    let mut input = Input::new(reader, to_xboard.clone(), Arc::clone(&output), interrupts);
    let read = move || match then {
        Then::Exit => input.perform(&commands),
        Then::Serve => input.serve(&commands),
    };
    if let Err(error) = thread::Builder::new().name("input".into()).spawn(read) {
        return fail(&format!("cannot start the thread that reads the input: {error}"));
    }
    let sessions =
        Sessions { output: Arc::clone(&output), queue, to_uci, uci_inbox, to_xboard, xboard_inbox };
    match sessions.run() {
        // Reported already.
        Ok(_) if output.has_failed() => ExitCode::from(shutdown::UNWRITABLE),
        Ok(SessionEnd::AfterInternalError) => ExitCode::FAILURE,
        Ok(_) if is_cut_off.load(Ordering::Relaxed) => ExitCode::from(shutdown::INTERRUPTED),
        // Clients get an error in words; scripts look at the status.
        Ok(SessionEnd::AfterError) if then == Then::Exit => ExitCode::FAILURE,
        Ok(SessionEnd::AfterError | SessionEnd::Success) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot start the search: {error}")),
    }
}

/// An output that takes every line at once.
struct Always(Box<dyn Write + Send>);

impl Write for Always {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Pipe for Always {
    fn has_room(&self) -> bool {
        true
    }
}

/// Serves a client in this process, for tests and fuzzing: `input` is what the client says, to its
/// end, and `output` is where the answers go. Returns when all is answered.
///
/// Signals are not attended to. A `quit` ends this process, as it ends the program.
pub fn converse(
    input: impl BufRead + Send,
    output: Box<dyn Write + Send>,
) -> io::Result<SessionEnd> {
    let queue = Arc::new(SearchQueue::default());
    let (to_uci, uci_inbox) = Inbox::new();
    let (to_xboard, xboard_inbox) = Inbox::new();
    let output = Arc::new(Output::new(Box::new(Always(output)), Box::new(|_| ())));
    let reader = uci::Reader::new(Arc::clone(&queue), Arc::clone(&output), to_uci.clone());
    let mut client = Input::new(reader, to_xboard.clone(), Arc::clone(&output), Arc::default());
    let sessions = Sessions { output, queue, to_uci, uci_inbox, to_xboard, xboard_inbox };
    thread::scope(|scope| {
        thread::Builder::new().name("input".into()).spawn_scoped(scope, || client.read(input))?;
        sessions.run().map_err(io::Error::other)
    })
}

/// What the sessions of both protocols need.
struct Sessions {
    output: Arc<Output>,
    queue: Arc<SearchQueue>,
    to_uci: Entrance<uci::Request>,
    uci_inbox: Inbox<uci::Request>,
    to_xboard: Entrance<xboard::Request>,
    xboard_inbox: Inbox<xboard::Request>,
}

impl Sessions {
    /// One session after the other, with the same engine.
    fn run(mut self) -> Result<SessionEnd, StartError> {
        let mut engine = Engine::new()?;
        let mut end = SessionEnd::Success;
        loop {
            let session = uci::Session::new(
                &mut engine,
                Arc::clone(&self.output),
                Arc::clone(&self.queue),
                &mut self.uci_inbox,
                self.to_uci.clone(),
                &mut end,
            );
            if session.run()? == Next::End {
                return Ok(end);
            }
            let session = xboard::Session::new(
                &mut engine,
                Arc::clone(&self.output),
                &mut self.xboard_inbox,
                self.to_xboard.clone(),
                &mut end,
            );
            if session.run()? == Next::End {
                return Ok(end);
            }
        }
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("tamarin: {message}");
    ExitCode::FAILURE
}
