//! Colors of the board.

/// A color: red, green, blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The colors of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    pub name: &'static str,
    pub light: Rgb,
    pub dark: Rgb,
    /// Squares of the last move.
    pub last: Rgb,
    /// The king in check.
    pub check: Rgb,
    /// Where a selected piece may go.
    pub target: Rgb,
    pub selected: Rgb,
    /// The square under the cursor.
    pub cursor: Rgb,
    /// White pieces.
    pub white: Rgb,
    /// Black pieces.
    pub black: Rgb,
}

/// All themes, the default one first.
#[rustfmt::skip]
pub const THEMES: [Theme; 5] = [
    // light, dark, last move, check, target, selected, cursor, white pieces, black pieces
    theme("wood", [0xDEB887, 0xAA7D55, 0xCDBE50, 0xD2463C, 0x82A56E, 0xF0963C, 0x5A96BE, 0xFFFFFF, 0x140F0A]),
    theme("green", [0xD7DCBE, 0x6E9155, 0xCDCD5A, 0xD2463C, 0x96B9C8, 0xEBA046, 0x5082BE, 0xFFFFFF, 0x0F140F]),
    theme("blue", [0xC8D4E1, 0x6482A5, 0xAAC36E, 0xD2463C, 0x96BE96, 0x966ECD, 0xE1A03C, 0xFFFFFF, 0x0A0F1E]),
    theme("gray", [0xBEBEBE, 0x787878, 0x9B9B5F, 0xBE5050, 0x789B78, 0xD79646, 0x648CBE, 0xFFFFFF, 0x000000]),
    theme("contrast", [0x5A5A5A, 0x000000, 0x005A00, 0xAF0000, 0x005082, 0x960096, 0x826400, 0xFFFFFF, 0xFFBE3C]),
];

const fn theme(name: &'static str, colors: [u32; 9]) -> Theme {
    let [light, dark, last, check, target, selected, cursor, white, black] = colors;
    Theme {
        name,
        light: rgb(light),
        dark: rgb(dark),
        last: rgb(last),
        check: rgb(check),
        target: rgb(target),
        selected: rgb(selected),
        cursor: rgb(cursor),
        white: rgb(white),
        black: rgb(black),
    }
}

const fn rgb(hex: u32) -> Rgb {
    let [_, red, green, blue] = hex.to_be_bytes();
    Rgb(red, green, blue)
}

pub fn names() -> String {
    THEMES.map(|theme| theme.name).join(", ")
}

pub fn find(name: &str) -> Option<Theme> {
    let name = name.to_lowercase();
    THEMES.into_iter().find(|theme| theme.name == name)
}

/// The theme after this one.
pub fn after(theme: Theme) -> Theme {
    let index = THEMES.iter().position(|known| known.name == theme.name).unwrap_or(0);
    THEMES[(index + 1) % THEMES.len()]
}

impl Rgb {
    /// The nearest color of the cube of 216 or the 24 grays of xterm's 256 colors.
    pub fn to_indexed(self) -> u8 {
        const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
        let level = |value: u8| {
            let nearest = (0..6).min_by_key(|index| LEVELS[*index].abs_diff(value));
            nearest.unwrap_or(0)
        };
        let [r, g, b] = [self.0, self.1, self.2].map(level);
        let cube = Self(LEVELS[r], LEVELS[g], LEVELS[b]);
        let mean = (u16::from(self.0) + u16::from(self.1) + u16::from(self.2)) / 3;
        let step = (mean.saturating_sub(3) / 10).min(23) as u8;
        let gray = 8 + 10 * step;
        if self.distance(Self(gray, gray, gray)) < self.distance(cube) {
            232 + step
        } else {
            (16 + 36 * r + 6 * g + b) as u8
        }
    }

    fn distance(self, other: Self) -> u32 {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(self.0, other.0) + square(self.1, other.1) + square(self.2, other.2)
    }
}

#[cfg(test)]
mod tests {
    use super::{Rgb, THEMES, after, find};

    #[test]
    fn themes_follow_each_other_and_are_found() {
        let mut theme = THEMES[0];
        for _ in THEMES {
            assert_eq!(find(&theme.name.to_uppercase()), Some(theme));
            theme = after(theme);
        }
        assert_eq!(theme, THEMES[0]);
        assert_eq!(find("none"), None);
    }

    #[test]
    fn squares_stay_apart_with_256_colors() {
        for theme in THEMES {
            let marks = [theme.last, theme.check, theme.target, theme.selected, theme.cursor];
            let colors = [&[theme.light, theme.dark], &marks[..]].concat();
            let mut indexed: Vec<u8> = colors.iter().map(|color| color.to_indexed()).collect();
            indexed.sort_unstable();
            indexed.dedup();
            assert_eq!(indexed.len(), colors.len(), "{}", theme.name);
        }
        assert_eq!(Rgb(255, 255, 255).to_indexed(), 231);
        assert_eq!(Rgb(0, 0, 0).to_indexed(), 16);
        assert_eq!(Rgb(120, 120, 120).to_indexed(), 243);
    }
}
