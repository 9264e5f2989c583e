//! UCI: the dialect of one protocol between the input, the engine and the output.

mod position;
mod printer;
mod reader;
mod session;
mod translate;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use self::reader::{Reader, Request};
use self::session::{Session, SessionEnd};
use crate::about;
use crate::arguments::Then;
use crate::inbox::{Event, Inbox};
use crate::output::Output;
use crate::search_queue::SearchQueue;
use crate::shutdown;

/// Carries out the commands given as arguments, then those of standard input if asked to.
pub fn run(commands: Vec<String>, then: Then) -> ExitCode {
    let queue = Arc::new(SearchQueue::default());
    let (sender, inbox) = Inbox::new();
    let abandon = {
        let (queue, session) = (Arc::clone(&queue), sender.clone());
        move || {
            queue.stop_all();
            // The session only goes away when the process ends.
            let _ = session.send(Event::Request(Request::End));
            shutdown::exit_after(shutdown::SIGNAL_GRACE);
        }
    };
    let output = Arc::new(Output::new(Box::new(io::stdout()), Box::new(abandon.clone())));
    shutdown::on_signal(abandon);
    shutdown::watch(&output);
    if commands.is_empty() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        output.line(&about::greeting());
    }
    let reader = Reader::new(Arc::clone(&queue), Arc::clone(&output), sender.clone());
    let read = move || match then {
        Then::Exit => reader.perform(&commands),
        Then::Serve => reader.serve(&commands),
    };
    if let Err(error) = thread::Builder::new().name("input".into()).spawn(read) {
        return fail(&format!("cannot start the thread that reads the input: {error}"));
    }
    let session = Session::new(output, queue, inbox, sender);
    match session.and_then(Session::run) {
        Ok(SessionEnd::AfterInternalError) => ExitCode::FAILURE,
        // Clients are told in words; scripts look at the status.
        Ok(SessionEnd::AfterError) if then == Then::Exit => ExitCode::FAILURE,
        Ok(SessionEnd::AfterError | SessionEnd::Success) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot start the search: {error}")),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("tamarin: {message}");
    ExitCode::FAILURE
}
