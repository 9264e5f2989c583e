//! The game being played: where it started, its moves, its result.

use tamarin_movegen::{CastlingNotation, Color, Move, Position, UciMove};
use tamarin_uci::xboard::GameResult;

/// A game, with its moves to take back.
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
}

impl Game {
    /// A game from this position on.
    pub fn from(start: Position) -> Self {
        Self { position: start.clone(), moves: Vec::new(), start }
    }

    /// The position on the board, with those before it for repetitions.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position.make(mv);
        self.position.clear_undo();
        self.moves.push(mv);
    }

    /// Takes back so many plies; `false`, and nothing happens, if there are not so many.
    pub fn take_back(&mut self, plies: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(plies) else { return false };
        self.moves.truncate(left);
        self.position = self.start.clone();
        for mv in &self.moves {
            self.position.make(*mv);
        }
        self.position.clear_undo();
        true
    }

    /// How many moves `color` has made.
    pub fn moves_of(&self, color: Color) -> u32 {
        let first = usize::from(self.start.side_to_move() == color);
        u32::try_from((self.moves.len() + first) / 2).unwrap_or(u32::MAX)
    }

    /// The result, if the game is over by the rules or a draw can be claimed.
    pub fn result(&self) -> Option<GameResult> {
        result(&self.position)
    }
}

/// The result in this position, if it ends the game.
pub fn result(position: &Position) -> Option<GameResult> {
    if !position.has_legal_move() {
        return Some(match (position.in_check(), position.side_to_move()) {
            (false, _) => GameResult::Stalemate,
            (true, Color::White) => GameResult::BlackMates,
            (true, Color::Black) => GameResult::WhiteMates,
        });
    }
    if position.is_insufficient_material() {
        Some(GameResult::InsufficientMaterial)
    } else if position.is_fifty_move_draw() {
        Some(GameResult::FiftyMoves)
    } else if position.is_repetition(0) {
        Some(GameResult::Repetition)
    } else {
        None
    }
}

/// The legal move that a client means, in coordinates, as `O-O`, or in SAN.
///
/// # Errors
/// Why there is none.
pub fn find_move(position: &Position, text: &str) -> Result<Move, String> {
    if let Ok(coordinates) = text.parse::<UciMove>() {
        return position.resolve(coordinates).map_err(|error| match error {
            tamarin_movegen::UciMoveError::Illegal { reason, .. } => reason.to_string(),
            other => other.to_string(),
        });
    }
    position.parse_san(text).map_err(|error| match error {
        tamarin_movegen::SanError::Illegal { reason, .. } => reason.to_string(),
        other => other.to_string(),
    })
}

/// A legal move as it is printed: in coordinates, castling as `O-O` in Chess960.
pub fn move_text(position: &Position, mv: Move, notation: CastlingNotation) -> String {
    if mv.is_castle() && notation == CastlingNotation::KingTakesRook {
        return position.san(mv).as_str().trim_end_matches(['+', '#']).to_owned();
    }
    position.uci(mv, notation).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Game, find_move, move_text, result};
    use tamarin_movegen::{CastlingNotation, Color, Position};
    use tamarin_uci::xboard::GameResult;

    fn played(moves: &[&str]) -> Game {
        let mut game = Game::from(Position::startpos());
        for text in moves {
            game.play(find_move(game.position(), text).expect("a legal move"));
        }
        game
    }

    #[test]
    fn moves_of_each_side_are_counted_from_any_start() {
        let game = played(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (2, 1));
        let start = Position::from_fen("4k3/7p/8/8/8/8/7P/4K3 b - - 0 9").expect("legal");
        let mut game = Game::from(start);
        assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (0, 0));
        for (text, white, black) in [("h7h6", 0, 1), ("h2h3", 1, 1), ("h6h5", 1, 2)] {
            game.play(find_move(game.position(), text).expect("legal"));
            assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (white, black));
        }
    }

    #[test]
    fn moves_are_taken_back_to_the_start_and_no_further() {
        let mut game = played(&["e2e4", "e7e5", "g1f3"]);
        assert!(game.take_back(2));
        assert_eq!(game.position().key(), played(&["e2e4"]).position().key());
        assert!(!game.take_back(2));
        assert!(game.take_back(1));
        assert_eq!(game.position().key(), Position::startpos().key());
    }

    #[test]
    fn every_end_of_a_game_is_recognized() {
        assert_eq!(played(&["f3", "e5", "g4", "Qh4"]).result(), Some(GameResult::BlackMates));
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        assert_eq!(played(&shuffle).result(), None);
        assert_eq!(played(&[shuffle, shuffle].concat()).result(), Some(GameResult::Repetition));
        let cases = [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::Stalemate)),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::WhiteMates)),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Some(GameResult::InsufficientMaterial)),
            ("4k3/8/8/8/8/8/8/4KR2 w - - 100 90", Some(GameResult::FiftyMoves)),
            ("4k3/8/8/8/8/8/8/4KR2 w - - 99 90", None),
        ];
        for (fen, wanted) in cases {
            assert_eq!(result(&Position::from_fen(fen).expect("legal")), wanted, "{fen}");
        }
    }

    #[test]
    fn castling_is_read_in_every_way_and_printed_as_the_variant_wants() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("legal");
        for text in ["e1g1", "e1h1", "O-O", "0-0"] {
            let castle = find_move(&position, text).expect("legal");
            let print = |notation| move_text(&position, castle, notation);
            assert_eq!(print(CastlingNotation::Classic), "e1g1");
            assert_eq!(print(CastlingNotation::KingTakesRook), "O-O");
        }
        assert_eq!(
            find_move(&position, "e1e3").expect_err("too far"),
            "no piece can move that way"
        );
    }
}
