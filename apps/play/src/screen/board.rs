//! Where the squares of the board lie on the screen.

use ratatui::layout::Rect;

/// Columns to the left of the board, for the numbers of the ranks.
const LABELS: u16 = 2;

/// The place of the board on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardArea {
    /// The first column and row of the squares.
    pub origin: (u16, u16),
    /// Columns and rows of a square.
    pub square: (u16, u16),
}

impl BoardArea {
    /// The largest board that fits into an area with room for `beside` columns to its right and
    /// `below` rows under it; `None` if not even the smallest does.
    pub fn fit(area: Rect, beside: u16, below: u16) -> Option<Self> {
        [(13, 6), (11, 5), (9, 4), (7, 3), (5, 2), (3, 1)].into_iter().find_map(
            |square: (u16, u16)| {
                let width = LABELS + 8 * square.0 + 1 + beside;
                // Under the squares are the letters of the files.
                let height = 8 * square.1 + 1 + below;
                let fits = width <= area.width && height <= area.height;
                fits.then_some(Self { origin: (area.x + LABELS, area.y), square })
            },
        )
    }

    /// Columns of the board with its labels.
    pub const fn width(&self) -> u16 {
        LABELS + 8 * self.square.0 + 1
    }

    /// Rows of the board with its labels.
    pub const fn height(&self) -> u16 {
        8 * self.square.1 + 1
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
        (column < 8 && row < 8).then_some((row.into(), column.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::BoardArea;
    use ratatui::layout::Rect;

    #[test]
    fn the_largest_board_that_fits_is_taken() {
        let square = |width, height| {
            BoardArea::fit(Rect::new(0, 0, width, height), 28, 5).map(|board| board.square)
        };
        assert_eq!(square(80, 24), Some((5, 2)));
        assert_eq!(square(120, 40), Some((9, 4)));
        assert_eq!(square(60, 14), Some((3, 1)));
        assert_eq!(square(54, 24), None);
        assert_eq!(square(80, 13), None);
    }

    #[test]
    fn places_and_squares_belong_together() {
        let board = BoardArea::fit(Rect::new(3, 2, 80, 24), 28, 5).unwrap();
        for row in 0..8 {
            for column in 0..8 {
                let cell = board.cell(row, column);
                let last = (cell.right() - 1, cell.bottom() - 1);
                let square = Some((usize::from(row), usize::from(column)));
                assert_eq!(board.at(cell.x, cell.y), square);
                assert_eq!(board.at(last.0, last.1), square);
            }
        }
        assert_eq!(board.at(0, 0), None);
        assert_eq!(board.at(board.origin.0 + 8 * 5, board.origin.1), None);
    }
}
