//! What was typed before, and what may come of what is being typed.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::completion::common;
use super::wrapping::{columns, end};

/// The longest line that can be typed, in bytes.
const MAX_INPUT: usize = 4096;

/// A line that is being typed on a screen.
#[derive(Default)]
pub struct Typed {
    pub input: String,
    /// What it may become, once that was asked for and is not clear.
    pub candidates: Vec<String>,
    /// The lines before it, the newest last.
    lines: Vec<String>,
    /// How far back in these; 0 is the present line.
    back: usize,
}

impl Typed {
    /// Types a letter, unless it is a control character or the line is too long.
    pub fn insert(&mut self, letter: char) {
        if !letter.is_control() && self.input.len() < MAX_INPUT {
            self.input.push(letter);
            self.candidates.clear();
        }
    }

    /// Removes the last letter.
    pub fn erase(&mut self) {
        self.input.pop();
        self.candidates.clear();
    }

    /// Draws the line behind a prompt, with the cursor if that is wanted; of a line that is longer
    /// than the row the end.
    pub fn draw(&self, frame: &mut Frame<'_>, row: Rect, prompt: &str, has_cursor: bool) {
        let left = usize::from(row.width).saturating_sub(columns(prompt) + 1);
        let shown = end(&self.input, left);
        let x = row.x.saturating_add((columns(prompt) + columns(&shown)) as u16);
        let prompt = Span::styled(prompt, Style::new().add_modifier(Modifier::BOLD));
        frame.render_widget(Paragraph::new(Line::from(vec![prompt, Span::raw(shown)])), row);
        if has_cursor && x < row.right() {
            frame.set_cursor_position((x, row.y));
        }
    }

    /// Takes the line, which is no longer being typed.
    pub fn take(&mut self) -> String {
        self.candidates.clear();
        self.back = 0;
        std::mem::take(&mut self.input)
    }

    /// A line was typed that may be brought back.
    pub fn keep(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    /// Brings back what was typed `step` lines before, or after.
    pub fn recall(&mut self, step: isize) {
        let count = self.lines.len();
        self.back = self.back.saturating_add_signed(step).min(count);
        self.input = match self.back {
            0 => String::new(),
            back => self.lines[count - back].clone(),
        };
        self.candidates.clear();
    }

    /// Completes the line as far as it is clear, and lists what it may become: the word that begins
    /// at the byte `start` may become one of the candidates.
    pub fn complete(&mut self, (start, candidates): (usize, Vec<String>)) {
        let common = common(&candidates);
        if common.len() > self.input.len() - start || candidates.len() == 1 {
            self.input.truncate(start);
            self.input.push_str(common);
        }
        self.candidates = if candidates.len() > 1 { candidates } else { Vec::new() };
    }
}

#[cfg(test)]
mod tests {
    use super::Typed;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::style::{Modifier, Style};
    use ratatui::text::{Line, Span};

    #[test]
    fn lines_come_back_in_their_order() {
        let mut typed = Typed::default();
        typed.recall(1);
        assert_eq!(typed.input, "");
        for line in ["e4", "undo"] {
            typed.input = line.to_owned();
            let taken = typed.take();
            typed.keep(&taken);
        }
        let mut recalled = |step| {
            typed.recall(step);
            typed.input.clone()
        };
        assert_eq!([1, 1, 1].map(&mut recalled), ["undo", "e4", "e4"]);
        assert_eq!([-1, -1, -1].map(&mut recalled), ["undo", "", ""]);
    }

    #[test]
    fn the_end_of_a_long_line_is_shown_with_the_cursor_behind_it() {
        let mut typed = Typed::default();
        "e2e4王f\u{7}".chars().for_each(|letter| typed.insert(letter));
        let mut terminal = Terminal::new(TestBackend::new(8, 1)).unwrap();
        terminal.draw(|frame| typed.draw(frame, frame.area(), "W> ", true)).unwrap();
        terminal.backend().assert_buffer_lines([Line::from(vec![
            Span::styled("W> ", Style::new().add_modifier(Modifier::BOLD)),
            Span::raw("4王f "),
        ])]);
        terminal.backend_mut().assert_cursor_position((7, 0));
        typed.erase();
        assert_eq!(typed.input, "e2e4王");
    }

    #[test]
    fn a_line_is_completed_as_far_as_it_is_clear() {
        let mut typed = Typed { input: "help un".to_owned(), ..Typed::default() };
        typed.complete((5, vec!["undo".to_owned()]));
        assert_eq!((typed.input.as_str(), typed.candidates.len()), ("help undo", 0));
        typed.input = "h".to_owned();
        typed.complete((0, vec!["h3e3".to_owned(), "h3e4".to_owned()]));
        assert_eq!((typed.input.as_str(), typed.candidates.len()), ("h3e", 2));
        typed.recall(1);
        assert!(typed.candidates.is_empty());
    }
}
