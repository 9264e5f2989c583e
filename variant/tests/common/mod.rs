//! Small games for tests.
#![allow(dead_code, reason = "every test file uses some of it")]

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use tamarin_variant::{Code, Diagnostic, Game, Position, load};

/// The start position of a game without royal pieces: its pieces, and its start as FEN.
pub fn position(pieces: &str, fen: &str) -> Position {
    royal_position(&format!("@royal none\n{pieces}"), fen)
}

/// The same with what the text says about royal pieces.
pub fn royal_position(text: &str, fen: &str) -> Position {
    let source = format!("{text}\n@fen {fen}\n");
    let loaded = load(&source, None).unwrap_or_else(|remarks| panic!("{source}\n{remarks:?}"));
    Position::start(&loaded.game)
}

/// The legal moves of such a game in alphabetical order.
pub fn moves(pieces: &str, fen: &str) -> Vec<String> {
    texts(&position(pieces, fen))
}

/// The legal moves in alphabetical order.
pub fn texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = position.texts().into_iter().map(|(text, _)| text).collect();
    assert_eq!(position.count_legal_moves(), texts.len() as u64, "{texts:?}");
    texts.sort_unstable();
    texts
}

/// The squares that a piece on d4 of an empty board goes to.
pub fn targets(piece: &str) -> Vec<String> {
    let mut squares: Vec<String> = moves(&format!("a {piece}"), "8/8/8/8/3A4/8/8/8 w")
        .iter()
        .map(|text| text["d4".len()..].to_owned())
        .collect();
    squares.dedup();
    squares
}

/// Plays moves.
pub fn play(position: &mut Position, texts: &[&str]) {
    for text in texts {
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{error}: {position:?}"));
        position.make(m);
    }
}

/// Plays up to `plies` random moves of a game and shows every position, the first and the last too.
pub fn walk(
    game: &Arc<Game>,
    random: &mut Xoshiro256PlusPlus,
    plies: usize,
    mut found: impl FnMut(&Position),
) -> Position {
    let mut position = Position::start(game);
    for _ in 0..plies {
        found(&position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position;
        }
        position.make(moves[random.next_u64() as usize % moves.len()]);
    }
    found(&position);
    position
}

/// The remarks on a file, errors and warnings.
pub fn remarks(source: &str) -> Vec<Diagnostic> {
    match load(source, None) {
        Ok(loaded) => loaded.warnings,
        Err(remarks) => remarks,
    }
}

/// The codes of these remarks.
pub fn codes(source: &str) -> Vec<Code> {
    remarks(source).into_iter().map(|remark| remark.code).collect()
}
