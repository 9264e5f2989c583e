//! Games as bytes: written with the crate of the format, read with every byte checked.

use std::io;

use tamarin_movegen::{
    Bitboard, CastlingStyle, Color, Move, Piece, PieceKind, Position, Setup, SetupError, Square,
    UciMove,
};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as PackedMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square as PackedSquare;

use super::{Game, GameResult, Ply};
use crate::error::TrainError;

/// Bytes of the packed start position.
pub const HEADER: usize = 32;
/// Bytes of a ply, and of the zeros that end a game.
pub const PLY: usize = 4;

/// The code of a rook that may still castle.
const UNMOVED_ROOK: u8 = 6;

/// More plies than any game lasts: what goes on for longer has lost its end.
pub const MAX_PLIES: usize = 20_000;

/// What can be wrong with a file of games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    #[error("cannot be read")]
    Io(#[from] io::Error),
    #[error("ends in the middle of a game")]
    Truncated,
    #[error("a game of more than {MAX_PLIES} plies")]
    Endless,
    #[error("a start position with {0} pieces")]
    TooManyPieces(u32),
    #[error("no piece has the code {0}")]
    PieceCode(u8),
    #[error("an impossible start position")]
    Position(#[from] SetupError),
    #[error("no result has the number {0}")]
    Outcome(u8),
    /// The number of the ply in its game, from 1, and how it is written.
    #[error("ply {ply} is no legal move ({bits:#06x})")]
    IllegalMove { ply: usize, bits: u16 },
    #[error("a damaged chunk of packed games")]
    DamagedChunk,
    #[error("the last chunk of packed games is cut off")]
    CutChunk,
    #[error("packed games of version {0}, which this program does not know")]
    Version(u8),
}

/// A game from its bytes: the start position, the plies and the four zeros at the end.
/// On failure the offset of the bytes that are wrong, and what is wrong with them.
pub fn decode(bytes: &[u8]) -> Result<Game, (usize, Problem)> {
    let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
        return Err((bytes.len(), Problem::Truncated));
    };
    let (start, outcome) = start(header)?;
    let Some((plies, [0, 0, 0, 0])) = body.split_last_chunk::<PLY>() else {
        return Err((bytes.len(), Problem::Truncated));
    };
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(plies.len() / PLY);
    for (index, &[low, high, score_low, score_high]) in
        plies.as_chunks::<PLY>().0.iter().enumerate()
    {
        let bits = u16::from_le_bytes([low, high]);
        let illegal = || (HEADER + PLY * index, Problem::IllegalMove { ply: index + 1, bits });
        let mv = legal(&position, bits).ok_or_else(illegal)?;
        moves.push(Ply { mv, score: i16::from_le_bytes([score_low, score_high]) });
        position.make(mv);
    }
    Ok(Game { start, plies: moves, outcome })
}

fn start(header: &[u8; HEADER]) -> Result<(Position, GameResult), (usize, Problem)> {
    let mut setup = Setup::empty();
    let occupied = u64::from_le_bytes(*header.first_chunk().unwrap_or(&[0; 8]));
    if occupied.count_ones() > 32 {
        return Err((0, Problem::TooManyPieces(occupied.count_ones())));
    }
    for (index, square) in Bitboard(occupied).into_iter().enumerate() {
        let byte = 8 + index / 2;
        let code = header[byte] >> (4 * (index % 2)) & 0xF;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let kind = match code & 7 {
            UNMOVED_ROOK => {
                setup.castling = setup.castling.with(square);
                PieceKind::Rook
            }
            kind => {
                *PieceKind::ALL.get(usize::from(kind)).ok_or((byte, Problem::PieceCode(code)))?
            }
        };
        setup.pieces[square] = Some(Piece::new(color, kind));
    }
    setup.side_to_move = if header[24] >> 7 == 0 { Color::White } else { Color::Black };
    setup.en_passant = Square::from_index(usize::from(header[24] & 0x7F));
    setup.halfmove_clock = header[25].into();
    setup.fullmove_number = u16::from_le_bytes([header[26], header[27]]).into();
    // Others leave counters out and write every double step's square.
    setup.repair();
    let position = Position::from_setup(&setup).map_err(|error| (0, Problem::Position(error)))?;
    let outcome = GameResult::ALL.get(usize::from(header[30]));
    Ok((position, *outcome.ok_or((30, Problem::Outcome(header[30])))?))
}

/// The legal move with these bits, if there is one.
fn legal(position: &Position, bits: u16) -> Option<Move> {
    let packed = PackedMove::from_raw(bits)?;
    let square =
        |packed: viriformat::chess::types::Square| Square::from_index(packed.inner().into());
    let promotion = match (bits >> 14, bits >> 12 & 3) {
        (3, 0) => Some(PieceKind::Knight),
        (3, 1) => Some(PieceKind::Bishop),
        (3, 2) => Some(PieceKind::Rook),
        (3, _) => Some(PieceKind::Queen),
        _ => None,
    };
    let text = UciMove { from: square(packed.from())?, to: square(packed.to())?, promotion };
    let mv = position.resolve(text).ok()?;
    // The same squares may mean a castle or a king's step.
    (mv.is_castle() == packed.is_castle() && mv.is_en_passant() == packed.is_ep()).then_some(mv)
}

/// The crate of the format takes longer clocks for errors.
const LONGEST_CLOCK: u16 = 100;

impl Game {
    /// The game's bytes in viriformat.
    pub fn encode(&self) -> Result<Vec<u8>, TrainError> {
        let fen = self.start.fen(CastlingStyle::Shredder);
        let mut board = Board::new();
        let rejected = |problem: String| {
            TrainError::Rejected(format!("viriformat cannot hold the position {fen}: {problem}"))
        };
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
    let square = |square: Square| PackedSquare::new_clamped(square.index() as u8);
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
