//! For tests: command lines, and what they begin.

use clap::Parser;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::arguments::Arguments;
use super::begin::begin;
use super::session::{Message, Session};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

/// What this command line says, and that little memory is taken and nothing is kept.
pub fn arguments(words: &[&str]) -> Arguments {
    let usual = ["play", "--hash", "1", "--seed", "1", "--no-book", "--no-autosave"];
    Line::parse_from(usual.iter().chain(words)).arguments
}

/// The session that it begins.
pub fn session(words: &[&str]) -> Session {
    begin(&arguments(words)).unwrap()
}

/// What a line that is typed comes to, in words.
pub fn said(session: &mut Session, line: &str) -> Vec<String> {
    let messages = session.perform(line, std::time::Instant::now()).unwrap();
    texts(messages)
}

/// What comes of the engine's answer to a question, once it is there.
pub fn answered(session: &mut Session) -> Vec<String> {
    loop {
        let messages = session.advance(std::time::Instant::now()).unwrap();
        if !messages.is_empty() {
            return texts(messages);
        }
        std::thread::yield_now();
    }
}

fn texts(messages: Vec<Message>) -> Vec<String> {
    let text = |message| match message {
        Message::Text(text) | Message::Refused(text) => Some(text),
        _ => None,
    };
    messages.into_iter().filter_map(text).collect()
}

/// A key that is pressed.
pub fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

/// A turn of the mouse wheel.
pub fn wheel(up: bool) -> Event {
    let kind = if up { MouseEventKind::ScrollUp } else { MouseEventKind::ScrollDown };
    mouse(kind, (0, 0))
}

/// A button that is held from one column and row to another.
pub fn drag(from: (u16, u16), to: (u16, u16)) -> [Event; 3] {
    let left = MouseButton::Left;
    let kinds = [MouseEventKind::Down(left), MouseEventKind::Drag(left), MouseEventKind::Up(left)];
    let [down, moved, up] = kinds;
    [mouse(down, from), mouse(moved, to), mouse(up, to)]
}

fn mouse(kind: MouseEventKind, (column, row): (u16, u16)) -> Event {
    Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
}
