//! Texts on the screen: what is typed and said, and long answers. Texts are measured by the
//! columns that they take: wide characters take two.

use std::collections::VecDeque;
use std::time::Instant;

use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::is_command;
use crate::picture::Pieces;
use crate::text_board::Colors;

/// How many columns a text takes.
pub fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The characters of a text as a screen shows them: what is combined with one belongs to it.
fn signs(text: &str) -> Vec<String> {
    Span::raw(text).styled_graphemes(Style::new()).map(|sign| sign.symbol.to_owned()).collect()
}

/// How many of these signs, from the first on, fit into `width` columns.
fn fitting<'a>(signs: impl Iterator<Item = &'a String>, width: usize) -> usize {
    let ends = signs.scan(0, |used, sign| {
        *used += columns(sign);
        Some(*used)
    });
    ends.take_while(|used| *used <= width).count()
}

/// The beginning of a text, as far as it fits into `width` columns.
pub fn beginning(text: &str, width: usize) -> String {
    let signs = signs(text);
    signs[..fitting(signs.iter(), width)].concat()
}

/// The end of a text, as far as it fits into `width` columns.
pub fn end(text: &str, width: usize) -> String {
    let signs = signs(text);
    signs[signs.len() - fitting(signs.iter().rev(), width)..].concat()
}

/// A text in rows of `width` columns, broken between words; within those that are longer than a
/// row. Blanks at the end of a row take no place.
pub fn rows(text: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut used = 0;
    let parts = text.split_inclusive(' ').flat_map(|word| match columns(word.trim_end()) {
        taken if taken > width => signs(word),
        _ => vec![word.to_owned()],
    });
    for part in parts {
        if used > 0 && used + columns(part.trim_end()) > width {
            rows.push(String::new());
            used = 0;
        }
        used += columns(&part);
        if let Some(row) = rows.last_mut() {
            row.push_str(&part);
        }
    }
    rows
}

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

/// How all of the texts begin.
fn common(candidates: &[String]) -> &str {
    let Some((first, others)) = candidates.split_first() else { return "" };
    let mut length = first.len();
    for other in others {
        let same = first.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        length = length.min(same);
    }
    while !first.is_char_boundary(length) {
        length -= 1;
    }
    &first[..length]
}

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
    use super::{Log, Page, Tone, Typed, beginning, columns, common, end, rows, take};
    use crate::testing::{drag, key, wheel};
    use crate::text_board::Colors;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyModifiers};
    use ratatui::style::{Modifier, Style};
    use ratatui::text::{Line, Span};

    #[test]
    fn long_texts_take_several_rows() {
        assert_eq!(rows("one two three", 8), ["one two ", "three"]);
        assert_eq!(rows("", 8), [""]);
        assert_eq!(rows("indivisible word", 5), ["indiv", "isibl", "e ", "word"]);
        assert_eq!(rows("a long-winded b", 6), ["a long", "-winde", "d b"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("王x"), 3);
        assert_eq!(rows("王王王 王", 4), ["王王", "王 ", "王"]);
        assert_eq!(rows("王", 1), ["王"]);
        assert_eq!((beginning("王王", 3), beginning("ab", 9)), ("王".to_owned(), "ab".to_owned()));
        assert_eq!((end("a王b", 2), end("a王b", 3)), ("b".to_owned(), "王b".to_owned()));
        // One sign of several characters.
        assert_eq!(beginning("e\u{301}e\u{301}", 1), "e\u{301}");
    }

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

    #[test]
    fn candidates_have_a_beginning_in_common() {
        assert_eq!(common(&["Nf3".into(), "Nh3".into()]), "N");
        assert_eq!(common(&["Nf3".into()]), "Nf3");
        assert_eq!(common(&[]), "");
        assert_eq!(common(&["é".into(), "è".into()]), "");
    }
}
