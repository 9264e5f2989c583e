//! What each fuzz target demands of an input. `tests/corpus.rs` replays the corpora with the
//! same functions.

use std::sync::LazyLock;

use tamarin_movegen::{
    Board, CastlingNotation, CastlingStyle, FenError, Position, Setup, UciMove, UciMoveError,
};

/// Among others the positions that move texts are read in; the first byte of an input chooses
/// one.
#[path = "../../movegen/tests/fens/mod.rs"]
mod fens;

/// No message is longer, in characters: 24 of the input, escaped with up to 10 each, and its own.
const LONGEST_MESSAGE: usize = 400;

/// Reads `data` as a FEN. What is accepted must be written and read back exactly, with every
/// legal move in every notation.
pub fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (setup, _) = match Setup::parse(text) {
        Ok(read) => read,
        Err(error) => return check_fen_error(&error, text),
    };
    for style in [CastlingStyle::Standard, CastlingStyle::Shredder] {
        let (again, repairs) = Setup::parse(&setup.fen(style)).expect("own text is read");
        assert_eq!(again, setup);
        assert!(repairs.is_empty(), "{repairs:?}");
    }
    match Position::from_setup(&setup) {
        Err(error) => check_message(&error.to_string()),
        Ok(position) => check_position(&position, &setup),
    }
}

/// The count of two plies by differences is the sum over the boards after each move.
pub fn replies(board: &Board) {
    let mut played = 0;
    board.for_each_child(|child| played += child.count_moves());
    assert_eq!(board.count_replies(), played, "{board:?}");
}

fn check_fen_error(error: &FenError, text: &str) {
    check_message(&error.to_string());
    let column = error.column().expect("reading alone names a column");
    assert!((1..=text.chars().count() + 1).contains(&column), "column {column}");
}

fn check_message(message: &str) {
    assert!(message.chars().count() <= LONGEST_MESSAGE, "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
}

fn check_position(position: &Position, setup: &Setup) {
    assert_eq!(&Setup::from(position), setup);
    let moves = position.legal_moves();
    assert_eq!(moves.len() as u64, position.board().count_moves());
    replies(position.board());
    let mut walker = position.clone();
    for &mv in &moves {
        assert!(position.is_legal(mv), "{mv:?}");
        for notation in [CastlingNotation::Classic, CastlingNotation::KingTakesRook] {
            let text = position.uci(mv, notation);
            assert_eq!(text.to_string().parse(), Ok(text));
            assert_eq!(position.resolve(text), Ok(mv), "{text}");
        }
        let san = position.san(mv);
        assert_eq!(position.parse_san(san.as_str()), Ok(mv), "{san}");
        walker.make(mv);
        assert_eq!(walker.board(), &position.board().play(mv));
        let child = Setup::from(&walker);
        let limit = tamarin_movegen::MAX_COUNTER;
        if child.halfmove_clock <= limit && child.fullmove_number <= limit {
            let read =
                Position::from_setup(&child).expect("a legal move leads to a legal position");
            assert_eq!(read.board(), walker.board(), "{mv:?}");
        }
        walker.unmake();
    }
}

/// The position that the first byte chooses, and the rest as text.
fn position_and_text(data: &[u8]) -> Option<(&'static Position, &str)> {
    static READ: LazyLock<Vec<Position>> = LazyLock::new(|| {
        fens::RICH.map(|fen| Position::from_fen(fen).expect("a legal position")).to_vec()
    });
    let (&choice, rest) = data.split_first()?;
    let position = &READ[usize::from(choice) % fens::RICH.len()];
    Some((position, std::str::from_utf8(rest).ok()?))
}

/// Reads the rest of `data` as a UCI move.
pub fn uci_move(data: &[u8]) {
    let Some((position, text)) = position_and_text(data) else { return };
    let read = match text.parse::<UciMove>() {
        Ok(read) => read,
        Err(error) => return check_message(&error.to_string()),
    };
    assert_eq!(read.to_string(), text.to_lowercase());
    match position.resolve(read) {
        Ok(mv) => {
            assert!(position.is_legal(mv));
            let printed = position.uci(mv, CastlingNotation::KingTakesRook);
            assert!(printed == read || mv.is_castle());
        }
        Err(error) => {
            check_message(&error.to_string());
            assert!(matches!(error, UciMoveError::Illegal { .. }));
        }
    }
}

/// Reads the rest of `data` as a move in algebraic notation.
pub fn san(data: &[u8]) {
    let Some((position, text)) = position_and_text(data) else { return };
    match position.parse_san(text) {
        Ok(mv) => {
            assert!(position.is_legal(mv));
            assert_eq!(position.parse_san(position.san(mv).as_str()), Ok(mv));
        }
        Err(error) => check_message(&error.to_string()),
    }
}
