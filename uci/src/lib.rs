//! The Universal Chess Interface, and in [`xboard`] the XBoard protocol, as text and types; and a
//! [`client`] that starts another engine and drives it.
//!
//! [`parse`] turns any line into a [`Command`]; it is total, never panics, and reports what it
//! ignored as [`Note`]s. [`InfoLine`], [`BestMoveLine`] and [`Reply`] print what the engine answers,
//! one line each; [`parse_reply()`] reads such lines back, as a client does. [`OptionSpec`] describes an
//! option, prints its `option` line and reads values.
//!
//! ```
//! use tamarin_uci::{Command, parse};
//!
//! let parsed = parse("go depth 12 nodes many movetime 500").unwrap();
//! let Command::Go(go) = parsed.command else { panic!("a go command") };
//! assert_eq!(go.depth, Some(12));
//! assert_eq!(go.nodes, None);
//! assert_eq!(parsed.notes[0].to_string(), r#"go: ignored nodes "many": not a whole number"#);
//! ```
//!
//! Source: the UCI text of April 2006, and the habits of the clients that speak it.
#![forbid(unsafe_code)]

pub mod client;
mod command;
mod console;
mod go;
mod info;
mod note;
mod number;
mod option;
mod parse_reply;
mod position;
mod reply;
mod words;
pub mod xboard;

pub use command::{Command, ParseError, Parsed, Switch, parse};
pub use console::{Bench, BenchKind, BenchPositions, Console, ConsoleError, EvalFormat, GenFens};
pub use go::{Go, SideClock};
pub use info::{CurrentMove, InfoLine, ScoreText, Wdl};
pub use note::{Excerpt, Note};
pub use option::{
    OptionError, OptionKind, OptionSpec, OptionValue, SetOption, SetOptionError, resolve,
};
pub use parse_reply::{ParsedInfo, ParsedOption, ParsedReply, parse_reply};
pub use position::{Base, MoveWords, PositionError, PositionText};
pub use reply::{BestMoveLine, Reply};
pub use tamarin_base::{Bound, Millis, ScoreValue};
