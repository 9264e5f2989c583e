//! The pieces of a game, and which of the page's pictures shows them.

use serde_json::{Value, json};

use crate::session::Rules;

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
                let image = image(moves.as_deref(), game.is_royal(kind));
                let words = CHESS.iter().find(|(letter, _)| Some(*letter) == image);
                let name_in_words = words.map_or(name, |(_, words)| words);
                json!({ "letter": name, "name": name_in_words, "image": image, "moves": moves })
            };
            kinds.map(one).collect()
        }
    }
}

/// The picture of chess for a piece that moves as one of chess does, by its moves in XBoard's Betza
/// notation. The page chooses one for the others.
fn image(moves: Option<&str>, is_royal: bool) -> Option<&'static str> {
    if is_royal {
        return Some("K");
    }
    let is_pawn =
        |text: &str| text.contains("fmW") && (text.contains("fcF") || text.contains("fceF"));
    match moves? {
        "R" | "W0" | "WW" => Some("R"),
        "B" | "F0" | "FF" => Some("B"),
        "N" => Some("N"),
        "Q" | "RB" | "BR" | "W0F0" | "F0W0" | "WWFF" | "FFWW" => Some("Q"),
        text if is_pawn(text) => Some("P"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tamarin_variant::{builtin, load};

    use super::*;

    /// The names of all pieces, each with the letter of its picture.
    fn images(rules: &Rules) -> String {
        let one = |piece: &Value| {
            let text = |key: &str| piece[key].as_str().unwrap_or("-").to_owned();
            format!("{}{}", text("letter"), text("image"))
        };
        list(rules).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_that_move_as_those_of_chess_look_like_them() {
        for (name, expected) in [
            ("fide", "pP nN bB rR qQ kK"),
            ("crazyhouse", "kK qQ rR bB nN pP"),
            ("makruk", "pP nN s- m- rR kK"),
            ("asean", "pP nN b- q- rR kK"),
            ("shatranj", "pP nN b- q- rR kK"),
            ("amazon", "pP nN bB rR qQ kK a-"),
            ("courier", "pP nN e- bB f- m- w- rR kK"),
            ("knightmate", "pP nN bB rR qQ kK m-"),
            ("fide_thesis", "pP nN rR bB qQ kK"),
        ] {
            let game = builtin(name).expect("a built-in game");
            assert_eq!(images(&Rules::Variant(name.to_owned(), game)), expected, "{name}");
        }
        let text = "t W\nd F\nm WF\nx N1\nb W1\nn N\nk x\"K\"\ns x\"R\"\n@fen k7/8/K7\n";
        let game = load(text, None).expect("a game").game;
        let shown = images(&Rules::Variant("own".to_owned(), game));
        assert_eq!(shown, "tR dB mQ xN b- n- kK sR");
    }
}
