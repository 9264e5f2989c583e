//! Reads the first moves and the result of a game in PGN.

use tamarin_movegen::Color;

use tamarin_game::book::entry::MoveCode;
use tamarin_game::book::key;
use tamarin_game::pgn::games::GameText;
use tamarin_game::pgn::{self, Rejected};

/// How a game ended: who won, or nobody.
pub type GameResult = Option<Color>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The key of the position before it.
    pub key: u64,
    pub code: MoveCode,
    pub color: Color,
}

/// What a book takes from a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub moves: Vec<Played>,
    pub result: GameResult,
}

/// The first `plies` moves of a game, up to a null move; comments, variations and annotations are
/// skipped.
pub fn read(text: &GameText, plies: usize) -> Result<Game, Rejected> {
    let game = pgn::read_opening(text, plies)?;
    let result = match game.outcome {
        pgn::Outcome::Won(color) => Some(color),
        pgn::Outcome::Draw => None,
        pgn::Outcome::Unknown => return Err(Rejected::NoResult),
    };
    let mut position = game.start;
    let played = |mv| {
        let color = position.side_to_move();
        let played = Played { key: key(&position), code: MoveCode::of(mv), color };
        position.make(mv);
        played
    };
    Ok(Game { moves: game.moves.iter().filter_map(|one| one.mv).map(played).collect(), result })
}

#[cfg(test)]
mod tests {
    use super::{Game, GameText, Rejected, read};
    use tamarin_movegen::{Color, Position};

    fn game(text: &str) -> Result<Game, Rejected> {
        read(&GameText { bytes: text.into(), ..GameText::default() }, 6)
    }

    /// The moves of a good game that begins with `start`, replayed from their codes.
    fn moves(text: &str, start: &str) -> (String, Option<Color>) {
        let game = game(text).unwrap();
        let mut position = Position::from_fen(start).unwrap();
        let mut names = Vec::new();
        for played in game.moves {
            assert_eq!(played.key, tamarin_game::book::key(&position));
            assert_eq!(played.color, position.side_to_move());
            let mv = played.code.resolve(&position).unwrap();
            names.push(position.san(mv).to_string());
            position.make(mv);
        }
        (names.join(" "), game.result)
    }

    /// The marker at the end counts, as in `analyse`, however the moves are written.
    #[test]
    fn the_marker_of_the_result_outranks_the_tag() {
        for moves in ["1. e4 e5", "1. e2-e4 e7-e5"] {
            let of = |marker: &str| {
                game(&format!("[Result \"1-0\"]\n\n{moves} {marker}\n")).unwrap().result
            };
            assert_eq!(of("0-1"), Some(Color::Black), "{moves}");
            assert_eq!(of("*"), Some(Color::White), "{moves}");
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn positions_and_variants_of_the_tags_count() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        let text = format!("[FEN \"{start}\"]\n[Result \"0-1\"]\n\n1... O-O 2. O-O-O *");
        assert_eq!(moves(&text, start), ("O-O O-O-O".to_owned(), Some(Color::Black)));
        let start = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9";
        let text =
            format!("[Variant \"Chess960\"]\n[FEN \"{start}\"]\n\n9. g3 g4 10. hxg4 1/2-1/2");
        assert_eq!(moves(&text, start), ("g3 g4 hxg4".to_owned(), None));
        let found = game("[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 1-0");
        assert!(matches!(found, Err(Rejected::Variant(name)) if name == "Atomic"));
        assert!(matches!(game("[FEN \"8/8 w\"]\n\n*"), Err(Rejected::Fen(_))));
    }

    #[test]
    fn moves_in_other_notations_are_not_passed_over() {
        let wanted = ("e4 e5 Nf3 Nc6 Bc4 Bc5".to_owned(), Some(Color::White));
        for text in [
            "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c4 Bf8-c5 4. o-o 1-0",
            "1. e2e4 e7e5 2. Ng1f3 Nb8c6 3. Bf1c4 Bf8c5 1-0",
            // Without the first two moves, the others would be legal in the start position.
            "1. e2-e4 e7-e5 2. Nf3 Nc6 3. Bf1-c4 Bf8-c5 1-0",
            "1. e4 e5 N 2. Nf3 (2. Sf3) Nc6 \u{2213} 3. Bc4 = Bc5 1-0",
        ] {
            assert_eq!(moves(text, START), wanted, "{text}");
        }
        for text in ["1. e4 e5 2. Sf3 Sc6 3. d4 1-0", "1. e2-e4 e7-e5 2. Ng1-f4 1-0"] {
            assert!(matches!(game(text), Err(Rejected::Move { ply: 3, .. })), "{text}");
        }
        assert!(matches!(game("1. e2-e4 e7-e5 *"), Err(Rejected::NoResult)));
    }

    #[test]
    fn moves_behind_the_opening_are_not_checked() {
        let wanted = ("e4 e5 Nf3 Nc6 Bb5 a6".to_owned(), Some(Color::White));
        let game_of = |rest| format!("1. e4 e5 2. Nf3 = Nc6 3. Bb5 {rest} 1-0");
        for rest in ["a6 4. Kd8", "a6 4. Sf3", "a7-a6 4. Kd8"] {
            assert_eq!(moves(&game_of(rest), START), wanted, "{rest}");
        }
        for rest in ["Kd8 4. Ba4", "a7-a4 4. Ba4", "Sf6 4. O-O"] {
            let found = game(&game_of(rest));
            assert!(matches!(found, Err(Rejected::Move { ply: 6, .. })), "{rest}");
        }
    }

    #[test]
    fn a_null_move_ends_the_opening() {
        let start = Position::startpos().to_string();
        for text in ["1. e4 e5 2. -- Nf6 3. Ke5 1-0", "1. e4 = e7-e5 2. -- Nf6 3. Ke5 1-0"] {
            assert_eq!(moves(text, &start), ("e4 e5".to_owned(), Some(Color::White)), "{text}");
        }
    }

    #[test]
    fn what_is_no_game_is_rejected_with_a_reason() {
        assert!(matches!(game("1. e4 e5 2. Ke3 1-0"), Err(Rejected::Move { ply: 3, .. })));
        for text in ["1. e4 *", "1. e4", "[Result \"*\"]\n\n1. e4"] {
            assert!(matches!(game(text), Err(Rejected::NoResult)), "{text:?}");
        }
        assert!(matches!(game("nonsense"), Err(Rejected::NoGame)));
        assert!(matches!(game("1. e4 { open"), Err(Rejected::Malformed(_))));
        let deep = format!("1. e4 {} 1-0", "(".repeat(100_000));
        assert!(game(&deep).is_err());
        let cut = GameText { is_cut: true, ..GameText::default() };
        assert!(matches!(read(&cut, 6), Err(Rejected::TooLong)));
    }
}
