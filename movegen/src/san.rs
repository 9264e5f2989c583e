//! Moves as people write them: `Nf3`, `exd6`, `O-O`, `e8=Q#`.

use core::fmt;
use core::str::Chars;

use arrayvec::ArrayString;

use crate::castling::CastlingSide;
use crate::text::{IllegalMove, clip, explain_pseudo_legal, is_pseudo_legal};
use crate::{Bitboard, File, Move, PieceKind, Position, Rank, Square};

/// A move in standard algebraic notation, as the PGN standard asks for it.
///
/// ```
/// use tamarin_movegen::Position;
/// let position = Position::from_fen("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1")?;
/// let knight = position.resolve("g3e4".parse()?)?;
/// assert_eq!(position.san(knight).to_string(), "Nge4");
/// assert_eq!(position.san(knight).as_str(), "Nge4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct San(ArrayString<8>); // `Qa1xb2#` and `axb8=Q#` are as long as it gets

impl San {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Why a text is not a legal move in algebraic notation.
///
/// Columns count characters from 1; a text is repeated up to its 24th character.
///
/// ```
/// use tamarin_movegen::Position;
/// let position = Position::startpos();
/// let error = |text| position.parse_san(text).unwrap_err().to_string();
/// assert_eq!(error("Nf9"), "column 3: expected the target square, found \"9\"");
/// assert_eq!(error("Nf4"), "illegal move \"Nf4\": no piece can move that way");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not algebraic notation.
    #[error("column {column}: expected {expected}, found {text:?}")]
    Syntax {
        /// Where reading stopped.
        column: usize,
        /// What should have stood there.
        expected: &'static str,
        /// What stands there, to the end of the text; empty at its end.
        text: String,
    },
    /// Several legal moves match.
    #[error("ambiguous move {text:?}: the piece may come from {} or {}", .from[0], .from[1])]
    Ambiguous {
        /// The text.
        text: String,
        /// Where the first two pieces that match stand.
        from: [Square; 2],
    },
    /// No legal move matches.
    #[error("illegal move {text:?}: {reason}")]
    Illegal {
        /// The text.
        text: String,
        /// [`IllegalMove::KingInCheck`] if there is such a move but for the king's safety.
        reason: IllegalMove,
    },
}

impl Position {
    /// The standard algebraic notation of a legal move.
    ///
    /// The origin is named as far as other legal moves of the same kind of piece to the same
    /// square make it necessary: by file, else by rank, else by both. `+` marks check, `#` mate.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = Position::from_fen("7k/P7/6KN/8/8/8/8/8 w - - 0 1")?;
    /// let texts: Vec<String> =
    ///     position.legal_moves().into_iter().map(|mv| position.san(mv).to_string()).collect();
    /// assert!(texts.contains(&"a8=Q#".to_owned()));
    /// assert!(texts.contains(&"a8=N".to_owned()));
    /// assert!(texts.contains(&"Nf7+".to_owned()));
    /// # Ok::<(), tamarin_movegen::FenError>(())
    /// ```
    pub fn san(&self, mv: Move) -> San {
        let mut text = ArrayString::new();
        let kind = self.moved_piece(mv).kind();
        if mv.is_castle() {
            text.push_str(match CastlingSide::of(mv.from(), mv.to()) {
                CastlingSide::King => "O-O",
                CastlingSide::Queen => "O-O-O",
            });
        } else {
            if kind == PieceKind::Pawn {
                if mv.is_capture() {
                    text.push(mv.from().file().to_char());
                }
            } else {
                text.push(kind.to_char().to_ascii_uppercase());
                self.push_origin(mv, kind, &mut text);
            }
            if mv.is_capture() {
                text.push('x');
            }
            text.push(mv.to().file().to_char());
            text.push(mv.to().rank().to_char());
            if let Some(promotion) = mv.promotion() {
                text.push('=');
                text.push(promotion.to_char().to_ascii_uppercase());
            }
        }
        let after = self.board().play(mv);
        if after.checkers().any() {
            text.push(if after.count_moves() == 0 { '#' } else { '+' });
        }
        San(text)
    }

    /// As much of the origin as the move needs beside those of the other pieces of its kind.
    fn push_origin(&self, mv: Move, kind: PieceKind, text: &mut ArrayString<8>) {
        if kind == PieceKind::King {
            return;
        }
        let from = mv.from();
        let rivals: Bitboard = self
            .legal_moves()
            .into_iter()
            .filter(|other| other.to() == mv.to() && self.moved_piece(*other).kind() == kind)
            .map(Move::from)
            .filter(|&square| square != from)
            .collect();
        if rivals.is_empty() {
            return;
        }
        let on_file = (rivals & from.file().bitboard()).any();
        let on_rank = (rivals & from.rank().bitboard()).any();
        if !on_file || on_rank {
            text.push(from.file().to_char());
        }
        if on_file {
            text.push(from.rank().to_char());
        }
    }

    /// The legal move that a text in algebraic notation means here.
    ///
    /// Reading is lenient. Castling may be written with zeros, a promotion as `e8=Q`, `e8Q`,
    /// `e8(Q)`, `e8/Q` or with a small letter, a capture without `x` or with `:`, any move with
    /// more of its origin than needed (`Ng1f3`, `e2-e4`). The marks `+ # ! ?` and `e.p.` may
    /// follow or not and are not checked, nor is the `x`.
    ///
    /// # Errors
    /// If the text is not algebraic notation, if no legal move matches, or if several do.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1")?;
    /// let en_passant = position.parse_san("exd6")?;
    /// assert!(en_passant.is_en_passant());
    /// assert_eq!(position.parse_san("e5:d6 e.p.!?")?, en_passant);
    /// assert_eq!(position.parse_san("0-0")?, position.parse_san("O-O+")?);
    /// assert!(position.parse_san("Nd6").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let pattern = Cursor::new(text).pattern()?;
        let mut found: Option<Move> = None;
        for mv in self.legal_moves() {
            if !pattern.matches(self, mv) {
                continue;
            }
            if let Some(first) = found {
                let from = [first.from(), mv.from()];
                return Err(SanError::Ambiguous { text: clip(text), from });
            }
            found = Some(mv);
        }
        found.ok_or_else(|| SanError::Illegal { text: clip(text), reason: pattern.explain(self) })
    }
}

/// What a text says about a move.
#[derive(Clone, Copy)]
enum Pattern {
    Castle(CastlingSide),
    Piece {
        kind: PieceKind,
        from_file: Option<File>,
        from_rank: Option<Rank>,
        to: Square,
        promotion: Option<PieceKind>,
    },
}

impl Pattern {
    fn matches(self, position: &Position, mv: Move) -> bool {
        match self {
            Self::Castle(side) => mv.is_castle() && CastlingSide::of(mv.from(), mv.to()) == side,
            Self::Piece { kind, to, promotion, .. } => {
                !mv.is_castle()
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && self.may_start_on(mv.from())
                    && position.moved_piece(mv).kind() == kind
            }
        }
    }

    fn may_start_on(self, square: Square) -> bool {
        match self {
            Self::Castle(_) => false,
            Self::Piece { from_file, from_rank, .. } => {
                from_file.is_none_or(|file| file == square.file())
                    && from_rank.is_none_or(|rank| rank == square.rank())
            }
        }
    }

    /// Why no legal move matches.
    fn explain(self, position: &Position) -> IllegalMove {
        let Self::Piece { kind, to, promotion, .. } = self else { return IllegalMove::Unreachable };
        let mut pieces = position.of(position.side_to_move(), kind).into_iter();
        if !pieces.any(|from| self.may_start_on(from) && is_pseudo_legal(position, from, to)) {
            return IllegalMove::Unreachable;
        }
        explain_pseudo_legal(position, kind, to, promotion)
    }
}

/// What is left of a text, and how far reading has come.
struct Cursor<'a> {
    rest: Chars<'a>,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars(), column: 1 }
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn skip(&mut self) {
        if self.rest.next().is_some() {
            self.column += 1;
        }
    }

    /// Takes the next character if `read` makes something of it.
    fn take<T>(&mut self, read: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let value = self.peek().and_then(read)?;
        self.skip();
        Some(value)
    }

    fn take_any(&mut self, letters: &str) -> Option<char> {
        self.take(|letter| letters.contains(letter).then_some(letter))
    }

    fn error(&self, expected: &'static str) -> SanError {
        SanError::Syntax { column: self.column, expected, text: clip(self.rest.as_str()) }
    }

    fn pattern(mut self) -> Result<Pattern, SanError> {
        while self.take(|letter| letter.is_whitespace().then_some(())).is_some() {}
        let pattern = match self.take_any("Oo0") {
            Some(_) => self.castle()?,
            None => self.piece_move()?,
        };
        self.marks()?;
        Ok(pattern)
    }

    /// The rest of a castling move after its first `O`.
    fn castle(&mut self) -> Result<Pattern, SanError> {
        let mut steps = 1;
        while steps < 3 && self.take_any("-").is_some() {
            if self.take_any("Oo0").is_none() {
                return Err(self.error("'O'"));
            }
            steps += 1;
        }
        match steps {
            2 => Ok(Pattern::Castle(CastlingSide::King)),
            3 => Ok(Pattern::Castle(CastlingSide::Queen)),
            _ => Err(self.error("'-'")),
        }
    }

    fn piece_move(&mut self) -> Result<Pattern, SanError> {
        let kind = self.take(|letter| match letter {
            'P' | 'N' | 'B' | 'R' | 'Q' | 'K' => PieceKind::from_char(letter),
            _ => None,
        });
        if kind.is_none() && !matches!(self.peek(), Some('a'..='h' | '1'..='8')) {
            return Err(self.error("a piece letter, a file or castling"));
        }
        let kind = kind.unwrap_or(PieceKind::Pawn);
        let from_file = self.take(file);
        let from_rank = self.take(Rank::from_char);
        let separator = self.take_any("xX:-");
        let (from_file, from_rank, to) = match (from_file, from_rank) {
            // Only one square is named, so it is the target.
            (Some(file), Some(rank)) if separator.is_none() && !self.is_at_square() => {
                (None, None, Square::new(file, rank))
            }
            (from_file, from_rank) => {
                let file = self.take(file).ok_or_else(|| self.error("the target square"))?;
                let rank = self
                    .take(Rank::from_char)
                    .ok_or_else(|| self.error("the rank of the target square"))?;
                (from_file, from_rank, Square::new(file, rank))
            }
        };
        let promotion = self.promotion()?;
        Ok(Pattern::Piece { kind, from_file, from_rank, to, promotion })
    }

    /// Returns `true` if a file and a rank follow. (After `e8`, a `b` alone is a bishop.)
    fn is_at_square(&self) -> bool {
        let mut rest = self.rest.clone();
        rest.next().and_then(file).is_some() && rest.next().and_then(Rank::from_char).is_some()
    }

    fn promotion(&mut self) -> Result<Option<PieceKind>, SanError> {
        let mark = self.take_any("=/(");
        let kind = self.take(|letter| {
            PieceKind::from_char(letter).filter(|kind| PieceKind::PROMOTIONS.contains(kind))
        });
        if mark.is_some() && kind.is_none() {
            return Err(self.error("Q, R, B or N"));
        }
        if mark == Some('(') && self.take_any(")").is_none() {
            return Err(self.error("')'"));
        }
        Ok(kind)
    }

    /// Check marks, comments and `e.p.`, to the end.
    fn marks(mut self) -> Result<(), SanError> {
        let mut is_en_passant = false;
        while let Some(letter) = self.peek() {
            let rest = self.rest.as_str();
            if letter.is_whitespace() || "+#!?".contains(letter) {
                self.skip();
            } else if let Some(mark) =
                ["e.p.", "e.p", "ep"].into_iter().find(|&mark| rest.starts_with(mark))
                && !is_en_passant
            {
                is_en_passant = true;
                mark.chars().for_each(|_| self.skip());
            } else {
                return Err(self.error("the end of the move"));
            }
        }
        Ok(())
    }
}

fn file(letter: char) -> Option<File> {
    // In upper case it may be a bishop.
    File::from_char(letter).filter(|_| letter.is_ascii_lowercase())
}
