//! Where a piece goes, as a board.

use tamarin_variant::{Color, Game, Reach, grid};

use super::source::{Failure, piece_names};

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
    let drops = game.drop_targets(piece).unwrap_or_default();
    let dropped = match drops.is_empty() {
        true => String::new(),
        false => {
            let mark = |square| if drops.has(square) { "@" } else { "." }.to_owned();
            format!("\n{}\n@ from the hand, on an empty board\n", grid(game, Color::White, mark))
        }
    };
    Ok(format!(
        "{board}\nx moves and captures, m moves, c captures, ? depends on other pieces or flags\n\
         {dropped}"
    ))
}
