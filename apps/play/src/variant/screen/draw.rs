//! Draws the screen of a variant.

use std::time::Instant;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Paint, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};
use tamarin_base::counted;
use tamarin_movegen::Color as Side;
use tamarin_variant::{Color, Square, hand};

use super::state::{Place, State};
use crate::messages::spinner;
use crate::picture::Pieces;
use crate::text_board::Colors;
use crate::theme::Rgb;
use crate::wrapping::columns;
use tamarin_game::clock;

/// Columns for names, clocks and moves.
const BESIDE: u16 = 28;

/// Rows for messages and what is typed.
const BELOW: u16 = 5;

/// Columns to the left of the board, for the numbers of the ranks.
const LABELS: u16 = 3;

pub fn draw(frame: &mut Frame<'_>, state: &mut State) {
    let area = frame.area();
    state.place = fit(state, area);
    let Some(place) = state.place else {
        let text = format!(
            "The terminal is too small for this board: here are {} columns and {} rows. \
             --line plays it line by line.",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    };
    draw_board(frame.buffer_mut(), state, place);
    let game = state.table.game.position().game();
    let (rows, columns) = (u16::from(game.rows()), u16::from(game.columns()));
    let right = place.origin.0 + columns * place.square.0 + 2;
    let bottom = place.origin.1 + rows * place.square.1 + 1;
    let beside = Rect { x: right, y: area.y, width: area.right() - right, height: bottom };
    draw_players(frame, state, beside);
    let below = Rect { y: bottom, height: area.bottom() - bottom, ..area };
    draw_below(frame, state, below);
    state.page.iter_mut().for_each(|page| page.draw(frame));
}

/// The largest board that fits.
fn fit(state: &State, area: Rect) -> Option<Place> {
    let position = state.table.game.position();
    let game = position.game();
    let widest = game.piece_names().map(columns).max().unwrap_or(1);
    let least = u16::try_from(widest).ok()?.max(1) + 2;
    let (rows, columns) = (u16::from(game.rows()), u16::from(game.columns()));
    [(9, 4), (7, 3), (5, 2), (3, 1)].into_iter().find_map(|square: (u16, u16)| {
        let square = (square.0.max(least), square.1);
        let width = LABELS + columns * square.0 + 1 + BESIDE;
        let height = rows * square.1 + 1 + BELOW;
        let fits = width <= area.width && height <= area.height;
        fits.then_some(Place { origin: (area.x + LABELS, area.y), square })
    })
}

fn paint(rgb: Rgb, colors: Colors) -> Paint {
    match colors {
        Colors::True => Paint::Rgb(rgb.0, rgb.1, rgb.2),
        _ => Paint::Indexed(rgb.to_indexed()),
    }
}

fn draw_board(buffer: &mut Buffer, state: &State, place: Place) {
    let game = state.table.game.position().game();
    let targets: Vec<Square> = state.targets().iter().map(|m| m.to).collect();
    let (width, height) = place.square;
    for row in 0..game.rows() {
        for column in 0..game.columns() {
            let Some(square) = state.square(row, column) else { continue };
            let cell = Rect {
                x: place.origin.0 + u16::from(column) * width,
                y: place.origin.1 + u16::from(row) * height,
                width,
                height,
            };
            draw_square(buffer, state, square, &targets, cell);
            let name = game.square_name(square);
            let split = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
            if column == 0 {
                let middle = cell.y + (height - 1) / 2;
                buffer.set_string(place.origin.0 - LABELS, middle, &name[split..], Style::new());
            }
            if row + 1 == game.rows() {
                let x = cell.x + width / 2;
                buffer.set_string(x, cell.bottom(), &name[..split], Style::new());
            }
        }
    }
}

fn draw_square(buffer: &mut Buffer, state: &State, square: Square, targets: &[Square], cell: Rect) {
    let position = state.shown();
    let files = position.game().columns();
    let piece = position.piece(square);
    let is_selected = state.selected == Some(square);
    let has_cursor = state.cursor == Some(square);
    let name = match piece {
        None if state.colors == Colors::None => ".".to_owned(),
        None => " ".to_owned(),
        Some((Color::White, name)) => name.to_uppercase(),
        Some((Color::Black, name)) => name.to_lowercase(),
    };
    let text = match (is_selected, has_cursor, targets.contains(&square)) {
        (_, true, _) => format!(">{name}<"),
        (true, ..) => format!("[{name}]"),
        (_, _, true) => format!("-{name}-"),
        _ => format!(" {name} "),
    };
    let mut style = Style::new();
    if state.colors != Colors::None {
        let theme = &state.theme;
        let is_dark = (square / files + square % files).is_multiple_of(2);
        let back = match (is_selected, has_cursor, targets.contains(&square)) {
            (true, ..) => theme.selected,
            (_, true, _) => theme.cursor,
            (_, _, true) => theme.target,
            _ if is_dark => theme.dark,
            _ => theme.light,
        };
        let is_white = piece.is_some_and(|(color, _)| color == Color::White);
        let front = if is_white { theme.white } else { theme.black };
        style = style
            .bg(paint(back, state.colors))
            .fg(paint(front, state.colors))
            .add_modifier(Modifier::BOLD);
    }
    buffer.set_style(cell, style);
    let count = u16::try_from(columns(&text)).unwrap_or(cell.width).min(cell.width);
    let y = cell.y + (cell.height - 1) / 2;
    buffer.set_stringn(cell.x + (cell.width - count) / 2, y, text, cell.width.into(), style);
}

fn draw_players(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let table = &state.table;
    let names = table.names();
    let mover = table.game.position().side_to_move();
    let is_over = table.end().is_some();
    let line = |color: Color, side: Side| {
        let sign = if mover == color && !is_over { "*" } else { " " };
        let left = table.clocks.as_ref().map_or(String::new(), |clocks| {
            format!("  {}", clock::show(clocks.left(side, Instant::now())))
        });
        Line::raw(format!("{sign} {color}: {}{left}", names[color.index()]))
    };
    let mut lines = Vec::new();
    for (color, side) in [(Color::White, Side::White), (Color::Black, Side::Black)] {
        lines.push(line(color, side));
        // A piece in hand is played by typing it: P@e4.
        lines.extend(hand(state.shown(), color).map(|held| Line::raw(format!("  {held}"))));
    }
    if table.game.position().in_check() {
        lines.push(Line::raw("  Check!"));
    }
    let time = clock::whole(table.game_time(Instant::now()));
    lines.push(Line::raw(format!("  Game time {time}")));
    if let Some(ply) = state.look() {
        let plies = counted(table.game.plies(), "ply", "plies");
        lines.push(Line::raw(format!("  After {ply} of {plies}")));
    }
    lines.push(Line::raw(""));
    let moves = table.game.moves();
    let words: Vec<&str> = moves.split_whitespace().collect();
    // Enough for the rows that there are: the last moves count.
    let shown = words.len().saturating_sub(usize::from(area.height.saturating_sub(8)) * 3);
    lines.push(Line::raw(words[shown..].join(" ")));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

fn draw_below(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let table = &state.table;
    let mover = table.game.position().side_to_move();
    let mut for_now = Vec::new();
    if state.opponent.is_thinking() {
        let sign = spinner(state.began, Pieces::Ascii);
        for_now.push(format!("{sign} {} thinks", table.names()[mover.index()]));
    }
    if !state.typed.candidates.is_empty() {
        for_now.push(state.typed.candidates.join("  "));
    }
    let log = Rect { height: area.height.saturating_sub(1), ..area };
    state.log.draw(frame, log, &for_now, state.colors);
    let prompt = if table.end().is_some() { "over> ".to_owned() } else { format!("{mover}> ") };
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    state.typed.draw(frame, row, &prompt, state.page.is_none());
}
