//! Why a move is good or bad: sentences for people, each with the line that proves it and a claim
//! that a program can check by replaying that line.
//!
//! It searches nothing. An [`Inquiry`] names the next search that it needs; a caller with
//! an engine carries it out and hands in what was [`Found`], until the [`Explanation`] is complete.
//! The same answers give the same explanation. Its thresholds were set by hand.
//!
//! ```
//! use tamarin_analysis::explain::{Found, Inquiry, Role};
//! use tamarin_eval::Score;
//! use tamarin_movegen::Position;
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
//! let mate = position.parse_san("Rd8#").unwrap();
//! // An engine that knows one thing.
//! let mut search = |_: &_| Some(Found { score: Score::mate_in(1), moves: vec![mate], result: None });
//! let explanation = Inquiry::of_move(position, mate).run(&mut search);
//! assert_eq!(explanation.sentences[0].text, "1. Rd8# is checkmate.");
//! assert_eq!(explanation.sentences[0].role, Role::Move);
//! ```

mod answers;
mod ask;
mod claim;
mod explanation;
mod good;
mod line;
mod mistake;
mod proof;
mod quiet;
mod sentence;
mod subject;

pub use ask::{Found, GameResult, Look, Request};
pub use claim::{Claim, DrawnBy, MaterialChange};
pub use explanation::{Explanation, Inquiry, Step};
pub use line::Line;
pub use proof::material_lead;
pub use sentence::{MAX_LENGTH, MAX_PLIES, Role, Sentence};
