//! The `position` command: carried out whole or not at all.

use tamarin_movegen::{FenError, Position, Repair, Setup, SetupError, UciMove, UciMoveError};
use tamarin_uci::{Base, PositionText};

/// Why a `position` command is rejected.
#[derive(Debug, thiserror::Error)]
pub enum PositionRejected {
    /// The FEN is malformed.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The FEN describes what no game reaches.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A move of the list cannot be played.
    #[error("move {number} '{text}': {source}")]
    Move {
        /// Which of the list, from 1.
        number: usize,
        /// The move as sent.
        text: UciMove,
        /// What is wrong with it.
        source: UciMoveError,
    },
}

/// The position of a `position` command, and what was repaired in its FEN.
#[derive(Debug)]
pub struct SetUp {
    /// The position after all the moves, with those before it for repetitions.
    pub position: Position,
    /// What the FEN said wrongly, and is repaired.
    pub repairs: Vec<Repair>,
}

/// The position that the command describes.
///
/// # Errors
/// If the FEN is refused or any move of the list is illegal.
pub fn set_up(text: &PositionText) -> Result<SetUp, PositionRejected> {
    let (mut position, repairs) = match &text.base {
        Base::Start => (Position::startpos(), Vec::new()),
        Base::Fen(fen) => {
            let (setup, repairs) = Setup::parse(fen)?;
            (Position::from_setup(&setup)?, repairs)
        }
    };
    for (index, text) in text.moves.iter().enumerate() {
        let mv = position.resolve(*text).map_err(|source| PositionRejected::Move {
            number: index + 1,
            text: *text,
            source,
        })?;
        position.make(mv);
    }
    position.clear_undo();
    Ok(SetUp { position, repairs })
}

#[cfg(test)]
mod tests {
    use super::{PositionRejected, SetUp, set_up};
    use tamarin_uci::Command;

    fn run(line: &str) -> Result<SetUp, PositionRejected> {
        match line.parse() {
            Ok(Command::Position(text)) => set_up(&text),
            other => panic!("{line:?} gives {other:?}"),
        }
    }

    #[test]
    fn moves_are_played_and_counted_for_repetition() {
        let line = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let game = run(line).expect("a legal game");
        assert!(game.position.is_repetition(0));
        assert_eq!(game.position.halfmove_clock(), 8);
    }

    #[test]
    fn an_illegal_move_is_named_with_its_number() {
        let error =
            run("position startpos moves e2e4 e7e5 e4e5").expect_err("a pawn is in the way");
        let text = error.to_string();
        assert!(text.starts_with("move 3 'e4e5': "), "{text}");
    }

    #[test]
    fn impossible_rights_are_dropped_and_told() {
        let game = run("position fen 4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1").expect("repairable");
        assert!(!game.repairs.is_empty());
        assert!(game.position.castling().is_empty());
    }
}
