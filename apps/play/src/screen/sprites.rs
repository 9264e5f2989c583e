//! Pieces as pictures of square pixels, two in a character: half blocks.

use tamarin_movegen::PieceKind;

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

#[cfg(test)]
mod tests {
    use super::Sprite;
    use tamarin_movegen::PieceKind;

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
