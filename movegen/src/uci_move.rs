//! Moves as UCI writes them: `e2e4`, `e7e8q`.

use core::fmt;
use core::str::FromStr;

use crate::castling::castling_targets;
use crate::text::{IllegalMove, clip, explain};
use crate::{File, Move, PieceKind, Position, Rank, Square};

/// How castling is written in UCI.
///
/// ```
/// use tamarin_movegen::{CastlingNotation, Position};
/// let position = Position::from_fen("r3k3/8/8/8/8/8/8/4K3 b q - 0 1")?;
/// let castle = position.legal_moves().into_iter().find(|mv| mv.is_castle()).unwrap();
/// assert_eq!(position.uci(castle, CastlingNotation::Classic).to_string(), "e8c8");
/// assert_eq!(position.uci(castle, CastlingNotation::KingTakesRook).to_string(), "e8a8");
/// # Ok::<(), tamarin_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CastlingNotation {
    /// The king's two steps (`e1g1`), if the castle is one of standard chess: king on the e-file,
    /// rook in the corner. Any other as [`CastlingNotation::KingTakesRook`].
    #[default]
    Classic,
    /// The king takes its own rook (`e1h1`), always: what `UCI_Chess960` asks for.
    KingTakesRook,
}

/// A move as UCI writes it: two squares and what a pawn becomes. It may be legal or not, and says
/// nothing about which piece moves; [`Position::resolve`] finds out.
///
/// Text may be in upper case; printing gives lower case.
///
/// ```
/// use tamarin_movegen::{PieceKind, Square, UciMove, UciMoveError};
/// let promotion: UciMove = "e7e8Q".parse()?;
/// assert_eq!(promotion.from, Square::E7);
/// assert_eq!(promotion.promotion, Some(PieceKind::Queen));
/// assert_eq!(promotion.to_string(), "e7e8q");
/// // The null move has no squares, so it is not one of these.
/// assert_eq!("0000".parse::<UciMove>(), Err(UciMoveError::Null));
/// # Ok::<(), UciMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UciMove {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes; for castling, where the king goes or where the rook stands.
    pub to: Square,
    /// What a pawn becomes: knight, bishop, rook or queen.
    pub promotion: Option<PieceKind>,
}

/// Why a text is not a UCI move, or not a legal one.
///
/// Columns count characters from 1; a text is repeated up to its 24th character.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UciMoveError {
    /// The null move `0000`: well-formed, but never a legal move.
    #[error("0000 is the null move")]
    Null,
    /// The text does not have four or five characters.
    #[error("expected a move of 4 or 5 characters, found {text:?}")]
    Length {
        /// The text.
        text: String,
    },
    /// Two characters are not a square.
    #[error("column {column}: expected a square, found {text:?}")]
    Square {
        /// Where they start.
        column: usize,
        /// What they are.
        text: String,
    },
    /// The fifth character is not one of `nbrq`.
    #[error("column 5: expected n, b, r or q, found {letter:?}")]
    Promotion {
        /// The character.
        letter: char,
    },
    /// The move is not legal in this position.
    #[error("illegal move {text}: {reason}")]
    Illegal {
        /// The move.
        text: UciMove,
        /// What is wrong with it.
        reason: IllegalMove,
    },
}

impl FromStr for UciMove {
    type Err = UciMoveError;

    fn from_str(text: &str) -> Result<Self, UciMoveError> {
        if text == "0000" {
            return Err(UciMoveError::Null);
        }
        // One character more than a move has, so that a long text is not read to its end.
        let mut letters = ['\0'; 6];
        let mut count = 0;
        for (slot, letter) in letters.iter_mut().zip(text.chars()) {
            *slot = letter;
            count += 1;
        }
        if count != 4 && count != 5 {
            return Err(UciMoveError::Length { text: clip(text) });
        }
        let from = read_square(&letters, 0)?;
        let to = read_square(&letters, 2)?;
        let promotion = match letters[4] {
            '\0' if count == 4 => None,
            letter => Some(
                PieceKind::from_char(letter)
                    .filter(|kind| PieceKind::PROMOTIONS.contains(kind))
                    .ok_or(UciMoveError::Promotion { letter })?,
            ),
        };
        Ok(Self { from, to, promotion })
    }
}

fn read_square(letters: &[char; 6], start: usize) -> Result<Square, UciMoveError> {
    let (file, rank) = (letters[start], letters[start + 1]);
    match (File::from_char(file), Rank::from_char(rank)) {
        (Some(file), Some(rank)) => Ok(Square::new(file, rank)),
        _ => Err(UciMoveError::Square { column: start + 1, text: String::from_iter([file, rank]) }),
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{kind}"),
            None => Ok(()),
        }
    }
}

impl From<Move> for UciMove {
    /// The text of a move, castling as [`CastlingNotation::KingTakesRook`].
    fn from(mv: Move) -> Self {
        Self { from: mv.from(), to: mv.to(), promotion: mv.promotion() }
    }
}

impl Position {
    /// The legal move that `text` means here.
    ///
    /// Castling may be written either way, as the king's move (`e1g1`) or as king takes rook
    /// (`e1h1`), in standard chess and in Chess960. Where the king can also simply move there, it
    /// does.
    ///
    /// # Errors
    /// [`UciMoveError::Illegal`] if there is no such move.
    ///
    /// ```
    /// use tamarin_movegen::{Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castle = position.resolve("e1g1".parse()?)?;
    /// assert!(castle.is_castle());
    /// assert_eq!(castle, position.resolve("e1h1".parse()?)?);
    ///
    /// // From f1 the king reaches g1 in one step: castling needs the other spelling.
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1")?;
    /// assert!(!position.resolve("f1g1".parse()?)?.is_castle());
    /// assert!(position.resolve("f1h1".parse()?)?.is_castle());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(&self, text: UciMove) -> Result<Move, UciMoveError> {
        let mut castle = None;
        for mv in self.legal_moves() {
            if mv.from() != text.from || mv.promotion() != text.promotion {
                continue;
            }
            if mv.is_castle() {
                if mv.to() == text.to || king_target(mv) == text.to {
                    castle = Some(mv);
                }
            } else if mv.to() == text.to {
                return Ok(mv);
            }
        }
        castle.ok_or_else(|| UciMoveError::Illegal {
            text,
            reason: explain(self, text.from, text.to, text.promotion),
        })
    }

    /// Makes the move that a text in UCI's notation means, if it is legal, and returns it.
    ///
    /// # Errors
    /// If the text is no move, or not a legal one; the position stays as it is.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// assert!(position.try_make_uci("e2e5").is_err());
    /// assert_eq!(position.try_make_uci("e2e4").map(|mv| mv.is_capture()), Ok(false));
    /// ```
    pub fn try_make_uci(&mut self, text: &str) -> Result<Move, UciMoveError> {
        let mv = self.resolve(text.parse()?)?;
        self.make(mv);
        Ok(mv)
    }

    /// The text of a legal move.
    pub fn uci(&self, mv: Move, notation: CastlingNotation) -> UciMove {
        let is_classic = mv.is_castle()
            && notation == CastlingNotation::Classic
            && mv.from().file() == File::E
            && matches!(mv.to().file(), File::A | File::H);
        let to = if is_classic { king_target(mv) } else { mv.to() };
        UciMove { to, ..mv.into() }
    }
}

/// Where the king ends up when it castles.
fn king_target(castle: Move) -> Square {
    castling_targets(castle.from(), castle.to()).0
}
