//! The board on the screen: where its squares lie, and how they are drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use tamarin_movegen::PieceKind;

use super::app::App;
use super::text::columns;
use crate::picture::{Cell, Mark, Picture, Pieces};
use crate::text_board::Colors;
use crate::theme::Rgb;

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

/// Columns and rows of pixels, the largest first.
const SIZES: [(usize, usize); 3] = [(13, 12), (9, 8), (7, 6)];

/// For each size pawn, knight, bishop, rook, queen, king: rows from the top, `#` for a pixel of the
/// piece. Drawn by hand for this program.
const PICTURES: &str = include_str!("sprites.txt");

/// A picture that fits into a cell, and where it lies in it.
pub struct Sprite {
    rows: Vec<&'static str>,
    /// The first column and pixel row.
    origin: (usize, usize),
}

impl Sprite {
    /// The largest picture of a piece for a cell of `columns` by `rows`; `None` if it is too
    /// small for any.
    pub fn fit(kind: PieceKind, columns: usize, rows: usize) -> Option<Self> {
        let fits = |(width, height): &(usize, usize)| *width <= columns && *height <= 2 * rows;
        let index = SIZES.iter().position(fits)?;
        let (width, height) = SIZES[index];
        let picture = PICTURES.split("\n\n").nth(6 * index + kind.index())?;
        let origin = ((columns - width) / 2, (2 * rows - height) / 2);
        Some(Self { rows: picture.lines().collect(), origin })
    }

    fn has(&self, column: usize, row: usize) -> bool {
        let at = column.checked_sub(self.origin.0).zip(row.checked_sub(self.origin.1));
        let pixel = at.and_then(|(x, y)| self.rows.get(y)?.as_bytes().get(x));
        pixel == Some(&b'#')
    }

    pub fn character(&self, column: usize, row: usize) -> char {
        match (self.has(column, 2 * row), self.has(column, 2 * row + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        }
    }
}

pub fn draw_board(buffer: &mut Buffer, app: &App, board: BoardArea) {
    let (position, last) = app.session.shown();
    let mut picture = Picture::new(&position, last, app.session.bottom());
    picture.cursor = app.cursor;
    picture.selected = app.selected;
    let (files, ranks) = picture.labels();
    for (row, (label, cells)) in (0_u16..).zip(ranks.iter().zip(picture.cells())) {
        let middle = board.cell(row, 0).y + (board.square.1 - 1) / 2;
        let width = usize::from(board.origin.0 - board.labels() - 1);
        buffer.set_string(board.labels(), middle, format!("{label:>width$}"), Style::new());
        for (column, cell) in (0_u16..).zip(cells) {
            draw_square(buffer, app, &cell, board.cell(row, column));
        }
    }
    for (column, file) in (0_u16..).zip(files) {
        let place = board.cell(ranks.len() as u16, column);
        buffer.set_string(place.x + place.width / 2, place.y, file, Style::new());
    }
}

fn color(rgb: Rgb, colors: Colors) -> Color {
    match colors {
        Colors::True => Color::Rgb(rgb.0, rgb.1, rgb.2),
        _ => Color::Indexed(rgb.to_indexed()),
    }
}

fn draw_square(buffer: &mut Buffer, app: &App, cell: &Cell, place: Rect) {
    let style = cell_style(app, cell);
    buffer.set_style(place, style);
    let is_large = app.session.view.pieces == Pieces::Blocks && app.colors != Colors::None;
    let piece = cell.piece.as_ref().filter(|_| is_large).and_then(|piece| piece.chess);
    let kind = piece.map(tamarin_movegen::Piece::kind);
    match kind.and_then(|kind| Sprite::fit(kind, place.width.into(), place.height.into())) {
        Some(sprite) => {
            for row in 0..place.height {
                let line: String = (0..place.width.into())
                    .map(|column| sprite.character(column, row.into()))
                    .collect();
                buffer.set_string(place.x, place.y + row, line, style);
            }
        }
        None => {
            let y = place.y + (place.height - 1) / 2;
            let text = cell.text(app.session.view.pieces, app.colors != Colors::None);
            let x = place.x + place.width.saturating_sub(columns(&text) as u16) / 2;
            buffer.set_stringn(x, y, text, place.width.into(), style);
        }
    }
    if cell.has_cursor && app.colors != Colors::None {
        draw_cursor(buffer, app, place);
    }
}

/// The corners of the square under the cursor, whatever else its color says.
fn draw_cursor(buffer: &mut Buffer, app: &App, place: Rect) {
    let front = color(app.session.view.theme.black, app.colors);
    let style = Style::new().fg(front).add_modifier(Modifier::BOLD);
    let (right, bottom) = (place.right() - 1, place.bottom() - 1);
    if place.height == 1 {
        buffer.set_string(place.x, place.y, "[", style);
        buffer.set_string(right, place.y, "]", style);
        return;
    }
    let is_ascii = app.session.view.pieces == Pieces::Ascii;
    let signs = if is_ascii { ["/", "\\", "\\", "/"] } else { ["┌", "┐", "└", "┘"] };
    let places = [(place.x, place.y), (right, place.y), (place.x, bottom), (right, bottom)];
    for (sign, (x, y)) in signs.into_iter().zip(places) {
        buffer.set_string(x, y, sign, style);
    }
}

fn cell_style(app: &App, cell: &Cell) -> Style {
    if app.colors == Colors::None {
        return match cell.mark {
            Mark::Selected => Style::new().add_modifier(Modifier::REVERSED),
            _ => Style::new(),
        };
    }
    let theme = &app.session.view.theme;
    Style::new()
        .bg(color(cell.background(theme), app.colors))
        .fg(color(cell.foreground(theme), app.colors))
        .add_modifier(Modifier::BOLD)
}

#[cfg(test)]
mod tests {
    use super::{BoardArea, Sprite};
    use ratatui::layout::Rect;
    use tamarin_movegen::PieceKind;

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

    #[test]
    fn takes_the_largest_picture_that_fits() {
        let rows = |columns, rows| {
            let sprite = Sprite::fit(PieceKind::Pawn, columns, rows)?;
            let row = |row| (0..columns).map(|column| sprite.character(column, row)).collect();
            Some((0..rows).map(row).collect::<Vec<String>>())
        };
        assert_eq!(rows(5, 2), None);
        assert_eq!(rows(7, 3).unwrap(), ["       ", "  ▄█▄  ", "  ▄█▄  "]);
        assert_eq!(rows(9, 4).unwrap().len(), 4);
        assert_eq!(Sprite::fit(PieceKind::King, 14, 7).unwrap().rows.len(), 12);
    }
}
