//! A game of any kind: where it started, its moves, its position. What engines need of a game.

use std::sync::Arc;

use tamarin_movegen::{self as chess, Color, Setup, SetupError};
use tamarin_variant::{self as variant, Game as Rules};

use crate::position::{Castling, Move, Position};
use crate::spelling::Spelling;

/// A game from its start position on, with its moves.
#[derive(Clone)]
pub struct Played {
    /// What clients call the variant; `None` in chess and Chess960.
    variant: Option<String>,
    start: Position,
    position: Position,
    /// `None` is a null move.
    moves: Vec<Option<Move>>,
}

/// A game at the position that a client described.
pub struct SetUp {
    pub game: Played,
    /// What was wrong with the FEN and was repaired, in words, if anything was.
    pub repairs: Option<String>,
}

impl From<chess::Position> for Played {
    fn from(position: chess::Position) -> Self {
        Self::begin(None, Position::Chess(Box::new(position), Castling::Classic))
    }
}

impl Played {
    /// Standard chess at its start position.
    pub fn chess() -> Self {
        chess::Position::startpos().into()
    }

    /// A variant at its start position.
    pub fn variant(name: String, rules: &Arc<Rules>) -> Self {
        Self::begin(Some(name), variant::Position::start(rules).into())
    }

    fn begin(variant: Option<String>, start: Position) -> Self {
        Self { variant, position: start.clone(), start, moves: Vec::new() }
    }

    /// A game of the same kind from another position on, or from the start.
    ///
    /// # Errors
    /// Why the FEN is no position of this game.
    pub fn set_up(&self, fen: Option<&str>) -> Result<SetUp, String> {
        match (self.as_variant(), fen) {
            (None, None) => Ok(SetUp { game: Self::chess(), repairs: None }),
            (None, Some(fen)) => {
                let (setup, repairs) = Setup::parse(fen).map_err(|error| error.to_string())?;
                let position = chess::Position::from_setup(&setup)
                    .map_err(|error: SetupError| error.to_string())?;
                let repairs: Vec<_> = repairs.iter().map(ToString::to_string).collect();
                let repairs = (!repairs.is_empty()).then(|| repairs.join("; "));
                Ok(SetUp { game: position.into(), repairs })
            }
            (Some((name, rules)), fen) => {
                let start = Position::of_variant(rules, fen)?;
                Ok(SetUp { game: Self::begin(Some(name.to_owned()), start), repairs: None })
            }
        }
    }

    /// The position on the board, with those before it for repetitions.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The name and the rules; `None` for standard chess.
    pub fn as_variant(&self) -> Option<(&str, &Arc<Rules>)> {
        Some((self.variant.as_deref()?, self.position.rules()?))
    }

    /// The position on the board, if the game is standard chess.
    pub fn as_chess(&self) -> Option<&chess::Position> {
        self.position.chess()
    }

    /// The position on the board as FEN.
    pub fn fen(&self) -> String {
        match &self.position {
            Position::Chess(position, _) => position.to_string(),
            Position::Variant(position) => position.fen(),
        }
    }

    pub fn side_to_move(&self) -> Color {
        self.position.turn()
    }

    /// How many moves `color` has made.
    pub fn moves_of(&self, color: Color) -> u32 {
        let first = usize::from(self.start.turn() == color);
        u32::try_from((self.moves.len() + first) / 2).unwrap_or(u32::MAX)
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        self.position.moves()
    }

    /// A legal move; `None` at the end of a game.
    pub fn first_move(&self, spelling: Spelling) -> Option<String> {
        let first = self.legal_moves().first().copied()?;
        Some(self.position.write(first, spelling))
    }

    /// Plays a legal move.
    pub fn make(&mut self, mv: Move) {
        self.position.advance(mv);
        self.moves.push(Some(mv));
    }

    /// Plays the legal move that a client means, or passes where it means a null move.
    ///
    /// # Errors
    /// Why neither is meant. Nothing is played then.
    pub fn play(&mut self, text: &str, spelling: Spelling) -> Result<(), String> {
        if text == spelling.null_move() {
            self.position = self.position.passed().ok_or("no null move is possible here")?;
            self.moves.push(None);
        } else {
            self.make(self.position.read(text, spelling)?);
        }
        Ok(())
    }

    /// Plays moves in order.
    ///
    /// # Errors
    /// Which of them, counted from 1, cannot be played, and why. Those before it are played then.
    pub fn play_all<'a>(
        &mut self,
        moves: impl IntoIterator<Item = &'a str>,
        spelling: Spelling,
    ) -> Result<(), String> {
        for (index, text) in moves.into_iter().enumerate() {
            let played = self.play(text, spelling);
            played.map_err(|reason| format!("move {}: {reason}", index + 1))?;
        }
        Ok(())
    }

    /// Takes back `plies` plies; `false`, and nothing happens, if fewer were played.
    pub fn take_back(&mut self, plies: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(plies) else { return false };
        self.moves.truncate(left);
        self.position = self.start.clone();
        for mv in &self.moves {
            match mv {
                Some(mv) => self.position.advance(*mv),
                None => self.position = self.position.passed().expect("invariant: it was passed"),
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Played, Spelling};
    use tamarin_movegen::{CastlingNotation, Color};
    use tamarin_variant::builtin;

    const UCI: Spelling = Spelling::Uci(CastlingNotation::Classic);

    fn after(game: &Played, moves: &str) -> Result<(), String> {
        game.set_up(None)?.game.play_all(moves.split(' '), UCI)
    }

    fn variant(name: &str) -> Played {
        Played::variant(name.to_owned(), &builtin(name).expect("it is built in"))
    }

    #[test]
    fn words_are_moves_by_the_rules_of_the_game_alone() {
        assert!(after(&variant("xiangqi"), "h3h10").is_ok());
        let reason = |game: &Played, moves: &str| after(game, moves).expect_err("no legal move");
        let chess = Played::chess();
        assert_eq!(reason(&chess, "h3h10"), "move 1: \"h3h10\" is not a move");
        let unreachable = "move 3: illegal move e4e5: no piece can move that way";
        assert_eq!(reason(&chess, "e2e4 e7e5 e4e5"), unreachable);
        let found = reason(&variant("capablanca"), "e2e4 j7j5 a1a9");
        assert_eq!(found, "move 3: \"a1a9\" is no legal move");
    }

    #[test]
    fn moves_are_counted_taken_back_and_kept_for_repetitions_in_both_games() {
        for (mut game, moves) in [
            (Played::chess(), ["g1f3", "g8f6", "f3g1", "f6g8"]),
            (variant("capablanca"), ["b1c3", "b8c6", "c3b1", "c6b8"]),
        ] {
            let start = game.fen();
            let is_over =
                |game: &Played| game.position().ending().or(game.position().claim()).is_some();
            for text in moves.iter().chain(&moves) {
                assert!(!is_over(&game));
                game.play(text, UCI).expect("a legal move");
            }
            assert!(is_over(&game), "the third time");
            assert!(game.take_back(2) && !is_over(&game));
            assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (3, 3));
            assert!(!game.take_back(7) && game.take_back(6));
            assert_eq!(game.fen(), start);
            // Null moves are taken back too, and nothing before them is repeated.
            for text in [moves[0], "0000", moves[2], moves[1], moves[0]] {
                assert!(game.play(text, UCI).is_ok(), "{text}");
            }
            let passed = game.fen();
            game.play(moves[3], UCI).expect("legal");
            assert!(!is_over(&game) && game.take_back(1) && game.fen() == passed);
            assert!(game.take_back(5) && game.fen() == start);
        }
    }

    #[test]
    fn moves_of_each_side_are_counted_from_any_start() {
        let set_up = Played::chess().set_up(Some("4k3/7p/8/8/8/8/7P/4K3 b - - 0 9"));
        let mut game = set_up.expect("legal").game;
        assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (0, 0));
        for (text, white, black) in [("h7h6", 0, 1), ("h2h3", 1, 1), ("h6h5", 1, 2)] {
            game.play(text, UCI).expect("legal");
            assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (white, black));
        }
    }

    #[test]
    fn a_repaired_position_says_so() {
        let set_up = Played::chess().set_up(Some("4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1"));
        let set_up = set_up.expect("repairable");
        assert!(set_up.repairs.is_some());
        assert_eq!(set_up.game.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }
}
