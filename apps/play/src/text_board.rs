//! The board as lines of text.

use super::picture::{Cell, Picture, Pieces};
use super::screen::text::columns;
use super::theme::{Rgb, Theme};

/// How many colors an output has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colors {
    None,
    /// xterm's 256.
    Indexed,
    True,
}

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// How its pieces look.
    pub pieces: Pieces,
    /// How many colors there are.
    pub colors: Colors,
    pub theme: Theme,
}

/// Lines, each ended: the files, the ranks from top to bottom, the files again. `beside` stands to
/// the right of the ranks.
pub fn draw(picture: &Picture<'_>, style: &Style, beside: &[String]) -> String {
    let cells = picture.cells();
    let is_colored = style.colors != Colors::None;
    let texts: Vec<Vec<String>> = cells
        .iter()
        .map(|row| row.iter().map(|cell| cell.text(style.pieces, is_colored)).collect())
        .collect();
    let width = texts.iter().flatten().map(|text| columns(text)).max().unwrap_or(3);
    let (files, ranks) = picture.labels();
    let files: String = files.iter().map(|file| format!("{file:^width$}")).collect();
    let files = format!("    {}\n", files.trim_end());
    let mut text = files.clone();
    for (row, label) in ranks.iter().enumerate() {
        let signs = cells[row].iter().zip(&texts[row]);
        let squares: String = signs.map(|(cell, text)| square(cell, text, width, style)).collect();
        let beside = beside.get(row).map_or("", String::as_str);
        let line = format!("{label:>3} {squares} {label:<2}  {beside}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text + &files
}

/// The text of a square in so many columns, with its colors.
fn square(cell: &Cell, text: &str, width: usize, style: &Style) -> String {
    let text = format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))));
    let code = |layer: u8, color: Rgb| match style.colors {
        Colors::True => format!("{layer};2;{};{};{}", color.0, color.1, color.2),
        _ => format!("{layer};5;{}", color.to_indexed()),
    };
    if style.colors == Colors::None {
        return text;
    }
    let back = code(48, cell.background(&style.theme));
    let front = code(38, cell.foreground(&style.theme));
    format!("\x1b[{back};{front}m{text}\x1b[0m")
}

/// The evaluation bar: White's share of `width` columns.
pub fn bar(white_share: f64, width: usize, pieces: Pieces) -> String {
    let (white, black) = match pieces {
        Pieces::Unicode | Pieces::Blocks => ('█', '░'),
        Pieces::Ascii => ('#', '.'),
    };
    let filled = (white_share.clamp(0.0, 1.0) * width as f64).round() as usize;
    let cell = |index| if index < filled { white } else { black };
    (0..width).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::{Colors, Style, draw};
    use crate::picture::{Picture, Pieces};
    use crate::theme::THEMES;
    use tamarin_game::position::Position;
    use tamarin_movegen::{self as chess, Color};

    const PLAIN: Style = Style { pieces: Pieces::Ascii, colors: Colors::None, theme: THEMES[0] };

    #[test]
    fn the_board_is_drawn_with_last_move_and_check() {
        let start = chess::Position::from_fen("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1");
        let mut position = Position::from(start.unwrap());
        let last = position.find("Re2+").unwrap();
        position.make(last);
        let picture = Picture::new(&position, Some(last), Color::White);
        let text = draw(&picture, &PLAIN, &["one".to_owned()]);
        let wanted = "     a  b  c  d  e  f  g  h
  8  .  .  .  . !k! .  .  .  8   one
  7  .  .  .  .  .  .  .  .  7
  6  .  .  .  .  .  .  .  .  6
  5  .  .  .  .  .  .  .  .  5
  4  .  .  .  .  .  .  .  .  4
  3  .  .  .  .  .  .  .  .  3
  2  .  .  . (.)(R) .  .  .  2
  1  .  .  .  .  K  .  .  .  1
     a  b  c  d  e  f  g  h
";
        assert_eq!(text, wanted);
        let turned = draw(&Picture::new(&position, None, Color::Black), &PLAIN, &[]);
        assert!(turned.starts_with("     h  g  f"), "{turned}");
        assert!(turned.lines().nth(1).is_some_and(|line| line == "  1  .  .  .  K  .  .  .  .  1"));
    }

    #[test]
    fn colors_and_signs_are_used_where_there_are_any() {
        let position = Position::startpos();
        let picture = Picture::new(&position, None, Color::White);
        let unicode = Style { pieces: Pieces::Unicode, ..PLAIN };
        let text = draw(&picture, &unicode, &[]);
        assert!(text.contains('♔') && text.contains('♚') && !text.contains('\x1b'));
        let colored = draw(&picture, &Style { colors: Colors::Indexed, ..unicode }, &[]);
        // Filled signs for both sides.
        assert!(!colored.contains('♔') && colored.matches('♚').count() == 2);
        assert_eq!(colored.matches("\x1b[48;5;").count(), 64);
        let full = draw(&picture, &Style { colors: Colors::True, ..PLAIN }, &[]);
        assert_eq!(full.matches("\x1b[48;2;222;184;135;").count(), 32);
    }
}
