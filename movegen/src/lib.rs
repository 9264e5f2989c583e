//! The rules of chess and Chess960: boards, legal moves, positions and their text forms.
#![deny(unsafe_code)]

mod attacks;
mod bitboard;
mod board;
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
mod setup;
mod side;
mod square;
mod text;
mod uci_move;
mod zobrist;

pub use attacks::{
    between, king_attacks, knight_attacks, line, pawn_attacks, pawns_attacks, piece_attacks,
    queen_attacks,
};
pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use fen::{CastlingStyle, FenError, FenField, FenProblem};
pub use generate::Generate;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use piece::{Color, PerColor, PerKind, PerPiece, Piece, PieceKind};
pub use position::{CheckInfo, Position};
pub use raw::{bishop_attacks, rook_attacks};
pub use san::{San, SanError};
pub use see::SEE_VALUES;
pub use setup::{MAX_COUNTER, Repair, Setup, SetupError};
pub use square::{File, PerSquare, Rank, Square, SquareError};
pub use text::IllegalMove;
pub use uci_move::{CastlingNotation, UciMove, UciMoveError};
pub use zobrist::Key;
