//! Positions as boards of the peer protocol.

use std::sync::Arc;

use tamarin_variant::{Color, Game, Occupant, Piece, Position, SetUpError, Square};

use super::message::{Board, Cell, Held, Rows};

/// Why a board makes no position of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    #[error("the board is not {columns} by {rows}")]
    Size { columns: u8, rows: u8 },
    #[error("there is no piece with the number {0}")]
    Piece(i32),
    #[error("{0} is no set of flags")]
    Flags(i64),
    #[error(transparent)]
    Position(#[from] SetUpError),
}

/// The board of a position, `plies` plies into its game.
pub fn board(position: &Position, plies: u32) -> Board {
    let game = position.game();
    let cell = |square: Square| {
        let occupant = position.occupant(square);
        let piece_id = occupant.piece.map_or(0, number);
        Cell { piece_id, flags: occupant.flags.into() }
    };
    let columns = game.columns();
    let hands = Color::ALL.into_iter().flat_map(|color| {
        let held = position.hand(color);
        held.map(move |(kind, count)| Held { piece_id: number(Piece { color, kind }), count })
    });
    let row = |row: u8| (0..columns).map(|column| cell(row * columns + column)).collect();
    Board {
        pos: Rows { squares: (0..game.rows()).map(row).collect() },
        white: position.side_to_move() == Color::White,
        moves: plies,
        hands: hands.collect(),
    }
}

/// The number of a piece in the order of the file, from 1, negative for Black.
fn number(piece: Piece) -> i32 {
    match piece.color {
        Color::White => i32::from(piece.kind) + 1,
        Color::Black => -i32::from(piece.kind) - 1,
    }
}

pub fn position(game: &Arc<Game>, board: &Board) -> Result<Position, BoardError> {
    let (columns, rows) = (game.columns(), game.rows());
    let squares = &board.pos.squares;
    let fits = squares.len() == usize::from(rows)
        && squares.iter().all(|row| row.len() == usize::from(columns));
    if !fits {
        return Err(BoardError::Size { columns, rows });
    }
    let occupants: Result<Vec<Occupant>, BoardError> =
        squares.iter().flatten().map(|cell| occupant(game, cell)).collect();
    let side = if board.white { Color::White } else { Color::Black };
    let position = Position::set_up(game, &occupants?, side, board.moves)?;
    board.hands.iter().try_fold(position, |position, held| {
        let piece = piece(game, held.piece_id)?;
        let piece = piece.filter(|piece| game.held_kinds().contains(&piece.kind));
        let Piece { color, kind } = piece.ok_or(BoardError::Piece(held.piece_id))?;
        Ok(position.with_hand(color, kind, held.count))
    })
}

fn occupant(game: &Game, cell: &Cell) -> Result<Occupant, BoardError> {
    let flags = u8::try_from(cell.flags).map_err(|_| BoardError::Flags(cell.flags))?;
    Ok(Occupant { piece: piece(game, cell.piece_id)?, flags })
}

/// The piece of a number; none of 0.
fn piece(game: &Game, piece_id: i32) -> Result<Option<Piece>, BoardError> {
    let number = piece_id.unsigned_abs() as usize;
    if number > game.piece_count() {
        return Err(BoardError::Piece(piece_id));
    }
    let color = if piece_id > 0 { Color::White } else { Color::Black };
    Ok(number.checked_sub(1).map(|kind| Piece { color, kind: kind as u8 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_variant::builtin;

    #[test]
    fn hands_come_back() {
        let game = builtin("crazyhouse").unwrap();
        let fen = "4k3/8/8/8/8/8/8/4K3[QPPn] b - - 0 3";
        let start = Position::from_fen(&game, fen).unwrap();
        let written = board(&start, 5);
        assert_eq!(position(&game, &written).unwrap().fen(), fen);
        for piece_id in [0, 1, -7, i32::MIN] {
            let hands = vec![Held { piece_id, count: 1 }];
            let wrong = position(&game, &Board { hands, ..written.clone() });
            assert_eq!(wrong.map(|_| ()), Err(BoardError::Piece(piece_id)));
        }
    }

    #[test]
    fn boards_of_other_games_are_refused() {
        let [fide, shogi, locusts] =
            ["fide", "shogi_nodrop", "locusts"].map(|name| builtin(name).unwrap());
        let start = board(&Position::start(&fide), 0);
        let size = Err(BoardError::Size { columns: 9, rows: 9 });
        assert_eq!(position(&shogi, &start).map(|_| ()), size);
        assert_eq!(position(&locusts, &start).map(|_| ()), Err(BoardError::Piece(4)));
        let with = |change: fn(&mut Cell)| {
            let mut board = start.clone();
            change(&mut board.pos.squares[0][0]);
            position(&fide, &board).map(|_| ())
        };
        assert_eq!(with(|cell| cell.piece_id = i32::MIN), Err(BoardError::Piece(i32::MIN)));
        assert_eq!(with(|cell| cell.piece_id = -7), Err(BoardError::Piece(-7)));
        assert_eq!(with(|cell| cell.flags = -1), Err(BoardError::Flags(-1)));
        assert_eq!(with(|cell| cell.flags = i64::MAX), Err(BoardError::Flags(i64::MAX)));
        assert!(matches!(with(|cell| cell.flags = 8), Err(BoardError::Position(_))));
        let mut ragged = start.clone();
        ragged.pos.squares[3].pop();
        assert!(position(&fide, &ragged).is_err());
        assert!(position(&fide, &Board { pos: Rows { squares: vec![] }, ..start }).is_err());
    }
}
