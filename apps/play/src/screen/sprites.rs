//! Pieces as pictures of square pixels, two in a character: half blocks.

use tamarin_movegen::PieceKind;

/// A size of pictures: columns of a character, and pixels of half a row.
struct Size {
    /// Columns and rows of pixels.
    pixels: (u16, u16),
    /// Pawn, knight, bishop, rook, queen, king: rows from the top, `#` for a pixel of the piece.
    pictures: [&'static str; 6],
}

/// The sizes, the largest first. Drawn by hand for this program.
const SIZES: [Size; 3] = [LARGE, MEDIUM, SMALL];

const LARGE: Size = Size {
    pixels: (13, 12),
    pictures: [
        ".............\
         .............\
         .....###.....\
         ....#####....\
         ....#####....\
         .....###.....\
         ....#####....\
         .....###.....\
         .....###.....\
         ....#####....\
         ...#######...\
         ..#########..",
        ".............\
         ....#.#......\
         ....#####....\
         ...########..\
         ..##.#######.\
         .###########.\
         .#####.#####.\
         ..##..######.\
         .....######..\
         ....#######..\
         ...########..\
         ..##########.",
        "......#......\
         .....###.....\
         ....####.....\
         ...####.##...\
         ...###.###...\
         ...#######...\
         ....#####....\
         .....###.....\
         ....#####....\
         .....###.....\
         ....#####....\
         ..#########..",
        ".............\
         ..##.###.##..\
         ..##.###.##..\
         ..#########..\
         ...#######...\
         ....#####....\
         ....#####....\
         ....#####....\
         ....#####....\
         ...#######...\
         ..#########..\
         ..#########..",
        "......#......\
         .#....#....#.\
         .#...###...#.\
         .##..###..##.\
         .###.###.###.\
         ..#########..\
         ..#########..\
         ...#######...\
         ....#####....\
         ...#######...\
         ..#########..\
         ..#########..",
        "......#......\
         ....#####....\
         ......#......\
         .....###.....\
         ..###.#.###..\
         .####.#.####.\
         .#####.#####.\
         ..#########..\
         ...#######...\
         ...#######...\
         ..#########..\
         ..#########..",
    ],
};

const MEDIUM: Size = Size {
    pixels: (9, 8),
    pictures: [
        ".........\
         .........\
         ....#....\
         ...###...\
         ...###...\
         ....#....\
         ...###...\
         ..#####..",
        ".........\
         ....#.#..\
         ...#####.\
         ..######.\
         .#######.\
         .##.####.\
         ....####.\
         ..######.",
        "....#....\
         ...##....\
         ..##.##..\
         ..#####..\
         ...###...\
         ....#....\
         ...###...\
         .#######.",
        ".........\
         .##.#.##.\
         .#######.\
         ..#####..\
         ..#####..\
         ..#####..\
         ..#####..\
         .#######.",
        "....#....\
         #...#...#\
         ##.###.##\
         .#######.\
         .#######.\
         ..#####..\
         ..#####..\
         .#######.",
        "....#....\
         ...###...\
         ....#....\
         .##.#.##.\
         .#######.\
         ..#####..\
         ..#####..\
         .#######.",
    ],
};

const SMALL: Size = Size {
    pixels: (7, 6),
    pictures: [
        ".......\
         .......\
         ...#...\
         ..###..\
         ...#...\
         ..###..",
        ".......\
         ...#...\
         ..####.\
         .#####.\
         .#.###.\
         ..####.",
        ".......\
         ...#...\
         ..##...\
         ..###..\
         ...#...\
         .#####.",
        ".......\
         .#.#.#.\
         .#####.\
         ..###..\
         ..###..\
         .#####.",
        ".......\
         #..#..#\
         ##.#.##\
         .#####.\
         ..###..\
         .#####.",
        "...#...\
         ..###..\
         ...#...\
         .#####.\
         ..###..\
         .#####.",
    ],
};

/// A picture that fits into a cell, and where it lies in it.
pub struct Sprite {
    picture: &'static str,
    pixels: (u16, u16),
    /// The first column and pixel row.
    origin: (u16, u16),
}

impl Sprite {
    /// The largest picture of a piece for a cell of `columns` by `rows`; `None` if it is too
    /// small for any.
    pub fn fit(kind: PieceKind, columns: u16, rows: u16) -> Option<Self> {
        let fits = |size: &&Size| size.pixels.0 <= columns && size.pixels.1 <= 2 * rows;
        let size = SIZES.iter().find(fits)?;
        let origin = ((columns - size.pixels.0) / 2, (2 * rows - size.pixels.1) / 2);
        Some(Self { picture: size.pictures[kind.index()], pixels: size.pixels, origin })
    }

    fn has(&self, column: u16, row: u16) -> bool {
        let at = column.checked_sub(self.origin.0).zip(row.checked_sub(self.origin.1));
        at.is_some_and(|(x, y)| {
            let index = usize::from(y) * usize::from(self.pixels.0) + usize::from(x);
            x < self.pixels.0 && self.picture.as_bytes().get(index) == Some(&b'#')
        })
    }

    pub fn character(&self, column: u16, row: u16) -> char {
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
    use super::{SIZES, Sprite};
    use tamarin_movegen::PieceKind;

    #[test]
    fn pictures_have_all_their_pixels_and_differ() {
        for size in SIZES {
            let count = usize::from(size.pixels.0 * size.pixels.1);
            for (index, picture) in size.pictures.iter().enumerate() {
                assert_eq!(picture.len(), count);
                assert!(picture.bytes().all(|byte| matches!(byte, b'#' | b'.')), "{picture}");
                assert!(!size.pictures[..index].contains(picture));
            }
        }
    }

    #[test]
    fn the_largest_picture_that_fits_is_taken() {
        let rows = |columns, rows| {
            let sprite = Sprite::fit(PieceKind::Pawn, columns, rows)?;
            let row = |row| (0..columns).map(|column| sprite.character(column, row)).collect();
            Some((0..rows).map(row).collect::<Vec<String>>())
        };
        assert_eq!(rows(5, 2), None);
        assert_eq!(rows(7, 3).unwrap(), ["       ", "  ▄█▄  ", "  ▄█▄  "]);
        assert_eq!(rows(9, 4).unwrap().len(), 4);
        assert_eq!(Sprite::fit(PieceKind::King, 14, 7).unwrap().pixels, (13, 12));
    }
}
