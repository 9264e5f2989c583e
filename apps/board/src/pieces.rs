//! The pieces of a game, and which of the page's pictures shows them.

use serde_json::{Value, json};

use crate::table::Rules;

/// Letters and pictures of chess.
const CHESS: [(&str, &str); 6] =
    [("P", "pawn"), ("N", "knight"), ("B", "bishop"), ("R", "rook"), ("Q", "queen"), ("K", "king")];

/// All pieces: their names on the board, in words, and their pictures.
pub fn list(rules: &Rules) -> Vec<Value> {
    match rules {
        Rules::Chess => CHESS
            .iter()
            .map(|(letter, name)| json!({ "letter": letter, "name": name, "image": letter }))
            .collect(),
        Rules::Variant(_, game) => {
            let kinds = 0..u8::try_from(game.piece_count()).unwrap_or(u8::MAX);
            let one = |kind: u8| {
                let name = game.piece_name(kind);
                let moves = game.xbetza(kind).map(|both| both[0].to_owned());
                let image = image(name, moves.as_deref(), game.is_royal(kind));
                let words = CHESS.iter().find(|(letter, _)| Some(*letter) == image);
                let name_in_words = words.map_or(name, |(_, words)| words);
                json!({ "letter": name, "name": name_in_words, "image": image, "moves": moves })
            };
            kinds.map(one).collect()
        }
    }
}

/// The picture of chess for a piece that moves as one of chess does, by its moves in Betza
/// notation; a letter is shown for others.
fn image(name: &str, moves: Option<&str>, is_royal: bool) -> Option<&'static str> {
    let of = |letter: &str| CHESS.iter().find(|(own, _)| *own == letter).map(|(own, _)| *own);
    if is_royal {
        return of("K");
    }
    let found = match moves {
        Some("R") => of("R"),
        Some("B") => of("B"),
        Some("N") => of("N"),
        Some("Q" | "RB" | "BR") => of("Q"),
        Some(text) if text.contains("fmW") && text.contains("fcF") => of("P"),
        _ => None,
    };
    found.or_else(|| of("P").filter(|_| name == "P"))
}
