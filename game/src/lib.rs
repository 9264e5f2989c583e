//! What a game is, for chess and for the games of rules files: a position and its moves, clocks, how
//! it ends, the tree of its moves with comments; games in PGN, positions in EPD, and scores and lines
//! as people read them. It knows no screen, no page and no protocol.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod about;
pub mod book;
pub mod chess960;
pub mod clock;
pub mod ending;
pub mod engine_process;
pub mod epd;
pub mod evaluation;
pub mod evaluator;
pub mod game;
pub mod level;
pub mod moves;
pub mod openings;
pub mod packed;
pub mod pgn;
pub mod played;
pub mod position;
pub mod score_text;
pub mod search;
pub mod spelling;
pub mod threats;
pub mod tree;
pub mod variation;
