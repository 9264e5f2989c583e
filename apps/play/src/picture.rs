//! What a picture of the board shows, whatever it is drawn with.

use tamarin_game::position::{Move, Position};
use tamarin_movegen::{self as chess, Color, File, Piece, Square};

use super::theme::{Rgb, Theme};

/// The board as somebody sees it. Squares have numbers: `a1` is 0, rank by rank.
#[derive(Clone)]
pub struct Picture<'a> {
    pub position: &'a Position,
    pub last: Option<Move>,
    /// Whose pieces are below.
    pub bottom: Color,
    pub cursor: Option<u8>,
    /// The piece that was taken up.
    pub selected: Option<u8>,
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

/// A piece of a picture.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its letters, capital ones for White.
    pub letters: String,
    pub color: Color,
    /// The piece of chess, if it is one.
    pub chess: Option<Piece>,
}

/// A square of a picture.
#[derive(Clone, Debug)]
pub struct Cell {
    pub is_light: bool,
    pub piece: Option<Shown>,
    /// What is special about it.
    pub mark: Mark,
    /// Whether the cursor is here, whatever else is special.
    pub has_cursor: bool,
}

impl Cell {
    pub const fn background(&self, theme: &Theme) -> Rgb {
        match self.mark {
            Mark::Plain if self.is_light => theme.light,
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
        match self.piece.as_ref().map(|piece| piece.color) {
            Some(Color::White) => theme.white,
            _ => theme.black,
        }
    }

    /// The sign of its piece with a mark around it, where no colors say more.
    pub fn text(&self, pieces: Pieces, is_colored: bool) -> String {
        let sign = match &self.piece {
            Some(piece) => pieces.sign(piece, is_colored),
            None if is_colored => " ".to_owned(),
            None => ".".to_owned(),
        };
        match self.mark {
            _ if is_colored => format!(" {sign} "),
            _ if self.has_cursor => format!(">{sign}<"),
            Mark::Plain | Mark::Cursor => format!(" {sign} "),
            Mark::Last => format!("({sign})"),
            Mark::Check => format!("!{sign}!"),
            Mark::Target => format!("-{sign}-"),
            Mark::Selected => format!("[{sign}]"),
        }
    }
}

impl<'a> Picture<'a> {
    /// A picture without cursor.
    pub const fn new(position: &'a Position, last: Option<Move>, bottom: Color) -> Self {
        Self { position, last, bottom, cursor: None, selected: None }
    }

    /// The square in this row from the top and column from the left.
    pub fn square(&self, row: usize, column: usize) -> Option<u8> {
        let (files, ranks) = self.position.size();
        let (row, column) = (u8::try_from(row).ok()?, u8::try_from(column).ok()?);
        if row >= ranks || column >= files {
            return None;
        }
        Some(match self.bottom {
            Color::White => (ranks - 1 - row) * files + column,
            Color::Black => row * files + files - 1 - column,
        })
    }

    /// The row and the column of a square.
    pub fn place(&self, square: u8) -> (usize, usize) {
        let (files, ranks) = self.position.size();
        let (rank, file) = (square / files, square % files);
        match self.bottom {
            Color::White => ((ranks - 1 - rank).into(), file.into()),
            Color::Black => (rank.into(), (files - 1 - file).into()),
        }
    }

    /// The files from left to right, and the ranks from top to bottom.
    pub fn labels(&self) -> (Vec<String>, Vec<String>) {
        let (files, ranks) = self.position.size();
        let name = |row, column| {
            let square = self.square(row, column).unwrap_or_default();
            let name = self.position.square_name(square);
            let split = name.find(|sign: char| sign.is_ascii_digit()).unwrap_or(name.len());
            (name[..split].to_owned(), name[split..].to_owned())
        };
        let files = (0..files.into()).map(|column| name(0, column).0).collect();
        (files, (0..ranks.into()).map(|row| name(row, 0).1).collect())
    }

    /// The squares row by row from the top, each from left to right.
    pub fn cells(&self) -> Vec<Vec<Cell>> {
        let (files, ranks) = self.position.size();
        let mut pieces = vec![None; usize::from(files) * usize::from(ranks)];
        for piece in self.position.pieces() {
            let Some(square) = self.position.square(&piece.at) else { continue };
            let letters = match piece.side {
                Color::White => piece.piece.to_uppercase(),
                Color::Black => piece.piece.to_lowercase(),
            };
            let chess = self
                .position
                .chess()
                .and_then(|position| position.piece_at(Square::from_index(square.into())?));
            pieces[usize::from(square)] = Some(Shown { letters, color: piece.side, chess });
        }
        let checked: Vec<_> =
            self.position.checked().iter().filter_map(|at| self.position.square(at)).collect();
        let targets = self.selected.map_or_else(Vec::new, |from| targets(self.position, from));
        let last = self.last.map(ends);
        let mark = |square: u8| match () {
            () if self.selected == Some(square) => Mark::Selected,
            () if self.cursor == Some(square) => Mark::Cursor,
            () if checked.contains(&square) => Mark::Check,
            () if targets.contains(&square) => Mark::Target,
            () if last.is_some_and(|ends| ends.contains(&square)) => Mark::Last,
            () => Mark::Plain,
        };
        let mut cell = |row, column| {
            let square = self.square(row, column)?;
            let is_light = !(square / files + square % files).is_multiple_of(2);
            let has_cursor = self.cursor == Some(square);
            let piece = pieces.get_mut(usize::from(square))?.take();
            Some(Cell { is_light, piece, mark: mark(square), has_cursor })
        };
        let row = |row| (0..files.into()).filter_map(|column| cell(row, column)).collect();
        (0..ranks.into()).map(row).collect()
    }
}

/// Where the pieces on a square may go.
fn targets(position: &Position, from: u8) -> Vec<u8> {
    let ends = position.moves().into_iter().map(ends);
    ends.filter(|[start, _]| *start == from).map(|[_, end]| end).collect()
}

/// The squares that a move leaves and goes to: of castling those of the king; of a drop its target.
pub fn ends(mv: Move) -> [u8; 2] {
    match mv {
        Move::Chess(mv) => [mv.from(), target(mv)].map(|square| square.index() as u8),
        Move::Variant(mv) => [mv.origin().unwrap_or(mv.to), mv.to],
    }
}

/// Where the piece that moves ends up; of castling, the king.
pub fn target(mv: chess::Move) -> Square {
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
    pub fn sign(self, piece: &Shown, is_colored: bool) -> String {
        piece
            .chess
            .map_or_else(|| piece.letters.clone(), |piece| self.of_chess(piece, is_colored).into())
    }

    /// A piece of chess.
    pub const fn of_chess(self, piece: Piece, is_colored: bool) -> char {
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
    use super::{Mark, Picture, ends};
    use tamarin_game::position::Position;
    use tamarin_movegen::{self as chess, Color};

    #[test]
    fn marks_what_matters_most() {
        let position: Position =
            chess::Position::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1").unwrap().into();
        let at = |name| position.square(name);
        let mut picture = Picture::new(&position, None, Color::White);
        let mark = |picture: &Picture<'_>, name| {
            let (row, column) = picture.place(at(name).unwrap());
            picture.cells()[row][column].mark
        };
        assert_eq!(mark(&picture, "e8"), Mark::Check);
        picture.selected = at("e8");
        assert_eq!(mark(&picture, "e8"), Mark::Selected);
        assert_eq!((mark(&picture, "d8"), mark(&picture, "e7")), (Mark::Target, Mark::Plain));
        picture.cursor = at("d8");
        assert_eq!(mark(&picture, "d8"), Mark::Cursor);
    }

    #[test]
    fn turns_boards_of_any_size() {
        let variant = crate::variant::Variant::find("xiangqi").unwrap().start();
        for (position, corner, first, files) in
            [(Position::startpos(), "h1", "1", "hgfedcba"), (variant, "i1", "1", "ihgfedcba")]
        {
            let picture = Picture::new(&position, None, Color::Black);
            assert_eq!(picture.square(0, 0), position.square(corner));
            let (labels, ranks) = picture.labels();
            assert_eq!((labels.concat().as_str(), ranks[0].as_str()), (files, first));
            assert_eq!(picture.place(0), (0, files.len() - 1));
            assert_eq!(picture.square(ranks.len(), 0), None);
        }
    }

    #[test]
    fn castling_goes_where_the_king_goes() {
        let position: Position =
            chess::Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap().into();
        assert_eq!(ends(position.find("O-O").unwrap()), [4, 6]);
        assert_eq!(ends(position.find("O-O-O").unwrap()), [4, 2]);
    }
}
