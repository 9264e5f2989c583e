//! Boards as text.

use std::fmt::Write as _;

use tamarin_variant::{Color, Game, Outcome, Position, Reach, Reason, Square};

use super::source::{Failure, piece_names};

/// A board with a text of the same width on every square, this side's pieces below.
fn grid(game: &Game, bottom: Color, cell: impl Fn(Square) -> String) -> String {
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

/// The pieces of a position, this side's below.
pub fn picture(position: &Position, bottom: Color) -> String {
    grid(position.game(), bottom, |square| match position.piece(square) {
        None => ".".to_owned(),
        Some((color, name)) => named(color, name),
    })
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
        Reason::MoveLimit => "Too many moves without progress",
    };
    match outcome.winner {
        Some(winner) => format!("{reason}: {winner} wins"),
        None => format!("{reason}: draw"),
    }
}

/// Where a piece of White goes from a square.
pub(super) fn show(game: &Game, piece: &str, at: Option<&str>) -> Result<String, Failure> {
    let middle = game.rows() / 2 * game.columns() + game.columns() / 2;
    let from = match at {
        None => middle,
        Some(text) => game.parse_square(text).ok_or_else(|| Failure::Square(text.to_owned()))?,
    };
    let Some(reach) = game.reach(piece, from) else {
        return Err(Failure::Piece(piece.to_owned(), piece_names(game)));
    };
    let board = grid(game, Color::White, |square| {
        let goes = reach.iter().find(|reach| reach.square == square);
        let mark = match goes {
            _ if square == from => piece,
            None => ".",
            Some(Reach { quiet: true, capture: true, .. }) => "x",
            Some(Reach { quiet: true, capture: false, .. }) => "m",
            Some(Reach { quiet: false, capture: true, .. }) => "c",
            Some(Reach { quiet: false, capture: false, .. }) => "?",
        };
        mark.to_owned()
    });
    Ok(format!(
        "{board}\nx moves and captures, m moves, c captures, ? depends on other pieces or flags\n"
    ))
}
