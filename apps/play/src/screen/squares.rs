//! Draws the squares of the board.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::app::App;
use super::board::BoardArea;
use super::sprites::Sprite;
use crate::picture::{Cell, Mark, Picture, Pieces};
use crate::text_board::Colors;
use crate::theme::Rgb;
use crate::wrapping::columns;

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
