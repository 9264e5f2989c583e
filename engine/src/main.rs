//! Tamarin: a UCI chess engine. This crate wires the others to a client.
#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod console;
mod input;
mod lines;
mod options;
mod output;
mod position;
mod printer;
mod search_queue;
mod session;
mod shutdown;
mod translate;
mod version;
mod wdl;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use clap::Parser;
use crossbeam::channel::unbounded;

use crate::arguments::{Arguments, Task, Then};
use crate::input::{Dispatcher, Event, Request};
use crate::output::Output;
use crate::search_queue::SearchQueue;
use crate::session::{Session, Verdict};

fn main() -> ExitCode {
    match Arguments::parse().task() {
        Task::Converse { script, then } => converse(script, then),
        Task::Perft(arguments) => commands::perft::run(&arguments),
    }
}

/// Carries out the script, then serves standard input if asked to.
fn converse(script: Vec<String>, then: Then) -> ExitCode {
    let queue = Arc::new(SearchQueue::default());
    let (sender, events) = unbounded();
    let abandon = {
        let (queue, session) = (Arc::clone(&queue), sender.clone());
        move || {
            queue.stop_all();
            // The session only goes away when the process ends.
            let _ = session.send(Event::Request(Request::End));
            shutdown::give_up_after(shutdown::SIGNAL_GRACE);
        }
    };
    let output = Arc::new(Output::new(Box::new(io::stdout()), Box::new(abandon.clone())));
    shutdown::on_signal(abandon);
    shutdown::watch(&output);
    let dispatcher = Dispatcher::new(Arc::clone(&queue), Arc::clone(&output), sender.clone());
    let read = move || match then {
        Then::Exit => dispatcher.perform(&script),
        Then::Serve => dispatcher.serve(&script),
    };
    let reader = thread::Builder::new().name("input".into()).spawn(read);
    if let Err(error) = reader {
        return fail(&format!("cannot start the reader of the input: {error}"));
    }
    match Session::new(output, queue, (sender, events)).run() {
        Ok(Verdict::Sound) => ExitCode::SUCCESS,
        Ok(Verdict::Failed) => ExitCode::FAILURE,
        Err(error) => fail(&format!("cannot start the search: {error}")),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("tamarin: {message}");
    ExitCode::FAILURE
}
