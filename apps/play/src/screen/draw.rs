//! Draws the screen.

use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use tamarin_movegen::Color as Side;

use super::app::{App, Overlay};
use super::board::{BoardArea, draw_board};
use super::text::{beginning, columns, rows, spinner};
use crate::advice::LINES;
use crate::session::Session;
use tamarin_game::clock;

/// Columns for names, clocks and moves.
const BESIDE: u16 = 28;

/// Rows for the bar, messages and what is typed.
const BELOW: u16 = 5;

pub fn draw(frame: &mut Frame<'_>, app: &mut App) {
    let area = frame.area();
    let has_both = app.session.has_lines() && app.session.view.has_bar;
    let below = BELOW + u16::from(has_both);
    let position = app.session.game.position();
    let names = position.rules().into_iter().flat_map(|rules| rules.piece_names());
    let widest = names.map(columns).max().unwrap_or(1) as u16;
    let size = position.size();
    app.board = BoardArea::fit(area, (size, widest), (BESIDE, below));
    let Some(board) = app.board else {
        let text = format!(
            "The terminal is too small: {} columns and {} rows are needed, here are {} and {}. \
             --line plays line by line.",
            u16::from(size.0) * (widest + 2) + 3 + u16::from(size.1 > 9) + BESIDE,
            u16::from(size.1) + 1 + below,
            area.width,
            area.height
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
        Overlay::Promotion(..) => draw_promotion(frame),
        Overlay::NewGame => draw_dialog(frame, app),
    }
    app.page.iter_mut().for_each(|page| page.draw(frame));
}

/// The task of a puzzle, and the moves below it.
fn draw_task(frame: &mut Frame<'_>, session: &Session, area: Rect) {
    let task: Vec<Line<'_>> = session
        .task_lines()
        .flat_map(|line| rows(&line, area.width.into()))
        .map(Line::raw)
        .collect();
    let parts = [Constraint::Length(task.len() as u16 + 1), Constraint::Min(0)];
    let [above, moves] = Layout::vertical(parts).areas(area);
    frame.render_widget(Paragraph::new(task), above);
    frame.render_widget(Paragraph::new(move_list(session, moves.height.into())), moves);
}

fn draw_players(frame: &mut Frame<'_>, app: &App, area: Rect) {
    let now = Instant::now();
    let session = &app.session;
    if session.course().is_some() {
        return draw_task(frame, session, area);
    }
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
    let text = vec![player(upper), session.captured_line(upper).into()];
    frame.render_widget(Paragraph::new(text), top);
    let text = vec![session.captured_line(lower).into(), player(lower)];
    frame.render_widget(Paragraph::new(text), bottom);
    frame.render_widget(Paragraph::new(move_list(session, moves.height.into())), moves);
}

/// The opening, and the time of the game, once there are moves.
fn notes(session: &Session, now: Instant) -> Vec<Line<'static>> {
    if session.game.turns().is_empty() {
        return Vec::new();
    }
    let time = clock::whole(session.game.total_time(now));
    let opening = session.opening().map(|name| Line::raw(format!("  {name}")));
    opening.into_iter().chain([Line::raw(format!("  Game time {time}"))]).collect()
}

/// As many moves as there are rows, the one that is looked at among them.
fn move_list(session: &Session, rows: usize) -> Vec<Line<'static>> {
    let turns = session.game.turns();
    let looked_at = session.view.look.unwrap_or(turns.len());
    let start = session.game.start();
    let first_is_black = usize::from(start.turn() == Side::Black);
    let number = start.number() as usize;
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
    app.log.draw(frame, log, &for_now(app), app.colors);
    let has_cursor = app.overlay == Overlay::None && app.page.is_none();
    app.typed.draw(frame, input, &prompt(app), has_cursor);
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

/// What is said only for now: what the engine considers, and what the typed line may become.
fn for_now(app: &App) -> Vec<String> {
    let sign = || spinner(app.began, app.session.view.pieces);
    let thoughts = app.session.thoughts().map(|thoughts| format!("{} {thoughts}", sign()));
    let candidates = &app.typed.candidates;
    let choice = (!candidates.is_empty()).then(|| candidates.join("  "));
    thoughts.into_iter().chain(choice).collect()
}

/// The dialog for a new game.
fn draw_dialog(frame: &mut Frame<'_>, app: &App) {
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
    draw_over(frame, " New game ", lines);
}

fn draw_promotion(frame: &mut Frame<'_>) {
    let text = "q queen   r rook   b bishop   n knight   Esc back";
    draw_over(frame, " What does the pawn become? ", vec![text.into()]);
}

/// Lines in a box in the middle of the screen.
fn draw_over(frame: &mut Frame<'_>, title: &str, lines: Vec<Line<'_>>) {
    let area = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
    let (width, height) = (area.width.min(widest + 4), area.height.min(lines.len() as u16 + 2));
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let place = Rect { x, y, width, height };
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), place);
}

/// The line of a player in `width` columns: a name that is too long gives way to the clock.
fn fitted(line: &str, width: usize) -> String {
    let (name, clock) = match line.rsplit_once("  ") {
        Some((name, clock)) if !name.trim().is_empty() => (name, format!("  {clock}")),
        _ => (line, String::new()),
    };
    if columns(line) <= width {
        return line.to_owned();
    }
    format!("{}{clock}", beginning(name, width.saturating_sub(columns(&clock))))
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
        assert_eq!(fitted("  White: 王王王王  5:03", 20), "  White: 王王  5:03");
    }
}
