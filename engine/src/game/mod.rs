//! The game in progress: standard chess or a variant, one of the two.
//!
//! Clients name moves by words. What a word means, and how a move is written, depends on the game
//! and on the protocol ([`Spelling`]); the sessions exchange nothing but words with the game.

mod chess;
mod output;
mod played;
mod spelling;
mod variant;

use std::sync::Arc;

use tamarin_movegen::{Color, Position};
use tamarin_uci::{Base, MoveWords};
use tamarin_variant::Game as Rules;

pub use self::output::{Answer, ChessObserver, SearchOutput, VariantObserver};
pub use self::played::Played;
pub use self::spelling::Spelling;

/// A game from its start position on, with its moves.
#[derive(Clone)]
pub enum Game {
    /// Standard chess and Chess960.
    Chess(Box<Played<Position>>),
    /// A game with other rules.
    Variant {
        /// What clients call it.
        name: String,
        played: Box<Played<tamarin_variant::Position>>,
    },
}

/// A game at the position that a client described.
pub struct SetUp {
    pub game: Game,
    /// What was wrong with the FEN and was repaired.
    pub repairs: Vec<String>,
}

impl SetUp {
    /// What a client is told of the repairs, if there were any.
    pub fn note_of_repairs(&self) -> Option<String> {
        let repairs = self.repairs.join("; ");
        (!repairs.is_empty()).then(|| format!("position repaired: {repairs}"))
    }
}

/// The same expression for either game.
macro_rules! either {
    ($game:expr, $played:ident => $body:expr) => {
        match $game {
            Game::Chess($played) => $body,
            Game::Variant { played: $played, .. } => $body,
        }
    };
}

impl Game {
    /// Standard chess at its start position.
    pub fn chess() -> Self {
        Self::from_position(Position::startpos())
    }

    /// Standard chess from this position on.
    pub fn from_position(position: Position) -> Self {
        Self::Chess(Box::new(Played::from(position)))
    }

    /// A variant at its start position.
    pub fn variant(name: String, rules: &Arc<Rules>) -> Self {
        Self::from_variant(name, tamarin_variant::Position::start(rules))
    }

    fn from_variant(name: String, position: tamarin_variant::Position) -> Self {
        Self::Variant { name, played: Box::new(Played::from(position)) }
    }

    /// A game of the same kind from another position on.
    ///
    /// # Errors
    /// Why the text is no position of this game.
    pub fn set_up(&self, base: &Base) -> Result<SetUp, String> {
        match self {
            Self::Chess(_) => {
                let (position, repairs) = chess::set_up(base)?;
                Ok(SetUp { game: Self::from_position(position), repairs })
            }
            Self::Variant { name, played } => {
                let position = variant::set_up(played.position().game(), base)?;
                let game = Self::from_variant(name.clone(), position);
                Ok(SetUp { game, repairs: Vec::new() })
            }
        }
    }

    /// Plays moves in order.
    ///
    /// # Errors
    /// Which of them, counted from 1, cannot be played, and why. Those before it are played then.
    pub fn play_all(&mut self, moves: &MoveWords, spelling: Spelling) -> Result<(), String> {
        for (index, text) in moves.iter().enumerate() {
            let played = self.play(text, spelling);
            played.map_err(|reason| format!("move {}: {reason}", index + 1))?;
        }
        Ok(())
    }

    /// The name and the rules; `None` for standard chess.
    pub fn as_variant(&self) -> Option<(&str, &Arc<Rules>)> {
        match self {
            Self::Chess(_) => None,
            Self::Variant { name, played } => Some((name, played.position().game())),
        }
    }

    /// The position on the board, if the game is standard chess.
    pub fn as_chess(&self) -> Option<&Position> {
        match self {
            Self::Chess(played) => Some(played.position()),
            Self::Variant { .. } => None,
        }
    }

    /// The position on the board as FEN.
    pub fn fen(&self) -> String {
        match self {
            Self::Chess(played) => played.position().to_string(),
            Self::Variant { played, .. } => played.position().fen(),
        }
    }

    pub fn side_to_move(&self) -> Color {
        either!(self, played => played.side_to_move())
    }

    /// How many moves `color` has made.
    pub fn moves_of(&self, color: Color) -> u32 {
        either!(self, played => played.moves_of(color))
    }

    pub fn legal_moves(&self, spelling: Spelling) -> Vec<String> {
        either!(self, played => played.legal_moves(spelling))
    }

    /// How many legal moves there are.
    pub fn count_moves(&self) -> usize {
        either!(self, played => played.count_moves())
    }

    /// A legal move; `None` at the end of a game.
    pub fn first_move(&self, spelling: Spelling) -> Option<String> {
        either!(self, played => played.first_move(spelling))
    }

    /// The legal move that a client means, as it is written.
    ///
    /// # Errors
    /// Why no legal move is meant.
    pub fn find_move(&self, text: &str, spelling: Spelling) -> Result<String, String> {
        either!(self, played => played.find_move(text, spelling))
    }

    /// Plays the legal move that a client means.
    ///
    /// # Errors
    /// Why no legal move is meant. Nothing is played then.
    pub fn play(&mut self, text: &str, spelling: Spelling) -> Result<(), String> {
        either!(self, played => played.play(text, spelling))
    }

    /// Takes back `plies` plies; `false`, and nothing happens, if fewer were played.
    pub fn take_back(&mut self, plies: usize) -> bool {
        either!(self, played => played.take_back(plies))
    }

    /// The result as XBoard writes it, such as `1-0 {White mates}`, if the game is over by its
    /// rules or a draw can be claimed.
    pub fn result(&self) -> Option<String> {
        either!(self, played => played.result())
    }
}

#[cfg(test)]
mod tests {
    use super::{Game, Spelling};
    use tamarin_movegen::{CastlingNotation, Color};
    use tamarin_uci::{Base, Command};
    use tamarin_variant::builtin;

    const UCI: Spelling = Spelling::Uci(CastlingNotation::Classic);

    /// The game after a `position` line.
    fn after(game: &Game, line: &str) -> Result<Game, String> {
        let Ok(Command::Position(text)) = line.parse() else { panic!("{line:?}") };
        let mut set_up = game.set_up(&text.base)?;
        set_up.game.play_all(&text.moves, UCI)?;
        Ok(set_up.game)
    }

    fn variant(name: &str) -> Game {
        Game::variant(name.to_owned(), &builtin(name).expect("it is built in"))
    }

    #[test]
    fn words_are_moves_by_the_rules_of_the_game_alone() {
        let line = "position startpos moves h3h10";
        assert!(after(&variant("xiangqi"), line).is_ok());
        let reason = after(&Game::chess(), line).err();
        assert_eq!(reason.as_deref(), Some("move 1: \"h3h10\" is not a move"));
        let line = "position startpos moves e2e4 e7e5 e4e5";
        let reason = after(&Game::chess(), line).err();
        let unreachable = "move 3: illegal move e4e5: no piece can move that way";
        assert_eq!(reason.as_deref(), Some(unreachable));
        let reason = after(&variant("capablanca"), "position startpos moves e2e4 j7j5 a1a9").err();
        assert_eq!(reason.as_deref(), Some("move 3: \"a1a9\" is no legal move"));
    }

    #[test]
    fn moves_are_counted_taken_back_and_kept_for_repetitions_in_both_games() {
        for (mut game, moves) in [
            (Game::chess(), ["g1f3", "g8f6", "f3g1", "f6g8"]),
            (variant("capablanca"), ["b1c3", "b8c6", "c3b1", "c6b8"]),
        ] {
            let start = game.fen();
            for text in moves.iter().chain(&moves) {
                assert_eq!(game.result(), None);
                game.play(text, UCI).expect("a legal move");
            }
            let result = game.result().expect("the third time");
            assert!(result.starts_with("1/2-1/2 {"), "{result}");
            assert!(game.take_back(2) && game.result().is_none());
            assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (3, 3));
            assert!(!game.take_back(7) && game.take_back(6));
            assert_eq!(game.fen(), start);
        }
    }

    #[test]
    fn a_repaired_position_says_so() {
        let base = Base::Fen("4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1".to_owned());
        let set_up = Game::chess().set_up(&base).expect("repairable");
        assert!(!set_up.repairs.is_empty());
        assert_eq!(set_up.game.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }
}
