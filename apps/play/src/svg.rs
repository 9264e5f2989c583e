//! A picture of the board as SVG.
//!
//! The pieces are plain shapes of our own, in a square of 45 by 45 units each.

use std::fmt::Write as _;

use tamarin_movegen::{Color, PieceKind};

use super::picture::{Cell, Picture};
use super::theme::{Rgb, Theme};

/// Units of a side of a square.
const SIDE: usize = 45;

/// Units around the board.
const MARGIN: usize = 20;

const fn shape(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => {
            "<circle cx=\"22.5\" cy=\"14\" r=\"6\"/>\
             <path d=\"M18 20h9l3.5 13h-16z\"/><path d=\"M11.500 33h22v5h-22z\"/>"
        }
        PieceKind::Knight => {
            "<path d=\"M13 33c0-8 7-10 9-15l-4 2-5 5-4-3c1-6 4-10 8-13l1-4 4 3c10 2 13 10 12 25z\"/>\
             <path d=\"M10.500 33h25v5h-25z\"/>"
        }
        PieceKind::Bishop => {
            "<circle cx=\"22.5\" cy=\"8\" r=\"3\"/>\
             <path d=\"M22.500 11c-8 5-9 11-5 18h10c4-7 3-13-5-18z\"/>\
             <path d=\"M16 29h13l2 4h-17z\"/><path d=\"M10.500 33h24v5h-24z\"/>"
        }
        PieceKind::Rook => {
            "<path d=\"M11 8h5v4h4v-4h5v4h4v-4h5v9h-23z\"/>\
             <path d=\"M14 17h17l2 16h-21z\"/><path d=\"M9.500 33h26v5h-26z\"/>"
        }
        PieceKind::Queen => {
            "<path d=\"M8 13l6 20h17l6-20-8 9-2.500-13-4 12-4-12-2.500 13z\"/>\
             <circle cx=\"8\" cy=\"11\" r=\"2.500\"/><circle cx=\"18\" cy=\"7.500\" r=\"2.500\"/>\
             <circle cx=\"27\" cy=\"7.500\" r=\"2.500\"/><circle cx=\"37\" cy=\"11\" r=\"2.500\"/>\
             <path d=\"M10.500 33h24v5h-24z\"/>"
        }
        PieceKind::King => {
            "<path d=\"M21 3h3v3h3v3h-3v4h-3v-4h-3v-3h3z\"/>\
             <path d=\"M22.500 13c3 0 4 3 4 5 8-3 13 3 8 10l-2 5h-20l-2-5c-5-7 0-13 8-10 0-2 1-5 4-5z\"/>\
             <path d=\"M10.500 33h24v5h-24z\"/>"
        }
    }
}

struct Hex(Rgb);

impl core::fmt::Display for Hex {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0.0, self.0.1, self.0.2)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A whole SVG document. `title` is what programs for the blind read out.
pub fn draw(picture: &Picture<'_>, theme: &Theme, title: &str) -> String {
    let cells = picture.cells();
    let (files, ranks) = picture.labels();
    let [width, height] = [files.len(), ranks.len()].map(|count| count * SIDE + 2 * MARGIN);
    let mut out = String::new();
    let title = escaped(title);
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    for (row, cells) in cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            square(&mut out, cell, (MARGIN + column * SIDE, MARGIN + row * SIDE), theme);
        }
    }
    let _ = writeln!(
        out,
        "<g font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\" fill=\"#333333\">"
    );
    let middle = |index: usize| MARGIN + index * SIDE + SIDE / 2;
    for (index, file) in files.iter().enumerate() {
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\">{file}</text>", middle(index), height - 6);
    }
    for (index, rank) in ranks.iter().enumerate() {
        let _ = writeln!(out, "<text x=\"10\" y=\"{}\">{rank}</text>", middle(index) + 4);
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn square(out: &mut String, cell: &Cell, (x, y): (usize, usize), theme: &Theme) {
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{}\"/>",
        Hex(cell.background(theme))
    );
    let Some(piece) = &cell.piece else { return };
    let (fill, line) = match piece.color {
        Color::White => ("#ffffff", "#000000"),
        Color::Black => ("#222222", "#dddddd"),
    };
    let inside = match piece.chess {
        Some(piece) => shape(piece.kind()).to_owned(),
        // There are no shapes for the pieces of variants.
        None => format!(
            "<text x=\"22.5\" y=\"30\" font-family=\"sans-serif\" font-size=\"24\" \
             text-anchor=\"middle\">{}</text>",
            escaped(&piece.letters)
        ),
    };
    let _ = writeln!(
        out,
        "<g transform=\"translate({x} {y})\" fill=\"{fill}\" stroke=\"{line}\" \
         stroke-width=\"1.2\" stroke-linejoin=\"round\">{inside}</g>"
    );
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::picture::Picture;
    use crate::theme::THEMES;
    use tamarin_game::position::Position;
    use tamarin_movegen::Color;

    #[test]
    fn every_square_and_piece_is_drawn() {
        let position = Position::startpos();
        let text = draw(&Picture::new(&position, None, Color::White), &THEMES[0], "a < b & c");
        assert_eq!(text.matches("<rect x=").count(), 64);
        assert_eq!(text.matches("<g transform=").count(), 32);
        assert!(text.contains("<title>a &lt; b &amp; c</title>"));
        assert_eq!(text.matches("<g").count(), text.matches("</g>").count());
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    }
}
