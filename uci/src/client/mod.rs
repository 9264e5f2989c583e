//! A client of the protocol: starts another engine and drives it, as a graphical interface does.
//!
//! A [`Client`] waits for the answer of a search ([`Client::wait`]) or looks whether it is there
//! ([`Client::poll`]) while its caller does something else; [`Client::lines`] wakes a `select`.
//! Everything is text: what moves mean knows the caller.

mod launch;
mod process;
#[cfg(all(test, unix))]
mod tests;

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};
use parking_lot::Mutex;

use crate::{
    BestMoveLine, Go, ParsedInfo, ParsedOption, ParsedReply, PositionText, SetOption, parse_reply,
};
use process::{Input, Process};

pub use launch::{Launch, LaunchError, Stderr};
pub use process::Line;

/// How often a wait looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// Why an engine has to be given up, or does not take an option.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// There is no such program, or the system does not let it start.
    #[error("cannot be started")]
    Start(#[source] io::Error),
    /// It closed its output.
    #[error("has ended by itself{}", ending(*.status, .stderr))]
    Ended {
        /// How the process ended, if it did.
        status: Option<ExitStatus>,
        /// The last lines of its error output, if they were kept.
        stderr: Vec<String>,
    },
    /// It does not answer in time.
    #[error("does not answer with {word:?} in time")]
    Silent {
        /// What it should have said.
        word: &'static str,
    },
    /// It has not announced such an option.
    #[error("has no option {0:?}")]
    NoOption(String),
    /// It has announced that the option takes other values.
    #[error("option {name}: {value:?} is not {expected}")]
    Value {
        /// The option.
        name: String,
        /// What was to be set.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// The flag of [`Client::start`] was set.
    #[error("stopped")]
    Cancelled,
}

/// Exit status and last line of error output, as far as they say something.
fn ending(status: Option<ExitStatus>, stderr: &[String]) -> String {
    let status = status.filter(|status| !status.success());
    let status = status.map_or_else(String::new, |status| format!(" ({status})"));
    let last = stderr.iter().rfind(|line| !line.trim().is_empty());
    status + &last.map_or_else(String::new, |line| format!(": {}", line.trim()))
}

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Its last line.
    pub best: BestMoveLine<String>,
    /// From writing `go` to reading that line.
    pub used: Duration,
}

/// A search that has not answered.
#[derive(Clone, Copy, Debug)]
struct Search {
    began: Instant,
    /// When the engine counts as hung.
    deadline: Option<Instant>,
}

/// Stops a search of an engine from another thread.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Mutex<Input>>);

impl Stopper {
    /// Sends `stop` if a search runs; it answers as ever.
    pub fn stop(&self) {
        let mut input = self.0.lock();
        if input.is_searching {
            // Who waits for the answer hears of an engine that has ended.
            let _ = input.send("stop");
        }
    }
}

/// A running engine; dropping it ends the process.
#[derive(Debug)]
pub struct Client {
    process: Process,
    name: String,
    /// Its `option` lines.
    options: Vec<String>,
    search: Option<Search>,
    patience: Duration,
    cancelled: Option<Arc<AtomicBool>>,
}

impl Client {
    /// Starts an engine, waits until it is ready and sets its options. The flag, if there is one,
    /// ends every wait for the engine once it is set.
    ///
    /// # Errors
    /// If it does not start, does not speak the protocol or lacks an option.
    pub fn start(launch: &Launch, cancelled: Option<Arc<AtomicBool>>) -> Result<Self, ClientError> {
        let mut client = Self::open(launch, cancelled)?;
        client.send("uci")?;
        let (mut name, mut options) = (None, Vec::new());
        client.read("uciok", client.patience(), |line| {
            match parse_reply(&line.text)? {
                ParsedReply::IdName(text) => name = Some(text.to_owned()),
                ParsedReply::Option(_) => options.push(line.text.clone()),
                ParsedReply::UciOk => return Some(()),
                _ => {}
            }
            None
        })?;
        (client.name, client.options) = (name.unwrap_or(client.name), options);
        for (name, value) in &launch.options {
            client.set(name, value)?;
        }
        client.ready()?;
        Ok(client)
    }

    /// Starts a program that may speak another protocol: nothing is sent, and no option set.
    ///
    /// # Errors
    /// If it does not start.
    pub fn open(launch: &Launch, cancelled: Option<Arc<AtomicBool>>) -> Result<Self, ClientError> {
        let process = Process::start(launch).map_err(ClientError::Start)?;
        let (name, patience) = (launch.file_name(), launch.patience);
        Ok(Self { process, name, options: Vec::new(), search: None, patience, cancelled })
    }

    /// Sends lines as they are and hands on the lines of the answer until `take` returns something,
    /// at most for `limit`; `word` names in an error what was waited for.
    pub fn ask<T>(
        &mut self,
        lines: &str,
        (word, limit): (&'static str, Duration),
        mut take: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, ClientError> {
        if !lines.is_empty() {
            self.send(lines)?;
        }
        self.read(word, Instant::now().checked_add(limit), |line| take(&line.text))
    }

    /// What it calls itself, or the name of its file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it has announced.
    pub fn options(&self) -> impl Iterator<Item = ParsedOption<'_>> {
        self.options.iter().filter_map(|line| match parse_reply(line) {
            Some(ParsedReply::Option(option)) => Some(option),
            _ => None,
        })
    }

    /// The option of this name, in any case.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<ParsedOption<'_>> {
        self.options().find(|option| option.name.to_lowercase() == name.to_lowercase())
    }

    /// An error if it has no such option, or the option does not take this value.
    pub fn check(&self, name: &str, value: &str) -> Result<(), ClientError> {
        let option = self.option(name).ok_or_else(|| ClientError::NoOption(name.to_owned()))?;
        match option.expected_instead_of(value) {
            None => Ok(()),
            Some(expected) => {
                let (name, value) = (option.name.to_owned(), value.to_owned());
                Err(ClientError::Value { name, value, expected })
            }
        }
    }

    /// Sets an option, or presses a button. Whether it was taken, [`Self::ready`] tells.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        self.check(name, value)?;
        let is_button = self.option(name).is_some_and(|option| option.kind == Some("button"));
        let value = (!is_button).then(|| value.to_owned());
        self.send(&SetOption { name: name.to_owned(), value }.to_string())
    }

    /// Waits until it has done what it was told; what it remarked meanwhile (`info string`).
    pub fn ready(&mut self) -> Result<Vec<String>, ClientError> {
        self.send("isready")?;
        let mut remarks = Vec::new();
        self.read("readyok", self.patience(), |line| {
            match parse_reply(&line.text)? {
                ParsedReply::Info(info) => remarks.extend(info.text.map(str::to_owned)),
                ParsedReply::ReadyOk => return Some(()),
                _ => {}
            }
            None
        })?;
        Ok(remarks)
    }

    /// Sends a command of the engine's own, and waits until it was carried out; what it remarked.
    pub fn command(&mut self, line: &str) -> Result<Vec<String>, ClientError> {
        self.send(line)?;
        self.ready()
    }

    /// Makes it forget the game before. A search that runs is stopped.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.stop()?;
        self.send("ucinewgame")?;
        self.ready().map(drop)
    }

    /// Starts a search. One that runs is stopped first, and its answer lost. After `limit` without
    /// an answer the engine counts as hung.
    pub fn go(
        &mut self,
        position: &PositionText,
        go: &Go,
        limit: Option<Duration>,
    ) -> Result<(), ClientError> {
        self.stop()?;
        let began = Instant::now();
        let sent = {
            let mut input = self.process.input.lock();
            input.is_searching = true;
            input.send(&format!("{position}\n{go}"))
        };
        sent.map_err(|_| self.ended())?;
        let deadline = limit.and_then(|limit| began.checked_add(limit));
        self.search = Some(Search { began, deadline });
        Ok(())
    }

    /// Returns `true` if a search runs whose answer has not been taken.
    #[must_use]
    pub const fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// The lines that wait to be read: to be waited for in a `select`, and then taken by
    /// [`Self::poll`].
    #[must_use]
    pub const fn lines(&self) -> &Receiver<Line> {
        &self.process.lines
    }

    /// The answer if the search has ended; each `info` line that came since is handed on.
    pub fn poll(
        &mut self,
        on_info: impl FnMut(&ParsedInfo<'_>),
    ) -> Result<Option<Answer>, ClientError> {
        self.poll_at(Instant::now(), on_info)
    }

    fn poll_at(
        &mut self,
        now: Instant,
        mut on_info: impl FnMut(&ParsedInfo<'_>),
    ) -> Result<Option<Answer>, ClientError> {
        while let Some(search) = self.search {
            match self.process.lines.try_recv() {
                Ok(line) => {
                    if let Some(best) = best_move(&line, &mut on_info) {
                        return Ok(Some(self.finish(search, best, line.at)));
                    }
                }
                Err(TryRecvError::Empty) if search.deadline.is_some_and(|at| now > at) => {
                    return Err(self.silent("bestmove"));
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Err(self.ended()),
            }
        }
        Ok(None)
    }

    /// Waits for the answer of the search that runs (there has to be one); each `info` line is
    /// handed on.
    pub fn wait(
        &mut self,
        mut on_info: impl FnMut(&ParsedInfo<'_>),
    ) -> Result<Answer, ClientError> {
        let search = self.search.expect("invariant: a search was started");
        let (best, at) = self.read("bestmove", search.deadline, |line| {
            Some((best_move(line, &mut on_info)?, line.at))
        })?;
        Ok(self.finish(search, best, at))
    }

    fn finish(&mut self, search: Search, best: BestMoveLine<String>, at: Instant) -> Answer {
        self.process.input.lock().is_searching = false;
        self.search = None;
        Answer { best, used: at.saturating_duration_since(search.began) }
    }

    /// Sends `stop` if a search runs, whose answer is still to be taken.
    pub fn request_stop(&mut self) -> Result<(), ClientError> {
        let Some(search) = &mut self.search else { return Ok(()) };
        search.deadline = Instant::now().checked_add(self.patience);
        self.send("stop")
    }

    /// Stops the search that runs, if any, and takes its answer.
    pub fn stop(&mut self) -> Result<Option<Answer>, ClientError> {
        if !self.is_searching() {
            return Ok(None);
        }
        self.request_stop()?;
        self.wait(|_| {}).map(Some)
    }

    /// The move that a search with [`Go::ponder`] expects was played. After `limit` without an
    /// answer the engine counts as hung.
    pub fn ponder_hit(&mut self, limit: Option<Duration>) -> Result<(), ClientError> {
        let Some(search) = &mut self.search else { return Ok(()) };
        search.deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        self.send("ponderhit")
    }

    /// What stops a search from another thread.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.process.input))
    }

    fn send(&mut self, line: &str) -> Result<(), ClientError> {
        let sent = self.process.input.lock().send(line);
        sent.map_err(|_| self.ended())
    }

    fn patience(&self) -> Option<Instant> {
        Instant::now().checked_add(self.patience)
    }

    /// Hands on lines until `take` returns something. However many other lines come, they do not
    /// replace the answer, which `word` names in an error.
    fn read<T>(
        &mut self,
        word: &'static str,
        deadline: Option<Instant>,
        mut take: impl FnMut(&Line) -> Option<T>,
    ) -> Result<T, ClientError> {
        loop {
            let is_cancelled = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
            if self.cancelled.as_ref().is_some_and(is_cancelled) {
                return Err(ClientError::Cancelled);
            }
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            let look = self.cancelled.as_ref().map(|_| LOOK);
            let received = match left.into_iter().chain(look).min() {
                Some(time) => self.process.lines.recv_timeout(time),
                None => self.process.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let is_late = match received {
                Ok(line) => match take(&line) {
                    Some(found) => return Ok(found),
                    None => deadline.is_some_and(|deadline| line.at > deadline),
                },
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => left.is_some_and(|left| left.is_zero()),
            };
            if is_late {
                return Err(self.silent(word));
            }
        }
    }

    const fn silent(&mut self, word: &'static str) -> ClientError {
        self.process.is_hung = true;
        ClientError::Silent { word }
    }

    fn ended(&mut self) -> ClientError {
        let (status, stderr) = self.process.ended();
        ClientError::Ended { status, stderr }
    }
}

/// The last line of a search; an `info` line is handed on.
fn best_move(
    line: &Line,
    on_info: &mut impl FnMut(&ParsedInfo<'_>),
) -> Option<BestMoveLine<String>> {
    match parse_reply(&line.text)? {
        ParsedReply::Info(info) => on_info(&info),
        ParsedReply::BestMove(best) => return Some(best.map(str::to_owned)),
        _ => {}
    }
    None
}
