//! Text of games, moves and scores: games in PGN, positions in EPD, lines of moves in SAN, scores
//! as people read them, and files of them that are packed.
#![forbid(unsafe_code)]

pub mod epd;
pub mod openings;
pub mod packed;
pub mod pgn;
pub mod score_text;
pub mod variation;
