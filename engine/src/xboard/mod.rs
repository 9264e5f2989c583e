//! The XBoard protocol: the dialect between its clients and the engine.

mod during_search;
mod edit;
mod exclude;
mod features;
mod observer;
mod options;
mod playing;
mod session;
mod time_control;
mod variant_setup;

pub use self::session::Session;

use tamarin_base::{Urgency, Waiting};

/// What the session carries out in turn.
pub enum Request {
    Line(String),
    /// A line longer than [`MAX_LINE`](tamarin_base::files::lines::MAX_LINE).
    TooLong,
    /// A line that begins with this word was lost by an error in reading it.
    Lost(String),
    /// There was no room for the lines that stood here.
    Skipped {
        is_reported: bool,
    },
    /// `uci`: the session ends, the process goes on in the other protocol.
    OtherProtocol,
    /// `quit`: the session ends.
    Quit,
    /// The end of the input: the session ends when the engine has made its move.
    End,
}

impl Waiting for Request {
    const SKIPPED: Self = Self::Skipped { is_reported: false };
}

/// The longest line that is urgent, in bytes.
const MAX_URGENT: usize = 256;

/// Commands that end what is going on, or ask whether the engine is there.
const URGENT: [&str; 6] = ["?", "ping", "force", "exit", "result", "new"];

impl Request {
    /// Whether it is taken when there is no room for other lines.
    pub fn urgency(&self) -> Urgency {
        match self {
            Self::Line(text) if text.len() <= MAX_URGENT => {
                let word = text.split_ascii_whitespace().next().unwrap_or_default();
                if URGENT.contains(&word) { Urgency::Urgent } else { Urgency::Ordinary }
            }
            _ => Urgency::Ordinary,
        }
    }
}
