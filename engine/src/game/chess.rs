//! Positions of standard chess.

use tamarin_movegen::{CastlingNotation, Color, Move, Position, Reason, SanError, Setup};
use tamarin_movegen::{SetupError, UciMove, UciMoveError};
use tamarin_uci::xboard::GameResult;
use tamarin_uci::{Base, Excerpt};

use super::played::Board;
use super::spelling::Spelling;

impl Board for Position {
    type Move = Move;

    fn mover(&self) -> Color {
        self.side_to_move()
    }

    fn advance(&mut self, mv: Move) {
        self.make(mv);
        self.clear_undo();
    }

    fn moves(&self) -> Vec<Move> {
        self.legal_moves().into_iter().collect()
    }

    fn read(&self, text: &str, spelling: Spelling) -> Result<Move, String> {
        match spelling {
            Spelling::Uci(_) => {
                let coordinates: UciMove =
                    text.parse().map_err(|_| format!("{} is not a move", Excerpt::from(text)))?;
                self.resolve(coordinates).map_err(|error| error.to_string())
            }
            Spelling::XBoard(_) => find_move(self, text),
        }
    }

    fn write(&self, mv: Move, spelling: Spelling) -> String {
        match spelling {
            Spelling::XBoard(CastlingNotation::KingTakesRook) if mv.is_castle() => {
                self.san(mv).as_str().trim_end_matches(['+', '#']).to_owned()
            }
            Spelling::Uci(notation) | Spelling::XBoard(notation) => {
                self.uci(mv, notation).to_string()
            }
        }
    }

    fn result(&self) -> Option<String> {
        result(self).map(|result| result.to_string())
    }
}

/// The position before the first move, and what was repaired in its FEN.
pub fn set_up(base: &Base) -> Result<(Position, Vec<String>), String> {
    let Base::Fen(fen) = base else { return Ok((Position::startpos(), Vec::new())) };
    let (setup, repairs) = Setup::parse(fen).map_err(|error| error.to_string())?;
    let position = Position::from_setup(&setup).map_err(|error: SetupError| error.to_string())?;
    Ok((position, repairs.iter().map(ToString::to_string).collect()))
}

/// The legal move in coordinates, as `O-O`, or in SAN. The client quotes the move itself.
fn find_move(position: &Position, text: &str) -> Result<Move, String> {
    if let Ok(coordinates) = text.parse::<UciMove>() {
        return position.resolve(coordinates).map_err(|error| match error {
            UciMoveError::Illegal { reason, .. } => reason.to_string(),
            other => other.to_string(),
        });
    }
    position.parse_san(text).map_err(|error| match error {
        SanError::Illegal { reason, .. } => reason.to_string(),
        other => other.to_string(),
    })
}

/// The result in this position, if it ends the game.
fn result(position: &Position) -> Option<GameResult> {
    let outcome = position.outcome_with_claims()?;
    Some(match outcome.reason {
        Reason::Checkmate if outcome.winner == Some(Color::White) => GameResult::WhiteMates,
        Reason::Checkmate => GameResult::BlackMates,
        Reason::Stalemate => GameResult::Stalemate,
        Reason::InsufficientMaterial => GameResult::InsufficientMaterial,
        Reason::BlockedPawns => GameResult::DeadPosition,
        Reason::FivefoldRepetition | Reason::ThreefoldRepetition => GameResult::Repetition,
        Reason::SeventyFiveMoves | Reason::FiftyMoves => GameResult::FiftyMoves,
    })
}

#[cfg(test)]
mod tests {
    use super::result;
    use crate::game::played::{Board, Played};
    use crate::game::{Game, Spelling};
    use tamarin_movegen::{CastlingNotation, Color, Position};
    use tamarin_uci::xboard::GameResult;

    const XBOARD: Spelling = Spelling::XBoard(CastlingNotation::Classic);

    fn played(moves: &[&str]) -> Box<Played<Position>> {
        let mut game = Game::chess();
        for text in moves {
            game.play(text, XBOARD).expect("a legal move");
        }
        let Game::Chess(played) = game else { panic!("it is chess") };
        played
    }

    #[test]
    fn moves_of_each_side_are_counted_from_any_start() {
        let game = played(&["e2e4", "e7e5", "g1f3"]);
        assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (2, 1));
        let start = Position::from_fen("4k3/7p/8/8/8/8/7P/4K3 b - - 0 9").expect("legal");
        let mut game = Played::from(start);
        assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (0, 0));
        for (text, white, black) in [("h7h6", 0, 1), ("h2h3", 1, 1), ("h6h5", 1, 2)] {
            game.play(text, XBOARD).expect("legal");
            assert_eq!((game.moves_of(Color::White), game.moves_of(Color::Black)), (white, black));
        }
    }

    #[test]
    fn every_end_of_a_game_is_recognized() {
        let of = |moves: &[&str]| result(played(moves).position());
        assert_eq!(of(&["f3", "e5", "g4", "Qh4"]), Some(GameResult::BlackMates));
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        assert_eq!(of(&shuffle), None);
        assert_eq!(of(&[shuffle, shuffle].concat()), Some(GameResult::Repetition));
        let cases = [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::Stalemate)),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::WhiteMates)),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Some(GameResult::InsufficientMaterial)),
            ("2b1k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", Some(GameResult::InsufficientMaterial)),
            ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", Some(GameResult::DeadPosition)),
            ("4k3/8/8/8/8/8/8/4KR2 w - - 100 90", Some(GameResult::FiftyMoves)),
            ("4k3/8/8/8/8/8/8/4KR2 w - - 99 90", None),
        ];
        for (fen, wanted) in cases {
            assert_eq!(result(&Position::from_fen(fen).expect("legal")), wanted, "{fen}");
        }
    }

    #[test]
    fn castling_is_read_in_every_way_and_printed_as_the_protocol_wants() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("legal");
        let chess960 = CastlingNotation::KingTakesRook;
        for text in ["e1g1", "e1h1", "O-O", "0-0"] {
            let castle = position.read(text, XBOARD).expect("legal");
            assert_eq!(position.write(castle, XBOARD), "e1g1");
            assert_eq!(position.write(castle, Spelling::XBoard(chess960)), "O-O");
            assert_eq!(position.write(castle, Spelling::Uci(chess960)), "e1h1");
        }
        let reason = position.read("e1e3", XBOARD).expect_err("too far");
        assert_eq!(reason, "no piece can move that way");
        assert!(position.read("O-O", Spelling::Uci(chess960)).is_err());
    }
}
