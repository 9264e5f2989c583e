//! Writing games, with the crate of the format.

use tamarin_movegen::{CastlingStyle, Move, PieceKind};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as PackedMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square as PackedSquare;

use super::{Game, GameResult};

/// A game does not fit the format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("viriformat cannot hold the position {fen}: {problem}")]
pub struct PackError {
    /// The start position.
    pub fen: String,
    /// What the format's crate said.
    pub problem: String,
}

/// The crate of the format takes longer clocks for errors.
const LONGEST_CLOCK: u16 = 100;

impl Game {
    /// The game's bytes in viriformat.
    pub fn encode(&self) -> Result<Vec<u8>, PackError> {
        let fen = self.start.fen(CastlingStyle::Shredder);
        let mut board = Board::new();
        let rejected = |problem: String| PackError { fen: fen.clone(), problem };
        if self.start.halfmove_clock() > LONGEST_CLOCK {
            return Err(rejected(format!("its halfmove clock is above {LONGEST_CLOCK}")));
        }
        board.set_from_fen(&fen, true).map_err(|error| rejected(error.to_string()))?;
        let mut game = viriformat::dataformat::Game::new(&board);
        game.set_outcome(match self.outcome {
            GameResult::WhiteWin => GameOutcome::WhiteWin(WinType::Adjudication),
            GameResult::BlackWin => GameOutcome::BlackWin(WinType::Adjudication),
            GameResult::Draw => GameOutcome::Draw(DrawType::Adjudication),
        });
        for ply in &self.plies {
            game.add_move(pack(ply.mv), ply.score);
        }
        let mut bytes = Vec::with_capacity(36 + 4 * self.plies.len());
        game.serialise_into(&mut bytes).map_err(|error| rejected(error.to_string()))?;
        Ok(bytes)
    }
}

fn pack(mv: Move) -> PackedMove {
    let square = |square: tamarin_movegen::Square| PackedSquare::new_clamped(square.index() as u8);
    let (from, to) = (square(mv.from()), square(mv.to()));
    if let Some(kind) = mv.promotion() {
        let kind = match kind {
            PieceKind::Knight => PieceType::Knight,
            PieceKind::Bishop => PieceType::Bishop,
            PieceKind::Rook => PieceType::Rook,
            _ => PieceType::Queen,
        };
        PackedMove::new_with_promo(from, to, kind)
    } else if mv.is_castle() {
        PackedMove::new_with_flags(from, to, MoveFlags::Castle)
    } else if mv.is_en_passant() {
        PackedMove::new_with_flags(from, to, MoveFlags::EnPassant)
    } else {
        PackedMove::new(from, to)
    }
}
