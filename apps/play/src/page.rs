//! A long text over a whole screen.

use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, MouseEventKind};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

use super::full_screen::is_command;
use super::wrapping::rows;

/// Rows that a turn of the mouse wheel goes through.
const WHEEL_ROWS: isize = 3;

/// A long text over the screen, of which some rows are shown.
#[derive(Debug)]
pub struct Page {
    title: &'static str,
    lines: Vec<String>,
    /// The first row that is shown, and the last one that may be.
    first: usize,
    last: usize,
    /// How many rows are shown.
    height: usize,
}

impl Page {
    /// A text from its beginning.
    pub const fn new(title: &'static str, lines: Vec<String>) -> Self {
        Self { title, lines, first: 0, last: 0, height: 0 }
    }

    fn scroll(&mut self, rows: isize) {
        self.first = self.first.saturating_add_signed(rows).min(self.last);
    }

    /// Goes through the text; `false` if the key closes it.
    fn press(&mut self, code: KeyCode) -> bool {
        // One row is seen twice.
        let screen = self.height.saturating_sub(1).max(1) as isize;
        let rows = match code {
            _ if self.last == 0 => return false,
            KeyCode::Down => 1,
            KeyCode::Up => -1,
            KeyCode::PageDown => screen,
            KeyCode::PageUp => -screen,
            _ => return false,
        };
        self.scroll(rows);
        true
    }

    /// Draws the rows that are shown, lines that are too long in several.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let inside = Block::bordered().inner(area);
        self.height = inside.height.into();
        let all: Vec<String> =
            self.lines.iter().flat_map(|line| rows(line, inside.width.into())).collect();
        self.last = all.len().saturating_sub(self.height);
        self.scroll(0);
        let keys = match self.last {
            0 => " Any key closes this ",
            _ => " Cursor keys go through it, any other key closes it ",
        };
        let block = Block::bordered().title(format!("{}{keys}", self.title));
        let shown: Vec<Line<'_>> =
            all.into_iter().skip(self.first).take(self.height).map(Line::raw).collect();
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(shown).block(block), area);
    }
}

/// Gives an event to the page that is open, if there is one and the event concerns it: keys but
/// those with Ctrl, and the mouse. Whether it was taken.
pub fn take(page: &mut Option<Page>, event: &Event) -> bool {
    let Some(open) = page else { return false };
    let stays = match event {
        Event::Key(key) if key.kind != KeyEventKind::Release && !is_command(*key) => {
            open.press(key.code)
        }
        Event::Mouse(mouse) => {
            match mouse.kind {
                MouseEventKind::ScrollUp => open.scroll(-WHEEL_ROWS),
                MouseEventKind::ScrollDown => open.scroll(WHEEL_ROWS),
                _ => {}
            }
            // The end of a click, which leaves nothing for the board beneath.
            !matches!(mouse.kind, MouseEventKind::Up(_))
        }
        _ => return false,
    };
    if !stays {
        *page = None;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Page, take};
    use crate::testing::{drag, key, wheel};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};

    /// The rows of a page on a screen of 12 columns and 5 rows.
    fn drawn(page: &mut Option<Page>) -> String {
        let mut terminal = Terminal::new(TestBackend::new(12, 5)).unwrap();
        terminal.draw(|frame| page.iter_mut().for_each(|page| page.draw(frame))).unwrap();
        let content = terminal.backend().buffer().content();
        content.iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn keys_and_the_wheel_go_through_a_page_and_stop_at_its_ends() {
        let mut page = Some(Page::new("", (0..9).map(|i| format!("line {i}")).collect()));
        assert!(drawn(&mut page).contains("line 0"));
        let down = |code| key(code, KeyModifiers::NONE);
        for event in [down(KeyCode::Down), wheel(false), down(KeyCode::PageDown)] {
            assert!(take(&mut page, &event));
        }
        let end = drawn(&mut page);
        assert!(end.contains("line 6") && end.contains("line 8"), "{end}");
        // What went beyond the end is not owed on the way back.
        assert!(take(&mut page, &wheel(true)));
        let back = drawn(&mut page);
        assert!(back.contains("line 3") && !back.contains("line 6"), "{back}");
        assert!(take(&mut page, &down(KeyCode::Char('x'))) && page.is_none());
        assert!(!take(&mut page, &down(KeyCode::Down)));
    }

    #[test]
    fn long_lines_are_broken_and_a_click_closes() {
        let mut page = Some(Page::new("", vec!["a line of some words".to_owned()]));
        let screen = drawn(&mut page);
        assert!(screen.contains("a line of") && screen.contains("some words"), "{screen}");
        // The whole click is taken.
        for event in drag((1, 1), (1, 1)) {
            assert!(take(&mut page, &event));
        }
        assert!(page.is_none());
    }
}
