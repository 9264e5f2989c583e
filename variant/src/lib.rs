//! The rules of any chess-like game, read from a file.
//!
//! A file describes pieces by their moves (with conditions and effects, or in Betza notation)
//! and the start position. [`load`] reads it, or says with [`Diagnostic`]s what is wrong with it;
//! [`builtin`] has games that come with the program. A [`Position`] of a game makes its legal
//! moves, plays them and takes them back, knows the end, and reads and writes FEN.
//!
//! ```
//! use tamarin_variant::{Position, builtin, perft};
//!
//! let game = builtin("fide").unwrap();
//! let mut position = Position::start(&game);
//! assert_eq!(perft(&mut position, 3), 8_902);
//! let push = position.parse_move("e2e4").unwrap();
//! position.make(push);
//! assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
//! ```
//!
//! Source: the notation is that of a thesis on a generalized chess engine. docs/variants.md
//! teaches it; variant/README.md lists what was made clear where the thesis is not.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod ast;
mod betza;
mod board;
mod board_text;
mod builtin;
mod check;
mod compile;
mod definition;
mod diagnostic;
mod expand;
mod fen_text;
mod file;
mod fingerprint;
mod game;
mod import;
mod instance;
mod load;
mod parse;
mod perft;
mod position;
mod print;
mod program;
mod requirement;
mod resolve;
mod square_text;
mod suggest;
mod values;

pub use ast::Symmetry;
pub use board::{Color, Move, Piece, Set, Square, SquareSet, Squares};
pub use board_text::{draw, ending, grid, hand, picture};
pub use builtin::{BUILTINS, Builtin, builtin, expand, load, nearest_builtin};
pub use diagnostic::{Code, Diagnostic, Severity, Span};
pub use file::{name_of_last, read_text, read_text_of, variant_name, variant_names, without_mark};
pub use fingerprint::fingerprint;
pub use game::Game;
pub use import::{Imported, import};
pub use load::{Expanded, Loaded};
pub use parse::{MAX_SIDE, MAX_SQUARES, ParsedFile, parse};
pub use perft::{divide, perft};
pub use position::{
    Danger, FenError, MoveTextError, Occupant, Outcome, Position, Reach, Reason, Scope, Scopes,
    SetUpError, SetupBoard, SquareChange,
};
