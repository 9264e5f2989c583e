//! The model of start positions: what stands on each square, and the rest of a FEN.

use tamarin_movegen::{Color, Piece, Position, Setup, SetupError, Square};

use super::coder::{Bit, Coder, Counts, Number};

/// Nothing, the twelve pieces, and a rook of either side that may castle.
const SYMBOLS: usize = 15;
const EMPTY: usize = 0;
const CASTLING_ROOK: usize = 13;

pub struct StartModel {
    /// By square, and by what stands on the square before it.
    squares: Vec<[Counts<SYMBOLS>; 3]>,
    black: Bit,
    /// No square, or one of the eight files.
    en_passant: Counts<9>,
    clock: Number,
    move_number: Number,
}

impl StartModel {
    pub fn new() -> Self {
        Self {
            squares: vec![[Counts::NEW; 3]; Square::COUNT],
            black: Bit::NEW,
            en_passant: Counts::NEW,
            clock: Number::NEW,
            move_number: Number::NEW,
        }
    }

    /// Encodes a position, or decodes one, and gives it.
    ///
    /// # Errors
    /// If what was decoded is no position.
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        position: &Position,
    ) -> Result<Position, SetupError> {
        let mut setup = Setup::empty();
        let mut before = EMPTY;
        for square in Square::ALL {
            let piece = position.piece_at(square);
            let symbol = match piece {
                Some(piece) if position.castling().has(square) => {
                    CASTLING_ROOK + piece.color() as usize
                }
                Some(piece) => 1 + piece as usize,
                None => EMPTY,
            };
            let context = match before {
                EMPTY => 0,
                symbol => 1 + usize::from(color_of(symbol) == Color::Black),
            };
            before = self.squares[square as usize][context].code(coder, symbol);
            if before >= CASTLING_ROOK {
                setup.castling = setup.castling.with(square);
                let color = color_of(before);
                setup.pieces[square] = Some(Piece::new(color, tamarin_movegen::PieceKind::Rook));
            } else if before != EMPTY {
                setup.pieces[square] = Some(Piece::ALL[before - 1]);
            }
        }
        let black = self.black.code(coder, position.side_to_move() == Color::Black);
        setup.side_to_move = if black { Color::Black } else { Color::White };
        let file = position.en_passant().map_or(0, |square| 1 + square.file() as usize);
        let file = self.en_passant.code(coder, file);
        setup.en_passant = file
            .checked_sub(1)
            .and_then(|file| Square::from_index(file + 8 * if black { 2 } else { 5 }));
        setup.halfmove_clock = self.clock.code(coder, position.halfmove_clock().into());
        setup.fullmove_number = self.move_number.code(coder, position.fullmove_number().into());
        Position::from_setup(&setup)
    }
}

fn color_of(symbol: usize) -> Color {
    match symbol {
        CASTLING_ROOK => Color::White,
        symbol if symbol > CASTLING_ROOK => Color::Black,
        symbol => Piece::ALL[symbol - 1].color(),
    }
}
