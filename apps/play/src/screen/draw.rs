//! Draws the screen.

use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use tamarin_movegen::Color as Side;

use super::app::{App, Overlay, Tone};
use super::board::BoardArea;
use super::keys::KEYS;
use super::squares::draw_board;
use crate::advice::LINES;
use crate::clock;
use crate::command::COMMANDS;
use crate::picture::Pieces;
use crate::session::Session;
use crate::text_board::Colors;
use crate::wrapping::rows;

/// Columns for names, clocks and moves.
const BESIDE: u16 = 28;

/// Rows for the bar, messages and what is typed.
const BELOW: u16 = 5;

/// Milliseconds between two signs of the spinner.
const SPINNER_STEP: u128 = 100;

pub fn draw(frame: &mut Frame<'_>, app: &mut App) {
    let area = frame.area();
    let has_both = app.session.has_lines() && app.session.view.has_bar;
    app.board = BoardArea::fit(area, BESIDE, BELOW + u16::from(has_both));
    let Some(board) = app.board else {
        let text = format!(
            "The terminal is too small: 55 columns and 14 rows are needed, here are {} and {}.",
            area.width, area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    };
    draw_board(frame.buffer_mut(), app, board);
    let beside = Rect {
        x: area.x + board.width() + 1,
        y: area.y,
        width: area.width - board.width() - 1,
        height: board.height(),
    };
    draw_players(frame, app, beside);
    let below = Rect { y: area.y + board.height(), height: area.height - board.height(), ..area };
    draw_below(frame, app, below);
    match app.overlay {
        Overlay::None => {}
        Overlay::Help(line) => draw_page(frame, " Help", help(), line),
        Overlay::Page(line) => {
            let lines = app.page.iter().map(|line| Line::raw(line.clone())).collect();
            draw_page(frame, "", lines, line);
        }
        Overlay::Promotion(..) => draw_promotion(frame),
        Overlay::NewGame => draw_dialog(frame, app),
    }
}

fn draw_players(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let now = Instant::now();
    let session = &app.session;
    let notes = notes(session, now);
    // Small boards leave no room for more than the moves.
    let height = if area.height < 12 { 0 } else { notes.len() as u16 };
    let rows = [
        Constraint::Length(2),
        Constraint::Length(height),
        Constraint::Min(1),
        Constraint::Length(2),
    ];
    let [top, about, moves, bottom] = Layout::vertical(rows).areas(area);
    frame.render_widget(
        Paragraph::new(notes).style(Style::new().add_modifier(Modifier::DIM)),
        about,
    );
    let player = |side: Side| {
        let line = fitted(&session.player_line(side, now), area.width.into());
        let is_mover = line.starts_with('*');
        let style = if is_mover { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        Line::styled(line, style)
    };
    let (upper, lower) = (app.top(), session.bottom());
    if session.course().is_none() {
        let text = vec![player(upper), session.captured_line(upper).into()];
        frame.render_widget(Paragraph::new(text), top);
        let text = vec![session.captured_line(lower).into(), player(lower)];
        frame.render_widget(Paragraph::new(text), bottom);
    }
    frame.render_widget(Paragraph::new(move_list(session, moves.height.into())), moves);
}

/// The opening, and the time of the game, once there are moves.
fn notes(session: &Session, now: Instant) -> Vec<Line<'static>> {
    if session.course().is_some() || session.game.turns().is_empty() {
        return Vec::new();
    }
    let time = clock::whole(session.game_time(now));
    let opening = session.opening().map(|name| Line::raw(format!("  {name}")));
    opening.into_iter().chain([Line::raw(format!("  Game time {time}"))]).collect()
}

/// As many moves as there are rows, the one that is looked at among them.
fn move_list(session: &Session, rows: usize) -> Vec<Line<'static>> {
    let turns = session.game.turns();
    let looked_at = session.view.look.unwrap_or(turns.len());
    let start = session.game.start();
    let first_is_black = usize::from(start.side_to_move() == Side::Black);
    let number = usize::from(start.fullmove_number());
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut index = 0;
    while index < turns.len() {
        let row = lines.len();
        let mut spans = vec![Span::raw(format!("{:>4}. ", number + row))];
        let mut columns = 2;
        if row == 0 && first_is_black == 1 {
            spans.push(Span::raw(format!("{:<9}", "...")));
            columns = 1;
        }
        for _ in 0..columns {
            let Some(turn) = turns.get(index) else { break };
            index += 1;
            let style = if index == looked_at {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            spans.push(Span::styled(turn.san.clone(), style));
            let gap = 9_usize.saturating_sub(turn.san.chars().count());
            spans.push(Span::raw(" ".repeat(gap)));
        }
        lines.push(Line::from(spans));
    }
    let row = (looked_at + first_is_black).saturating_sub(1) / 2;
    let last = lines.len().saturating_sub(rows);
    let skipped = row.saturating_sub(rows / 2).min(last);
    lines.into_iter().skip(skipped).take(rows).collect()
}

fn draw_below(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let bar = app.session.bar_line();
    let bar_height = u16::from(app.session.view.has_bar);
    let lines_height = if app.session.has_lines() { LINES as u16 } else { 0 };
    let rows = [
        Constraint::Length(bar_height),
        Constraint::Length(lines_height),
        Constraint::Min(1),
        Constraint::Length(1),
    ];
    let [bar_area, lines, log, input] = Layout::vertical(rows).areas(area);
    frame.render_widget(bar.unwrap_or_default(), bar_area);
    let texts = app.session.analysis_lines().into_iter().map(Line::raw).collect::<Vec<_>>();
    frame.render_widget(Paragraph::new(texts), lines);
    frame.render_widget(Paragraph::new(log_lines(app, log)), log);
    let prompt = prompt(app);
    let line = Line::from(vec![
        Span::styled(prompt.clone(), Style::new().add_modifier(Modifier::BOLD)),
        Span::raw(app.typed.input.clone()),
    ]);
    frame.render_widget(Paragraph::new(line), input);
    let x = input.x + (prompt.chars().count() + app.typed.input.chars().count()) as u16;
    if app.overlay == Overlay::None && x < input.right() {
        frame.set_cursor_position((x, input.y));
    }
}

fn prompt(app: &App) -> String {
    let session = &app.session;
    let game = &session.game;
    let what = if game.ending().is_some() {
        "over".to_owned()
    } else if session.is_paused() {
        "paused".to_owned()
    } else if session.is_thinking() {
        "thinking".to_owned()
    } else {
        format!("{:?}", game.mover())
    };
    format!("{what}> ")
}

/// The newest messages that fit, long ones in several rows.
fn log_lines(app: &App, area: Rect) -> Vec<Line<'static>> {
    let width = usize::from(area.width.max(1));
    let mut lines: Vec<Line<'static>> = Vec::new();
    let style = |tone| match tone {
        Tone::Typed => Style::new().add_modifier(Modifier::DIM),
        Tone::Plain => Style::new(),
        Tone::Refused if app.colors == Colors::None => Style::new(),
        Tone::Refused => Style::new().fg(Color::Red),
        Tone::Ending => Style::new().add_modifier(Modifier::BOLD),
    };
    for (tone, text) in &app.log {
        for row in rows(text, width) {
            lines.push(Line::styled(row, style(*tone)));
        }
    }
    if let Some(thoughts) = app.session.thoughts() {
        let text = format!("{} {thoughts}", spinner(app));
        for row in rows(&text, width) {
            lines.push(Line::styled(row, Style::new().add_modifier(Modifier::DIM)));
        }
    }
    if !app.typed.candidates.is_empty() {
        for row in rows(&app.typed.candidates.join("  "), width) {
            lines.push(Line::styled(row, Style::new().add_modifier(Modifier::DIM)));
        }
    }
    let skipped = lines.len().saturating_sub(area.height.into());
    lines.into_iter().skip(skipped).collect()
}

/// A sign that turns while the engine thinks.
fn spinner(app: &App) -> char {
    let frames: &[char] = match app.session.view.pieces {
        Pieces::Ascii => &['|', '/', '-', '\\'],
        Pieces::Unicode | Pieces::Blocks => &['◐', '◓', '◑', '◒'],
    };
    let turned = app.began.elapsed().as_millis() / SPINNER_STEP;
    frames[(turned % frames.len() as u128) as usize]
}

/// The keys and the commands.
fn help() -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'_>> =
        KEYS.iter().map(|(key, meaning)| Line::raw(format!("{key:<16} {meaning}"))).collect();
    lines.push(Line::raw(""));
    for entry in COMMANDS {
        let name = format!("{} {}", entry.names[0], entry.operands);
        lines.push(Line::raw(format!("{:<16} {}", name.trim_end(), entry.meaning)));
    }
    lines
}

/// Lines over the whole screen, from one of them on.
fn draw_page(frame: &mut Frame<'_>, title: &str, lines: Vec<Line<'_>>, line: u16) {
    let area = frame.area();
    let last = (lines.len() as u16 + 2).saturating_sub(area.height);
    let keys = " Cursor keys go through it, any other key closes it ";
    let block = Block::bordered().title(format!("{title}{keys}"));
    let page = Paragraph::new(lines).block(block).scroll((line.min(last), 0));
    frame.render_widget(Clear, area);
    frame.render_widget(page, area);
}

/// The dialog for a new game, in the middle of the screen.
fn draw_dialog(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    let (chosen, rows) = app.dialog.rows();
    let line = |(index, row): (usize, String)| {
        let style = Style::new();
        Line::styled(
            row,
            if index == chosen { style.add_modifier(Modifier::REVERSED) } else { style },
        )
    };
    let mut lines: Vec<Line<'_>> = rows.into_iter().enumerate().map(line).collect();
    lines.push(Line::raw(""));
    lines.push(Line::raw("Cursor keys choose, Enter begins, Esc goes back"));
    let (width, height) = (51.min(area.width), 8.min(area.height));
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" New game ")), place);
}

fn draw_promotion(frame: &mut Frame<'_>) {
    let area = frame.area();
    let text = "q queen   r rook   b bishop   n knight   Esc back";
    let width = text.len() as u16 + 4;
    let place = Rect {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(3) / 2,
        width: width.min(area.width),
        height: 3.min(area.height),
    };
    let block = Block::bordered().title(" What does the pawn become? ");
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(text).block(block), place);
}

/// The line of a player in `width` columns: a name that is too long gives way to the clock.
fn fitted(line: &str, width: usize) -> String {
    let (name, clock) = match line.rsplit_once("  ") {
        Some((name, clock)) if !name.trim().is_empty() => (name, format!("  {clock}")),
        _ => (line, String::new()),
    };
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let kept = width.saturating_sub(clock.chars().count());
    name.chars().take(kept).chain(clock.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn a_long_name_gives_way_to_the_clock() {
        let line = "* Black: Tamarin (level 3)  5:03";
        assert_eq!(fitted(line, 40), line);
        assert_eq!(fitted(line, 28), "* Black: Tamarin (leve  5:03");
        assert_eq!(fitted("  White: A very long name", 12), "  White: A v");
    }
}
