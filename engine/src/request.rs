//! What the session carries out in turn.

use tamarin_uci::{Command, Go, ParseError, Parsed};

use crate::inbox::{self, Ending, Waiting};

/// The queue of the requests.
pub type Inbox = inbox::Inbox<Request>;

/// What was read, in either protocol.
pub enum Request {
    /// A line of UCI.
    Uci(Result<Parsed, ParseError>),
    /// A line of the XBoard protocol.
    XBoard(String),
    /// A line longer than [`MAX_LINE`](tamarin_base::files::lines::MAX_LINE).
    TooLong,
    /// A line that begins with this word was lost by an error in reading it.
    Lost(String),
    /// There was no room for the lines that stood here.
    Skipped {
        /// Whether the client was told so.
        is_reported: bool,
    },
    /// The client wants this protocol: the session ends, the process goes on.
    Protocol(Protocol),
    /// `quit`: the session ends.
    Quit,
    /// The end of the input: the session ends when a running search for a move has made it.
    End,
}

/// The protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    Uci,
    XBoard,
}

/// The longest line of the XBoard protocol that is urgent, in bytes.
const MAX_URGENT: usize = 256;

/// Commands of XBoard that end what is going on, or ask whether the engine is there.
const URGENT: [&str; 6] = ["?", "ping", "force", "exit", "result", "new"];

impl Waiting for Request {
    const SKIPPED: Self = Self::Skipped { is_reported: false };

    fn go(&self) -> Option<Ending> {
        match self {
            Self::Uci(Ok(Parsed { command: Command::Go(go), .. })) => Some(ending(go)),
            Self::Lost(word) if word == "go" => Some(Ending::ByItself),
            _ => None,
        }
    }

    fn is_urgent(&self) -> bool {
        match self {
            Self::Uci(Ok(Parsed { command: Command::Go(_) | Command::IsReady, .. })) => true,
            Self::XBoard(line) if line.len() <= MAX_URGENT => {
                URGENT.contains(&line.split_ascii_whitespace().next().unwrap_or_default())
            }
            _ => false,
        }
    }
}

/// How the search of this `go` can end.
pub fn ending(go: &Go) -> Ending {
    match (go.has_limit(), go.ponder) {
        _ if go.infinite => Ending::ByStop,
        (false, true) => Ending::ByStopAfterPonderHit,
        (false, false) => Ending::ByStop,
        (true, true) => Ending::AfterPonderHit,
        (true, false) => Ending::ByItself,
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, Ending, ending};

    #[test]
    fn a_search_ends_by_itself_when_anything_bounds_it() {
        let of = |line: &str| match line.parse() {
            Ok(Command::Go(go)) => ending(&go),
            other => panic!("{line:?} gives {other:?}"),
        };
        for line in [
            "go depth 3",
            "go nodes 1",
            "go movetime 5",
            "go movetime 569.9999999999999",
            "go movetime x",
            "go btime 9",
            "go mate 2",
        ] {
            assert_eq!(of(line), Ending::ByItself, "{line}");
        }
        for line in ["go", "go infinite", "go infinite depth 3", "go searchmoves e2e4", "go mate 0"]
        {
            assert_eq!(of(line), Ending::ByStop, "{line}");
        }
        for line in ["go ponder wtime 5", "go ponder wtime x"] {
            assert_eq!(of(line), Ending::AfterPonderHit, "{line}");
        }
        for line in ["go ponder", "go ponder mate 0", "go ponder searchmoves e2e4"] {
            assert_eq!(of(line), Ending::ByStopAfterPonderHit, "{line}");
        }
        assert_eq!(of("go ponder infinite wtime 5"), Ending::ByStop);
    }
}
