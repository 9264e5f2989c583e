//! What is said below the board of a screen.

use std::collections::VecDeque;
use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::picture::Pieces;
use super::text_board::Colors;
use super::wrapping::rows;

/// The most messages that are kept.
const MAX_LOG: usize = 500;

/// Milliseconds between two signs of the spinner.
const SPINNER_STEP: u128 = 100;

/// What kind of line a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    Typed,
    /// Something to know.
    Plain,
    /// Something that cannot be done.
    Refused,
    Ending,
}

impl Tone {
    fn style(self, colors: Colors) -> Style {
        match self {
            Self::Typed => Style::new().add_modifier(Modifier::DIM),
            Self::Refused if colors != Colors::None => Style::new().fg(Color::Red),
            Self::Plain | Self::Refused => Style::new(),
            Self::Ending => Style::new().add_modifier(Modifier::BOLD),
        }
    }
}

/// What was said, the newest last.
#[derive(Default)]
pub struct Log(VecDeque<(Tone, String)>);

impl Log {
    pub fn say(&mut self, tone: Tone, text: String) {
        self.0.push_back((tone, text));
        while self.0.len() > MAX_LOG {
            self.0.pop_front();
        }
    }

    /// Draws the newest messages that fit, long ones in several rows, and below them what is there
    /// for now.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, for_now: &[String], colors: Colors) {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let dim = Style::new().add_modifier(Modifier::DIM);
        let said = self.0.iter().map(|(tone, text)| (tone.style(colors), text));
        let mut lines = Vec::new();
        for (style, text) in said.chain(for_now.iter().map(|text| (dim, text))).rev() {
            lines.extend(rows(text, width).into_iter().rev().map(|row| Line::styled(row, style)));
            if lines.len() >= height {
                break;
            }
        }
        lines.truncate(height);
        lines.reverse();
        frame.render_widget(Paragraph::new(lines), area);
    }

    #[cfg(test)]
    pub fn last(&self) -> Option<&str> {
        self.0.back().map(|(_, text)| text.as_str())
    }
}

/// A sign that turns while the engine thinks, since the screen began.
pub fn spinner(began: Instant, pieces: Pieces) -> char {
    let frames: &[char] = match pieces {
        Pieces::Ascii => &['|', '/', '-', '\\'],
        Pieces::Unicode | Pieces::Blocks => &['◐', '◓', '◑', '◒'],
    };
    let turned = began.elapsed().as_millis() / SPINNER_STEP;
    frames[(turned % frames.len() as u128) as usize]
}

#[cfg(test)]
mod tests {
    use super::{Log, Tone};
    use crate::text_board::Colors;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::style::{Modifier, Style};
    use ratatui::text::{Line, Span};

    #[test]
    fn the_newest_rows_are_shown_below_older_ones() {
        let mut log = Log::default();
        for text in ["first", "second and third", "王王王王王"] {
            log.say(Tone::Plain, text.to_owned());
        }
        let mut terminal = Terminal::new(TestBackend::new(8, 5)).unwrap();
        let for_now = ["now".to_owned()];
        terminal.draw(|frame| log.draw(frame, frame.area(), &for_now, Colors::None)).unwrap();
        let now = Span::styled("now", Style::new().add_modifier(Modifier::DIM));
        let now = Line::from(vec![now, Span::raw("     ")]);
        let rows = ["and     ", "third   ", "王王王王", "王      "].map(Line::raw);
        terminal.backend().assert_buffer_lines(rows.into_iter().chain([now]));
    }
}
