//! The edit mode: a board changed piece by piece.

use tamarin_movegen::{Color, File, Piece, PieceKind, Position, Rank, Setup, SetupError, Square};
use tamarin_uci::xboard::EditCommand;

/// A board being edited.
pub struct Edit {
    setup: Setup,
    /// Whose pieces are put on the board.
    color: Color,
}

impl Edit {
    /// Begins with the pieces of this position and the color White.
    pub fn of(position: &Position) -> Self {
        let mut setup = Setup::empty();
        for square in position.occupied() {
            setup.pieces[square] = position.piece_at(square);
        }
        setup.side_to_move = position.side_to_move();
        Self { setup, color: Color::White }
    }

    /// Carries out a line; `Done` changes nothing.
    pub fn apply(&mut self, command: EditCommand) {
        let pieces = &mut self.setup.pieces;
        match command {
            EditCommand::Clear => {
                self.setup = Setup { side_to_move: self.setup.side_to_move, ..Setup::empty() }
            }
            EditCommand::OtherColor => self.color = !self.color,
            EditCommand::Put(kind, square) => pieces[square] = Some(Piece::new(self.color, kind)),
            EditCommand::Remove(square) => pieces[square] = None,
            EditCommand::Done => {}
        }
    }

    /// The position that was set up. A king and a rook on their first squares may castle: the
    /// edit mode has no way to say otherwise.
    pub fn finish(mut self) -> Result<Position, SetupError> {
        for color in [Color::White, Color::Black] {
            let rank = Rank::First.relative_to(color);
            let holds = |file, kind| {
                self.setup.pieces[Square::new(file, rank)] == Some(Piece::new(color, kind))
            };
            if !holds(File::E, PieceKind::King) {
                continue;
            }
            for file in [File::A, File::H] {
                if holds(file, PieceKind::Rook) {
                    let rook = Square::new(file, rank).bitboard();
                    self.setup.castling |= rook;
                }
            }
        }
        Position::from_setup(&self.setup)
    }
}

pub fn with_side_to_move(position: &Position, color: Color) -> Result<Position, SetupError> {
    if position.side_to_move() == color {
        return Ok(position.clone());
    }
    let mut setup = Edit::of(position).setup;
    setup.castling = position.castling();
    setup.side_to_move = color;
    Position::from_setup(&setup)
}

#[cfg(test)]
mod tests {
    use super::{Edit, with_side_to_move};
    use tamarin_movegen::{Color, Position};
    use tamarin_uci::xboard::EditCommand;

    fn edited(lines: &[&str]) -> Edit {
        let mut edit = Edit::of(&Position::startpos());
        for line in lines {
            edit.apply(EditCommand::parse(line).expect("a line of the edit mode"));
        }
        edit
    }

    #[test]
    fn a_board_is_cleared_and_filled_for_both_sides() {
        let lines = ["#", "Ke1", "Rh1", "Pa2", "c", "Ke8", "Ra8", "Qd8", "xd8"];
        let position = edited(&lines).finish().expect("legal");
        assert_eq!(position.to_string(), "r3k3/8/8/8/8/8/P7/4K2R w Kq - 0 1");
    }

    #[test]
    fn what_is_not_cleared_stays() {
        let position = edited(&["xe2", "Pe4"]).finish().expect("legal");
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(position.to_string(), start);
    }

    #[test]
    fn a_board_without_kings_is_refused() {
        assert!(edited(&["#", "Ra1"]).finish().is_err());
    }

    #[test]
    fn the_side_to_move_can_be_changed_unless_a_check_forbids_it() {
        let black = with_side_to_move(&Position::startpos(), Color::Black).expect("legal");
        assert_eq!(black.side_to_move(), Color::Black);
        let check = Position::from_fen("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").expect("legal");
        assert!(with_side_to_move(&check, Color::White).is_err());
    }
}
