//! Boards as text.

use std::fmt::Write as _;

use crate::board::{Color, Square};
use crate::game::Game;
use crate::position::{Outcome, Position, Reason};

/// A board with a text of the same width on every square, this side's pieces below.
pub fn grid(game: &Game, bottom: Color, cell: impl Fn(Square) -> String) -> String {
    let (rows, columns) = (game.rows(), game.columns());
    let cells: Vec<String> = (0..rows * columns).map(cell).collect();
    let width = cells.iter().map(|text| text.chars().count()).max().unwrap_or(1);
    let turned = |number: u8, count: u8| match bottom {
        Color::White => number,
        Color::Black => count - 1 - number,
    };
    let mut text = String::new();
    for row in (0..rows).rev().map(|row| turned(row, rows)) {
        let _ = write!(text, "{:>2} ", row + 1);
        for column in (0..columns).map(|column| turned(column, columns)) {
            let _ = write!(text, " {:<width$}", cells[usize::from(row * columns + column)]);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.push_str("   ");
    for column in (0..columns).map(|column| turned(column, columns)) {
        let _ = write!(text, " {:<width$}", char::from(b'a' + column));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The pieces of a position, this side's below; what each side holds in hand and the checks that it
/// has still to give stand above and below the board, where the game has them.
pub fn picture(position: &Position, bottom: Color) -> String {
    let board = grid(position.game(), bottom, |square| match position.piece(square) {
        None => ".".to_owned(),
        Some((color, name)) => named(color, name),
    });
    let line = |color| {
        let mut text = String::new();
        if position.game().has_hands() {
            text = format!("In hand: {}\n", hand(position, color).unwrap_or("-".to_owned()));
        }
        if let Some(checks) = position.checks_to_win(color) {
            let _ = writeln!(text, "Checks to win: {checks}");
        }
        text
    };
    format!("{}{board}{}", line(bottom.other()), line(bottom))
}

/// What a side holds in hand, such as `q 2p`: each kind as boards have it, behind how many there are
/// of it if more than one. `None` if there is nothing.
pub fn hand(position: &Position, color: Color) -> Option<String> {
    let game = position.game();
    let pieces = position.hand(color).map(|(kind, count)| {
        let name = named(color, game.piece_name(kind));
        if count > 1 { format!("{count}{name}") } else { name }
    });
    let pieces: Vec<String> = pieces.collect();
    (!pieces.is_empty()).then(|| pieces.join(" "))
}

/// A position with its FEN, and how the game has ended.
pub fn draw(position: &Position) -> String {
    let mut text = picture(position, Color::White);
    let _ = write!(text, "\nFEN: {}\n{} to move", position.fen(), position.side_to_move());
    if position.in_check() {
        text.push_str(", in check");
    }
    text.push('\n');
    if let Some(outcome) = position.outcome() {
        let _ = writeln!(text, "{}", ending(outcome));
    }
    text
}

/// One-letter names by their case, others with `w:` and `b:`, as in a file.
fn named(color: Color, name: &str) -> String {
    let one_letter = name.trim_start_matches('+').chars().count() == 1;
    match (one_letter && name.is_ascii(), color) {
        (true, Color::White) => name.to_uppercase(),
        (true, Color::Black) => name.to_lowercase(),
        (false, Color::White) => format!("w:{name}"),
        (false, Color::Black) => format!("b:{name}"),
    }
}

/// The end of a game in words.
pub fn ending(outcome: Outcome) -> String {
    let reason = match outcome.reason {
        Reason::Checkmate => "Checkmate",
        Reason::Stalemate => "Stalemate",
        Reason::Repetition => "Repetition",
        Reason::Goal => "Goal",
        Reason::Checks => "Checks",
        Reason::Extinction => "No pieces",
        Reason::Facing => "Royal pieces face each other",
        Reason::Passes => "Passes",
        Reason::PerpetualCheck => "Perpetual check",
        Reason::MoveLimit => "Too many moves without progress",
    };
    match outcome.winner {
        Some(winner) => format!("{reason}: {winner} wins"),
        None => format!("{reason}: draw"),
    }
}
