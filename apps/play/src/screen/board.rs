//! Where the squares of the board lie on the screen.

use ratatui::layout::Rect;

/// The place of the board on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardArea {
    /// The first column and row of the squares.
    pub origin: (u16, u16),
    /// Columns and rows of a square.
    pub square: (u16, u16),
    /// Files and ranks.
    size: (u16, u16),
}

impl BoardArea {
    /// The largest board of this many files and ranks, with pieces of `widest` columns, that fits
    /// into an area with room for `beside` columns to its right and `below` rows under it; `None`
    /// if not even the smallest does.
    pub fn fit(
        area: Rect,
        (size, widest): ((u8, u8), u16),
        (beside, below): (u16, u16),
    ) -> Option<Self> {
        let size = (u16::from(size.0), u16::from(size.1));
        let origin = (area.x + labels(size.1), area.y);
        let squares = [(13, 6), (11, 5), (9, 4), (7, 3), (5, 2), (3, 1)];
        let boards = squares.map(|(width, height)| {
            let square = (u16::max(width, widest + 2), height);
            Self { origin, square, size }
        });
        boards.into_iter().find(|board| {
            board.width() + beside <= area.width && board.height() + below <= area.height
        })
    }

    /// Columns of the board with its labels.
    pub const fn width(&self) -> u16 {
        labels(self.size.1) + self.size.0 * self.square.0 + 1
    }

    /// Rows of the board with its labels: under the squares are the letters of the files.
    pub const fn height(&self) -> u16 {
        self.size.1 * self.square.1 + 1
    }

    /// The first column of the numbers of the ranks.
    pub const fn labels(&self) -> u16 {
        self.origin.0 - labels(self.size.1)
    }

    /// Where a square lies, by its row from the top and its column from the left.
    pub const fn cell(&self, row: u16, column: u16) -> Rect {
        Rect {
            x: self.origin.0 + column * self.square.0,
            y: self.origin.1 + row * self.square.1,
            width: self.square.0,
            height: self.square.1,
        }
    }

    /// The row and column of the square at a place of the screen.
    pub fn at(&self, x: u16, y: u16) -> Option<(usize, usize)> {
        let column = x.checked_sub(self.origin.0)? / self.square.0;
        let row = y.checked_sub(self.origin.1)? / self.square.1;
        (column < self.size.0 && row < self.size.1).then_some((row.into(), column.into()))
    }
}

/// Columns to the left of so many ranks, for their numbers.
const fn labels(ranks: u16) -> u16 {
    if ranks < 10 { 2 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::BoardArea;
    use ratatui::layout::Rect;

    #[test]
    fn takes_the_largest_board_that_fits() {
        let square = |width, height| {
            let area = Rect::new(0, 0, width, height);
            BoardArea::fit(area, ((8, 8), 1), (28, 5)).map(|board| board.square)
        };
        assert_eq!(square(80, 24), Some((5, 2)));
        assert_eq!(square(120, 40), Some((9, 4)));
        assert_eq!((square(55, 14), square(54, 24), square(80, 13)), (Some((3, 1)), None, None));
    }

    #[test]
    fn finds_squares_by_place() {
        let board = BoardArea::fit(Rect::new(3, 2, 80, 24), ((9, 10), 1), (28, 5)).unwrap();
        for (row, column) in [(0, 0), (9, 8), (4, 3)] {
            let cell = board.cell(row, column);
            let square = Some((usize::from(row), usize::from(column)));
            assert_eq!(board.at(cell.x, cell.y), square);
            assert_eq!(board.at(cell.right() - 1, cell.bottom() - 1), square);
        }
        assert_eq!(board.at(0, 0), None);
        assert_eq!(board.at(board.cell(0, 9).x, board.origin.1), None);
    }
}
