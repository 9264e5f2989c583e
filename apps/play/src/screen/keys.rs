//! What keys and the mouse do, and the help that says it.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use tamarin_movegen::PieceKind;

use super::app::{App, Overlay};
use super::{is_command, text};
use crate::picture::Picture;
use crate::players::EngineError;
use crate::session::command::offered;

/// The keys, as the help shows them.
const KEYS: [(&str, &str); 17] = [
    ("letters, Enter", "type a move (e4, Nf3, e2e4, O-O) or a command"),
    ("Tab", "complete a move or a command"),
    ("cursor keys", "move over the board"),
    ("Enter, Space", "take up a piece, put it down"),
    ("mouse", "click or drag pieces; the wheel goes through the game"),
    ("Page Up, Down", "back and forth through the game"),
    ("Home, End", "the first and the present position"),
    ("Ctrl-Z, Ctrl-Y", "undo, redo"),
    ("F2 or Ctrl-F", "turn the board"),
    ("F3, F6", "hint; why the last move"),
    ("F4 or Ctrl-T", "other colors"),
    ("F5 or Ctrl-B", "evaluation bar"),
    ("F7", "other pieces"),
    ("F10, F11 or Ctrl-A", "a new game; analysis on or off"),
    ("F8, F9", "pause; the engine moves at once"),
    ("Ctrl-P, Ctrl-N", "what was typed before"),
    ("Ctrl-C", "leave; an unfinished game is kept"),
];

/// The keys and the commands.
pub fn help(is_chess: bool) -> Vec<String> {
    let keys = KEYS.iter().map(|(key, meaning)| format!("{key:<16} {meaning}"));
    let commands = offered(is_chess).map(|entry| {
        let name = format!("{} {}", entry.names[0], entry.operands);
        format!("{:<16} {}", name.trim_end(), entry.meaning)
    });
    keys.chain([String::new()]).chain(commands).collect()
}

/// Does what an event asks for.
pub fn handle(app: &mut App, event: &Event) -> Result<(), EngineError> {
    if text::take(&mut app.page, event) {
        return Ok(());
    }
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key_pressed(app, *key),
        Event::Mouse(mouse) => mouse_used(app, *mouse),
        Event::Paste(text) => {
            pasted(app, text);
            Ok(())
        }
        _ => Ok(()),
    }
}

fn key_pressed(app: &mut App, key: KeyEvent) -> Result<(), EngineError> {
    if is_command(key) && matches!(key.code, KeyCode::Char('c' | 'q')) {
        app.has_quit = true;
        return Ok(());
    }
    match app.overlay {
        Overlay::None => return game_key(app, key.code, is_command(key)),
        // Other keys with Ctrl are for the game beneath.
        _ if is_command(key) => {}
        Overlay::Promotion(..) => return promotion_key(app, key.code),
        Overlay::NewGame => dialog_key(app, key.code),
    }
    Ok(())
}

fn pasted(app: &mut App, text: &str) {
    match app.overlay {
        Overlay::None => text.chars().for_each(|letter| app.typed.insert(letter)),
        Overlay::Promotion(..) => {}
        Overlay::NewGame => text.chars().for_each(|letter| app.dialog.type_letter(letter)),
    }
}

/// The command that a key stands for, with or without Ctrl.
const fn shortcut(code: KeyCode, has_control: bool) -> Option<&'static str> {
    Some(match (code, has_control) {
        (KeyCode::Char('z'), true) => "undo",
        (KeyCode::Char('y'), true) => "redo",
        (KeyCode::Char('f'), true) | (KeyCode::F(2), false) => "flip",
        (KeyCode::F(3), false) => "hint",
        (KeyCode::Char('t'), true) | (KeyCode::F(4), false) => "theme",
        (KeyCode::Char('b'), true) | (KeyCode::F(5), false) => "bar",
        (KeyCode::F(6), false) => "why",
        (KeyCode::F(7), false) => "pieces",
        (KeyCode::F(8), false) => "pause",
        (KeyCode::F(9), false) => "now",
        (KeyCode::Char('a'), true) | (KeyCode::F(11), false) => "analyse",
        (KeyCode::PageUp, false) => "look back",
        (KeyCode::PageDown, false) => "look forward",
        (KeyCode::Home, false) => "look first",
        (KeyCode::End, false) => "look last",
        _ => return None,
    })
}

fn game_key(app: &mut App, code: KeyCode, has_control: bool) -> Result<(), EngineError> {
    if let Some(command) = shortcut(code, has_control) {
        return app.command(command);
    }
    match code {
        KeyCode::Char('p') if has_control => app.typed.recall(1),
        KeyCode::Char('n') if has_control => app.typed.recall(-1),
        KeyCode::Char('u') if has_control => drop(app.typed.take()),
        _ if has_control => {}
        KeyCode::Char('?') if app.typed.input.is_empty() => app.open_help(),
        KeyCode::Char(' ') | KeyCode::Enter if app.typed.input.is_empty() => match app.cursor {
            Some(square) => return app.touch(square),
            None => app.move_cursor(0, 0),
        },
        KeyCode::Enter => return app.enter(),
        KeyCode::Char(letter) => app.typed.insert(letter),
        KeyCode::Backspace => app.typed.erase(),
        KeyCode::Tab => app.complete(),
        KeyCode::Esc => {
            app.typed.take();
            app.selected = None;
        }
        KeyCode::Left => app.move_cursor(-1, 0),
        KeyCode::Right => app.move_cursor(1, 0),
        KeyCode::Up => app.move_cursor(0, -1),
        KeyCode::Down => app.move_cursor(0, 1),
        KeyCode::F(1) => app.open_help(),
        KeyCode::F(10) => app.open_dialog(),
        _ => {}
    }
    Ok(())
}

fn promotion_key(app: &mut App, code: KeyCode) -> Result<(), EngineError> {
    let kind = match code {
        KeyCode::Char('q' | 'Q') | KeyCode::Enter => PieceKind::Queen,
        KeyCode::Char('r' | 'R') => PieceKind::Rook,
        KeyCode::Char('b' | 'B') => PieceKind::Bishop,
        KeyCode::Char('n' | 'N') => PieceKind::Knight,
        KeyCode::Esc => {
            app.overlay = Overlay::None;
            app.selected = None;
            return Ok(());
        }
        _ => return Ok(()),
    };
    app.promote(kind)
}

fn dialog_key(app: &mut App, code: KeyCode) {
    match code {
        KeyCode::Up => app.dialog.go(false),
        KeyCode::Down | KeyCode::Tab => app.dialog.go(true),
        KeyCode::Left => app.dialog.choose(false),
        KeyCode::Right => app.dialog.choose(true),
        KeyCode::Backspace => app.dialog.erase(),
        KeyCode::Char(letter) => app.dialog.type_letter(letter),
        KeyCode::Enter => app.begin(),
        KeyCode::Esc => app.overlay = Overlay::None,
        _ => {}
    }
}

fn mouse_used(app: &mut App, mouse: MouseEvent) -> Result<(), EngineError> {
    if app.overlay != Overlay::None {
        if matches!(mouse.kind, MouseEventKind::Down(_)) {
            app.overlay = Overlay::None;
            // The end of this click leaves the board as it is.
            app.selected = None;
        }
        return Ok(());
    }
    match mouse.kind {
        MouseEventKind::ScrollUp => return app.command("look back"),
        MouseEventKind::ScrollDown => return app.command("look forward"),
        _ => {}
    }
    let Some(square) = square_at(app, mouse) else { return Ok(()) };
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => app.touch(square),
        // The end of a drag; a plain click ends where it began.
        MouseEventKind::Up(MouseButton::Left) if app.selected.is_some_and(|at| at != square) => {
            app.touch(square)
        }
        _ => Ok(()),
    }
}

fn square_at(app: &App, mouse: MouseEvent) -> Option<u8> {
    let (row, column) = app.board?.at(mouse.column, mouse.row)?;
    let (position, last) = app.session.shown();
    Picture::new(&position, last, app.session.bottom()).square(row, column)
}
