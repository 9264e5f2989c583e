//! The rules of chess and Chess960: boards, legal moves, positions and their text forms.
//!
//! ```
//! use tamarin_movegen::{CastlingNotation, Generate, MoveList, Position};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
//! assert_eq!(position.legal_moves().len(), 26); // strictly legal, castling included
//!
//! let mut captures = MoveList::new(); // on the stack, no allocation
//! position.generate(Generate::Noisy, &mut captures);
//! assert_eq!(captures.len(), 2);
//!
//! let castle = position.resolve("e1g1".parse()?)?; // from a GUI ...
//! assert_eq!(position.parse_san("O-O")?, castle); // ... or from a game score
//! assert_eq!(position.uci(castle, CastlingNotation::KingTakesRook).to_string(), "e1h1");
//! assert_eq!(position.san(castle).to_string(), "O-O");
//!
//! let takes = position.parse_san("Rxa8+")?;
//! assert!(position.gives_check(takes) && position.see_at_least(takes, 500));
//! position.make(takes); // keys, pins and checks follow
//! assert!(position.in_check());
//! position.unmake();
//! # Ok(()) }
//! ```
//!
//! [`Position`] is what a game or a search plays on: it knows keys, clocks and its past.
//! [`Board`] is the small value inside that decides which moves are legal; walking the
//! tree of moves with [`Board::for_each_child`] and [`Board::count_moves`] is the fastest
//! way to count. Squares, pieces and moves are types without invalid values, "none" is an
//! `Option`, and tables are indexed by the types themselves.
//!
//! What is text anywhere is printed and parsed as there: a [`Position`] as FEN, a [`UciMove`] as in
//! UCI, a [`Color`], [`Piece`] or [`PieceKind`] as its letter of FEN. With the feature `serde` these
//! are serialized as that text, and a [`Move`] too, which is read as a [`UciMove`].
#![deny(unsafe_code)]

mod attacks;
mod bitboard;
mod board;
mod castling;
mod cuckoo;
mod fen;
mod generate;
pub mod magic;
mod magic_factors;
mod moves;
mod piece;
mod position;
#[allow(unsafe_code)]
mod raw;
mod san;
mod see;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod side_to_move;
mod square;
mod text;
mod uci_move;
mod zobrist;

pub use attacks::{
    between, king_attacks, knight_attacks, line, pawn_attacks, pawns_attacks, piece_attacks,
    queen_attacks, slider_blockers,
};
pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::castling_targets;
pub use fen::{CastlingStyle, FenError, FenProblem};
pub use generate::Generate;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Color, PerColor, PerKind, PerPiece, Piece, PieceKind};
pub use position::{CHESS960_POSITIONS, CheckInfo, Outcome, Position, Reason};
pub use raw::{bishop_attacks, rook_attacks};
pub use san::{San, SanError};
pub use see::SEE_VALUES;
pub use setup::{FenField, MAX_COUNTER, Repair, Setup, SetupError};
pub use square::{File, PerSquare, Rank, Square, SquareError};
pub use text::{IllegalMove, LetterError};
pub use uci_move::{CastlingNotation, UciMove, UciMoveError};
pub use zobrist::Key;
