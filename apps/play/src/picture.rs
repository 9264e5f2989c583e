//! What a picture of the board shows, whatever it is drawn with.

use tamarin_movegen::{Bitboard, Color, File, Move, Piece, Position, Rank, Square};

use super::theme::{Rgb, Theme};

/// The board as somebody sees it.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    pub position: &'a Position,
    pub last: Option<Move>,
    /// Whose pieces are below.
    pub bottom: Color,
    pub cursor: Option<Square>,
    /// The piece that was taken up.
    pub selected: Option<Square>,
}

/// What is special about a square; of several, the last one here counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    Plain,
    /// The last move came from here or went here.
    Last,
    /// The selected piece may go here.
    Target,
    /// The king is in check.
    Check,
    Cursor,
    /// The piece was taken up.
    Selected,
}

/// A square of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub square: Square,
    pub piece: Option<Piece>,
    /// What is special about it.
    pub mark: Mark,
    /// Whether the cursor is here, whatever else is special.
    pub has_cursor: bool,
}

impl Cell {
    pub fn background(&self, theme: &Theme) -> Rgb {
        match self.mark {
            Mark::Plain if Bitboard::LIGHT.has(self.square) => theme.light,
            Mark::Plain => theme.dark,
            Mark::Last => theme.last,
            Mark::Target => theme.target,
            Mark::Check => theme.check,
            Mark::Selected => theme.selected,
            Mark::Cursor => theme.cursor,
        }
    }

    /// The color of its piece.
    pub fn foreground(&self, theme: &Theme) -> Rgb {
        match self.piece.map(Piece::color) {
            Some(Color::White) => theme.white,
            _ => theme.black,
        }
    }
}

impl<'a> Picture<'a> {
    /// A picture without cursor.
    pub const fn new(position: &'a Position, last: Option<Move>, bottom: Color) -> Self {
        Self { position, last, bottom, cursor: None, selected: None }
    }

    /// The files from left to right.
    pub fn files(&self) -> [File; 8] {
        let mut files = File::ALL;
        if self.bottom == Color::Black {
            files.reverse();
        }
        files
    }

    /// The ranks from top to bottom.
    pub fn ranks(&self) -> [Rank; 8] {
        let mut ranks = Rank::ALL;
        if self.bottom == Color::White {
            ranks.reverse();
        }
        ranks
    }

    /// The square in this row from the top and column from the left.
    pub fn square(&self, row: usize, column: usize) -> Option<Square> {
        Some(Square::new(*self.files().get(column)?, *self.ranks().get(row)?))
    }

    /// The squares of a rank from left to right.
    pub fn cells(&self, rank: Rank) -> [Cell; 8] {
        let targets = self.targets();
        self.files().map(|file| {
            let square = Square::new(file, rank);
            let piece = self.position.piece_at(square);
            let has_cursor = self.cursor == Some(square);
            Cell { square, piece, mark: self.mark(square, targets), has_cursor }
        })
    }

    /// Where the selected piece may go.
    fn targets(&self) -> Bitboard {
        let Some(selected) = self.selected else { return Bitboard::EMPTY };
        let moves = self.position.legal_moves();
        moves.into_iter().filter(|mv| mv.from() == selected).map(target).collect()
    }

    fn mark(&self, square: Square, targets: Bitboard) -> Mark {
        let position = self.position;
        let is_checked = position.in_check() && square == position.king(position.side_to_move());
        if self.selected == Some(square) {
            Mark::Selected
        } else if self.cursor == Some(square) {
            Mark::Cursor
        } else if is_checked {
            Mark::Check
        } else if targets.has(square) {
            Mark::Target
        } else if self.last.is_some_and(|mv| square == mv.from() || square == target(mv)) {
            Mark::Last
        } else {
            Mark::Plain
        }
    }
}

/// Where the piece that moves ends up; of castling, the king.
pub fn target(mv: Move) -> Square {
    if !mv.is_castle() {
        return mv.to();
    }
    let file = if mv.to().file() > mv.from().file() { File::G } else { File::C };
    Square::new(file, mv.from().rank())
}

/// The letters and signs of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    /// Chess signs.
    Unicode,
    /// Letters, capital ones for White.
    Ascii,
    /// Pictures of half blocks on squares that are large enough, else chess signs.
    Blocks,
}

impl Pieces {
    /// A piece. On colored squares both sides have the filled signs, which differ by color.
    pub const fn sign(self, piece: Piece, is_colored: bool) -> char {
        const OUTLINED: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
        const FILLED: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];
        let kind = piece.kind().index();
        match self {
            Self::Ascii => piece.to_char(),
            Self::Unicode | Self::Blocks if is_colored || matches!(piece.color(), Color::Black) => {
                FILLED[kind]
            }
            Self::Unicode | Self::Blocks => OUTLINED[kind],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, Picture, target};
    use tamarin_movegen::{Color, File, Position, Rank, Square};

    #[test]
    fn squares_are_marked_by_what_matters_most() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1").unwrap();
        let mut picture = Picture::new(&position, None, Color::White);
        let mark = |picture: &Picture<'_>, square: Square| {
            let cells = picture.cells(square.rank());
            cells.iter().find(|cell| cell.square == square).unwrap().mark
        };
        assert_eq!(mark(&picture, Square::E8), Mark::Check);
        picture.selected = Some(Square::E8);
        assert_eq!(mark(&picture, Square::E8), Mark::Selected);
        assert_eq!(mark(&picture, Square::D8), Mark::Target);
        assert_eq!(mark(&picture, Square::E7), Mark::Plain);
        picture.cursor = Some(Square::D8);
        assert_eq!(mark(&picture, Square::D8), Mark::Cursor);
    }

    #[test]
    fn the_board_turns() {
        let position = Position::startpos();
        let picture = Picture::new(&position, None, Color::Black);
        assert_eq!(picture.square(0, 0), Some(Square::H1));
        assert_eq!((picture.ranks()[0], picture.files()[0]), (Rank::First, File::H));
        let picture = Picture::new(&position, None, Color::White);
        assert_eq!(picture.square(0, 0), Some(Square::A8));
        assert_eq!(picture.square(8, 0), None);
    }

    #[test]
    fn castling_goes_where_the_king_goes() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        assert_eq!(target(position.parse_san("O-O").unwrap()), Square::G1);
        assert_eq!(target(position.parse_san("O-O-O").unwrap()), Square::C1);
    }
}
