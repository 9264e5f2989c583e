//! What must hold for any line of bytes in the XBoard protocol. Shared by the fuzz target, the
//! property tests and the corpus replay.

use tamarin_uci::xboard::{Command, EditCommand, Reply, RootMoves};

/// Characters of a line that answers text of the client: the reason, and 100 characters of it.
const LONGEST_ANSWER: usize = 250;

/// Panics if reading `bytes` breaks a promise of the module.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    check_line(&text);
    check_edit_line(&text);
    check_answers(&text);
}

fn check_line(text: &str) {
    let result = Command::parse(text);
    assert_eq!(result, Command::parse(&format!("{text} \t\r\n")), "line ends do not matter");
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.split_ascii_whitespace().next().unwrap_or_default();
    // The blank keeps a second byte order mark from being taken for the first.
    if let Ok(command) = Command::parse(&format!(" {first}")) {
        assert_eq!(result, Ok(command), "what follows {first:?} does not count");
    }
    match result {
        Ok(command) => check_command(&command, first),
        Err(error) => assert_error(&error.about(text)),
    }
}

/// Every value is one that the command can mean.
fn check_command(command: &Command, first: &str) {
    match command {
        Command::Move(text) => {
            assert_word(text);
            assert!(first == "usermove" || is_bare_move(text), "{text:?} is taken for a move");
        }
        Command::Variant(text) => assert_word(text),
        Command::Ping(text) | Command::SetBoard(text) => {
            assert!(!text.is_empty() && text.trim_ascii() == text, "{text:?}");
        }
        Command::Exclude(RootMoves::Some(moves)) | Command::Include(RootMoves::Some(moves)) => {
            assert!(!moves.is_empty());
            moves.iter().for_each(|text| assert_word(text));
        }
        Command::TablebasePath { kind, path } => {
            assert_word(kind);
            assert_eq!(path.trim_ascii(), path);
        }
        Command::Option { name, value } => {
            assert!(!name.contains('=') && name.trim_ascii() == name, "{name:?}");
            assert!(value.as_deref().is_none_or(|value| value.trim_ascii() == value));
        }
        Command::NodesPerSecond(rate) => assert_ne!(*rate, Some(0)),
        Command::Memory(number) | Command::Cores(number) => assert!(*number >= 1),
        _ => {}
    }
}

/// Two squares and perhaps a promotion, a drop, or castling.
fn is_bare_move(text: &str) -> bool {
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let coordinates = text.to_ascii_lowercase();
    let (squares, promotion) = coordinates.as_bytes().split_at(text.len().min(4));
    let castles = ["O-O", "O-O-O", "0-0", "0-0-0"].contains(&text);
    let moves = squares.len() == 4 && square(&squares[..2]) && square(&squares[2..]);
    castles
        || (moves && matches!(promotion, [] | [b'n' | b'b' | b'r' | b'q']))
        || is_bare_move_of_variant(text)
}

/// Two squares of a board of up to twelve by twelve with what appears there, or a drop.
fn is_bare_move_of_variant(text: &str) -> bool {
    let squares: Vec<String> =
        ('a'..='l').flat_map(|file| (0..=12).map(move |rank| format!("{file}{rank}"))).collect();
    if let Some((piece, square)) = text.split_once('@') {
        let letters = piece.replacen('+', "", usize::from(piece.starts_with('+')));
        let is_piece = letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        return is_piece && squares.iter().any(|own| own == square);
    }
    let rest = |text: &str| -> Vec<String> {
        squares
            .iter()
            .filter_map(|own| text.strip_prefix(own.as_str()))
            .map(str::to_owned)
            .collect()
    };
    rest(text).iter().flat_map(|text| rest(text)).any(|made| {
        let letter = made.strip_prefix('=').unwrap_or(&made);
        made.is_empty()
            || letter == "+"
            || (letter.len() == 1 && letter.as_bytes()[0].is_ascii_lowercase())
    })
}

fn check_edit_line(text: &str) {
    let result = EditCommand::parse(text);
    assert_eq!(result, EditCommand::parse(&format!(" {text}\r\n")), "line ends do not matter");
    let trimmed = text.trim();
    match result {
        Ok(EditCommand::Clear) => assert_eq!(trimmed, "#"),
        Ok(EditCommand::OtherColor) => assert_eq!(trimmed, "c"),
        Ok(EditCommand::Done) => assert_eq!(trimmed, "."),
        Ok(EditCommand::Remove(square)) => assert_eq!(&trimmed[1..], square),
        Ok(EditCommand::Put(piece, square)) => assert_eq!(trimmed, format!("{piece}{square}")),
        Err(error) => assert_error(&Reply::Error(&error.to_string(), text).to_string()),
    }
}

/// Text of the client in the engine's lines can be taken for nothing else.
fn check_answers(text: &str) {
    assert_error(&Reply::Error("unknown command", text).to_string());
    let illegal = Reply::IllegalMove("no such move", text).to_string();
    assert!(illegal.starts_with("Illegal move (no such move): "), "{illegal:?}");
    assert_short(&illegal);
    for reply in [Reply::Pong(text), Reply::Debug(text)] {
        assert_one_line(&reply.to_string());
    }
}

fn assert_error(line: &str) {
    assert!(line.starts_with("Error ("), "{line:?}");
    assert_short(line);
}

fn assert_short(line: &str) {
    assert_one_line(line);
    assert!(line.chars().count() <= LONGEST_ANSWER, "{} characters", line.chars().count());
}

/// One line, and no `...`: XBoard looks for moves behind it.
fn assert_one_line(line: &str) {
    assert!(!line.contains(char::is_control), "{line:?}");
    assert!(!line.contains("..."), "{line:?}");
}

fn assert_word(text: &str) {
    assert!(!text.is_empty() && !text.contains(|letter: char| letter.is_ascii_whitespace()));
}
