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

/// What the session carries out in turn.
pub enum Request {
    /// A line of the input.
    Line(String),
    /// A line longer than [`MAX_LINE`](crate::lines::MAX_LINE).
    TooLong,
    /// `uci`: the session ends, the process goes on in the other protocol.
    OtherProtocol,
    /// `quit`: the session ends.
    Quit,
    /// The end of the input: the session ends when the engine has made its move.
    End,
}
