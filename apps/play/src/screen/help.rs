//! The help of the screen: keys and commands.

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
