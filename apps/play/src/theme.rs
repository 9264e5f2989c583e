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
pub const THEMES: [Theme; 5] = [
    Theme {
        name: "wood",
        light: Rgb(222, 184, 135),
        dark: Rgb(170, 125, 85),
        last: Rgb(205, 190, 80),
        check: Rgb(210, 70, 60),
        target: Rgb(130, 165, 110),
        selected: Rgb(240, 150, 60),
        cursor: Rgb(90, 150, 190),
        white: Rgb(255, 255, 255),
        black: Rgb(20, 15, 10),
    },
    Theme {
        name: "green",
        light: Rgb(215, 220, 190),
        dark: Rgb(110, 145, 85),
        last: Rgb(205, 205, 90),
        check: Rgb(210, 70, 60),
        target: Rgb(150, 185, 200),
        selected: Rgb(235, 160, 70),
        cursor: Rgb(80, 130, 190),
        white: Rgb(255, 255, 255),
        black: Rgb(15, 20, 15),
    },
    Theme {
        name: "blue",
        light: Rgb(200, 212, 225),
        dark: Rgb(100, 130, 165),
        last: Rgb(170, 195, 110),
        check: Rgb(210, 70, 60),
        target: Rgb(150, 190, 150),
        selected: Rgb(150, 110, 205),
        cursor: Rgb(225, 160, 60),
        white: Rgb(255, 255, 255),
        black: Rgb(10, 15, 30),
    },
    Theme {
        name: "gray",
        light: Rgb(190, 190, 190),
        dark: Rgb(120, 120, 120),
        last: Rgb(155, 155, 95),
        check: Rgb(190, 80, 80),
        target: Rgb(120, 155, 120),
        selected: Rgb(215, 150, 70),
        cursor: Rgb(100, 140, 190),
        white: Rgb(255, 255, 255),
        black: Rgb(0, 0, 0),
    },
    Theme {
        name: "contrast",
        light: Rgb(90, 90, 90),
        dark: Rgb(0, 0, 0),
        last: Rgb(0, 90, 0),
        check: Rgb(175, 0, 0),
        target: Rgb(0, 80, 130),
        selected: Rgb(150, 0, 150),
        cursor: Rgb(130, 100, 0),
        white: Rgb(255, 255, 255),
        black: Rgb(255, 190, 60),
    },
];

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
