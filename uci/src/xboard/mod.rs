//! The XBoard protocol (Chess Engine Communication Protocol, version 2) as text and types: no
//! input, no output, no search.
//!
//! [`Command::parse`] turns any line into a [`Command`], [`EditCommand::parse`] a line of the edit
//! mode. [`Reply`], [`Thinking`] and [`Statistics`] print what the engine answers.
//!
//! ```
//! use tamarin_uci::xboard::{Command, Level};
//!
//! let command = Command::parse("level 40 0:30 0.5").unwrap();
//! let Command::Level(level) = command else { panic!("a time control") };
//! assert_eq!((level.moves, level.base.get(), level.increment.get()), (40, 30_000, 500));
//! ```
//!
//! Source: Tim Mann and H.G. Muller, Chess Engine Communication Protocol, version 2, and the
//! habits of the clients that speak it.

mod command;
mod level;
mod reply;

pub use command::{Command, CommandError, EditCommand, EditError, RootMoves};
pub use level::Level;
pub use reply::{Feature, Reply, Statistics, Thinking};
