//! What a game is, for chess and for the games of rules files: a position and its moves, clocks, how
//! it ends, the tree of its moves with comments; games in PGN, positions in EPD, and scores and lines
//! as people read them. It knows no screen, no page and no protocol.
//!
//! Without the feature `engine`, which is on by default, it neither evaluates nor searches: PGN and
//! the rest then need the rules of chess and of files alone.
//!
//! ```
//! use tamarin_game::pgn::{self, games::Games};
//! let text = "[Event \"Paris\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0\n";
//! let mut games = Games::new(text.as_bytes());
//! while let Some(game) = games.next_game()? {
//!     let game = pgn::read(&game)?;
//!     let mut position = game.start.clone();
//!     game.moves.iter().for_each(|played| played.play(&mut position));
//!     assert!(position.outcome().is_some_and(|outcome| outcome.winner.is_some()));
//!     assert_eq!((game.tag("Event"), game.outcome.to_string()), (Some("Paris"), "1-0".into()));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod about;
/// Opening books in Polyglot's format: reading them and choosing a move.
pub mod book {
    mod choose;
    pub mod entry;
    pub mod file;
    mod key;

    pub use self::choose::{Hit, Seed, built_in_move, choose};
    pub use self::file::{Book, BookError};
    pub use self::key::key;
}
pub mod chess960;
pub mod clock;
pub mod ending;
#[cfg(feature = "engine")]
pub mod engine_process;
pub mod epd;
#[cfg(feature = "engine")]
pub mod evaluation;
#[cfg(feature = "engine")]
pub mod evaluator;
pub mod game;
#[cfg(feature = "engine")]
pub mod level;
pub mod moves;
pub mod openings;
pub mod packed;
pub mod pgn;
pub mod played;
pub mod position;
pub mod results;
pub mod score_text;
#[cfg(feature = "engine")]
pub mod search;
pub mod spelling;
pub mod threats;
pub mod tree;
pub mod variation;
