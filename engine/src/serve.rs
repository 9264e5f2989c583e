//! Serves a client in the protocol it speaks: UCI, or the XBoard protocol if it asks for it.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use tamarin_search::StartError;

use crate::about;
use crate::arguments::Then;
use crate::engine::Engine;
use crate::inbox::{Event, Inbox};
use crate::input::Input;
use crate::output::Output;
use crate::search_queue::SearchQueue;
use crate::session_end::{Next, SessionEnd};
use crate::shutdown::Interrupts;
use crate::{shutdown, uci, xboard};

/// Carries out the commands given as arguments, then those of standard input if asked to.
pub fn run(commands: Vec<String>, then: Then) -> ExitCode {
    let queue = Arc::new(SearchQueue::default());
    let (to_uci, uci_inbox) = Inbox::new();
    let (to_xboard, xboard_inbox) = Inbox::new();
    let abandon = {
        let (queue, to_uci, to_xboard) = (Arc::clone(&queue), to_uci.clone(), to_xboard.clone());
        move || {
            queue.stop_all();
            // The sessions only go away when the process ends.
            let _ = to_uci.send(Event::Request(uci::Request::End));
            let _ = to_xboard.send(Event::Request(xboard::Request::Quit));
            shutdown::exit_after(shutdown::SIGNAL_GRACE);
        }
    };
    let output = Arc::new(Output::new(Box::new(io::stdout()), Box::new(abandon.clone())));
    let interrupts = Arc::new(Interrupts::default());
    shutdown::on_signal(Arc::clone(&interrupts), abandon);
    shutdown::watch(&output);
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
    let sessions = Sessions { output, queue, to_uci, uci_inbox, to_xboard, xboard_inbox };
    match sessions.run() {
        Ok(SessionEnd::AfterInternalError) => ExitCode::FAILURE,
        // Clients are told in words; scripts look at the status.
        Ok(SessionEnd::AfterError) if then == Then::Exit => ExitCode::FAILURE,
        Ok(SessionEnd::AfterError | SessionEnd::Success) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot start the search: {error}")),
    }
}

/// Serves a client in this process, for tests and fuzzing: `input` is what the client says, to its
/// end, and `output` is where the answers go. Returns when all is answered.
///
/// Signals are not attended to. A `quit` ends this process, as it ends the program.
///
/// # Errors
/// If the system does not start the threads.
pub fn converse(
    input: impl BufRead + Send,
    output: Box<dyn Write + Send>,
) -> io::Result<SessionEnd> {
    let queue = Arc::new(SearchQueue::default());
    let (to_uci, uci_inbox) = Inbox::new();
    let (to_xboard, xboard_inbox) = Inbox::new();
    let output = Arc::new(Output::new(output, Box::new(|| ())));
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
    to_uci: crossbeam::channel::Sender<Event<uci::Request>>,
    uci_inbox: Inbox<uci::Request>,
    to_xboard: crossbeam::channel::Sender<Event<xboard::Request>>,
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
