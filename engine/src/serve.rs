//! Serves a client in the protocol it speaks: UCI, or the XBoard protocol if it asks for it.

use std::io::{self, BufRead, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tamarin_base::process::shutdown::{self, Interrupts};
use tamarin_search::StartError;

use crate::about;
use crate::arguments::Then;
use crate::client::{Client, SessionEnd};
use crate::engine::Engine;
use crate::inbox::{Inbox, Protocol, Request};
use crate::input::Input;
use crate::output::{Closed, Output};
use crate::{uci, xboard};

/// Carries out the commands given as arguments, then those of standard input if asked to.
pub fn run(commands: Vec<String>, then: Then) -> ExitCode {
    let inbox = Arc::new(Inbox::default());
    let abandon = {
        let inbox = Arc::clone(&inbox);
        move || {
            inbox.stop_all();
            inbox.push_last(Request::Quit);
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
        let (inbox, is_cut_off) = (Arc::clone(&inbox), Arc::clone(&is_cut_off));
        move || {
            // Scripts look at the status: it tells them that a command was cut off. An endless search
            // is not: it has no other end.
            if then == Then::Exit {
                shutdown::fail_with(shutdown::INTERRUPTED);
                is_cut_off.fetch_or(inbox.has_bounded(), Ordering::Relaxed);
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
    } else if commands.is_empty() {
        // Some clients wait for a line before they send `uci`: Stockfish prints one.
        output.line(&about::first_line());
    }
    let mut input = Input::new(Arc::clone(&inbox), Arc::clone(&output), interrupts);
    let read = move || match then {
        Then::Exit => input.perform(&commands),
        Then::Serve => input.serve(&commands),
    };
    if let Err(error) = thread::Builder::new().name("input".into()).spawn(read) {
        return fail(&format!("cannot start the thread that reads the input: {error}"));
    }
    match serve(inbox, Arc::clone(&output)) {
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

/// Serves a client in this process, for tests and fuzzing: `input` is what the client says, to its
/// end, and `output` is where the answers go. Returns when all is answered.
///
/// Signals are not attended to. A `quit` ends this process, as it ends the program.
pub fn converse(
    input: impl BufRead + Send,
    output: Box<dyn Write + Send>,
) -> io::Result<SessionEnd> {
    let inbox = Arc::new(Inbox::default());
    let output = Arc::new(Output::new(output, Box::new(|_| ())));
    let mut reader = Input::new(Arc::clone(&inbox), Arc::clone(&output), Arc::default());
    thread::scope(|scope| {
        thread::Builder::new().name("input".into()).spawn_scoped(scope, || reader.read(input))?;
        serve(inbox, output).map_err(io::Error::other)
    })
}

/// What a protocol does with requests.
pub trait Session {
    /// The client that is served.
    fn client(&mut self) -> &mut Client;

    /// Carries out a request.
    fn handle(&mut self, request: Request);

    /// Searches while there is no request, if that is wanted now; `false` if not.
    fn search_meanwhile(&mut self) -> bool {
        false
    }

    /// A request was not carried out because of a panic: says so, and answers it.
    fn recover(&mut self);
}

/// One session after the other, with the same engine.
fn serve(inbox: Arc<Inbox>, output: Arc<Output>) -> Result<SessionEnd, StartError> {
    let mut client = Client { engine: Engine::new()?, output, inbox, end: SessionEnd::Success };
    let mut protocol = Protocol::Uci;
    loop {
        let next = match protocol {
            Protocol::Uci => run_session(&mut uci::Session::new(&mut client)),
            Protocol::XBoard => run_session(&mut xboard::Session::new(&mut client)),
        };
        match next? {
            Some(other) => protocol = other,
            None => return Ok(client.end),
        }
    }
}

/// Serves requests until the input ends or another protocol is wanted.
fn run_session(session: &mut impl Session) -> Result<Option<Protocol>, StartError> {
    let inbox = Arc::clone(&session.client().inbox);
    loop {
        // A panic in one command must not end the game.
        let carried_out = catch_unwind(AssertUnwindSafe(|| {
            let request = match inbox.next_now() {
                Some(request) => request,
                None if session.search_meanwhile() => return None,
                None => inbox.next(),
            };
            match request {
                Request::End | Request::Quit => return Some(None),
                Request::Protocol(protocol) => return Some(Some(protocol)),
                _ => session.handle(request),
            }
            None
        }));
        match carried_out {
            Ok(Some(next)) => return Ok(next),
            Ok(None) => {}
            Err(_) => {
                session.client().end = SessionEnd::AfterInternalError;
                session.recover();
                // The table and the threads are in an unknown state.
                if let Some(sizes) = session.client().engine.restart_search()? {
                    session.client().output.note(&sizes);
                }
            }
        }
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("tamarin: {message}");
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::{Client, Session, run_session};
    use crate::client::SessionEnd;
    use crate::engine::Engine;
    use crate::inbox::{Inbox, Protocol, Request};
    use crate::output::Output;
    use std::sync::Arc;

    /// Panics at each line that says so.
    struct Fragile(Client, Vec<String>);

    impl Session for Fragile {
        fn client(&mut self) -> &mut Client {
            &mut self.0
        }

        fn handle(&mut self, request: Request) {
            let Request::XBoard(line) = request else { panic!("another request") };
            assert_ne!(line, "panic");
            self.1.push(line);
        }

        fn recover(&mut self) {
            self.1.push("recovered".to_owned());
        }
    }

    #[test]
    fn a_panic_costs_one_command_and_is_remembered() {
        let inbox = Arc::new(Inbox::default());
        for line in ["one", "panic", "two"] {
            inbox.push(Request::XBoard(line.to_owned()), 0);
        }
        inbox.push_last(Request::Protocol(Protocol::Uci));
        let output = Arc::new(Output::new(Box::new(Vec::new()), Box::new(|_| ())));
        let engine = Engine::new().expect("one thread and 16 MiB");
        let client = Client { engine, output, inbox, end: SessionEnd::Success };
        let mut session = Fragile(client, Vec::new());
        let next = run_session(&mut session).expect("the engine is started again");
        assert_eq!(next, Some(Protocol::Uci));
        assert_eq!(session.1, ["one", "recovered", "two"]);
        assert_eq!(session.0.end, SessionEnd::AfterInternalError);
    }
}
